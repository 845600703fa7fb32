// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Frame analysis: breadth-first from the ops that fire at the start of a call. Each op takes the
// frame of the first operand that reaches it; every further operand must agree.
#include "dialects/flow/FrameAnalysis.h"

using namespace mlir;

namespace sluice::flow {

bool isConstantLike(Value value) {
  Operation *op = value.getDefiningOp();
  return op && op->hasTrait<IsConstant>();
}

std::string framePath(llvm::StringRef parent, llvm::StringRef name) {
  std::string path = parent.empty() ? "" : (parent + ">").str();
  for (char c : name) {
    if (c == '>' || c == '\\')
      path += '\\';
    path += c;
  }
  return path;
}

unsigned FrameAnalysis::childFrame(unsigned parent, EnterOp enter) {
  auto [it, isNew] = childOf_.try_emplace({parent, enter.getFrameAttr()}, frames_.size());
  if (isNew) {
    frames_.emplace_back();
    frames_.back().parent = parent;
    frames_.back().name = enter.getFrame().str();
    frames_.back().parallelIterations = enter.getParallelIterations();
  }
  return it->second;
}

unsigned FrameAnalysis::resultFrameOf(Operation *op) const {
  unsigned frame = frameOf(op);
  if (auto enter = dyn_cast<EnterOp>(op)) {
    auto it = childOf_.find({frame, enter.getFrameAttr()});
    return it == childOf_.end() ? kRoot : it->second;
  }
  if (isa<ExitOp>(op))
    return frames_[frame].parent;
  return frame;
}

static bool firesAtStart(Operation *op) {
  for (Value operand : op->getOperands())
    if (!isConstantLike(operand))
      return false;
  return true;
}

static std::string describe(const Frame &frame) {
  return frame.name.empty() ? std::string("the root frame") : "frame '" + frame.name + "'";
}

LogicalResult FrameAnalysis::assign(TokenGraph graph) {
  std::vector<Operation *> queue;
  for (Operation &op : graph.getBody().front())
    if (firesAtStart(&op)) {
      frameOf_[&op] = kRoot;
      queue.push_back(&op);
    }
  for (size_t i = 0; i < queue.size(); ++i) {
    Operation *op = queue[i];
    if (op->hasTrait<IsConstant>())
      continue;
    unsigned frame = frameOf(op);
    if (auto enter = dyn_cast<EnterOp>(op))
      childFrame(frame, enter);
    if (isa<ExitOp>(op) && frame == kRoot) // C2 of flow.exit
      return op->emitOpError(
          "expected to belong to the frame of a flow.enter but got the root frame");
    unsigned result = resultFrameOf(op);
    for (Operation *user : op->getUsers()) {
      auto [it, isNew] = frameOf_.try_emplace(user, result);
      if (isNew) {
        queue.push_back(user);
      } else if (it->second != result) {
        InFlightDiagnostic error = // C3 of flow.graph
            user->emitOpError("has inputs from different frames: ");
        error << describe(frames_[it->second]) << " and " << describe(frames_[result]);
        error.attachNote(op->getLoc()) << "this operand comes from " << describe(frames_[result]);
        return failure();
      }
    }
  }
  return success();
}

LogicalResult FrameAnalysis::checkFrames(TokenGraph graph) {
  for (Operation &op : graph.getBody().front()) { // in the program's order, not that of the map
    auto it = frameOf_.find(&op);
    if (it == frameOf_.end())
      continue;
    unsigned frame = it->second;
    if (auto enter = dyn_cast<EnterOp>(op)) {
      frames_[childFrame(frame, enter)].enters.push_back(enter);
    } else if (auto exit = dyn_cast<ExitOp>(op)) {
      frames_[frame].exits.push_back(exit);
    } else if (isa<FetchOp, ReturnOp>(op) && frame != kRoot) { // C2 of flow.fetch and flow.func
      return op.emitOpError("expected to belong to the root frame but got ")
             << describe(frames_[frame]);
    } else if (auto pivot = dyn_cast<LoopCondOp>(op)) {
      if (frames_[frame].pivot) // C2 of flow.loop_cond
        return pivot.emitOpError("expected one flow.loop_cond in ")
               << describe(frames_[frame]) << " but got two";
      frames_[frame].pivot = pivot;
    }
  }
  for (Frame &frame : frames_)
    if (!frame.enters.empty()) // disagreeing enters: the first one counts
      frame.parallelIterations = frame.enters.front().getParallelIterations();
  return success();
}

std::optional<FrameAnalysis> FrameAnalysis::run(TokenGraph graph) {
  FrameAnalysis analysis;
  analysis.frames_.emplace_back();
  if (failed(analysis.assign(graph)) || failed(analysis.checkFrames(graph)))
    return std::nullopt;
  return analysis;
}

} // namespace sluice::flow
