// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// CpuDevice.
#include "runtime/device/cpu/cpu_device.h"

#include "runtime/base/held_memory.h"
#include "runtime/base/threads.h"
#include "runtime/memory/size_classes.h"
#include "runtime/memory/system_pages.h"
#include "runtime/workers/completion_inbox.h"

#include <algorithm>
#include <cstring>
#include <unistd.h>

namespace sluice::rt {

CpuDevice::CpuDevice(int number, const Options &options)
    : Device(format("CPU:%d", number)), computeStreams_(options.computeStreams),
      pool_(*this, name(), options.memoryLimit) {}

Result<DeviceMemory> CpuDevice::allocate(size_t bytes, StreamId stream, std::string_view owner) {
  SLUICE_RETURN_IF_ERROR(checkStream(stream));
  return pool_.allocate(bytes, stream, owner);
}

// What other processes have is not known.
Result<DeviceMemoryInfo> CpuDevice::memoryInfo() {
  DeviceMemoryInfo info;
  info.total =
      static_cast<uint64_t>(sysconf(_SC_PHYS_PAGES)) * static_cast<uint64_t>(sysconf(_SC_PAGESIZE));
  info.free = info.total - std::min(info.total, heldMemory());
  info.pool = pool_.counters();
  return info;
}

Result<void *> CpuDevice::obtain(size_t bytes) {
  if (void *memory = bytes < SIZE_MAX / 2 ? mapPages(inPages(bytes)) : nullptr)
    return memory;
  return resourceExhausted(name() + ": the system gives no more memory");
}

void CpuDevice::giveBack(void *chunk, size_t bytes) { unmapPages(chunk, inPages(bytes)); }

Result<Moment> CpuDevice::count(StreamId stream) {
  return Moment{stream, tickets_[indexOf(stream)].fetch_add(1) + 1};
}

Result<Moment> CpuDevice::copyWithin(void *to, const void *from, size_t bytes, StreamId stream) {
  SLUICE_RETURN_IF_ERROR(checkStream(stream));
  if (bytes)
    std::memcpy(to, from, bytes);
  return count(stream);
}

Result<Moment> CpuDevice::copyIn(void *to, const void *from, size_t bytes, StreamId stream) {
  return copyWithin(to, from, bytes, stream);
}

Result<Moment> CpuDevice::copyOut(void *to, const void *from, size_t bytes, StreamId stream) {
  return copyWithin(to, from, bytes, stream);
}

Result<Moment> CpuDevice::fill(void *to, uint32_t value, size_t elementBytes, size_t elements,
                               StreamId stream) {
  SLUICE_RETURN_IF_ERROR(checkStream(stream));
  SLUICE_RETURN_IF_ERROR(checkFill(elementBytes));
  auto *bytes = static_cast<std::byte *>(to);
  for (size_t i = 0; i < elements; ++i)
    std::memcpy(bytes + i * elementBytes, &value, elementBytes); // little-endian
  return count(stream);
}

Status CpuDevice::noImages() const {
  return unimplemented(name() + ": its kernels are functions of the program; it loads no images");
}

Result<KernelModule> CpuDevice::loadModule(std::string_view, std::span<const KernelImage>) {
  return noImages();
}

Result<DeviceKernel> CpuDevice::findKernel(KernelModule, const std::string &, size_t) {
  return noImages();
}

Result<Moment> CpuDevice::launch(const KernelLaunch &, StreamId) { return noImages(); }

Moment CpuDevice::lastMoment(StreamId stream) const {
  return {stream, tickets_[indexOf(stream)].load()};
}

static Status noLoops(const std::string &name) {
  return Status(Code::kUnimplemented, name + ": loops are the program's");
}
Result<DeviceLoop> CpuDevice::makeLoop(const LoopPlan &) { return noLoops(name()); }
Result<Moment> CpuDevice::runLoop(DeviceLoop, StreamId) { return noLoops(name()); }

Result<Moment> CpuDevice::mark(StreamId stream) {
  SLUICE_RETURN_IF_ERROR(checkStream(stream));
  return lastMoment(stream);
}

Status CpuDevice::order(StreamId later, Moment earlier) {
  SLUICE_RETURN_IF_ERROR(checkStream(later));
  return checkMoment(earlier);
}

Result<bool> CpuDevice::hasCompleted(Moment moment) {
  SLUICE_RETURN_IF_ERROR(checkMoment(moment));
  return true;
}

void CpuDevice::tell(Moment moment, std::unique_ptr<Work> work, CompletionInbox &inbox) {
  uint64_t now = systemClock().now();
  inbox.put({std::move(work), checkMoment(moment), 0, now, now});
}

} // namespace sluice::rt
