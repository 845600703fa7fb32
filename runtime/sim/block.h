// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The block that runs: its threads, where each has stopped, and what barriers and warps wait for.
#pragma once

#include "runtime/base/splitmix.h"
#include "runtime/sim/fiber.h"
#include "runtime/sim/kernel_run.h"
#include "runtime/sim/warp.h"

namespace sluice::rt::sim {

enum class Stop : uint8_t { kReady, kBarrier, kWarp, kEnded };

struct BlockThread {
  uint32_t index[3] = {0, 0, 0};
  Stop stop = Stop::kReady;
  const void *site = nullptr; // of the barrier, in the code
  uint32_t barrier = 0;       // its number
  bool vote = false;          // what it brings to barriers that count
  WarpRequest request;
  WarpAnswer answer;
};

class Block {
public:
  Block(DeviceMemory &memory, const KernelLaunch &launch, uint64_t seed);
  // All blocks of the grid.
  KernelFinding run();
  void visitTouched(const VisitTouched &visit) const { global_.visitTouched(visit); }

  // ---- For the functions that kernels call, on the thread that runs
  // --------------------------------
  const BlockThread &thread() const { return threads_[running_]; }
  uint32_t lane() const { return running_ % kWarpThreads; }
  uint32_t warp() const { return running_ / kWarpThreads; }
  const KernelLaunch &launch() const { return launch_; }
  const uint32_t *blockIndex() const { return blockIndex_; }
  // All threads of the block arrive; `aligned` ones at the same place in the code. Returns how many
  // of them voted.
  uint32_t barrier(uint32_t number, bool aligned, bool vote, const void *site);
  // The same of all threads, and nobody votes. May be left out.
  void synchronize(uint32_t number, bool aligned, const void *site);
  // Those of a warp that the mask names.
  void synchronizeWarp(uint32_t mask, const void *site);
  // The lanes that `request.mask` names arrive; returns this lane's answer.
  WarpAnswer exchange(const WarpRequest &request);
  void access(uint64_t address, size_t bytes, size_t alignment, AccessKind kind);
  // The thread never goes on.
  [[noreturn]] void fail(cuda::Result result, const std::string &what);

private:
  void prepare();
  void runBlock();
  void runThreads();
  bool leavesOut(const char *what, const void *site) const;
  static void threadMain(size_t number);
  bool completeWarps();
  bool completeExchange(uint32_t thread);
  bool completeBarrier();
  void reportStuck();
  void record(cuda::Result result, const std::string &what);
  std::string where(const ThreadTime &time) const;
  ThreadTime now() const;
  void checkBounds(uint64_t address, size_t bytes, AccessKind kind);
  bool inVariables(const SluiceSimVariable *variables, uint32_t count, uint64_t address,
                   size_t bytes) const;
  std::string place(uint64_t address) const;
  bool isShared(uint64_t address) const { return address - sharedBegin_ < sharedBytes_; }

  DeviceMemory &memory_;
  const KernelLaunch &launch_;
  SplitMix64 random_;
  Fibers &fibers_;
  std::vector<void *> parameters_;
  std::vector<BlockThread> threads_;
  std::vector<uint32_t> order_;
  std::vector<char> dynamic_; // shared memory that the launch adds
  uint64_t sharedBegin_ = 0, sharedBytes_ = 0, dynamicBegin_ = 0;
  uint32_t blockIndex_[3] = {0, 0, 0};
  uint32_t blockNumber_ = 0, running_ = 0, ended_ = 0;
  uint32_t epoch_ = 0, votes_ = 0;
  std::vector<uint16_t> warpEpochs_;
  Shadow &global_, &shared_;
  // The allocations that it touched last.
  struct Range {
    uint64_t begin = 1, end = 0;
    bool holds(uint64_t address, size_t bytes) const {
      return address >= begin && address < end && bytes <= end - address;
    }
  };
  Range known_[4];
  size_t nextKnown_ = 0;
  KernelFinding finding_;
};

// The one that runs; functions that kernels call are given nothing else.
Block &runningBlock();

} // namespace sluice::rt::sim
