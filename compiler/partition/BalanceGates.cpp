// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Recvs fire once for each iteration of the pivot's loop, because control loops do.
#include "compiler/partition/Balance.h"

#include "llvm/ADT/DenseSet.h"

using namespace mlir;

namespace sluice::partition {

namespace {

// The ops of a control loop, found from its merge.
struct ControlLoop {
  flow::MergeOp merge;
  flow::EnterOp enter;
  flow::NextIterationOp next;

  explicit ControlLoop(flow::MergeOp op) : merge(op) {
    for (Value value : merge.getValues()) {
      if (auto producer = value.getDefiningOp<flow::EnterOp>())
        enter = producer;
      else if (auto producer = value.getDefiningOp<flow::NextIterationOp>())
        next = producer;
    }
  }
  // One enter, one next_iteration, nothing else to wait for.
  bool isComplete() {
    return enter && next && !enter.getConstant() && merge->getNumOperands() == 2;
  }
};

class GateCheck {
public:
  explicit GateCheck(const Parts &parts) : parts_(parts) {}

  LogicalResult run() {
    for (const Wire &wire : parts_.wires()) {
      recv_ = wire.recv;
      if (failed(checkRecv()))
        return failure();
    }
    return checkRanks();
  }

private:
  using RankFrames = llvm::DenseSet<std::pair<unsigned, unsigned>>;

  InFlightDiagnostic refuse(const Twine &rule) {
    return recv_.emitOpError("edge ") << recv_.getEdge() << ": expected " << rule;
  }

  LogicalResult checkRecv() {
    unsigned frame = parts_.frameOf(recv_);
    if (frame == flow::FrameAnalysis::kRoot) {
      if (!recv_.getGates().empty())
        return refuse("no gate in the root frame, where a recv fires once a call");
      return success();
    }
    for (Value gate : recv_.getGates()) {
      auto merge = gate.getDefiningOp<flow::MergeOp>();
      if (!merge || gate != merge.getToken()) {
        InFlightDiagnostic error = refuse("a gate from the merge of a control loop, live or dead "
                                          "once an iteration, but got one from ")
                                   << gate.getDefiningOp()->getName();
        error.attachNote(gate.getLoc()) << "the gate";
        return error;
      }
      if (failed(checkLoops(merge)))
        return failure();
    }
    return success();
  }

  // The control loop of a merge, and those around it.
  LogicalResult checkLoops(flow::MergeOp merge) {
    while (merge && !proven_.contains(merge)) {
      if (failed(checkLoop(merge)))
        return failure();
      proven_.insert(merge);
      merge = ControlLoop(merge).enter.getData().getDefiningOp<flow::MergeOp>();
    }
    return success();
  }

  LogicalResult refuseLoop(const Twine &rule, Operation *op) {
    InFlightDiagnostic error = refuse("a gate from a control loop, whose " + rule);
    error.attachNote(op->getLoc()) << "in the loop of this " << op->getName();
    return error;
  }

  LogicalResult checkLoop(flow::MergeOp merge) {
    ControlLoop loop(merge);
    if (!loop.isComplete())
      return refuseLoop("merge takes one flow.enter and one flow.next_iteration only", merge);
    auto stay = loop.next.getData().getDefiningOp<flow::SwitchOp>();
    if (!stay || loop.next.getData() != stay.getOnTrue() || stay.getData() != merge.getValue())
      return refuseLoop("next_iteration takes what its merge gives and its switch lets stay",
                        loop.next);
    unsigned frame = parts_.frameOf(merge);
    if (parts_.originOf(stay.getPredicate()) != parts_.pivotOf(frame).getResult())
      return refuseLoop("switch asks the pivot of its frame, here or over the wire", stay);
    return checkStart(loop);
  }

  // Enters the frame once in every iteration of the frame around it.
  LogicalResult checkStart(ControlLoop &loop) {
    Value start = loop.enter.getData();
    if (parts_.frameOf(loop.enter) == flow::FrameAnalysis::kRoot) {
      if (!flow::isConstantLike(start))
        return refuseLoop("enter takes a constant, in a loop that is not nested", loop.enter);
      return success();
    }
    auto outer = start.getDefiningOp<flow::MergeOp>();
    if (!outer || start != outer.getValue())
      return refuseLoop("enter takes what the merge of the control loop around it gives",
                        loop.enter);
    return success();
  }

  // A rank that only sends, or has only invariants, must know itself when the loop ends.
  LogicalResult checkRanks() {
    RankFrames driven;
    for (const Wire &wire : parts_.wires())
      driven.insert({parts_.rankOf(wire.recv), parts_.frameOf(wire.recv)});
    for (unsigned rank = 0; rank < parts_.numRanks(); ++rank)
      for (auto next : parts_.graph(rank).getBody().getOps<flow::NextIterationOp>())
        goesRound_.insert({rank, parts_.frameOf(next)});
    for (unsigned frame = 1; frame < parts_.numFrames(); ++frame)
      for (unsigned rank = 0; parts_.isSplit(frame) && rank < parts_.numRanks(); ++rank)
        if (const flow::Frame *info = parts_.findFrame(rank, frame);
            info && !driven.contains({rank, frame}) && failed(checkPivotRank(*info, rank, frame)))
          return failure();
    return success();
  }

  LogicalResult checkPivotRank(const flow::Frame &info, unsigned rank, unsigned frame) {
    flow::EnterOp enter = info.enters.front();
    if (!info.pivot)
      return enter.emitOpError("expected a control loop in frame '")
             << parts_.pathOf(frame) << "' on rank " << rank
             << ", for the pivot is on another rank, but got none";
    if (goesRound_.contains({rank, frame}))
      return success();
    return enter.emitOpError("expected a flow.next_iteration in frame '")
           << parts_.pathOf(frame) << "' on rank " << rank << " but got none";
  }

  const Parts &parts_;
  wire::RecvOp recv_;                  // the one that is looked at
  llvm::DenseSet<Operation *> proven_; // merges of control loops
  RankFrames goesRound_;               // there is a next_iteration
};

} // namespace

LogicalResult checkGates(const Parts &parts) { return GateCheck(parts).run(); }

} // namespace sluice::partition
