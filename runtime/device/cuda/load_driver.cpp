// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Finding the driver's functions.
#include "runtime/device/cuda/driver.h"

#include "runtime/device/cuda/driver_errors.h"

#include <dlfcn.h>

namespace sluice::rt::cuda {

static Status missing(std::string message) { return {Code::kUnavailable, std::move(message)}; }

static std::string versionText(int version) {
  return format("%d.%d", version / 1000, version % 1000 / 10);
}

static Status checkVersion(const Driver &driver, const std::string &where) {
  if (driver.version >= kLeastDriverVersion)
    return okStatus();
  return missing(where + " is a driver for CUDA " + versionText(driver.version) + ", but CUDA " +
                 versionText(kLeastDriverVersion) + " is needed");
}

static Status resolveVersion(GetProcAddressFunction find, Driver &driver,
                             const std::string &where) {
  SymbolStatus status = kSymbolFound;
  void *function = nullptr;
  if (find("cuDriverGetVersion", &function, 2020, 0, &status) != kSuccess || !function)
    return missing(where + " is no driver for CUDA: it has no 'cuDriverGetVersion'");
  auto getVersion = reinterpret_cast<cuDriverGetVersionFunction>(function);
  if (Result result = getVersion(&driver.version); result != kSuccess)
    return missing(where + " does not tell its version: " + resultText(driver, result));
  return checkVersion(driver, where);
}

static Status resolveFunctions(GetProcAddressFunction find, Driver &driver,
                               const std::string &where) {
  auto resolve = [&](const char *name, int version, void **function) -> Status {
    SymbolStatus status = kSymbolFound;
    if (find(name, function, version, 0, &status) == kSuccess && status == kSymbolFound &&
        *function)
      return okStatus();
    *function = nullptr;
    if (version > kLeastDriverVersion)
      return okStatus();
    return missing(where + " (CUDA " + versionText(driver.version) + ") has no '" + name +
                   "' of version " + versionText(version));
  };
#define FUNCTION(name, version, parameters)                                                        \
  SLUICE_RETURN_IF_ERROR(resolve(#name, version, reinterpret_cast<void **>(&driver.name)));
#include "runtime/device/cuda/cuda_functions.def"
#undef FUNCTION
  return okStatus();
}

rt::Result<Driver> resolveDriver(GetProcAddressFunction find, const std::string &where) {
  Driver driver;
  SLUICE_RETURN_IF_ERROR(resolveVersion(find, driver, where));
  SLUICE_RETURN_IF_ERROR(resolveFunctions(find, driver, where));
  if (Result result = driver.cuInit(0); result != kSuccess)
    return missing(where + " does not start: " + resultText(driver, result));
  return driver;
}

rt::Result<Driver> loadDriver(const char *library) {
  void *handle = dlopen(library, RTLD_NOW | RTLD_LOCAL);
  if (!handle) {
    const char *why = dlerror();
    return missing(std::string("the CUDA driver is missing, version 12.0 or later is needed: ") +
                   (why ? why : library));
  }
  if (void *find = dlsym(handle, "cuGetProcAddress_v2"))
    return resolveDriver(reinterpret_cast<GetProcAddressFunction>(find), library);
  // Older ones, and what is something else.
  Driver driver;
  auto getVersion =
      reinterpret_cast<cuDriverGetVersionFunction>(dlsym(handle, "cuDriverGetVersion"));
  if (getVersion && getVersion(&driver.version) == kSuccess)
    SLUICE_RETURN_IF_ERROR(checkVersion(driver, library));
  return missing(std::string(library) + " is no driver for CUDA " +
                 versionText(kLeastDriverVersion) + ": it has no 'cuGetProcAddress_v2'");
}

} // namespace sluice::rt::cuda
