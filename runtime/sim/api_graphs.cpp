// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Graphs. Not simulated yet: the calls say so.
#include "runtime/sim/capture.h"
#include "runtime/sim/entry.h"
#include "runtime/sim/graphs.h"

namespace sluice::rt::sim {

using namespace cuda;

static Result notYet(const char *call) {
  return refuse(kNotSupported, "%s: graphs are not simulated", call);
}

void submit(Driver &driver, Stream stream, Work work) {
  driver.streams.enqueue(stream, std::move(work));
}
Result captureWait(Stream, Event) { return notYet("cuStreamWaitEvent"); }
Result captureRecord(Stream, Event) { return notYet("cuEventRecord"); }
Result cuGraphCreate(Graph *, unsigned) { return notYet("cuGraphCreate"); }
Result cuGraphDestroy(Graph) { return notYet("cuGraphDestroy"); }
Result cuGraphAddNode(GraphNode *, Graph, const GraphNode *, const GraphEdgeData *, size_t,
                      GraphNodeParameters *) {
  return notYet("cuGraphAddNode");
}
Result cuGraphConditionalHandleCreate(ConditionalHandle *, Graph, Context, unsigned, unsigned) {
  return notYet("cuGraphConditionalHandleCreate");
}
Result cuGraphInstantiateWithFlags(GraphExec *, Graph, unsigned long long) {
  return notYet("cuGraphInstantiateWithFlags");
}
Result cuGraphExecDestroy(GraphExec) { return notYet("cuGraphExecDestroy"); }
Result cuGraphUpload(GraphExec, Stream) { return notYet("cuGraphUpload"); }
Result cuGraphLaunch(GraphExec, Stream) { return notYet("cuGraphLaunch"); }
Result cuStreamBeginCapture(Stream, CaptureMode) { return notYet("cuStreamBeginCapture"); }
Result cuStreamBeginCaptureToGraph(Stream, Graph, const GraphNode *, const GraphEdgeData *, size_t,
                                   CaptureMode) {
  return notYet("cuStreamBeginCaptureToGraph");
}
Result cuStreamEndCapture(Stream, Graph *) { return notYet("cuStreamEndCapture"); }
Result cuStreamIsCapturing(Stream stream, CaptureStatus *status) {
  *status = stream->capture ? kCaptureActive : kCaptureNone;
  return kSuccess;
}

} // namespace sluice::rt::sim
