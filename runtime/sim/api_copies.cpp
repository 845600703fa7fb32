// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Copies and fillings, of the host and of streams.
#include "runtime/sim/capture.h"
#include "runtime/sim/copies.h"
#include "runtime/sim/entry.h"

#include <cstring>
#include <utility>

namespace sluice::rt::sim {

using namespace cuda;

// ---- Of the host, which waits. They come after what the host has waited for, and nothing else. --

Result cuMemcpyHtoD(DevicePointer to, const void *from, size_t bytes) {
  return entry("cuMemcpyHtoD", [=](Driver &driver, auto &) {
    if (Result result = checkRange(driver, "cuMemcpyHtoD", to, bytes))
      return result;
    driver.streams.runForHost(copyFromPinned(driver, to, from, bytes, false));
    return kSuccess;
  });
}

Result cuMemcpyDtoH(void *to, DevicePointer from, size_t bytes) {
  return entry("cuMemcpyDtoH", [=](Driver &driver, auto &) {
    if (Result result = checkRange(driver, "cuMemcpyDtoH", from, bytes))
      return result;
    driver.streams.runForHost(copyToHost(driver, to, from, bytes));
    return kSuccess;
  });
}

// A card's own copy engine needs to be told to reach another card's memory; such copies have a call
// of their own here, whatever a driver may make of addresses.
static Result checkDevices(Driver &driver, const char *function, DevicePointer to,
                           DevicePointer from, size_t bytes) {
  if (bytes && driver.memory.find(to)->device != driver.memory.find(from)->device)
    return refuse(kInvalidValue,
                  "%s: expected memory of one device; cuMemcpyPeerAsync copies from another one",
                  function);
  return kSuccess;
}

Result cuMemcpyDtoD(DevicePointer to, DevicePointer from, size_t bytes) {
  return entry("cuMemcpyDtoD", [=](Driver &driver, auto &) {
    for (DevicePointer range : {to, from})
      if (Result result = checkRange(driver, "cuMemcpyDtoD", range, bytes))
        return result;
    if (Result result = checkDevices(driver, "cuMemcpyDtoD", to, from, bytes))
      return result;
    driver.streams.runForHost(copyOnDevice(driver, to, from, bytes));
    return kSuccess;
  });
}

// ---- Of streams ---------------------------------------------------------------------------------

static Result checkCopy(Driver &driver, const char *function, DevicePointer device, size_t bytes,
                        Stream stream) {
  if (Result result = checkStream(driver, function, stream))
    return result;
  return checkRange(driver, function, device, bytes);
}

static Result refusePageable(const char *function) {
  return refuse(kStreamCaptureUnsupported, "%s: expected pinned memory while a stream captures",
                function);
}

Result cuMemcpyHtoDAsync(DevicePointer to, const void *from, size_t bytes, Stream stream) {
  return entry("cuMemcpyHtoDAsync", [=](Driver &driver, auto &) {
    if (Result result = checkCopy(driver, "cuMemcpyHtoDAsync", to, bytes, stream))
      return result;
    bool pinned = driver.host.isPinned(from, bytes);
    if (stream->capture && !pinned)
      return refusePageable("cuMemcpyHtoDAsync");
    submit(driver, stream,
           pinned ? copyFromPinned(driver, to, from, bytes, !stream->capture)
                  : copyFromPageable(driver, to, from, bytes));
    return kSuccess;
  });
}

Result cuMemcpyDtoHAsync(void *to, DevicePointer from, size_t bytes, Stream stream) {
  return entry("cuMemcpyDtoHAsync", [=](Driver &driver, Streams::Lock &lock) {
    if (Result result = checkCopy(driver, "cuMemcpyDtoHAsync", from, bytes, stream))
      return result;
    bool pinned = driver.host.isPinned(to, bytes);
    if (stream->capture && !pinned)
      return refusePageable("cuMemcpyDtoHAsync");
    if (pinned && !stream->capture)
      memset(to, 0xFD, bytes); // nobody may look before it is there
    submit(driver, stream, copyToHost(driver, to, from, bytes));
    if (!pinned) { // the driver returns when the copy is over
      Clock before = stream->clock;
      driver.streams.finish(lock, stream);
      driver.streams.learn(before);
    }
    return kSuccess;
  });
}

Result cuMemcpyDtoDAsync(DevicePointer to, DevicePointer from, size_t bytes, Stream stream) {
  return entry("cuMemcpyDtoDAsync", [=](Driver &driver, auto &) {
    for (DevicePointer range : {to, from})
      if (Result result = checkCopy(driver, "cuMemcpyDtoDAsync", range, bytes, stream))
        return result;
    if (Result result = checkDevices(driver, "cuMemcpyDtoDAsync", to, from, bytes))
      return result;
    submit(driver, stream, copyOnDevice(driver, to, from, bytes));
    return kSuccess;
  });
}

// Of a context, whose the memory has to be.
static Result checkOwner(Driver &driver, DevicePointer range, Context context) {
  bool isKnown = context >= driver.contexts.data() &&
                 context < driver.contexts.data() + driver.contexts.size() && context->retained;
  if (!isKnown)
    return refuse(kInvalidContext, "cuMemcpyPeerAsync: expected contexts that are there");
  if (driver.memory.find(range)->device != context->device)
    return refuse(kInvalidValue, "cuMemcpyPeerAsync: expected memory of device %d at 0x%llx",
                  context->device, range);
  return kSuccess;
}

Result cuMemcpyPeerAsync(DevicePointer to, Context toContext, DevicePointer from,
                         Context fromContext, size_t bytes, Stream stream) {
  return entry("cuMemcpyPeerAsync", [=](Driver &driver, auto &) {
    if (!bytes)
      return refuse(kInvalidValue, "cuMemcpyPeerAsync: expected at least one byte");
    for (auto [range, context] : {std::pair(to, toContext), {from, fromContext}}) {
      if (Result result = checkCopy(driver, "cuMemcpyPeerAsync", range, bytes, stream))
        return result;
      if (Result result = checkOwner(driver, range, context))
        return result;
    }
    if (stream->capture)
      return refuse(kStreamCaptureUnsupported, "cuMemcpyPeerAsync: not while a stream captures");
    submit(driver, stream, copyOnDevice(driver, to, from, bytes));
    return kSuccess;
  });
}

static Result fillAsync(const char *function, DevicePointer to, uint32_t value, size_t elementBytes,
                        size_t count, Stream stream) {
  return entry(function, [=](Driver &driver, auto &) {
    if (to % elementBytes)
      return refuse(kInvalidValue, "%s: expected an aligned address but got 0x%llx", function, to);
    if (Result result = checkCopy(driver, function, to, count * elementBytes, stream))
      return result;
    submit(driver, stream, fill(driver, to, value, elementBytes, count));
    return kSuccess;
  });
}

Result cuMemsetD8Async(DevicePointer to, unsigned char byte, size_t count, Stream stream) {
  return fillAsync("cuMemsetD8Async", to, byte, 1, count, stream);
}

Result cuMemsetD16Async(DevicePointer to, unsigned short value, size_t count, Stream stream) {
  return fillAsync("cuMemsetD16Async", to, value, 2, count, stream);
}

Result cuMemsetD32Async(DevicePointer to, unsigned value, size_t count, Stream stream) {
  return fillAsync("cuMemsetD32Async", to, value, 4, count, stream);
}

} // namespace sluice::rt::sim
