// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The ops of one rank's graph.
#include "compiler/partition/RankBuilder.h"

#include "dialects/interfaces/NodeName.h"
#include "dialects/nd/Nd.h"

using namespace mlir;

namespace sluice::partition {

RankBuilder::RankBuilder(flow::GraphOp graph, Block *block, ArrayAttr frames)
    : builder_(OpBuilder::atBlockEnd(block)) {
  auto part = flow::GraphOp::create(builder_, graph.getLoc(), graph.getSymName(), graph.getInitializes());
  part->setDiscardableAttrs(graph->getDiscardableAttrDictionary());
  part->setAttr(wire::kFrames, frames);
  builder_.setInsertionPointToStart(&part.getRegion().emplaceBlock());
}

Operation *RankBuilder::copy(Operation *op) {
  Operation *made = builder_.clone(*op);
  made->removeAttr(wire::kDevice);
  for (auto [from, to] : llvm::zip(op->getResults(), made->getResults()))
    map(from, to);
  unfinished_.push_back(made);
  return made;
}

Value RankBuilder::alwaysTrue() {
  if (alwaysTrue_)
    return alwaysTrue_;
  auto type = RankedTensorType::get({}, builder_.getI1Type());
  Location loc = NameLoc::get(builder_.getStringAttr("control_loop"));
  alwaysTrue_ = nd::ConstantOp::create(builder_, loc, type, DenseElementsAttr::get(type, true));
  return alwaysTrue_;
}

void RankBuilder::addControlLoop(const flow::FrameAnalysis &frames, unsigned frame) {
  const flow::Frame &info = frames.frames()[frame];
  flow::LoopCondOp pivot = info.pivot;
  std::string name = (nodeNameOf(pivot.getLoc()) + "/control_loop").str();
  Location loc = NameLoc::get(builder_.getStringAttr(name));
  flow::MergeOp outer = loops_.lookup(info.parent); // none around the root's children
  Value start = outer ? outer.getValue() : alwaysTrue();
  Type flag = start.getType(), token = flow::TokenType::get(builder_.getContext());
  Type index = RankedTensorType::get({}, builder_.getI32Type());
  auto enter = flow::EnterOp::create(builder_, loc, flag, start, builder_.getStringAttr(info.name),
                                     builder_.getBoolAttr(false),
                                     builder_.getI64IntegerAttr(info.parallelIterations));
  auto merge = flow::MergeOp::create(builder_, loc, flag, index, token, ValueRange{enter});
  auto stay =
      flow::SwitchOp::create(builder_, loc, flag, flag, token, merge.getValue(), merge.getValue());
  auto next = flow::NextIterationOp::create(builder_, loc, flag, stay.getOnTrue());
  merge->insertOperands(1, next.getResult());
  // The predicate is not here yet: a switch of the whole graph's would be finished the same way.
  stay.getPredicateMutable().assign(pivot.getResult());
  map(merge.getValue(), merge.getValue());
  unfinished_.push_back(stay);
  loops_[frame] = merge;
}

void RankBuilder::addSend(Value value, unsigned edge, unsigned to) {
  unfinished_.push_back(wire::SendOp::create(builder_, value.getLoc(), value, edge, to));
}

Value RankBuilder::addAfter(Value value) {
  Type token = flow::TokenType::get(builder_.getContext());
  auto after = flow::AfterOp::create(builder_, value.getLoc(), token, value);
  unfinished_.push_back(after);
  map(after.getToken(), after.getToken());
  return after.getToken();
}

void RankBuilder::addRecv(Value value, bool asToken, unsigned edge, unsigned from, unsigned frame) {
  Type type = asToken ? Type(flow::TokenType::get(builder_.getContext())) : value.getType();
  SmallVector<Value, 1> gates;
  if (frame != flow::FrameAnalysis::kRoot)
    gates.push_back(loops_.lookup(frame).getToken());
  map(value, wire::RecvOp::create(builder_, value.getLoc(), type, gates, edge, from));
}

void RankBuilder::finish() {
  for (Operation *op : unfinished_)
    for (OpOperand &operand : op->getOpOperands())
      operand.set(here_.at(operand.get()));
}

} // namespace sluice::partition
