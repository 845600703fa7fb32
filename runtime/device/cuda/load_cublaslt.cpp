// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Finding the functions of cuBLASLt.
#include "runtime/device/cuda/cublaslt.h"

#include <dlfcn.h>

namespace sluice::rt::cuda {

rt::Result<CublasLt> resolveCublasLt(FindLibraryFunction find, void *library,
                                     const std::string &where) {
  CublasLt functions;
  auto resolve = [&](const char *name, void **function) -> Status {
    *function = find(library, name);
    return *function ? okStatus()
                     : Status(Code::kUnavailable, where + " has no '" + std::string(name) + "'");
  };
#define FUNCTION(name, parameters)                                                                 \
  SLUICE_RETURN_IF_ERROR(resolve(#name, reinterpret_cast<void **>(&functions.name)));
#include "runtime/device/cuda/cublaslt_functions.def"
#undef FUNCTION
  return functions;
}

rt::Result<CublasLt> loadCublasLt(std::span<const char *const> names) {
  std::string missing;
  for (const char *name : names) {
    if (void *library = dlopen(name, RTLD_NOW | RTLD_LOCAL))
      return resolveCublasLt(&dlsym, library, name);
    const char *why = dlerror();
    missing += (missing.empty() ? "" : "; ") + std::string(why ? why : name);
  }
  return Status(Code::kUnavailable, "cuBLASLt is missing: " + missing);
}

rt::Result<CublasLt> loadCublasLt() {
  constexpr const char *kNames[] = {"libcublasLt.so.13", "libcublasLt.so.12"};
  return loadCublasLt(kNames);
}

} // namespace sluice::rt::cuda
