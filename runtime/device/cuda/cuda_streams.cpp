// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// CudaStreams.
#include "runtime/device/cuda/cuda_streams.h"

#include <algorithm>
#include <cstring>

namespace sluice::rt::cuda {

Status CudaStreams::create(size_t count) {
  for (size_t i = 0; i < count; ++i) {
    SLUICE_RETURN_IF_ERROR(errors_.check(
        driver_.cuStreamCreate(&timelines_[i].handle, kStreamNonBlocking), "cuStreamCreate"));
    ++count_;
  }
  return okStatus();
}

CudaStreams::~CudaStreams() {
  if (abandoned_)
    return;
  for (size_t i = 0; i < count_; ++i) {
    for (const Marker &marker : timelines_[i].markers)
      idleEvents_.push_back(marker.event);
    driver_.cuStreamDestroy(timelines_[i].handle);
  }
  for (Event event : idleEvents_)
    driver_.cuEventDestroy(event);
}

rt::Result<Event> CudaStreams::takeEvent() {
  Event event = nullptr;
  if (idleEvents_.empty()) {
    SLUICE_RETURN_IF_ERROR(
        errors_.check(driver_.cuEventCreate(&event, kEventDisableTiming), "cuEventCreate"));
    return event;
  }
  event = idleEvents_.back();
  idleEvents_.pop_back();
  return event;
}

rt::Result<Event> CudaStreams::eventAt(Timeline &timeline, uint64_t ticket) {
  auto marker =
      std::lower_bound(timeline.markers.begin(), timeline.markers.end(), ticket,
                       [](const Marker &one, uint64_t sought) { return one.ticket < sought; });
  if (marker != timeline.markers.end())
    return marker->event;
  SLUICE_ASSIGN_OR_RETURN(Event event, takeEvent());
  Status recorded = errors_.check(driver_.cuEventRecord(event, timeline.handle), "cuEventRecord");
  if (!recorded.ok()) {
    idleEvents_.push_back(event);
    return recorded;
  }
  timeline.markers.push_back({timeline.last, event});
  return event;
}

rt::Result<Moment> CudaStreams::mark(StreamId stream) {
  std::lock_guard lock(mutex_);
  Timeline &timeline = timelines_[indexOf(stream)];
  Moment moment{stream, timeline.last};
  if (!isKnown(moment))
    SLUICE_RETURN_IF_ERROR(eventAt(timeline, moment.ticket).status());
  return moment;
}

Status CudaStreams::order(StreamId later, Moment earlier) {
  if (later == earlier.stream || isKnown(earlier))
    return okStatus();
  std::lock_guard lock(mutex_);
  Timeline &timeline = timelines_[indexOf(later)];
  uint64_t &behind = timeline.behind[indexOf(earlier.stream)];
  if (behind >= earlier.ticket)
    return okStatus();
  SLUICE_ASSIGN_OR_RETURN(Event event,
                          eventAt(timelines_[indexOf(earlier.stream)], earlier.ticket));
  SLUICE_RETURN_IF_ERROR(
      errors_.check(driver_.cuStreamWaitEvent(timeline.handle, event, 0), "cuStreamWaitEvent"));
  behind = earlier.ticket;
  ++timeline.last;
  return okStatus();
}

rt::Result<std::optional<Event>> CudaStreams::eventFor(Moment moment) {
  if (isKnown(moment))
    return std::optional<Event>();
  std::lock_guard lock(mutex_);
  SLUICE_ASSIGN_OR_RETURN(Event event,
                          eventAt(timelines_[indexOf(moment.stream)], moment.ticket));
  return std::optional(event);
}

// Should the event have been seen to be over by now, and stand for something else: that was
// enqueued earlier than this, too.
rt::Result<Moment> CudaStreams::wait(StreamId later, Event event) {
  return enqueue(later, "cuStreamWaitEvent",
                 [&](Stream handle) { return driver_.cuStreamWaitEvent(handle, event, 0); });
}

rt::Result<uint64_t> CudaStreams::queryMarkers(Timeline &timeline) {
  uint64_t over = timeline.completed;
  while (!timeline.markers.empty()) {
    Marker marker = timeline.markers.front();
    Result result = driver_.cuEventQuery(marker.event);
    if (result == kNotReady)
      break;
    SLUICE_RETURN_IF_ERROR(errors_.check(result, "cuEventQuery"));
    over = marker.ticket;
    idleEvents_.push_back(marker.event);
    timeline.markers.pop_front();
  }
  return over;
}

void CudaStreams::end(const CopyEnd &copy) {
  if (copy.to)
    std::memcpy(copy.to, copy.slab->data, copy.bytes);
  staging_.giveBack(copy.slab);
}

// Copies take time, so others may enqueue meanwhile; but a moment is over only after its copies, so
// one thread at a time does this.
Status CudaStreams::advance(Timeline &timeline) {
  std::unique_lock lock(mutex_);
  if (timeline.isAdvancing)
    return okStatus();
  SLUICE_ASSIGN_OR_RETURN(uint64_t over, queryMarkers(timeline));
  timeline.isAdvancing = true;
  while (!timeline.ends.empty() && timeline.ends.front().ticket <= over) {
    CopyEnd copy = timeline.ends.front().copy;
    timeline.ends.pop_front();
    lock.unlock();
    end(copy);
    lock.lock();
  }
  timeline.completed = over;
  timeline.isAdvancing = false;
  return okStatus();
}

rt::Result<bool> CudaStreams::hasCompleted(Moment moment) {
  if (isKnown(moment))
    return true;
  Timeline &timeline = timelines_[indexOf(moment.stream)];
  {
    std::lock_guard lock(mutex_);
    SLUICE_RETURN_IF_ERROR(errors_.health());
    if (!timeline.isAdvancing)
      SLUICE_RETURN_IF_ERROR(eventAt(timeline, moment.ticket).status());
  }
  SLUICE_RETURN_IF_ERROR(advance(timeline));
  return isKnown(moment);
}

Status CudaStreams::endCopies() {
  for (size_t i = 0; i < count_; ++i) {
    Moment oldest{static_cast<StreamId>(i), 0};
    {
      std::lock_guard lock(mutex_);
      if (timelines_[i].ends.empty())
        continue;
      oldest.ticket = timelines_[i].ends.front().ticket;
    }
    SLUICE_RETURN_IF_ERROR(hasCompleted(oldest).status());
  }
  return okStatus();
}

} // namespace sluice::rt::cuda
