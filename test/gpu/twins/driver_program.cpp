// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A program that loads the library that it is given as its CUDA driver, and axpy of a file of PTX.
// Exit code 0 if the result is right.
#include "runtime/device/cuda/cuda_abi.h"

#include <cstdio>
#include <dlfcn.h>
#include <fstream>
#include <sstream>
#include <vector>

using namespace sluice::rt::cuda;

static GetProcAddressFunction getProcAddress;

template <typename F> static F find(const char *name, int version) {
  void *function = nullptr;
  SymbolStatus status;
  getProcAddress(name, &function, version, 0, &status);
  return reinterpret_cast<F>(function);
}

#define CALL(name, version, ...)                                                                   \
  if (Result result = find<name##Function>(#name, version)(__VA_ARGS__)) {                         \
    fprintf(stderr, #name " answers %d\n", result);                                                \
    return 1;                                                                                      \
  }

int main(int, char **arguments) {
  void *library = dlopen(arguments[1], RTLD_NOW | RTLD_LOCAL);
  if (!library)
    return fprintf(stderr, "%s\n", dlerror()), 1;
  getProcAddress = reinterpret_cast<GetProcAddressFunction>(dlsym(library, "cuGetProcAddress_v2"));
  std::ostringstream image;
  image << std::ifstream(arguments[2]).rdbuf();
  Context context;
  Module module;
  Function axpy;
  Stream stream;
  DevicePointer x, y;
  int count = 100;
  float factor = 3;
  std::vector<float> values(count, 2.0f);
  CALL(cuInit, 2000, 0);
  CALL(cuDevicePrimaryCtxRetain, 7000, &context, 0);
  CALL(cuCtxSetCurrent, 4000, context);
  CALL(cuModuleLoadData, 2000, &module, image.str().c_str());
  CALL(cuModuleGetFunction, 2000, &axpy, module, "axpy");
  CALL(cuStreamCreate, 2000, &stream, kStreamNonBlocking);
  CALL(cuMemAlloc, 3020, &x, count * sizeof(float));
  CALL(cuMemAlloc, 3020, &y, count * sizeof(float));
  CALL(cuMemcpyHtoDAsync, 3020, x, values.data(), count * sizeof(float), stream);
  CALL(cuMemcpyHtoDAsync, 3020, y, values.data(), count * sizeof(float), stream);
  void *parameters[] = {&y, &x, &factor, &count};
  CALL(cuLaunchKernel, 4000, axpy, 1, 1, 1, 128, 1, 1, 0, stream, parameters, nullptr);
  CALL(cuMemcpyDtoHAsync, 3020, values.data(), y, count * sizeof(float), stream);
  CALL(cuStreamSynchronize, 2000, stream);
  return values != std::vector<float>(count, 8.0f);
}
