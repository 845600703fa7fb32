// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Allocations: of the host, of a device at once, and of a device in the order of a stream.
#include "runtime/sim/entry.h"

namespace sluice::rt::sim {

using namespace cuda;

Result cuMemGetInfo(size_t *free, size_t *total) {
  return entry("cuMemGetInfo", [=](Driver &driver, auto &) {
    *total = driver.memory.capacity();
    *free = *total - driver.memory.used(currentDevice());
    return kSuccess;
  });
}

// ---- At once ------------------------------------------------------------------------------------

Result cuMemAlloc(DevicePointer *pointer, size_t bytes) {
  return entry("cuMemAlloc", [=](Driver &driver, auto &) {
    if (!bytes)
      return refuse(kInvalidValue, "cuMemAlloc: expected at least one byte");
    Allocation *allocation = driver.memory.allocate(bytes, currentDevice());
    if (!allocation)
      return kOutOfMemory;
    allocation->maker = "cuMemAlloc";
    *pointer = allocation->begin;
    return kSuccess;
  });
}

// What is still in use when its turn to be freed comes is a finding.
static void freeAllocation(Driver &driver, uint64_t begin, OperationId operation) {
  Allocation *allocation = driver.memory.at(begin);
  if (!allocation || driver.failIf(driver.history.freeing(*allocation, operation)))
    return;
  if (allocation->pool)
    static_cast<MemoryPool>(allocation->pool)->used -= allocation->bytes;
  driver.history.forget(*allocation);
  driver.memory.release(*allocation);
}

// The allocation that a free is about, which from now on must not be named again.
static Result beginFreeing(Driver &driver, const char *function, DevicePointer pointer) {
  Allocation *allocation = driver.memory.at(pointer);
  if (!allocation || allocation->freeing)
    return refuse(kInvalidValue, "%s: expected what an allocation gave but got 0x%llx%s", function,
                  pointer, allocation ? ", which is freed already" : "");
  allocation->freeing = true;
  return kSuccess;
}

Result cuMemFree(DevicePointer pointer) {
  return entry("cuMemFree", [=](Driver &driver, Streams::Lock &lock) {
    if (!pointer)
      return kSuccess;
    if (Result result = beginFreeing(driver, "cuMemFree", pointer))
      return result;
    // The driver waits for the whole device, but programs should not need it to.
    driver.streams.finishAll(lock);
    driver.streams.runForHost(
        {"cuMemFree", [&driver, pointer](OperationId id) { freeAllocation(driver, pointer, id); }});
    return kSuccess;
  });
}

// ---- In the order of a stream -------------------------------------------------------------------

static Result allocateAsync(const char *function, DevicePointer *pointer, size_t bytes,
                            MemoryPool pool, Stream stream) {
  return entry(function, [=](Driver &driver, Streams::Lock &lock) {
    if (Result result = checkStream(driver, function, stream))
      return result;
    if (stream->capture)
      return refuse(kStreamCaptureUnsupported, "%s: not while a stream captures", function);
    MemoryPool from = pool ? pool : &driver.defaultPools[stream->device];
    if (!bytes || (pool && !driver.pools.knows(pool) && pool != &driver.defaultPools[pool->device]))
      return refuse(kInvalidValue, "%s: expected at least one byte and a pool", function);
    Allocation *allocation = driver.memory.allocate(bytes, from->device);
    if (!allocation) { // what the stream frees before is room, too
      driver.streams.finish(lock, stream);
      allocation = driver.memory.allocate(bytes, from->device);
    }
    if (!allocation)
      return kOutOfMemory;
    allocation->maker = "cuMemAllocAsync";
    allocation->pool = from;
    from->usedHigh = std::max(from->usedHigh, from->used += bytes);
    *pointer = allocation->begin;
    // It is there from now on; that nobody uses it before its turn, the history sees.
    allocation->born = driver.streams.enqueue(stream, {"cuMemAllocAsync", [](OperationId) {}});
    return kSuccess;
  });
}

Result cuMemAllocAsync(DevicePointer *pointer, size_t bytes, Stream stream) {
  return allocateAsync("cuMemAllocAsync", pointer, bytes, nullptr, stream);
}

Result cuMemAllocFromPoolAsync(DevicePointer *pointer, size_t bytes, MemoryPool pool,
                               Stream stream) {
  return allocateAsync("cuMemAllocFromPoolAsync", pointer, bytes, pool, stream);
}

Result cuMemFreeAsync(DevicePointer pointer, Stream stream) {
  return entry("cuMemFreeAsync", [=](Driver &driver, auto &) {
    if (Result result = checkStream(driver, "cuMemFreeAsync", stream))
      return result;
    if (stream->capture)
      return refuse(kStreamCaptureUnsupported, "cuMemFreeAsync: not while a stream captures");
    if (Result result = beginFreeing(driver, "cuMemFreeAsync", pointer))
      return result;
    driver.streams.enqueue(stream, {"cuMemFreeAsync", [&driver, pointer](OperationId id) {
                                      freeAllocation(driver, pointer, id);
                                    }});
    return kSuccess;
  });
}

// ---- Memory of the host -------------------------------------------------------------------------

Result cuMemHostAlloc(void **pointer, size_t bytes, unsigned flags) {
  return entry("cuMemHostAlloc", [=](Driver &driver, auto &) {
    if (!bytes || flags > 7)
      return refuse(kInvalidValue, "cuMemHostAlloc: expected at least one byte and known flags");
    *pointer = driver.host.allocate(bytes);
    return *pointer ? kSuccess : kOutOfMemory;
  });
}

Result cuMemFreeHost(void *pointer) {
  return entry("cuMemFreeHost", [=](Driver &driver, Streams::Lock &lock) {
    driver.streams.finishAll(lock); // copies that are still on the way
    driver.hostUses.erase(pointer);
    return driver.host.release(pointer)
               ? kSuccess
               : refuse(kInvalidValue, "cuMemFreeHost: expected what cuMemHostAlloc gave");
  });
}

Result cuMemHostRegister(void *pointer, size_t bytes, unsigned flags) {
  return entry("cuMemHostRegister", [=](Driver &driver, auto &) {
    if (!pointer || !bytes || flags > 15)
      return refuse(kInvalidValue, "cuMemHostRegister: expected at least one byte and known flags");
    return driver.host.pin(pointer, bytes) ? kSuccess : kHostMemoryAlreadyRegistered;
  });
}

Result cuMemHostUnregister(void *pointer) {
  return entry("cuMemHostUnregister", [=](Driver &driver, Streams::Lock &lock) {
    driver.streams.finishAll(lock);
    return driver.host.unpin(pointer) ? kSuccess : kHostMemoryNotRegistered;
  });
}

} // namespace sluice::rt::sim
