// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Copies through the view that is always open.
#include "runtime/sim/copies.h"

#include "runtime/sim/image.h"
#include "runtime/sim/report.h"

#include <cstring>

namespace sluice::rt::sim {

using cuda::DevicePointer;

cuda::Result checkRange(Driver &driver, const char *function, DevicePointer begin, size_t bytes) {
  Allocation *allocation = driver.memory.find(begin);
  if (bytes == 0)
    return cuda::kSuccess;
  if (!allocation)
    return refuse(cuda::kInvalidValue, "%s: expected memory of a device but got 0x%llx", function,
                  begin);
  if (bytes > allocation->end() - begin)
    return refuse(cuda::kInvalidValue,
                  "%s: expected at most the %zu bytes from byte %zu of %s but got %zu", function,
                  size_t(allocation->end() - begin), size_t(begin - allocation->begin),
                  allocation->name().c_str(), bytes);
  if (allocation->freeing)
    return refuse(cuda::kInvalidValue, "%s: %s is freed already", function,
                  allocation->name().c_str());
  return cuda::kSuccess;
}

// What a call does with so many bytes, or nothing.
static Work unlessLeftOut(Driver &driver, size_t bytes, Work work) {
  auto what = [&] { return text("%s, %zu bytes", work.name.c_str(), bytes); };
  if (bytes && driver.leavesOut(Omissible::kCopy, what))
    work.run = [](OperationId) {};
  return work;
}

bool touch(Driver &driver, DevicePointer begin, size_t bytes, bool write, OperationId id) {
  Allocation *allocation = driver.memory.find(begin);
  if (!allocation || bytes > allocation->end() - begin) {
    driver.fail(cuda::kIllegalAddress,
                text("%s %s 0x%llx, which is not allocated at that time",
                     driver.history.name(id).c_str(), write ? "writes" : "reads", begin));
    return false;
  }
  return !driver.failIf(driver.history.access(*allocation, begin, begin + bytes, write, id));
}

static uint64_t hashOf(const void *bytes, size_t count) {
  return hashOfImage({static_cast<const char *>(bytes), count});
}

// A finding if nothing orders a copy that uses pinned memory and an earlier one.
static void follow(Driver &driver, OperationId id, OperationId earlier, const void *memory) {
  if (earlier && !driver.history.comesAfter(id, earlier))
    driver.fail(cuda::kLaunchFailed,
                text("race: %s and %s use the host's memory at %p, and nothing orders the two",
                     driver.history.name(id).c_str(), driver.history.name(earlier).c_str(),
                     memory));
}

Work copyFromPinned(Driver &driver, DevicePointer to, const void *from, size_t bytes,
                    bool watched) {
  uint64_t before = watched ? hashOf(from, bytes) : 0, writes = driver.hostUses[from].writes;
  auto run = [=, &driver](OperationId id) {
    if (!bytes || !touch(driver, to, bytes, true, id))
      return;
    HostUse &use = driver.hostUses[from];
    follow(driver, id, use.writtenBy, from);
    use.readBy = id;
    // What a copy has written meanwhile, which comes before, is what is wanted.
    if (watched && use.writes == writes && hashOf(from, bytes) != before)
      driver.fail(cuda::kLaunchFailed,
                  text("the host wrote into the %zu bytes at %p while a copy to the device "
                       "of them was on its way",
                       bytes, from));
    memcpy(driver.memory.copyView(to), from, bytes);
  };
  return unlessLeftOut(driver, bytes, {"a copy to the device", run});
}

Work copyFromPageable(Driver &driver, DevicePointer to, const void *from, size_t bytes) {
  auto staged = std::make_shared<std::string>(static_cast<const char *>(from), bytes);
  auto run = [=, &driver](OperationId id) {
    if (bytes && touch(driver, to, bytes, true, id))
      memcpy(driver.memory.copyView(to), staged->data(), bytes);
  };
  return unlessLeftOut(driver, bytes, {"a copy to the device", run});
}

Work copyToHost(Driver &driver, void *to, DevicePointer from, size_t bytes) {
  auto run = [=, &driver](OperationId id) {
    if (!bytes || !touch(driver, from, bytes, false, id))
      return;
    if (driver.host.isPinned(to, bytes)) {
      HostUse &use = driver.hostUses[to];
      follow(driver, id, use.readBy, to);
      follow(driver, id, use.writtenBy, to);
      use.writtenBy = id;
      ++use.writes;
    }
    memcpy(to, driver.memory.copyView(from), bytes);
  };
  return unlessLeftOut(driver, bytes, {"a copy to the host", run});
}

Work copyOnDevice(Driver &driver, DevicePointer to, DevicePointer from, size_t bytes) {
  auto run = [=, &driver](OperationId id) {
    if (bytes && touch(driver, from, bytes, false, id) && touch(driver, to, bytes, true, id))
      memmove(driver.memory.copyView(to), driver.memory.copyView(from), bytes);
  };
  return unlessLeftOut(driver, bytes, {"a copy on the device", run});
}

Work fill(Driver &driver, DevicePointer to, uint32_t value, size_t elementBytes, size_t count) {
  auto run = [=, &driver](OperationId id) {
    if (!count || !touch(driver, to, count * elementBytes, true, id))
      return;
    char *place = driver.memory.copyView(to);
    for (size_t i = 0; i < count; ++i)
      memcpy(place + i * elementBytes, &value, elementBytes);
  };
  return unlessLeftOut(driver, count * elementBytes, {"a memset", run});
}

} // namespace sluice::rt::sim
