// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The streams of a device: what was enqueued, what has completed, and what the host does then.
//
// Tickets are counted here. An event is recorded only when somebody asks about a moment, and tells
// about all that was enqueued before it. From any thread; one lock, held while the driver enqueues,
// so that tickets have the order of the stream. The caller has made the context current.
#pragma once

#include "runtime/device/cuda/driver_errors.h"
#include "runtime/device/cuda/pinned_staging.h"
#include "runtime/device/stream.h"

#include <array>
#include <deque>
#include <optional>
#include <vector>

namespace sluice::rt::cuda {

// When a copy has completed: the last part of one out of the device, and staging is free again.
struct CopyEnd {
  PinnedStaging::Slab *slab = nullptr;
  void *to = nullptr; // null: into the device
  size_t bytes = 0;
};

class CudaStreams {
public:
  CudaStreams(const Driver &driver, DriverErrors &errors, PinnedStaging &staging)
      : driver_(driver), errors_(errors), staging_(staging) {}
  ~CudaStreams();
  CudaStreams(const CudaStreams &) = delete;
  CudaStreams &operator=(const CudaStreams &) = delete;

  Status create(size_t count);

  // `call` gets the stream's handle and enqueues; nothing was if it fails.
  template <typename Call>
  rt::Result<Moment> enqueue(StreamId stream, const char *name, Call call, CopyEnd end = {}) {
    std::lock_guard<std::mutex> lock(mutex_);
    Timeline &timeline = timelines_[indexOf(stream)];
    SLUICE_RETURN_IF_ERROR(errors_.check(call(timeline.handle), name));
    uint64_t ticket = timeline.last + 1;
    timeline.last = ticket;
    if (end.slab)
      timeline.ends.push_back({ticket, end});
    return Moment{stream, ticket};
  }

  Moment last(StreamId stream) const { return {stream, timelines_[indexOf(stream)].last}; }
  rt::Result<Moment> mark(StreamId stream);
  Status order(StreamId later, Moment earlier);
  // Of what is to be waited for on another device; nothing if it is over. Its own context is
  // current then, that of the other one for `wait`, which answers with a moment after the wait.
  rt::Result<std::optional<Event>> eventFor(Moment moment);
  rt::Result<Moment> wait(StreamId later, Event event);
  // Sees to it that this becomes true when the moment is over.
  rt::Result<bool> hasCompleted(Moment moment);
  // Of what is known to be over.
  bool isKnown(Moment moment) const {
    return timelines_[indexOf(moment.stream)].completed >= moment.ticket;
  }
  // Looks at the oldest copies of all streams, so that staging becomes free.
  Status endCopies();
  // The handles stay as they are, for ever.
  void abandon() { abandoned_ = true; }

private:
  struct Marker {
    uint64_t ticket;
    Event event;
  };
  struct End {
    uint64_t ticket;
    CopyEnd copy;
  };
  struct Timeline {
    Stream handle = nullptr;
    std::atomic<uint64_t> last = 0, completed = 0;
    std::deque<Marker> markers;                     // in order of tickets
    std::deque<End> ends;                           // the same
    bool isAdvancing = false;                       // a thread is busy with `ends`
    std::array<uint64_t, kMostStreams> behind = {}; // what it has been made to wait for
  };

  rt::Result<Event> takeEvent();
  // With the lock held: an event at or after the ticket.
  rt::Result<Event> eventAt(Timeline &timeline, uint64_t ticket);
  Status advance(Timeline &timeline);
  // With the lock held: the last ticket that is over.
  rt::Result<uint64_t> queryMarkers(Timeline &timeline);
  void end(const CopyEnd &copy);

  const Driver &driver_;
  DriverErrors &errors_;
  PinnedStaging &staging_;
  std::mutex mutex_;
  size_t count_ = 0;
  std::array<Timeline, kMostStreams> timelines_;
  std::vector<Event> idleEvents_;
  bool abandoned_ = false;
};

} // namespace sluice::rt::cuda
