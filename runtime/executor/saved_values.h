// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Values of a card that lists keep for later, as loops do for their backward passes.
//
// What is pushed on a list is wrapped, so that only the list and whoever pops it can reach it. Once
// the card's memory fills up, the oldest of what is kept moves to memory of the host, on a stream
// of its own: it is needed last. What is popped comes back, and the next ones with it. The host
// waits for none of this.
#pragma once

#include "runtime/device/device.h"
#include "runtime/memory/tensor.h"
#include "runtime/program/device_choice.h"

#include <deque>
#include <list>
#include <map>
#include <unordered_map>

namespace sluice::rt {

class Card;

// What a tensor that is not on the host belongs to.
class OfCard : public Buffer::Foreign {
public:
  explicit OfCard(Card &card) : card_(card) {}
  Card &card() const { return card_; }
  // By SavedValues of the card; whoever knows of a value only that it is on some card asks here.
  virtual Result<Tensor> wrap(const Tensor &value) const;
  virtual Result<Tensor> unwrap(const Tensor &popped, std::string_view owner) const;

private:
  Card &card_;
};

class SavedValues {
public:
  SavedValues(Card &card, Swapping swapping, uint64_t memory)
      : card_(card), swapping_(swapping), memory_(memory) {}

  // What is to be pushed in place of the value; the value itself where it may as well stay.
  Result<Tensor> wrap(const Tensor &value);
  // Of what was popped: the value on the card.
  Result<Tensor> unwrap(const Tensor &popped, std::string_view owner);
  // Where there is no memory left for anything: moves all that can be. Whether it has.
  Result<bool> relieve();

  struct Counters {
    uint64_t movedOut = 0, bytesOut = 0, broughtBack = 0, bytesBack = 0;
  };
  Counters counters() const;

private:
  // What one or several lists keep.
  struct Kept {
    Tensor value; // on the card; invalid while it is out
    DType dtype;
    Shape shape;
    PinnedMemory copy; // on the host
    Moment there;      // when the copy is
    int lists = 1;
  };
  class Wrapped;
  struct Idle {
    PinnedMemory memory;
    Moment until;
  };

  std::list<Kept>::iterator keep(const Tensor &value);
  Status moveOut(uint64_t target);
  Result<bool> moveOut(Kept &kept);
  Result<Tensor> bringBack(std::list<Kept>::iterator at, std::string_view owner);
  void prefetch();
  uint64_t inUse() const;
  Result<PinnedMemory> takePinned(size_t bytes);
  void putPinned(PinnedMemory memory, Moment until);
  void forget(const Wrapped &wrapped);

  Card &card_;
  const Swapping swapping_;
  const uint64_t memory_; // of the card
  mutable std::mutex mutex_;
  std::list<Kept> kept_; // oldest first
  std::unordered_map<const Buffer::Foreign *, std::list<Kept>::iterator> wrapped_;
  std::unordered_map<const void *, std::list<Kept>::iterator> onCard_; // by address
  std::map<size_t, std::deque<Idle>> idle_;                            // by size
  Counters counters_;
};

} // namespace sluice::rt
