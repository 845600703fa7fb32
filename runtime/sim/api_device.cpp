// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The driver, its devices, contexts and errors.
#include "runtime/sim/entry.h"
#include "runtime/sim/ptx_statistics.h"

#include <cstdio>

namespace sluice::rt::sim {

using namespace cuda;

namespace {
struct ResultText {
  Result result;
  const char *name, *text;
};
constexpr ResultText kResults[] = {
#define RESULT(name, theirs, number, text) {name, #theirs, text},
#include "runtime/device/cuda/cuda_results.def"
#undef RESULT
};
const ResultText *find(Result result) {
  for (const ResultText &one : kResults)
    if (one.result == result)
      return &one;
  return nullptr;
}
} // namespace

Result cuGetErrorName(Result result, const char **name) {
  const ResultText *found = find(result);
  *name = found ? found->name : nullptr;
  return found ? kSuccess : kInvalidValue;
}

Result cuGetErrorString(Result result, const char **text) {
  const ResultText *found = find(result);
  *text = found ? found->text : nullptr;
  return found ? kSuccess : kInvalidValue;
}

Result cuInit(unsigned flags) {
  Streams::Lock lock(driverLock());
  Driver &one = driver();
  bool before = one.initialized;
  one.initialized = true;
  Result result = refusal(one, "cuInit", false);
  if (!result && one.options.devices == 0)
    result = kNoDevice;
  if (!result && flags)
    result = refuse(kInvalidValue, "cuInit: expected no flags but got %u", flags);
  one.initialized = before || !result;
  return result;
}

Result cuDriverGetVersion(int *version) {
  Streams::Lock lock(driverLock());
  *version = driver().options.version;
  return kSuccess;
}

Result cuDeviceGetCount(int *count) {
  return entry("cuDeviceGetCount", false, [=](Driver &driver, auto &) {
    *count = driver.options.devices;
    return kSuccess;
  });
}

static bool isDevice(Driver &driver, Device device) {
  return device >= 0 && device < driver.options.devices;
}

Result cuDeviceGet(Device *device, int ordinal) {
  return entry("cuDeviceGet", false, [=](Driver &driver, auto &) {
    *device = ordinal;
    return isDevice(driver, ordinal) ? kSuccess : kInvalidDevice;
  });
}

Result cuDeviceGetName(char *name, int length, Device device) {
  return entry("cuDeviceGetName", false, [=](Driver &driver, auto &) {
    if (!isDevice(driver, device))
      return kInvalidDevice;
    snprintf(name, length, "Simulated sm_%d", driver.options.architecture);
    return kSuccess;
  });
}

// Those of a card of that kind, except for its memory.
static int attributeOf(const Options &options, DeviceAttribute attribute) {
  bool large = options.architecture >= 90;
  switch (attribute) {
  case kMaxThreadsPerBlock:
    return 1024;
  case kMaxBlockX:
    return 1024;
  case kMaxBlockY:
    return 1024;
  case kMaxBlockZ:
    return 64;
  case kMaxGridX:
    return 0x7fffffff;
  case kMaxGridY:
    return 65535;
  case kMaxGridZ:
    return 65535;
  case kMaxSharedPerBlock:
    return 48 << 10;
  case kWarpSize:
    return 32;
  case kMaxRegistersPerBlock:
    return 65536;
  case kClockRate:
    return large ? 1980000 : 1410000;
  case kMultiprocessorCount:
    return large ? 132 : 108;
  case kConcurrentKernels:
    return 1;
  case kMemoryClockRate:
    return large ? 2619000 : 1215000;
  case kMemoryBusWidth:
    return 5120;
  case kL2CacheSize:
    return (large ? 50 : 40) << 20;
  case kMaxThreadsPerMultiprocessor:
    return 2048;
  case kAsyncEngineCount:
    return 3;
  case kUnifiedAddressing:
    return 1;
  case kComputeCapabilityMajor:
    return options.architecture / 10;
  case kComputeCapabilityMinor:
    return options.architecture % 10;
  case kMaxSharedPerMultiprocessor:
    return (large ? 228 : 164) << 10;
  case kMaxRegistersPerMultiprocessor:
    return 65536;
  case kMaxSharedPerBlockOptIn:
    return (large ? 227 : 163) << 10;
  case kMaxBlocksPerMultiprocessor:
    return 32;
  case kReservedSharedPerBlock:
    return 1 << 10;
  case kMemoryPoolsSupported:
    return 1;
  }
  return -1;
}

Result cuDeviceGetAttribute(int *value, DeviceAttribute attribute, Device device) {
  return entry("cuDeviceGetAttribute", false, [=](Driver &driver, auto &) {
    if (!isDevice(driver, device))
      return kInvalidDevice;
    *value = attributeOf(driver.options, attribute);
    return *value >= 0
               ? kSuccess
               : refuse(kInvalidValue, "cuDeviceGetAttribute: attribute %d is not simulated",
                        int(attribute));
  });
}

Result cuDeviceTotalMem(size_t *bytes, Device device) {
  return entry("cuDeviceTotalMem", false, [=](Driver &driver, auto &) {
    *bytes = driver.memory.capacity();
    return isDevice(driver, device) ? kSuccess : kInvalidDevice;
  });
}

// ---- Contexts -----------------------------------------------------------------------------------

Result cuDevicePrimaryCtxRetain(Context *context, Device device) {
  return entry("cuDevicePrimaryCtxRetain", false, [=](Driver &driver, auto &) {
    if (!isDevice(driver, device))
      return kInvalidDevice;
    *context = &driver.contexts[device];
    ++(*context)->retained;
    return kSuccess;
  });
}

// In one piece, as several processes may share the file.
static void appendStatistics(const std::string &file) {
  const PtxStatistics &all = ptxStatistics();
  FILE *to = fopen(file.c_str(), "a");
  if (!to)
    return say("cannot write to SLUICE_SIM_STATISTICS, '%s'", file.c_str());
  std::string line = text("modules %llu launches %llu instructions %llu conditions %llu\n",
                          static_cast<unsigned long long>(all.modules),
                          static_cast<unsigned long long>(all.launches),
                          static_cast<unsigned long long>(all.instructions),
                          static_cast<unsigned long long>(all.conditions));
  fwrite(line.data(), 1, line.size(), to);
  fclose(to);
}

static void reportLeaks(Driver &driver, int device) {
  for (const auto &[begin, allocation] : driver.memory.allocations())
    if (allocation.device == device && !allocation.freeing)
      driver.fail(kLaunchFailed, "leak: " + allocation.name() + " is never freed");
  if (size_t count = driver.host.allocated())
    driver.fail(kLaunchFailed, text("leak: %zu pinned blocks of the host are never freed", count));
}

Result cuDevicePrimaryCtxRelease(Device device) {
  return entry("cuDevicePrimaryCtxRelease", false, [=](Driver &driver, Streams::Lock &lock) {
    if (!isDevice(driver, device) || driver.contexts[device].retained == 0)
      return kInvalidContext;
    if (--driver.contexts[device].retained)
      return kSuccess;
    driver.contexts[device].reaches.clear();
    driver.streams.finishAll(lock);
    if (driver.options.leaks)
      reportLeaks(driver, device);
    if (!driver.options.statistics.empty())
      appendStatistics(driver.options.statistics);
    return kSuccess;
  });
}

Result cuCtxSetCurrent(Context context) {
  return entry("cuCtxSetCurrent", false, [=](Driver &driver, auto &) {
    if (context && (context < driver.contexts.data() ||
                    context >= driver.contexts.data() + driver.contexts.size()))
      return kInvalidContext;
    if (context && !context->retained)
      return kContextIsDestroyed;
    setCurrentContext(context);
    return kSuccess;
  });
}

Result cuCtxGetCurrent(Context *context) {
  return entry("cuCtxGetCurrent", false, [=](Driver &, auto &) {
    *context = currentContext();
    return kSuccess;
  });
}

Result cuCtxSynchronize() {
  return entry("cuCtxSynchronize", [=](Driver &driver, Streams::Lock &lock) {
    if (driver.streams.anyCaptures())
      return refuse(kStreamCaptureUnsupported, "cuCtxSynchronize: a stream captures");
    driver.streams.finishAll(lock);
    driver.streams.learnAll();
    return kSuccess;
  });
}

// ---- Devices that know each other ---------------------------------------------------------------

Result cuDeviceCanAccessPeer(int *can, Device device, Device peer) {
  return entry("cuDeviceCanAccessPeer", false, [=](Driver &driver, auto &) {
    if (!isDevice(driver, device) || !isDevice(driver, peer))
      return kInvalidDevice;
    *can = driver.options.peers && device != peer;
    return kSuccess;
  });
}

Result cuCtxEnablePeerAccess(Context peer, unsigned flags) {
  return entry("cuCtxEnablePeerAccess", [=](Driver &driver, auto &) {
    if (flags)
      return refuse(kInvalidValue, "cuCtxEnablePeerAccess: expected no flags");
    if (peer < driver.contexts.data() || peer >= driver.contexts.data() + driver.contexts.size() ||
        !peer->retained || peer == currentContext())
      return refuse(kInvalidContext, "cuCtxEnablePeerAccess: expected another device's context");
    if (!driver.options.peers)
      return kPeerAccessUnsupported;
    return currentContext()->reaches.insert(peer->device).second ? kSuccess
                                                                 : kPeerAccessAlreadyEnabled;
  });
}

Result cuCtxGetStreamPriorityRange(int *least, int *greatest) {
  return entry("cuCtxGetStreamPriorityRange", [=](Driver &, auto &) {
    if (least)
      *least = 0;
    if (greatest)
      *greatest = -5;
    return kSuccess;
  });
}

} // namespace sluice::rt::sim
