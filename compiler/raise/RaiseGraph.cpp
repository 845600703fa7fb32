// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// From the inside out: a branch or loop becomes regions once all that is in it has. Each round
// looks at the whole graph anew, and there are about as many as structures within each other.
#include "compiler/raise/RaiseGraph.h"

#include "compiler/raise/BuildBranch.h"
#include "compiler/raise/BuildLoop.h"
#include "compiler/raise/FindBranches.h"
#include "compiler/raise/SplitCircularBranches.h"

using namespace mlir;

namespace sluice::raise {

// Of constants it is the start: they are in the root frame, wherever what uses them is.
static Value after(OpBuilder &builder, Location loc, ValueRange values) {
  auto type = builder.getType<flow::TokenType>();
  SmallVector<Value> tokens;
  for (Value value : values)
    if (!flow::isConstantLike(value))
      tokens.push_back(flow::AfterOp::create(builder, loc, type, value));
  if (tokens.empty())
    return flow::StartOp::create(builder, loc, type);
  return tokens.size() == 1 ? tokens.front()
                            : flow::JoinOp::create(builder, loc, type, tokens).getToken();
}

// The token of a switch or merge is there once the values are that it fires on. Said so, it does
// not keep the op alive.
static void replaceTokens(flow::TokenGraph graph) {
  for (Operation &op : graph.getBody().front()) {
    if (!isa<flow::SwitchOp, flow::MergeOp>(op) || op.getResult(2).use_empty())
      continue;
    OpBuilder builder(op.getContext());
    builder.setInsertionPointAfter(&op);
    Value token = isa<flow::MergeOp>(op) ? after(builder, op.getLoc(), op.getResult(0))
                                         : after(builder, op.getLoc(), op.getOperands());
    op.getResult(2).replaceAllUsesWith(token);
  }
}

// Where a switch is reached only if its predicate goes one way, that way is no branch: the value
// just waits for the predicate. Gradients of loops within a branch ask again what that branch asks.
static bool replaceDecided(const GraphFacts &facts) {
  SmallVector<flow::SwitchOp> unused;
  bool isAny = false;
  for (Operation *each : facts.order) {
    auto op = dyn_cast<flow::SwitchOp>(each);
    for (bool way : {true, false}) {
      if (!op ||
          !facts.isLiveOnlyIf(op.getToken(), facts.deadness.literalOf(op.getPredicate(), way)))
        continue;
      Value result = way ? op.getOnTrue() : op.getOnFalse();
      if (result.use_empty())
        continue;
      OpBuilder builder(op);
      Value data = op.getData();
      if (!flow::isConstantLike(op.getPredicate()))
        data = flow::GateOp::create(builder, op.getLoc(), result.getType(), data,
                                    after(builder, op.getLoc(), op.getPredicate()));
      result.replaceAllUsesWith(data);
      isAny = true;
    }
    if (op && op->use_empty())
      unused.push_back(op);
  }
  for (flow::SwitchOp op : unused)
    op->erase();
  return isAny || !unused.empty();
}

static unsigned raiseBranches(const GraphFacts &facts) {
  std::vector<Branch> branches = findBranches(facts).found;
  splitCircularBranches(facts, branches);
  BuiltBranches built;
  unsigned count = 0;
  for (const Branch &branch : branches)
    if (branch.obstacle.empty()) {
      buildBranch(facts, branch, built);
      ++count;
    }
  built.finish();
  return count;
}

static unsigned raiseLoops(const GraphFacts &facts) {
  unsigned count = 0;
  for (const Loop &loop : findInnermostLoops(facts))
    if (loop.obstacle.empty()) {
      buildLoop(facts, loop);
      ++count;
    }
  return count;
}

static bool hasPrimitives(flow::TokenGraph graph) {
  return llvm::any_of(graph.getBody().front(),
                      [](Operation &op) { return isa<flow::MergeOp, flow::TriggerOp>(op); });
}

FailureOr<RaiseCounts> raiseGraph(flow::TokenGraph graph) {
  RaiseCounts counts;
  replaceTokens(graph);
  while (hasPrimitives(graph)) {
    std::unique_ptr<GraphFacts> facts = GraphFacts::of(graph);
    if (!facts)
      return failure();
    if (replaceDecided(*facts))
      continue;
    unsigned branches = raiseBranches(*facts);
    counts.branches += branches;
    if (branches)
      continue;
    unsigned loops = raiseLoops(*facts);
    counts.loops += loops;
    if (!loops)
      break;
  }
  return counts;
}

static std::string describeLoop(const flow::Frame &frame) { return "loop '" + frame.name + "'"; }

std::vector<Obstacle> findObstacles(flow::TokenGraph graph) {
  std::vector<Obstacle> obstacles;
  std::unique_ptr<GraphFacts> facts = GraphFacts::of(graph);
  if (!facts)
    return obstacles;
  Branches branches = findBranches(*facts);
  for (const StrayMerge &stray : branches.strays)
    obstacles.push_back({stray.merge, "merge", stray.obstacle});
  splitCircularBranches(*facts, branches.found);
  for (const Branch &branch : branches.found)
    obstacles.push_back({branch.ends.back().user, "branch", branch.obstacle});
  std::vector<Loop> loops = findInnermostLoops(*facts);
  for (auto [number, frame] : llvm::enumerate(facts->frames.frames())) {
    if (number == flow::FrameAnalysis::kRoot || frame.enters.empty())
      continue;
    auto found = llvm::find_if(loops, [&](const Loop &loop) { return loop.frame == number; });
    Operation *where = frame.enters.front();
    if (frame.pivot)
      where = flow::LoopCondOp(frame.pivot);
    obstacles.push_back({where, describeLoop(frame),
                         found == loops.end() ? "there is a loop in it" : found->obstacle});
  }
  llvm::sort(obstacles, [&](const Obstacle &a, const Obstacle &b) {
    return std::make_pair(facts->position.at(a.where), StringRef(a.what)) <
           std::make_pair(facts->position.at(b.where), StringRef(b.what));
  });
  return obstacles;
}

} // namespace sluice::raise
