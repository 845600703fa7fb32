// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Dependences across ranks, and stages by a topological walk over them.
#include "compiler/codegen/WholeGraph.h"

#include "compiler/codegen/Boxes.h"
#include "compiler/codegen/EarlyValues.h"
#include "compiler/codegen/Eligibility.h"
#include "dialects/list/List.h"
#include "dialects/nd/Nd.h"
#include "dialects/wire/Memory.h"
#include "dialects/wire/Wire.h"

#include "llvm/ADT/BitVector.h"

using namespace mlir;

namespace sluice::codegen {

bool isCompiled(Operation *op) {
  if (isa<flow::CondOp, flow::WhileOp>(op))
    return flow::isCollapsed(op);
  // Of what is on a card the host knows the shape, but its code would look for the elements.
  bool asksCard = op->hasTrait<AsksShape>() && wire::cardOf(op->getOperand(0));
  bool isOnCard = llvm::any_of(op->getResults(), [](Value value) { return wire::cardOf(value); });
  return op->hasTrait<Computes>() && !op->hasTrait<IsConstant>() && !asksCard &&
         (isOnCard ? canCompileOnCard(op) : canCompile(op));
}

bool vanishesInCodelet(Operation *op) { return isa<flow::GateOp, flow::JoinOp, flow::AfterOp>(op); }

std::optional<WholeGraph> WholeGraph::make(ArrayRef<flow::TokenGraph> graphs) {
  WholeGraph whole;
  for (flow::TokenGraph graph : graphs) {
    auto frames = flow::FrameAnalysis::run(graph);
    if (!frames)
      return std::nullopt;
    auto deadness = flow::DeadnessAnalysis::run(graph, *frames);
    whole.parts_.push_back({graph, std::move(*frames), std::move(deadness), {}});
  }
  whole.addNodes();
  whole.findSends();
  whole.findWaits();
  whole.findHomes();
  whole.addEdges();
  whole.findStages();
  return whole;
}

void WholeGraph::addNodes() {
  for (Part &part : parts_) {
    for (Operation &op : part.graph.getBody().front()) {
      nodes_[&op] = ops_.size();
      ops_.push_back(&op);
    }
    std::vector<std::string> paths;
    for (const flow::Frame &frame : part.frames.frames()) { // parents first
      paths.push_back(paths.empty() ? "" : flow::framePath(paths[frame.parent], frame.name));
      auto [it, isNew] = units_.try_emplace(paths.back(), ops_.size());
      if (isNew)
        ops_.push_back(nullptr);
      part.units.push_back(it->second);
    }
  }
  edges_.resize(ops_.size());
}

void WholeGraph::addOperandEdges(Operation *op) {
  for (Value operand : op->getOperands()) {
    Operation *producer = operand.getDefiningOp();
    if (flow::isConstantLike(operand) ||
        (isa<flow::NextIterationOp>(producer) && isa<flow::MergeOp>(op)))
      continue;
    bool restarts = isa<flow::EnterOp>(producer) || isa<flow::ExitOp>(op);
    edges_[nodes_.lookup(producer)].push_back(
        {nodes_.lookup(op), restarts, canShareStage(producer, op)});
  }
}

void WholeGraph::findSends() {
  for (unsigned node = 0; node < ops_.size(); ++node)
    if (auto send = dyn_cast_or_null<wire::SendOp>(ops_[node]))
      sends_[send.getEdge()] = node;
    else if (auto recv = dyn_cast_or_null<wire::RecvOp>(ops_[node]))
      recvs_[recv.getEdge()] = node;
}

// A function that has effects may wait for anything.
static bool mayWait(Operation *op) {
  return op
      ->walk([](Operation *inner) {
        auto call = dyn_cast<flow::CallOp>(inner);
        return inner->hasTrait<MayWait>() || (call && call.getEffects()) ? WalkResult::interrupt()
                                                                         : WalkResult::advance();
      })
      .wasInterrupted();
}

// A walk from each op that may wait, around loops and through other ranks as well.
void WholeGraph::findWaits() {
  SmallVector<unsigned> waiting;
  for (unsigned node = 0; node < ops_.size(); ++node)
    if (ops_[node] && mayWait(ops_[node]))
      waiting.push_back(node);
  if (waiting.empty())
    return;
  std::vector<BitVector> after(ops_.size(), BitVector(waiting.size()));
  for (auto [number, first] : llvm::enumerate(waiting)) {
    SmallVector<unsigned> open{first};
    auto reach = [&, bit = unsigned(number)](unsigned node) {
      if (!after[node].test(bit))
        open.push_back(node);
      after[node].set(bit);
    };
    while (!open.empty()) {
      Operation *op = ops_[open.pop_back_val()];
      for (Operation *user : op->getUsers())
        reach(nodes_.lookup(user));
      if (auto send = dyn_cast<wire::SendOp>(op))
        if (auto recv = recvs_.find(send.getEdge()); recv != recvs_.end())
          reach(recv->second);
    }
  }
  DenseMap<BitVector, unsigned> numbers;
  for (const BitVector &set : after)
    waits_.push_back(numbers.try_emplace(set, numbers.size()).first->second);
}

void WholeGraph::addEdges() {
  for (Part &part : parts_)
    for (Operation &op : part.graph.getBody().front()) {
      unsigned node = nodes_.lookup(&op);
      addOperandEdges(&op);
      if (auto recv = dyn_cast<wire::RecvOp>(op)) {
        if (auto send = sends_.find(recv.getEdge()); send != sends_.end())
          edges_[send->second].push_back({node});
      } else if (isa<flow::EnterOp>(op)) {
        edges_[node].push_back({part.units[part.frames.resultFrameOf(&op)]});
      } else if (isa<flow::ExitOp>(op)) {
        edges_[part.units[part.frames.frameOf(&op)]].push_back({node});
      }
    }
}

// Whether a list comes in or goes out that somebody else looks at, too. Then the op is alone in its
// codelet, for in one there is one list at a time.
static bool sharesList(Operation *op) {
  auto isShared = [](Value value) {
    return isa<list::OfType>(value.getType()) && !value.use_empty() && !value.hasOneUse();
  };
  return flow::isCollapsed(op) &&
         (llvm::any_of(op->getOperands(), isShared) || llvm::any_of(op->getResults(), isShared));
}

// Products on a card hold up nobody.
static bool isAlone(Operation *op) {
  return sharesList(op) || hasBoxes(op) || (isLongProduct(op) && !wire::cardOf(op->getResult(0)));
}

void WholeGraph::findHomes() {
  for (auto [rank, part] : llvm::enumerate(parts_))
    for (Operation &op : part.graph.getBody().front())
      if ((isCompiled(&op) || vanishesInCodelet(&op)) && op.getNumResults())
        homes_[&op] = {unsigned(rank),
                       part.frames.frameOf(&op),
                       part.deadness.conditionOf(op.getResult(0)),
                       flow::isCollapsed(&op),
                       waits_.empty() ? 0 : waits_[nodes_.lookup(&op)],
                       isAlone(&op) ? &op : nullptr,
                       wire::cardOf(op.getResult(0))};
}

std::optional<WholeGraph::Home> WholeGraph::homeOf(Operation *op) const {
  auto it = homes_.find(op);
  return it == homes_.end() ? std::nullopt : std::optional(it->second);
}

bool WholeGraph::canShareStage(Operation *producer, Operation *user) const {
  auto a = homeOf(producer), b = homeOf(user);
  return a && *a == b;
}

std::optional<unsigned> WholeGraph::stageOf(Operation *op) const {
  return stages_[nodes_.lookup(op)];
}

// A topological walk.
void WholeGraph::findStages() {
  std::vector<unsigned> numOpen(ops_.size()), atLeast(ops_.size()), order;
  for (const auto &edges : edges_)
    for (Edge edge : edges)
      ++numOpen[edge.to];
  for (unsigned node = 0; node < ops_.size(); ++node)
    if (numOpen[node] == 0)
      order.push_back(node);
  stages_.resize(ops_.size());
  for (unsigned i = 0; i < order.size(); ++i) {
    unsigned node = order[i];
    stages_[node] = atLeast[node];
    for (Edge edge : edges_[node]) {
      if (!edge.restarts)
        atLeast[edge.to] = std::max(atLeast[edge.to], *stages_[node] + !edge.shares);
      if (--numOpen[edge.to] == 0)
        order.push_back(edge.to);
    }
  }
}

} // namespace sluice::codegen
