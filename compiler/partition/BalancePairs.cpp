// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What can be seen at the two ends of an edge, and of the frames as a whole.
#include "compiler/partition/Balance.h"

using namespace mlir;

namespace sluice::partition {

static LogicalResult reportSuperfluous(Operation *op, const Parts &parts) {
  auto send = dyn_cast<wire::SendOp>(op);
  uint64_t edge = send ? send.getEdge() : cast<wire::RecvOp>(op).getEdge();
  if (edge >= parts.wires().size())
    return op->emitOpError("edge ") << edge << ": expected a number below " << parts.wires().size()
                                    << ", the number of edges";
  Wire wire = parts.wires()[edge];
  InFlightDiagnostic error = op->emitOpError("edge ") << edge << ": expected one "
                                                      << (send ? "send" : "recv") << " but got two";
  error.attachNote(send ? wire.send.getLoc() : wire.recv.getLoc()) << "the other one";
  return error;
}

static LogicalResult checkPair(uint64_t edge, Wire wire, const Parts &parts) {
  assert(wire.send && wire.recv && "an edge without ends");
  unsigned from = parts.rankOf(wire.send), to = parts.rankOf(wire.recv);
  if (wire.send.getTo() != to)
    return wire.send.emitOpError("edge ") << edge << ": expected to go to rank " << to
                                          << ", where the recv is, but got " << wire.send.getTo();
  if (wire.recv.getFrom() != from)
    return wire.recv.emitOpError("edge ") << edge << ": expected to come from rank " << from
                                          << ", where the send is, but got " << wire.recv.getFrom();
  if (from == to)
    return wire.send.emitOpError("edge ")
           << edge << ": expected two ranks but got " << to << " for both ends";
  Type sent = wire.send.getValue().getType(), received = wire.recv.getValue().getType();
  if (sent != received)
    return wire.recv.emitOpError("edge ")
           << edge << ": expected the type that is sent, " << sent << ", but got " << received;
  return success();
}

LogicalResult checkPairs(const Parts &parts) {
  if (!parts.superfluous().empty())
    return reportSuperfluous(parts.superfluous().front(), parts);
  for (auto [edge, wire] : llvm::enumerate(parts.wires())) {
    wire::SendOp send = wire.send;
    wire::RecvOp recv = wire.recv;
    if (send && !recv)
      return send.emitOpError("edge ") << edge << ": expected a recv but got none";
    if (recv && !send)
      return recv.emitOpError("edge ") << edge << ": expected a send but got none";
    // With neither, as many numbers would be used as there are edges, and one twice.
    if (failed(checkPair(edge, wire, parts)))
      return failure();
  }
  return success();
}

static std::string describe(StringRef path) {
  return path.empty() ? "the root frame" : "frame '" + path.str() + "'";
}

static LogicalResult checkFrame(unsigned frame, const Parts &parts) {
  const flow::Frame *first = nullptr;
  flow::LoopCondOp pivot = parts.pivotOf(frame);
  for (unsigned rank = 0; rank < parts.numRanks(); ++rank) {
    const flow::Frame *info = parts.findFrame(rank, frame);
    if (!info)
      continue;
    first = first ? first : info;
    if (info->parallelIterations != first->parallelIterations) {
      flow::EnterOp enter = info->enters.front();
      return enter.emitOpError("expected the same window of ")
             << describe(parts.pathOf(frame)) << " on all ranks, " << first->parallelIterations
             << ", but got " << info->parallelIterations << " on rank " << rank;
    }
    if (flow::LoopCondOp other = info->pivot; other && other != pivot) {
      InFlightDiagnostic error = other.emitOpError("expected one flow.loop_cond in ")
                                 << describe(parts.pathOf(frame)) << " but got one on rank "
                                 << parts.rankOf(pivot) << " and one on rank " << rank;
      error.attachNote(pivot.getLoc()) << "the other one";
      return error;
    }
  }
  if (!pivot) {
    flow::EnterOp enter = first->enters.front();
    return enter.emitOpError("expected a flow.loop_cond in ")
           << describe(parts.pathOf(frame)) << ", which is on several ranks, but got none";
  }
  return success();
}

LogicalResult checkFrames(const Parts &parts) {
  for (auto [edge, wire] : llvm::enumerate(parts.wires())) {
    wire::RecvOp recv = wire.recv;
    unsigned sent = parts.frameOf(wire.send), received = parts.frameOf(recv);
    if (sent != received)
      return recv.emitOpError("edge ")
             << edge << ": expected to be in the frame of the send, "
             << describe(parts.pathOf(sent)) << ", but got " << describe(parts.pathOf(received));
  }
  for (unsigned frame = 1; frame < parts.numFrames(); ++frame)
    if (parts.isSplit(frame) && failed(checkFrame(frame, parts)))
      return failure();
  return success();
}

} // namespace sluice::partition
