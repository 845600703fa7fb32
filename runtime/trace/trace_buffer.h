// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What a rank records of its calls: events in the order in which they ended, iterations and calls
// in the order in which they began. One thread writes, without locks; work of other threads is
// entered by it when that has completed. Where each call has a thread of its own, they take turns.
// The first events are kept, the others only counted, so that what an event refers to is always
// there.
#pragma once

#include "runtime/base/splitmix.h"
#include "runtime/base/threads.h"
#include "runtime/program/program.h"

#include <memory>
#include <mutex>
#include <string>
#include <utility>
#include <vector>

namespace sluice::rt {

struct TraceEvent {
  enum class Kind : uint8_t {
    kCall,
    kIteration,
    kFiring, // of a kernel or codelet
    kSend,
    kReceive, // the firing of a receive: its gate is open and its message is there
    kArrival, // of a message from another rank
    kParked,  // a firing that waited for an object, and what it then did
    kWait, // for `node`, which a message or a worker has brought; without one for room in a window
  };
  static constexpr uint32_t kNone = ~0u;

  Kind kind = Kind::kFiring;
  bool dead = false;
  bool failed = false;
  bool bailed = false;     // a codelet whose kernels ran instead
  uint16_t worker = 0;     // 0: the scheduler's thread
  uint32_t within = kNone; // position of the iteration's or call's event
  union {
    const Node *node = nullptr;
    const StaticFrame *frame;   // kIteration
    const Signature *signature; // kCall
  };
  uint64_t begin = 0, end = 0; // nanoseconds; `end` is 0 for what is not over
  uint64_t number = 0; // of the call or iteration; kSend, kReceive, kArrival: the message's key
  uint64_t amount = 0; // kCall, kIteration: dead firings; of messages: bytes
};

class TraceBuffer {
public:
  TraceBuffer(uint64_t limit, Clock &clock);

  // Several threads write. Before the first call.
  void share() { shared_ = true; }
  uint64_t now() { return clock_.now(); }
  // The event's position; TraceEvent::kNone when there is no room for it.
  uint32_t add(const TraceEvent &event) {
    auto turn = takeTurn();
    if (size_ == limit_) {
      ++lost_;
      return TraceEvent::kNone;
    }
    if (size_ == blocks_.size() * kBlock)
      grow();
    at(size_) = event;
    return static_cast<uint32_t>(size_++);
  }
  // Both do nothing for events that had no room.
  void end(uint32_t position) {
    auto turn = takeTurn();
    if (position != TraceEvent::kNone)
      at(position).end = now();
  }
  void countDead(uint32_t position) {
    auto turn = takeTurn();
    if (position != TraceEvent::kNone)
      ++at(position).amount;
  }
  // Words about an event, such as why it failed.
  void note(uint32_t position, std::string text) {
    auto turn = takeTurn();
    if (position != TraceEvent::kNone)
      notes_.emplace_back(position, std::move(text));
  }

  uint64_t size() const { return size_; }
  const TraceEvent &operator[](uint64_t position) const {
    return blocks_[position / kBlock][position % kBlock];
  }
  uint64_t lost() const { return lost_; }
  const std::vector<std::pair<uint32_t, std::string>> &notes() const { return notes_; }

private:
  // Small, because whoever is recorded waits while the system makes the pages of a new one.
  static constexpr uint64_t kBlock = 1024;
  std::unique_lock<std::mutex> takeTurn() {
    using Turn = std::unique_lock<std::mutex>;
    return shared_ ? Turn(mutex_) : Turn();
  }
  void grow();
  TraceEvent &at(uint64_t position) { return blocks_[position / kBlock][position % kBlock]; }

  uint64_t limit_;
  Clock &clock_;
  bool shared_ = false;
  std::mutex mutex_; // if shared
  std::vector<std::unique_ptr<TraceEvent[]>> blocks_;
  uint64_t size_ = 0, lost_ = 0;
  std::vector<std::pair<uint32_t, std::string>> notes_;
};

// Names one message among all of a run, and is the same at both ends. The words added are the
// numbers of the iterations, from the innermost out.
class MessageKey {
public:
  MessageKey(uint64_t call, uint32_t edge) {
    add(call);
    add(edge);
  }
  void add(uint64_t word) { key_ = mixBits(key_ + word + SplitMix64::kStep); }
  uint64_t value() const { return key_; }

private:
  uint64_t key_ = 0;
};

} // namespace sluice::rt
