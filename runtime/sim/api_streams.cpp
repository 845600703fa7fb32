// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Streams, events and host functions.
#include "runtime/sim/capture.h"
#include "runtime/sim/entry.h"

namespace sluice::rt::sim {

using namespace cuda;

// ---- Streams ------------------------------------------------------------------------------------

static Result create(const char *function, Stream *stream, unsigned flags) {
  return entry(function, [=](Driver &driver, auto &) {
    if (flags > kStreamNonBlocking)
      return refuse(kInvalidValue, "%s: expected known flags but got %u", function, flags);
    *stream = driver.streams.create(currentDevice(), flags);
    return kSuccess;
  });
}

Result cuStreamCreate(Stream *stream, unsigned flags) {
  return create("cuStreamCreate", stream, flags);
}

Result cuStreamCreateWithPriority(Stream *stream, unsigned flags, int) {
  return create("cuStreamCreateWithPriority", stream, flags);
}

Result cuStreamDestroy(Stream stream) {
  return entry("cuStreamDestroy", [=](Driver &driver, Streams::Lock &lock) {
    if (Result result = checkStream(driver, "cuStreamDestroy", stream))
      return result;
    driver.streams.destroy(lock, stream);
    return kSuccess;
  });
}

Result cuStreamSynchronize(Stream stream) {
  return entry("cuStreamSynchronize", [=](Driver &driver, Streams::Lock &lock) {
    if (Result result = checkStream(driver, "cuStreamSynchronize", stream))
      return result;
    if (stream->capture)
      return breakCapture(stream, "cuStreamSynchronize");
    if (driver.leavesOut(Omissible::kQuestion,
                         [&] { return text("for the end of stream %u", stream->index); }))
      return kSuccess;
    Clock before = stream->clock;
    driver.streams.finish(lock, stream);
    driver.streams.learn(before);
    return kSuccess;
  });
}

Result cuStreamQuery(Stream stream) {
  return entry("cuStreamQuery", [=](Driver &driver, auto &) {
    if (Result result = checkStream(driver, "cuStreamQuery", stream))
      return result;
    if (stream->capture)
      return breakCapture(stream, "cuStreamQuery");
    if (!stream->queue.empty() && driver.streams.flip())
      driver.streams.demand(stream);
    if (!stream->queue.empty())
      return kNotReady;
    driver.streams.learn(stream->clock);
    return kSuccess;
  });
}

Result cuStreamWaitEvent(Stream stream, Event event, unsigned flags) {
  return entry("cuStreamWaitEvent", [=](Driver &driver, auto &) {
    if (Result result = checkStream(driver, "cuStreamWaitEvent", stream))
      return result;
    if (!driver.events.knows(event) || flags)
      return refuse(kInvalidHandle, "cuStreamWaitEvent: expected an event and no flags");
    if (event->capture || stream->capture)
      return captureWait(stream, event);
    bool isNeeded = event->last && !driver.leavesOut(Omissible::kWait, [&] {
      return text("of stream %u for stream %u", stream->index, event->last->stream->index);
    });
    if (isNeeded)
      driver.streams.enqueueWait(stream, event->last);
    return kSuccess;
  });
}

Result cuLaunchHostFunc(Stream stream, HostFunction function, void *data) {
  return entry("cuLaunchHostFunc", [=](Driver &driver, auto &) {
    if (Result result = checkStream(driver, "cuLaunchHostFunc", stream))
      return result;
    if (!function)
      return kInvalidValue;
    if (stream->capture)
      return refuse(kStreamCaptureUnsupported, "cuLaunchHostFunc: not simulated in a capture");
    driver.streams.enqueueHostFunction(stream, function, data);
    return kSuccess;
  });
}

// ---- Events -------------------------------------------------------------------------------------

Result cuEventCreate(Event *event, unsigned flags) {
  return entry("cuEventCreate", [=](Driver &driver, auto &) {
    if (flags > (kEventBlockingSync | kEventDisableTiming))
      return refuse(kInvalidValue, "cuEventCreate: expected known flags but got %u", flags);
    *event = driver.events.create();
    (*event)->flags = flags;
    return kSuccess;
  });
}

static Result checkEvent(Driver &driver, const char *function, Event event) {
  return driver.events.knows(event)
             ? kSuccess
             : refuse(kInvalidHandle, "%s: expected an event that was created", function);
}

Result cuEventDestroy(Event event) {
  return entry("cuEventDestroy", [=](Driver &driver, auto &) {
    if (Result result = checkEvent(driver, "cuEventDestroy", event))
      return result;
    driver.events.destroy(event); // waits that are on their way know what they wait for
    return kSuccess;
  });
}

Result cuEventRecord(Event event, Stream stream) {
  return entry("cuEventRecord", [=](Driver &driver, auto &) {
    if (Result result = checkStream(driver, "cuEventRecord", stream))
      return result;
    if (Result result = checkEvent(driver, "cuEventRecord", event))
      return result;
    if (stream->capture)
      return captureRecord(stream, event);
    event->capture = nullptr;
    event->last = driver.streams.enqueueRecord(stream);
    return kSuccess;
  });
}

// Not where the host has learnt the answer from another one.
static bool leavesOutQuestion(Driver &driver, Recording &recording) {
  return driver.omissions.matter() &&
         (recording.asked || !driver.streams.hostKnows(recording.clock)) &&
         driver.omissions.leavesOut(Omissible::kQuestion, recording.asked,
                                    text("about stream %u", recording.stream->index));
}

Result cuEventQuery(Event event) {
  return entry("cuEventQuery", [=](Driver &driver, auto &) {
    if (Result result = checkEvent(driver, "cuEventQuery", event))
      return result;
    if (event->capture)
      return refuse(kCapturedEvent, "cuEventQuery: the event was recorded in a capture");
    if (!event->last || leavesOutQuestion(driver, *event->last))
      return kSuccess;
    if (!event->last->done && driver.streams.flip())
      driver.streams.demand(event->last->stream);
    if (!event->last->done)
      return kNotReady;
    driver.streams.learn(event->last->clock);
    return kSuccess;
  });
}

Result cuEventSynchronize(Event event) {
  return entry("cuEventSynchronize", [=](Driver &driver, Streams::Lock &lock) {
    if (Result result = checkEvent(driver, "cuEventSynchronize", event))
      return result;
    if (event->capture)
      return refuse(kCapturedEvent, "cuEventSynchronize: the event was recorded in a capture");
    auto recording = event->last;
    if (recording && !leavesOutQuestion(driver, *recording)) {
      driver.streams.finish(lock, recording);
      driver.streams.learn(recording->clock);
    }
    return kSuccess;
  });
}

Result cuEventElapsedTime(float *milliseconds, Event start, Event end) {
  return entry("cuEventElapsedTime", [=](Driver &driver, auto &) {
    for (Event event : {start, end}) {
      if (Result result = checkEvent(driver, "cuEventElapsedTime", event))
        return result;
      if (!event->last || (event->flags & kEventDisableTiming))
        return refuse(kInvalidHandle, "cuEventElapsedTime: expected recorded events with timing");
      if (!event->last->done)
        return kNotReady;
    }
    *milliseconds =
        std::chrono::duration<float, std::milli>(end->last->when - start->last->when).count();
    return kSuccess;
  });
}

} // namespace sluice::rt::sim
