// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Runs the threads of a block, in another order each time that they have stopped.
#include "runtime/sim/block.h"

#include "runtime/sim/driver.h"
#include "runtime/sim/kernel_arithmetic.h"
#include "runtime/sim/report.h"

#include <cstring>
#include <numeric>

namespace sluice::rt::sim {

static Block *running = nullptr;
Block &runningBlock() { return *running; }

// Kept for the next kernel: making 1,024 stacks takes longer than most kernels.
namespace {
struct Kept {
  Fibers fibers;
  Shadow global, shared;
};
} // namespace
static Kept &kept() {
  static Kept *one = new Kept();
  return *one;
}

Block::Block(DeviceMemory &memory, const KernelLaunch &launch, uint64_t seed)
    : memory_(memory), launch_(launch), random_(seed), fibers_(kept().fibers),
      global_(kept().global), shared_(kept().shared) {
  global_.restart();
  for (const std::string &value : launch.values)
    parameters_.push_back(const_cast<char *>(value.data()));
  threads_.resize(launch.threads());
  order_.resize(threads_.size());
  std::iota(order_.begin(), order_.end(), 0);
  warpEpochs_.resize((threads_.size() + kWarpThreads - 1) / kWarpThreads);
  dynamic_.resize(launch.dynamicBytes + 16);
  uint64_t sharedEnd = 0;
  for (uint32_t i = 0; i < launch.twin->sharedCount; ++i) {
    const SluiceSimVariable &variable = launch.twin->shared[i];
    uint64_t begin = reinterpret_cast<uint64_t>(variable.address);
    sharedBegin_ = i ? std::min(sharedBegin_, begin) : begin;
    sharedEnd = std::max(sharedEnd, begin + variable.bytes);
  }
  sharedBytes_ = sharedEnd - sharedBegin_;
  dynamicBegin_ = (reinterpret_cast<uint64_t>(dynamic_.data()) + 15) / 16 * 16;
}

template <typename T> static void shuffle(std::vector<T> &list, SplitMix64 &random) {
  for (size_t i = list.size(); i > 1; --i)
    std::swap(list[i - 1], list[random.below(i)]);
}

KernelFinding Block::run() {
  KernelArithmetic arithmetic(launch_.kernel->flags & SLUICE_SIM_FLUSHES_DENORMALS);
  running = this;
  *launch_.twin->dynamicShared = reinterpret_cast<void *>(dynamicBegin_);
  const uint32_t *grid = launch_.grid;
  std::vector<uint32_t> blocks(size_t(grid[0]) * grid[1] * grid[2]);
  std::iota(blocks.begin(), blocks.end(), 0);
  shuffle(blocks, random_);
  for (uint32_t number : blocks) {
    blockNumber_ = number;
    blockIndex_[0] = number % grid[0];
    blockIndex_[1] = number / grid[0] % grid[1];
    blockIndex_[2] = number / grid[0] / grid[1];
    prepare();
    runBlock();
    if (finding_.result)
      break;
  }
  running = nullptr;
  return finding_;
}

// Shared memory begins as NaN: what a block reads without having written it shows.
void Block::prepare() {
  for (uint32_t i = 0; i < launch_.twin->sharedCount; ++i)
    memset(launch_.twin->shared[i].address, 0xFF, launch_.twin->shared[i].bytes);
  memset(reinterpret_cast<void *>(dynamicBegin_), 0xFF, launch_.dynamicBytes);
  shared_.restart();
  epoch_ = ended_ = 0;
  std::fill(warpEpochs_.begin(), warpEpochs_.end(), 0);
  const uint32_t *size = launch_.block;
  for (uint32_t i = 0; i < threads_.size(); ++i) {
    threads_[i] = BlockThread();
    threads_[i].index[0] = i % size[0];
    threads_[i].index[1] = i / size[0] % size[1];
    threads_[i].index[2] = i / size[0] / size[1];
  }
  fibers_.prepare(threads_.size(), &Block::threadMain);
}

void Block::threadMain(size_t number) {
  Block &block = *running;
  block.launch_.kernel->entry(block.parameters_.data());
  block.threads_[number].stop = Stop::kEnded;
  ++block.ended_;
}

void Block::runThreads() {
  shuffle(order_, random_);
  for (uint32_t number : order_)
    if (threads_[number].stop == Stop::kReady) {
      running_ = number;
      fibers_.resume(number);
      if (finding_.result)
        return;
    }
}

void Block::runBlock() {
  while (ended_ < threads_.size()) {
    runThreads();
    if (finding_.result || ended_ == threads_.size())
      return;
    if (!completeWarps() && !finding_.result && !completeBarrier())
      reportStuck();
    if (finding_.result)
      return;
  }
}

// ---- Barriers -----------------------------------------------------------------------------------

uint32_t Block::barrier(uint32_t number, bool aligned, bool vote, const void *site) {
  BlockThread &thread = threads_[running_];
  thread.stop = Stop::kBarrier;
  thread.barrier = number;
  thread.site = aligned ? site : nullptr;
  thread.vote = vote;
  fibers_.leave();
  return votes_;
}

bool Block::leavesOut(const char *what, const void *site) const {
  Omissions &omissions = driver().omissions;
  return omissions.matter() &&
         omissions.leavesOut(Omissible::kBarrier, site,
                             text("%s of kernel '%s'", what, launch_.kernel->name));
}

void Block::synchronize(uint32_t number, bool aligned, const void *site) {
  if (!leavesOut("a barrier", site))
    barrier(number, aligned, false, site);
}

// True if all wait, at the same one.
bool Block::completeBarrier() {
  uint32_t votes = 0;
  for (const BlockThread &thread : threads_) {
    if (thread.stop != Stop::kBarrier || thread.barrier != threads_[0].barrier ||
        thread.site != threads_[0].site)
      return false;
    votes += thread.vote;
  }
  votes_ = votes;
  ++epoch_;
  for (BlockThread &thread : threads_)
    thread.stop = Stop::kReady;
  return true;
}

KernelFinding runKernel(DeviceMemory &memory, const KernelLaunch &launch, uint64_t seed,
                        const VisitTouched &visit) {
  Block block(memory, launch, seed);
  KernelFinding finding = block.run();
  block.visitTouched(visit);
  return finding;
}

// Nobody can go on. A card might, with threads that have ended, but not on purpose.
void Block::reportStuck() {
  size_t barrier = 0, warp = 0;
  const BlockThread *first = nullptr;
  bool several = false;
  for (const BlockThread &thread : threads_) {
    warp += thread.stop == Stop::kWarp;
    if (thread.stop != Stop::kBarrier)
      continue;
    several |= first && (first->site != thread.site || first->barrier != thread.barrier);
    first = first ? first : &thread;
    ++barrier;
  }
  if (several)
    record(cuda::kLaunchFailed, text("divergent barrier: the %zu threads of the block wait at "
                                     "different barriers",
                                     threads_.size()));
  else if (barrier)
    record(cuda::kLaunchFailed,
           text("divergent barrier: %zu of %zu threads wait at a barrier, %u have ended, %zu wait "
                "for lanes of their warps",
                barrier, threads_.size(), ended_, warp));
  else
    record(cuda::kLaunchFailed,
           text("absent lane: %zu threads wait for lanes of their warps, and %u have ended", warp,
                ended_));
}

} // namespace sluice::rt::sim
