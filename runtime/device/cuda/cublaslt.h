// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// cuBLASLt as a table of functions, of a library of the machine's or of whoever has ones like them.
// Programs need none of it: what is missing is UNAVAILABLE, and their own kernels do the work.
#pragma once

#include "runtime/base/status.h"
#include "runtime/device/cuda/cublaslt_abi.h"

#include <span>

namespace sluice::rt::cuda {

struct CublasLt {
#define FUNCTION(name, parameters) lt::name##Function name = nullptr;
#include "runtime/device/cuda/cublaslt_functions.def"
#undef FUNCTION
};

// Null for functions that there are not.
using FindLibraryFunction = void *(*)(void *library, const char *name);

// `where` is for messages.
rt::Result<CublasLt> resolveCublasLt(FindLibraryFunction find, void *library,
                                     const std::string &where);
// Of the first of these libraries that is found. It is never unloaded.
rt::Result<CublasLt> loadCublasLt(std::span<const char *const> names);
// Of CUDA 13 or 12.
rt::Result<CublasLt> loadCublasLt();

} // namespace sluice::rt::cuda
