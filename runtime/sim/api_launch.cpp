// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Launches of kernels: limits are checked and parameters taken at once, blocks run when it is time.
#include "runtime/sim/capture.h"
#include "runtime/sim/entry.h"
#include "runtime/sim/launches.h"

namespace sluice::rt::sim {

using namespace cuda;

constexpr size_t kMostShared = 227 << 10; // with what the program asks for

static bool isFunction(Driver &driver, Function function) {
  return function && driver.modules.knows(function->module);
}

static Result checkLimits(const char *call, Function function, const unsigned *grid,
                          const unsigned *block, size_t dynamicBytes) {
  const char *name = function->kernel->name;
  if (!grid[0] || !grid[1] || !grid[2] || grid[0] > 0x7fffffff || grid[1] > 65535 ||
      grid[2] > 65535)
    return refuse(kInvalidValue, "%s: '%s' cannot have a grid of %u x %u x %u blocks", call, name,
                  grid[0], grid[1], grid[2]);
  if (!block[0] || !block[1] || !block[2] || block[0] > 1024 || block[1] > 1024 || block[2] > 64 ||
      uint64_t(block[0]) * block[1] * block[2] > 1024)
    return refuse(kInvalidValue, "%s: '%s' cannot have blocks of %u x %u x %u threads", call, name,
                  block[0], block[1], block[2]);
  const SluiceSimKernel &kernel = *function->kernel;
  const unsigned required[] = {kernel.blockX, kernel.blockY, kernel.blockZ};
  for (int i = 0; i < 3; ++i)
    if (required[i] && required[i] != block[i])
      return refuse(kInvalidValue,
                    "%s: expected blocks of %u x %u x %u threads for '%s' but got %u x %u x %u",
                    call, required[0], required[1], required[2], name, block[0], block[1],
                    block[2]);
  if (dynamicBytes > function->mostDynamicBytes ||
      (dynamicBytes + kernel.sharedBytes > (48 << 10) && function->mostDynamicBytes <= (48 << 10)))
    return refuse(kInvalidValue, "%s: '%s' has %u bytes of shared memory and cannot get %zu more",
                  call, name, kernel.sharedBytes, dynamicBytes);
  return kSuccess;
}

Result makeLaunch(Driver &driver, const char *call, const KernelNodeParameters &wanted,
                  KernelLaunch &launch) {
  if (!isFunction(driver, wanted.function))
    return refuse(kInvalidHandle, "%s: expected a function of a module that is loaded", call);
  const SluiceSimKernel &kernel = *wanted.function->kernel;
  const unsigned grid[] = {wanted.gridX, wanted.gridY, wanted.gridZ};
  const unsigned block[] = {wanted.blockX, wanted.blockY, wanted.blockZ};
  if (Result result = checkLimits(call, wanted.function, grid, block, wanted.sharedBytes))
    return result;
  if (wanted.extra || (kernel.parameterCount && !wanted.parameters))
    return refuse(kInvalidValue, "%s: expected %u pointers to parameters of '%s', and no more",
                  call, kernel.parameterCount, kernel.name);
  launch.twin = wanted.function->twin;
  launch.kernel = &kernel;
  launch.device = wanted.function->module->device;
  launch.dynamicBytes = wanted.sharedBytes;
  for (int i = 0; i < 3; ++i) {
    launch.grid[i] = grid[i];
    launch.block[i] = block[i];
  }
  launch.grid[0] = std::min(launch.grid[0], driver.options.grid);
  for (uint32_t i = 0; i < kernel.parameterCount; ++i)
    launch.values.emplace_back(static_cast<const char *>(wanted.parameters[i]),
                               kernel.parameterBytes[i]);
  return kSuccess;
}

static void run(Driver &driver, const KernelLaunch &launch, OperationId id) {
  DeviceMemory::Open open(driver.memory);
  ptxStatistics().launches += launch.kernel->entry == runPtxThread;
  std::string race;
  KernelFinding finding = runKernel(
      driver.memory, launch, driver.streams.draw(), [&](uint64_t begin, uint64_t end, bool write) {
        if (!race.empty() || !driver.memory.holds(begin))
          return;
        if (const Allocation *allocation = driver.memory.find(begin))
          race = driver.history.access(*allocation, begin, end, write, id);
      });
  if (finding.result)
    driver.fail(finding.result, finding.message);
  driver.failIf(race);
}

Work kernelWork(Driver &driver, KernelLaunch launch) {
  std::string name = text("kernel '%s'", launch.kernel->name);
  return {std::move(name),
          [&driver, launch = std::move(launch)](OperationId id) { run(driver, launch, id); }};
}

static Result launchOn(const char *call, Stream stream, const KernelNodeParameters &wanted) {
  return entry(call, [&](Driver &driver, auto &) {
    if (Result result = checkStream(driver, call, stream))
      return result;
    KernelLaunch launch;
    if (Result result = makeLaunch(driver, call, wanted, launch))
      return result;
    submit(driver, stream, kernelWork(driver, std::move(launch)));
    return kSuccess;
  });
}

Result cuLaunchKernel(Function function, unsigned gridX, unsigned gridY, unsigned gridZ,
                      unsigned blockX, unsigned blockY, unsigned blockZ, unsigned sharedBytes,
                      Stream stream, void **parameters, void **extra) {
  return launchOn("cuLaunchKernel", stream,
                  {function, gridX, gridY, gridZ, blockX, blockY, blockZ, sharedBytes, parameters,
                   extra, nullptr, nullptr});
}

Result cuLaunchKernelEx(const LaunchConfiguration *how, Function function, void **parameters,
                        void **extra) {
  if (how->attributeCount)
    return refuse(kNotSupported, "cuLaunchKernelEx: attributes are not simulated");
  return launchOn("cuLaunchKernelEx", how->stream,
                  {function, how->gridX, how->gridY, how->gridZ, how->blockX, how->blockY,
                   how->blockZ, how->sharedBytes, parameters, extra, nullptr, nullptr});
}

// ---- What functions are like --------------------------------------------------------------------

Result cuFuncGetAttribute(int *value, FunctionAttribute attribute, Function function) {
  return entry("cuFuncGetAttribute", [=](Driver &driver, auto &) {
    if (!isFunction(driver, function))
      return kInvalidHandle;
    const SluiceSimKernel &kernel = *function->kernel;
    switch (attribute) {
    case kFunctionMaxThreadsPerBlock:
      *value = kernel.blockX ? kernel.blockX * kernel.blockY * kernel.blockZ : 1024;
      return kSuccess;
    case kFunctionSharedBytes:
      *value = kernel.sharedBytes;
      return kSuccess;
    case kFunctionConstantBytes:
    case kFunctionLocalBytes:
      *value = 0;
      return kSuccess;
    case kFunctionRegisters:
      *value = 32;
      return kSuccess; // nobody knows without a card's code
    case kFunctionPtxVersion:
    case kFunctionBinaryVersion:
      *value = function->twin->architecture;
      return kSuccess;
    case kFunctionMaxDynamicSharedBytes:
      *value = function->mostDynamicBytes;
      return kSuccess;
    }
    return refuse(kInvalidValue, "cuFuncGetAttribute: attribute %d is not simulated", attribute);
  });
}

Result cuFuncSetAttribute(Function function, FunctionAttribute attribute, int value) {
  return entry("cuFuncSetAttribute", [=](Driver &driver, auto &) {
    if (!isFunction(driver, function))
      return kInvalidHandle;
    if (attribute != kFunctionMaxDynamicSharedBytes || value < 0 ||
        value + function->kernel->sharedBytes > kMostShared)
      return refuse(kInvalidValue, "cuFuncSetAttribute: attribute %d of '%s' cannot be %d",
                    attribute, function->kernel->name, value);
    function->mostDynamicBytes = value;
    return kSuccess;
  });
}

Result cuOccupancyMaxActiveBlocksPerMultiprocessor(int *blocks, Function function, int blockSize,
                                                   size_t sharedBytes) {
  return entry("cuOccupancyMaxActiveBlocksPerMultiprocessor", [=](Driver &driver, auto &) {
    if (!isFunction(driver, function) || blockSize <= 0)
      return kInvalidValue;
    size_t shared = function->kernel->sharedBytes + sharedBytes + 1024; // the driver's own
    *blocks = std::min<size_t>(2048 / blockSize, kMostShared / shared);
    return kSuccess;
  });
}

} // namespace sluice::rt::sim
