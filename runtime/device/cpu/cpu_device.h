// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The host's memory as a device's: what is enqueued has completed. Its kernels are functions of the
// program, so it loads no images.
#pragma once

#include "runtime/device/device.h"

#include <array>
#include <atomic>

namespace sluice::rt {

class CpuDevice final : public Device, private MemoryPool::Backing {
public:
  struct Options {
    size_t computeStreams = 1; // 1 to kMostComputeStreams
    uint64_t memoryLimit = 0;  // 0: none
  };
  CpuDevice(int number, const Options &options);

  MemorySpace space() const override { return MemorySpace::kHost; }
  size_t computeStreams() const override { return computeStreams_; }
  Status health() const override { return okStatus(); }

  Result<DeviceMemory> allocate(size_t bytes, StreamId stream, std::string_view owner) override;
  Result<DeviceMemoryInfo> memoryInfo() override;
  MemoryPool::Counters poolCounters() const override { return pool_.counters(); }

  Result<Moment> copyIn(void *to, const void *from, size_t bytes, StreamId stream) override;
  Result<Moment> copyOut(void *to, const void *from, size_t bytes, StreamId stream) override;
  Result<Moment> copyWithin(void *to, const void *from, size_t bytes, StreamId stream) override;
  Result<Moment> fill(void *to, uint32_t value, size_t elementBytes, size_t count,
                      StreamId stream) override;

  Result<KernelModule> loadModule(std::string_view name,
                                  std::span<const KernelImage> images) override;
  Result<DeviceKernel> findKernel(KernelModule module, const std::string &name,
                                  size_t sharedBytes) override;
  Result<Moment> launch(const KernelLaunch &launch, StreamId stream) override;

  bool canLoop() const override { return false; }
  Result<DeviceLoop> makeLoop(const LoopPlan &) override;
  void dropLoop(DeviceLoop) override {}
  Result<Moment> runLoop(DeviceLoop, StreamId) override;

  Moment lastMoment(StreamId stream) const override;
  Result<Moment> mark(StreamId stream) override;
  Status order(StreamId later, Moment earlier) override;
  Result<bool> hasCompleted(Moment moment) override;
  Status await(Moment moment, const HostWait &) override { return checkMoment(moment); }
  void tell(Moment moment, std::unique_ptr<Work> work, CompletionInbox &inbox) override;

private:
  Result<void *> obtainPinned(size_t bytes) override { return obtain(bytes); }
  void giveBackPinned(void *memory, size_t bytes) override { giveBack(memory, bytes); }

  Result<void *> obtain(size_t bytes) override;
  void giveBack(void *chunk, size_t bytes) override;
  bool isOver(Moment) override { return true; }
  Status awaitIdle() override { return okStatus(); }

  Status noImages() const;
  Result<Moment> count(StreamId stream);

  const size_t computeStreams_;
  std::array<std::atomic<uint64_t>, kMostStreams> tickets_ = {};
  MemoryPool pool_;
};

} // namespace sluice::rt
