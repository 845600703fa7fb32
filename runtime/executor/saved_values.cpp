// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Values of a card that lists keep for later.
#include "runtime/executor/saved_values.h"

#include "runtime/executor/card.h"

namespace sluice::rt {

// A copy of less takes as long, and frees little.
static constexpr size_t kLeastBytes = size_t(64) << 10;
// So many come back before they are asked for.
static constexpr int kAhead = 4;

// Holds the elements of what a list keeps, wherever they are.
class SavedValues::Wrapped final : public OfCard {
public:
  using OfCard::OfCard;
  ~Wrapped() override { card().saved().forget(*this); }
};

Result<Tensor> OfCard::wrap(const Tensor &value) const { return card_.saved().wrap(value); }

Result<Tensor> OfCard::unwrap(const Tensor &popped, std::string_view owner) const {
  return card_.saved().unwrap(popped, owner);
}

uint64_t SavedValues::inUse() const { return card_.device().poolCounters().inUse; }

Result<Tensor> SavedValues::wrap(const Tensor &value) {
  if (swapping_ == Swapping::kNever || value.bytes() < kLeastBytes)
    return value;
  auto wrapped = std::make_unique<Wrapped>(card_);
  {
    std::lock_guard<std::mutex> lock(mutex_);
    wrapped_[wrapped.get()] = keep(value);
    uint64_t target = swapping_ == Swapping::kAlways ? 0 : memory_ / 2;
    SLUICE_RETURN_IF_ERROR(moveOut(target));
  }
  // Where there is no memory for the header, the holder is gone.
  Buffer *buffer = Buffer::refer(Card::elements(value).data(), value.bytes(), std::move(wrapped));
  if (!buffer)
    return resourceExhausted("no memory for a tensor's header");
  return Tensor::foreign(value.dtype(), value.shape(), buffer);
}

// A value of which lists keep several references moves as one.
std::list<SavedValues::Kept>::iterator SavedValues::keep(const Tensor &value) {
  auto [known, isNew] = onCard_.try_emplace(Card::elements(value).data());
  if (!isNew) {
    ++known->second->lists;
    return known->second;
  }
  kept_.emplace_back();
  auto kept = std::prev(kept_.end());
  kept->value = value;
  kept->dtype = value.dtype();
  kept->shape = value.shape();
  return known->second = kept;
}

Result<Tensor> SavedValues::unwrap(const Tensor &popped, std::string_view owner) {
  std::lock_guard<std::mutex> lock(mutex_);
  auto wrapped = wrapped_.find(popped.holder());
  if (wrapped == wrapped_.end())
    return popped;
  auto kept = wrapped->second;
  Result<Tensor> value = kept->value.valid() ? Result<Tensor>(kept->value) : bringBack(kept, owner);
  // It is on its way to whoever needs it, so it stays.
  if (value.ok())
    prefetch();
  return value;
}

Result<bool> SavedValues::relieve() {
  std::lock_guard<std::mutex> lock(mutex_);
  uint64_t before = counters_.movedOut;
  SLUICE_RETURN_IF_ERROR(moveOut(0));
  return counters_.movedOut != before;
}

SavedValues::Counters SavedValues::counters() const {
  std::lock_guard<std::mutex> lock(mutex_);
  return counters_;
}

// ---- Out ----------------------------------------------------------------------------------------

// From the oldest on, until no more than that is in use.
Status SavedValues::moveOut(uint64_t target) {
  if (swapping_ == Swapping::kNever)
    return okStatus();
  for (auto kept = kept_.begin(); kept != kept_.end() && inUse() > target; ++kept)
    SLUICE_RETURN_IF_ERROR(moveOut(*kept).status());
  return okStatus();
}

// Not what somebody else holds as well: nothing would become free.
Result<bool> SavedValues::moveOut(Kept &kept) {
  if (!kept.value.valid() || !kept.value.solelyOwned())
    return false;
  size_t bytes = kept.value.bytes();
  constexpr StreamId stream = StreamId::kDeviceToHost;
  if (!kept.copy.data()) {
    SLUICE_ASSIGN_OR_RETURN(kept.copy, takePinned(bytes));
    SLUICE_RETURN_IF_ERROR(card_.order(stream, kept.value));
    SLUICE_ASSIGN_OR_RETURN(
        kept.there, card_.device().copyOut(kept.copy.data(), kept.value.raw(), bytes, stream));
    SLUICE_RETURN_IF_ERROR(Card::elements(kept.value).noteUse(kept.there));
    ++counters_.movedOut;
    counters_.bytesOut += bytes;
  } // else it has come back, and the copy is still there
  onCard_.erase(Card::elements(kept.value).data());
  kept.value = Tensor();
  return true;
}

// ---- Back ---------------------------------------------------------------------------------------

Result<Tensor> SavedValues::bringBack(std::list<Kept>::iterator at, std::string_view owner) {
  Kept &kept = *at;
  constexpr StreamId stream = StreamId::kHostToDevice;
  Result<Tensor> memory = card_.allocateWithin(kept.dtype, kept.shape, stream, owner);
  if (memory.status().code() == Code::kResourceExhausted) {
    SLUICE_RETURN_IF_ERROR(moveOut(0));
    memory = card_.allocateWithin(kept.dtype, kept.shape, stream, owner);
  }
  SLUICE_ASSIGN_OR_RETURN(Tensor value, std::move(memory));
  SLUICE_RETURN_IF_ERROR(card_.device().order(stream, kept.there));
  SLUICE_ASSIGN_OR_RETURN(
      Moment back, card_.device().copyIn(value.raw(), kept.copy.data(), value.bytes(), stream));
  Card::elements(value).setReady(back);
  kept.there = back; // until then somebody reads the copy
  ++counters_.broughtBack;
  counters_.bytesBack += value.bytes();
  kept.value = value;
  onCard_[Card::elements(value).data()] = at;
  return value;
}

// The youngest are popped next.
void SavedValues::prefetch() {
  int left = kAhead;
  for (auto kept = kept_.end(); kept != kept_.begin() && left > 0;) {
    --kept;
    if (kept->value.valid())
      continue;
    --left;
    if (inUse() + kept->copy.bytes() > memory_ / 2 || !bringBack(kept, "a saved value").ok())
      return;
  }
}

void SavedValues::forget(const Wrapped &wrapped) {
  Tensor value; // goes without the lock
  std::lock_guard<std::mutex> lock(mutex_);
  auto found = wrapped_.find(&wrapped);
  if (found == wrapped_.end())
    return;
  auto kept = found->second;
  wrapped_.erase(found);
  if (--kept->lists > 0)
    return;
  if (kept->value.valid())
    onCard_.erase(Card::elements(kept->value).data());
  value = std::move(kept->value);
  if (kept->copy.data())
    putPinned(std::move(kept->copy), kept->there);
  kept_.erase(kept);
}

// ---- Memory of the host -------------------------------------------------------------------------

// The same sizes come again in each iteration and each call.
Result<PinnedMemory> SavedValues::takePinned(size_t bytes) {
  auto &idle = idle_[bytes];
  if (!idle.empty()) {
    SLUICE_ASSIGN_OR_RETURN(bool isOver, card_.device().hasCompleted(idle.front().until));
    if (isOver) {
      PinnedMemory memory = std::move(idle.front().memory);
      idle.pop_front();
      return memory;
    }
  }
  return card_.device().allocatePinned(bytes);
}

void SavedValues::putPinned(PinnedMemory memory, Moment until) {
  size_t bytes = memory.bytes();
  idle_[bytes].push_back({std::move(memory), until});
}

} // namespace sluice::rt
