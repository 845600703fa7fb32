// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// PinnedStaging.
#include "runtime/device/cuda/pinned_staging.h"

namespace sluice::rt::cuda {

PinnedStaging::~PinnedStaging() {
  for (Kind *kind : {&small_, &large_})
    if (kind->memory && !abandoned_)
      driver_.cuMemFreeHost(kind->memory);
}

Status PinnedStaging::obtain(Kind &kind) {
  SLUICE_RETURN_IF_ERROR(errors_.check(
      driver_.cuMemHostAlloc(&kind.memory, kind.bytes * kind.count, kHostAllocPortable),
      "cuMemHostAlloc"));
  kind.slabs.reserve(kind.count);
  for (size_t i = 0; i < kind.count; ++i) {
    kind.slabs.push_back({static_cast<std::byte *>(kind.memory) + i * kind.bytes, kind.bytes});
    kind.idle.push_back(&kind.slabs.back());
  }
  return okStatus();
}

rt::Result<PinnedStaging::Slab *> PinnedStaging::tryTake(size_t bytes) {
  std::lock_guard lock(mutex_);
  Kind &kind = bytes <= small_.bytes ? small_ : large_;
  if (!kind.memory)
    SLUICE_RETURN_IF_ERROR(obtain(kind));
  if (kind.idle.empty())
    return nullptr;
  Slab *slab = kind.idle.back();
  kind.idle.pop_back();
  return slab;
}

void PinnedStaging::giveBack(Slab *slab) {
  std::lock_guard lock(mutex_);
  (slab->bytes == small_.bytes ? small_ : large_).idle.push_back(slab);
}

} // namespace sluice::rt::cuda
