// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Tensors of the host in pages that stay where they are.
#include "runtime/executor/pinned_tensors.h"

#include "runtime/memory/guard_pages.h"
#include "runtime/memory/memory_account.h"
#include "runtime/memory/size_classes.h"

namespace sluice::rt {

// Larger blocks are mappings of their own: no page of theirs is anybody else's.
static_assert(PinnedTensors::kLeastBytes > kMostSharedRoom);

// The pages of the block, its header among them.
static std::span<char> pagesOf(Buffer &buffer) {
  auto data = reinterpret_cast<uintptr_t>(buffer.data());
  uintptr_t begin = data & ~(kPageBytes - 1);
  return {reinterpret_cast<char *>(begin), inPages(data + buffer.bytes() - begin)};
}

PinnedTensors::~PinnedTensors() {
  if (isAbandoned_)
    return;
  for (auto [bytes, buffer] : kept_)
    drop(*buffer);
}

void PinnedTensors::drop(Buffer &buffer) {
  device_.unpin(pagesOf(buffer).data());
  buffer.release();
}

Tensor PinnedTensors::tryAllocate(DType dtype, const Shape &shape) {
  if (!isPlain(dtype) || buffersAreGuarded())
    return {};
  Result<int64_t> elements = shape.checkedElements();
  if (!elements.ok() || static_cast<uint64_t>(*elements) > most_)
    return {};
  size_t bytes = static_cast<size_t>(*elements) * sizeOf(dtype);
  if (bytes < kLeastBytes || bytes > most_)
    return {};
  std::lock_guard<std::mutex> lock(mutex_);
  Buffer *buffer = take(bytes);
  if (!buffer)
    buffer = add(bytes);
  if (!buffer)
    return {};
  ++counters_.tensors;
  return Tensor::over(dtype, shape, buffer);
}

// One that is not much too large. Nobody but us can make another reference of the only one.
Buffer *PinnedTensors::take(size_t bytes) {
  auto end = kept_.upper_bound(2 * bytes);
  for (auto kept = kept_.lower_bound(bytes); kept != end; ++kept)
    if (kept->second->solelyOwned())
      return kept->second;
  return nullptr;
}

Buffer *PinnedTensors::add(size_t bytes) {
  bytes = roomOf(classOf(bytes));
  if (isRefused_ || !makeRoom(bytes))
    return nullptr;
  MemoryAccount::Scope nobodys(0); // it outlives the call that it is made for
  Buffer *buffer = Buffer::allocate(bytes);
  if (!buffer)
    return nullptr;
  std::span<char> pages = pagesOf(*buffer);
  if (!device_.pin(pages.data(), pages.size()).ok()) {
    isRefused_ = true;
    buffer->release();
    return nullptr;
  }
  kept_.emplace(bytes, buffer);
  counters_.held += bytes;
  return buffer;
}

// What is free and of no use goes, the largest first.
bool PinnedTensors::makeRoom(size_t bytes) {
  for (auto kept = kept_.end(); counters_.held + bytes > most_ && kept != kept_.begin();) {
    --kept;
    if (!kept->second->solelyOwned())
      continue;
    counters_.held -= kept->first;
    drop(*kept->second);
    kept = kept_.erase(kept);
  }
  return counters_.held + bytes <= most_;
}

PinnedTensors::Counters PinnedTensors::counters() const {
  std::lock_guard<std::mutex> lock(mutex_);
  return counters_;
}

} // namespace sluice::rt
