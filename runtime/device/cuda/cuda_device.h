// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A GPU behind a CUDA driver, or behind one that simulates it.
#pragma once

#include "runtime/base/threads.h"
#include "runtime/device/completion_teller.h"
#include "runtime/device/cuda/cuda_products.h"
#include "runtime/device/cuda/cuda_streams.h"
#include "runtime/device/cuda/primary_context.h"
#include "runtime/device/device.h"

#include <map>
#include <set>

namespace sluice::rt::cuda {

class CudaDevice final : public rt::Device, private rt::MemoryPool::Backing {
public:
  struct Options {
    size_t computeStreams = 4; // 1 to kMostComputeStreams
    uint64_t memoryLimit = 0;  // 0: none
    // How long the device may take where nobody says it: when memory or staging has run out, and
    // when it is closed.
    uint64_t mostWaitNanoseconds = 600'000'000'000;
    PinnedStaging::Sizes staging;
    CudaProducts::Options products;
    Threads *threads = &systemThreads();
  };
  struct Model {
    std::string name;
    int major = 0, minor = 0; // 9, 0: sm_90
    int multiprocessors = 0;
  };

  // UNAVAILABLE if there are fewer devices.
  static rt::Result<std::unique_ptr<CudaDevice>> open(const Driver &driver, int number,
                                                      const Options &options);
  // Waits until all is over. If that takes too long, or the device is broken, all stays as it is,
  // for ever: nobody may free memory that a kernel still uses.
  ~CudaDevice() override;

  const Model &model() const { return model_; }
  MemorySpace space() const override { return MemorySpace::kDevice; }
  size_t computeStreams() const override { return options_.computeStreams; }
  Status health() const override { return errors_.health(); }

  rt::Result<DeviceMemory> allocate(size_t bytes, StreamId stream, std::string_view owner) override;
  rt::Result<DeviceMemoryInfo> memoryInfo() override;
  rt::MemoryPool::Counters poolCounters() const override { return pool_.counters(); }
  Status pin(void *memory, size_t bytes) override;
  void unpin(void *memory) override;

  rt::Result<Moment> copyIn(void *to, const void *from, size_t bytes, StreamId stream) override;
  rt::Result<Moment> copyOut(void *to, const void *from, size_t bytes, StreamId stream) override;
  rt::Result<Moment> copyWithin(void *to, const void *from, size_t bytes, StreamId stream) override;
  rt::Result<PeerCopy> copyFromPeer(void *to, rt::Device &peer, const void *from, Moment ready,
                                    size_t bytes, StreamId stream) override;
  CopiedBytes copiedBytes() const override {
    return {copiedPinned_, copiedStaged_, copiedFromPeers_};
  }
  rt::Result<Moment> fill(void *to, uint32_t value, size_t elementBytes, size_t count,
                          StreamId stream) override;

  rt::Result<KernelModule> loadModule(std::string_view name,
                                      std::span<const KernelImage> images) override;
  rt::Result<DeviceKernel> findKernel(KernelModule module, const std::string &name,
                                      size_t sharedBytes) override;
  rt::Result<Moment> launch(const KernelLaunch &launch, StreamId stream) override;

  rt::Result<std::optional<Moment>> multiply(const MatrixProduct &product,
                                             StreamId stream) override;

  bool canLoop() const override;
  rt::Result<DeviceLoop> makeLoop(const LoopPlan &plan) override;
  void dropLoop(DeviceLoop loop) override;
  rt::Result<Moment> runLoop(DeviceLoop loop, StreamId stream) override;

  Moment lastMoment(StreamId stream) const override { return streams_.last(stream); }
  rt::Result<Moment> mark(StreamId stream) override;
  Status order(StreamId later, Moment earlier) override;
  rt::Result<bool> hasCompleted(Moment moment) override;
  Status await(Moment moment, const HostWait &wait) override;
  void tell(Moment moment, std::unique_ptr<Work> work, CompletionInbox &inbox) override;

private:
  CudaDevice(const Driver &driver, int number, const Options &options);
  Status start(int number);
  Status readModel(cuda::Device device);
  // Before each use of the driver.
  Status enter();
  Status enter(StreamId stream);

  // Copies through staging, in pieces.
  bool isPinned(const void *memory, size_t bytes) const;
  rt::Result<PinnedStaging::Slab *> takeSlab(size_t bytes);
  rt::Result<Moment> copyPieceIn(void *to, const void *from, size_t bytes, StreamId stream,
                                 PinnedStaging::Slab *slab);
  rt::Result<Moment> copyPieceOut(void *to, const void *from, size_t bytes, StreamId stream,
                                  PinnedStaging::Slab *slab);
  template <typename Piece>
  rt::Result<Moment> copyInPieces(size_t bytes, StreamId stream, Piece piece);

  // The functions of one driver.
  const void *family() const override { return reinterpret_cast<const void *>(driver_.cuInit); }
  Status reach(CudaDevice &peer);

  // Images.
  bool fits(std::string_view target) const;
  std::vector<const KernelImage *> inOrderOfFit(std::span<const KernelImage> images) const;
  Result load(const KernelImage &image, Module *module, std::string &log);
  Status noImage(std::string_view name, std::span<const KernelImage> images,
                 const std::string &refusals) const;

  rt::Result<void *> obtainPinned(size_t bytes) override;
  void giveBackPinned(void *memory, size_t bytes) override;
  rt::Result<void *> obtain(size_t bytes) override;
  void giveBack(void *chunk, size_t bytes) override;
  bool isOver(Moment moment) override { return streams_.isKnown(moment); }
  Status awaitIdle() override;

  const Driver driver_;
  const Options options_;
  Model model_;
  DriverErrors errors_;
  PrimaryContext context_;
  PinnedStaging staging_;
  CudaStreams streams_;
  mutable std::mutex pinnedMutex_;
  std::map<const std::byte *, size_t> pinned_; // by their begin
  std::atomic<uint64_t> copiedPinned_ = 0, copiedStaged_ = 0, copiedFromPeers_ = 0;
  std::mutex peersMutex_;
  std::set<cuda::Context> reached_; // devices that the driver was told to copy from directly
  std::mutex productsMutex_;
  CudaProducts products_;
  std::mutex modulesMutex_;
  std::vector<Module> modules_;
  std::vector<GraphExec> loops_; // with the lock of modules, too
  rt::MemoryPool pool_;
  CompletionTeller teller_;
};

} // namespace sluice::rt::cuda
