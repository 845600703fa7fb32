// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Memory pools. They count, and keep nothing: all memory goes back at once.
#include "runtime/sim/entry.h"

namespace sluice::rt::sim {

using namespace cuda;

Result cuDeviceGetDefaultMemPool(MemoryPool *pool, Device device) {
  return entry("cuDeviceGetDefaultMemPool", false, [=](Driver &driver, auto &) {
    if (device < 0 || device >= driver.options.devices)
      return kInvalidDevice;
    *pool = &driver.defaultPools[device];
    return kSuccess;
  });
}

Result cuMemPoolCreate(MemoryPool *pool, const MemoryPoolProperties *properties) {
  return entry("cuMemPoolCreate", [=](Driver &driver, auto &) {
    if (properties->allocationType != kAllocationPinned || properties->handleTypes ||
        properties->location.type != kLocationDevice || properties->location.id < 0 ||
        properties->location.id >= driver.options.devices || properties->usage)
      return refuse(kInvalidValue, "cuMemPoolCreate: expected pinned memory of a device");
    *pool = driver.pools.create();
    (*pool)->device = properties->location.id;
    return kSuccess;
  });
}

Result cuMemPoolDestroy(MemoryPool pool) {
  return entry("cuMemPoolDestroy", [=](Driver &driver, Streams::Lock &lock) {
    if (!driver.pools.knows(pool))
      return kInvalidValue;
    driver.streams.finishAll(lock); // which may free what the pool has given
    if (pool->used)
      return refuse(kInvalidValue, "cuMemPoolDestroy: %llu bytes of the pool are not freed",
                    static_cast<unsigned long long>(pool->used));
    driver.pools.destroy(pool);
    return kSuccess;
  });
}

static bool isPool(Driver &driver, MemoryPool pool) {
  for (MemoryPoolObject &one : driver.defaultPools)
    if (pool == &one)
      return true;
  return driver.pools.knows(pool);
}

Result cuMemPoolSetAttribute(MemoryPool pool, MemoryPoolAttribute attribute, void *value) {
  return entry("cuMemPoolSetAttribute", [=](Driver &driver, auto &) {
    if (!isPool(driver, pool))
      return kInvalidValue;
    if (attribute == kPoolReleaseThreshold)
      pool->threshold = *static_cast<uint64_t *>(value);
    else if (attribute <= kPoolReuseAllowInternalDependencies)
      pool->choices[attribute] = *static_cast<int *>(value);
    else if (attribute == kPoolUsedHigh && *static_cast<uint64_t *>(value) == 0)
      pool->usedHigh = pool->used;
    else if (attribute != kPoolReservedHigh)
      return refuse(kInvalidValue, "cuMemPoolSetAttribute: attribute %d cannot be set", attribute);
    return kSuccess;
  });
}

Result cuMemPoolGetAttribute(MemoryPool pool, MemoryPoolAttribute attribute, void *value) {
  return entry("cuMemPoolGetAttribute", [=](Driver &driver, auto &) {
    if (!isPool(driver, pool))
      return kInvalidValue;
    uint64_t *number = static_cast<uint64_t *>(value);
    switch (attribute) {
    case kPoolReleaseThreshold:
      *number = pool->threshold;
      break;
    case kPoolReservedCurrent:
    case kPoolUsedCurrent:
      *number = pool->used;
      break;
    case kPoolReservedHigh:
    case kPoolUsedHigh:
      *number = pool->usedHigh;
      break;
    default:
      *static_cast<int *>(value) = pool->choices[attribute & 3];
      break;
    }
    return kSuccess;
  });
}

Result cuMemPoolTrimTo(MemoryPool pool, size_t) {
  return entry("cuMemPoolTrimTo", [=](Driver &driver, auto &) {
    return isPool(driver, pool) ? kSuccess : kInvalidValue;
  });
}

} // namespace sluice::rt::sim
