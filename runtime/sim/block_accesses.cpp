// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Checks of what kernels read and write: alignment, bounds, races; and how findings are told.
#include "runtime/sim/block.h"
#include "runtime/sim/report.h"

namespace sluice::rt::sim {

static const char *verb(AccessKind kind) {
  return kind == AccessKind::kRead ? "reads" : kind == AccessKind::kWrite ? "writes" : "updates";
}

ThreadTime Block::now() const {
  return {blockNumber_, uint16_t(running_), warpEpochs_[running_ / kWarpThreads], epoch_};
}

void Block::access(uint64_t address, size_t bytes, size_t alignment, AccessKind kind) {
  if (fibers_.stack(running_).holds(reinterpret_cast<const void *>(address)))
    return; // its own variables
  if (address % alignment)
    fail(cuda::kMisalignedAddress, text("%s %zu bytes at %s, which is not a multiple of %zu",
                                        verb(kind), bytes, place(address).c_str(), alignment));
  checkBounds(address, bytes, kind);
  bool shared = isShared(address) || address - dynamicBegin_ < launch_.dynamicBytes;
  ThreadTime time = now();
  if (const LastAccess *other = (shared ? shared_ : global_).access(address, bytes, kind, time))
    fail(cuda::kLaunchFailed,
         text("race: %s %zu bytes at %s, which %s uses as well, and no barrier is between",
              verb(kind), bytes, place(address).c_str(), where(other->time).c_str()));
}

// ---- Bounds -------------------------------------------------------------------------------------

bool Block::inVariables(const SluiceSimVariable *variables, uint32_t count, uint64_t address,
                        size_t bytes) const {
  for (uint32_t i = 0; i < count; ++i) {
    uint64_t offset = address - reinterpret_cast<uint64_t>(variables[i].address);
    if (offset < variables[i].bytes)
      return bytes <= variables[i].bytes - offset;
  }
  return false;
}

void Block::checkBounds(uint64_t address, size_t bytes, AccessKind kind) {
  for (const Range &known : known_)
    if (known.holds(address, bytes))
      return;
  if (memory_.holds(address)) {
    const Allocation *allocation = memory_.find(address);
    if (allocation && allocation->device == launch_.device &&
        bytes <= allocation->end() - address) {
      known_[nextKnown_++ % std::size(known_)] = {allocation->begin, allocation->end()};
      return;
    }
  } else if (address >= dynamicBegin_ && address < dynamicBegin_ + launch_.dynamicBytes) {
    if (bytes <= dynamicBegin_ + launch_.dynamicBytes - address)
      return;
  } else if (inVariables(launch_.twin->shared, launch_.twin->sharedCount, address, bytes) ||
             inVariables(launch_.twin->globals, launch_.twin->globalCount, address, bytes)) {
    return;
  }
  fail(cuda::kIllegalAddress,
       text("out of bounds: %s %zu bytes at %s", verb(kind), bytes, place(address).c_str()));
}

// ---- How they are told --------------------------------------------------------------------------

// What lies at most so far from a variable is meant for it: twins have so much room between them.
constexpr uint64_t kNear = 128;

static std::string placeIn(const std::string &name, uint64_t begin, uint64_t bytes,
                           uint64_t address) {
  if (address < begin)
    return text("%zu bytes before %s", size_t(begin - address), name.c_str());
  if (address - begin < bytes)
    return text("byte %zu of %s", size_t(address - begin), name.c_str());
  return text("%zu bytes behind the end of %s", size_t(address - begin - bytes), name.c_str());
}

// What holds the address, else what ends closest before it.
std::string Block::place(uint64_t address) const {
  const auto &allocations = memory_.allocations();
  auto next = allocations.upper_bound(address);
  if (memory_.holds(address)) {
    if (next == allocations.begin())
      return text("0x%llx, before all allocations", static_cast<unsigned long long>(address));
    const Allocation &allocation = std::prev(next)->second;
    return placeIn(allocation.name(), allocation.begin, allocation.bytes, address);
  }
  if (address >= dynamicBegin_ && address < dynamicBegin_ + launch_.dynamicBytes + kNear)
    return placeIn("the launch's shared memory", dynamicBegin_, launch_.dynamicBytes, address);
  // Those that are packed have neighbours, which are near as well.
  for (uint64_t near : {uint64_t(0), kNear})
    for (uint32_t i = 0; i < launch_.twin->sharedCount; ++i) {
      const SluiceSimVariable &variable = launch_.twin->shared[i];
      uint64_t begin = reinterpret_cast<uint64_t>(variable.address);
      if (address - (begin - near) < variable.bytes + 2 * near)
        return placeIn(
            text("shared variable '%s' (%zu bytes)", variable.name, size_t(variable.bytes)), begin,
            variable.bytes, address);
    }
  return text("0x%llx, which is no memory of the device", static_cast<unsigned long long>(address));
}

std::string Block::where(const ThreadTime &time) const {
  const uint32_t *index = threads_[time.thread].index, *grid = launch_.grid;
  return text("thread (%u, %u, %u) of block (%u, %u, %u)", index[0], index[1], index[2],
              time.block % grid[0], time.block / grid[0] % grid[1], time.block / grid[0] / grid[1]);
}

void Block::record(cuda::Result result, const std::string &what) {
  if (finding_.result)
    return;
  finding_.result = result;
  finding_.message =
      text("kernel '%s', %s: %s", launch_.kernel->name, where(now()).c_str(), what.c_str());
}

void Block::fail(cuda::Result result, const std::string &what) {
  record(result, what);
  fibers_.leave();
  __builtin_unreachable(); // nobody resumes a block that has failed
}

} // namespace sluice::rt::sim
