// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Capturing: streams that wait for each other's events become one graph.
#include "runtime/sim/capture.h"

#include "runtime/sim/entry.h"
#include "runtime/sim/graphs.h"

#include <algorithm>

namespace sluice::rt::sim {

using namespace cuda;

static std::string nameOf(const GraphNodeObject &node) {
  return node.work.name.empty() ? "a node without work" : node.work.name;
}

void leaveOutEdges(Driver &driver, GraphNodeObject &node) {
  std::erase_if(node.dependencies, [&](GraphNode before) {
    return driver.leavesOut(Omissible::kEdge, [&] {
      return text("from %s to %s", nameOf(*before).c_str(), nameOf(node).c_str());
    });
  });
}

void submit(Driver &driver, Stream stream, Work work) {
  if (!stream->capture) {
    driver.streams.enqueue(stream, std::move(work));
    return;
  }
  Capture &capture = *stream->capture;
  auto node = std::make_shared<GraphNodeObject>();
  node->type = kNodeKernel; // or what else does some work
  node->work = std::move(work);
  node->dependencies = std::move(capture.last[stream]);
  leaveOutEdges(driver, *node);
  capture.last[stream] = {node.get()};
  capture.graph->nodes.push_back(std::move(node));
}

Result captureRecord(Stream stream, Event event) {
  event->capture = stream->capture;
  event->captured = stream->capture->last[stream];
  return kSuccess;
}

// A stream that waits for an event of a capture captures from then on.
Result breakCapture(Stream stream, const char *function) {
  stream->capture->broken = true;
  return refuse(kStreamCaptureUnsupported, "%s: the stream captures", function);
}

Result captureWait(Stream stream, Event event) {
  if (!event->capture || (stream->capture && stream->capture != event->capture))
    return refuse(kStreamCaptureIsolation,
                  "cuStreamWaitEvent: expected an event of the same capture");
  stream->capture = event->capture;
  std::vector<GraphNode> &last = stream->capture->last[stream];
  for (GraphNode node : event->captured)
    if (std::find(last.begin(), last.end(), node) == last.end())
      last.push_back(node);
  return kSuccess;
}

static Result begin(Driver &driver, const char *function, Stream stream, Graph graph, bool owned) {
  if (Result result = checkStream(driver, function, stream))
    return result;
  if (stream->capture)
    return refuse(kIllegalState, "%s: the stream captures already", function);
  stream->capture = std::make_shared<Capture>();
  stream->capture->graph = graph ? graph : driver.graphs.create();
  stream->capture->origin = stream;
  stream->capture->owned = owned;
  stream->capture->last[stream];
  return kSuccess;
}

Result cuStreamBeginCapture(Stream stream, CaptureMode) {
  return entry("cuStreamBeginCapture", [=](Driver &driver, auto &) {
    return begin(driver, "cuStreamBeginCapture", stream, nullptr, true);
  });
}

Result cuStreamBeginCaptureToGraph(Stream stream, Graph graph, const GraphNode *dependencies,
                                   const GraphEdgeData *, size_t count, CaptureMode) {
  return entry("cuStreamBeginCaptureToGraph", [=](Driver &driver, auto &) {
    if (!driver.isGraph(graph))
      return refuse(kInvalidValue, "cuStreamBeginCaptureToGraph: expected a graph");
    if (Result result = begin(driver, "cuStreamBeginCaptureToGraph", stream, graph, false))
      return result;
    stream->capture->last[stream].assign(dependencies, dependencies + count);
    return kSuccess;
  });
}

static bool comesBefore(GraphNode node, const std::vector<GraphNode> &ends) {
  return std::any_of(ends.begin(), ends.end(), [&](GraphNode end) {
    return end == node || comesBefore(node, end->dependencies);
  });
}

// What other streams did last must be waited for by the one that began.
static bool isJoined(const Capture &capture) {
  const std::vector<GraphNode> &ends = capture.last.at(capture.origin);
  for (const auto &[stream, last] : capture.last)
    for (GraphNode node : last)
      if (!comesBefore(node, ends))
        return false;
  return true;
}

Result cuStreamEndCapture(Stream stream, Graph *graph) {
  return entry("cuStreamEndCapture", [=](Driver &driver, auto &) {
    *graph = nullptr;
    if (Result result = checkStream(driver, "cuStreamEndCapture", stream))
      return result;
    std::shared_ptr<Capture> capture = stream->capture;
    if (!capture)
      return refuse(kIllegalState, "cuStreamEndCapture: the stream does not capture");
    if (capture->origin != stream)
      return refuse(kStreamCaptureUnmatched, "cuStreamEndCapture: the capture began elsewhere");
    bool joined = isJoined(*capture);
    for (auto &[one, last] : capture->last)
      if (driver.streams.knows(one))
        one->capture = nullptr;
    if ((capture->broken || !joined) && capture->owned)
      driver.graphs.destroy(capture->graph);
    if (capture->broken)
      return refuse(kStreamCaptureInvalidated,
                    "cuStreamEndCapture: a call that may not be made meanwhile has ended it");
    if (!joined)
      return refuse(kStreamCaptureUnjoined,
                    "cuStreamEndCapture: a stream that took part has not been waited for");
    *graph = capture->graph;
    return kSuccess;
  });
}

Result cuStreamIsCapturing(Stream stream, CaptureStatus *status) {
  return entry("cuStreamIsCapturing", [=](Driver &driver, auto &) {
    if (Result result = checkStream(driver, "cuStreamIsCapturing", stream))
      return result;
    *status = !stream->capture          ? kCaptureNone
              : stream->capture->broken ? kCaptureInvalidated
                                        : kCaptureActive;
    return kSuccess;
  });
}

} // namespace sluice::rt::sim
