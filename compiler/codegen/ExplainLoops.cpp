// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What the check of each branch and loop says, in words.
#include "compiler/codegen/ExplainLoops.h"

#include "compiler/codegen/HoistReads.h"
#include "dialects/interfaces/NodeName.h"
#include "dialects/nd/Nd.h"
#include "dialects/wire/Wire.h"

#include "llvm/Support/FormatVariadic.h"

using namespace mlir;

namespace sluice::codegen {

static std::string nameOf(Operation *op) {
  StringRef name = nodeNameOf(op->getLoc());
  return name.empty() ? ("a " + op->getName().getStringRef()).str()
                      : llvm::formatv("'{0}' ({1})", name, op->getName()).str();
}
static std::string titleOf(Operation *op) {
  if (auto loop = dyn_cast<flow::WhileOp>(op))
    return llvm::formatv("loop '{0}'", loop.getFrame()).str();
  StringRef name = nodeNameOf(op->getLoc());
  return name.empty() ? "branch" : llvm::formatv("branch '{0}'", name).str();
}

static size_t countOps(Operation *structured) {
  size_t count = 0;
  structured->walk([&](Operation *op) {
    count += op != structured && !op->hasTrait<OpTrait::IsTerminator>() && !isa<nd::ConstantOp>(op);
  });
  return count;
}

static unsigned rankOf(flow::TokenGraph graph) {
  auto rank = graph ? graph->getParentOp()->getAttrOfType<IntegerAttr>(wire::kRank) : nullptr;
  return rank ? static_cast<unsigned>(rank.getInt()) : 0;
}

// Of a loop that reads variables: what keeps it out if they are read before it, or why they cannot
// be. That it captures them is no more than what follows from this.
static std::optional<Obstacle> findDeeperObstacle(Operation *op) {
  auto loop = dyn_cast<flow::WhileOp>(op);
  if (!loop || llvm::none_of(loop.getCaptures(), namesVariable))
    return std::nullopt;
  auto writes = VariableWrites::of(op->getParentOfType<flow::TokenGraph>());
  WalkBudget budget;
  return writes ? hoistReads(loop, findLoopReads(loop, *writes, budget), /*keep=*/false)
                : std::nullopt;
}

std::string inWords(const Obstacle &obstacle, Operation *judged) {
  return (obstacle.op == judged ? "it" : nameOf(obstacle.op)) + " " + obstacle.reason;
}

// Why a card does not run the loop by itself.
static std::string reasonAgainstCard(flow::WhileOp loop) {
  if (auto known = loop->getAttrOfType<StringAttr>(kOnHostAttr))
    return known.str();
  std::optional<Obstacle> obstacle = findObstacleOnCard(loop);
  return obstacle ? inWords(*obstacle, loop) : "it is told to";
}

static LoopVerdict judge(Operation *op, unsigned depth) {
  auto graph = op->getParentOfType<flow::TokenGraph>();
  LoopVerdict verdict;
  verdict.signature = graph ? graph.getSymName().str() : "";
  verdict.rank = rankOf(graph);
  verdict.title = titleOf(op);
  verdict.name = nodeNameOf(op->getLoc()).str();
  verdict.depth = depth;
  verdict.ops = countOps(op);
  if (auto loop = dyn_cast<flow::WhileOp>(op)) {
    verdict.isLoop = true;
    verdict.name = loop.getFrame().str();
    verdict.window = static_cast<int64_t>(loop.getParallelIterations());
    llvm::append_range(verdict.carried, loop.getInits().getTypes());
  }
  if (op->getParentOfType<flow::CodeletOp>()) {
    verdict.isCollapsed = verdict.isOnCard = true;
    if (auto lists = op->getAttrOfType<IntegerAttr>(kListsAttr))
      verdict.lists = static_cast<size_t>(lists.getInt());
    return verdict;
  }
  Collapse collapse = judgeCollapse(op);
  std::optional<Obstacle> obstacle = collapse.obstacle;
  verdict.isCollapsed = !obstacle;
  if (collapse.boxes && !obstacle) {
    verdict.calls = collapse.boxes->calls;
    for (const Obstacle &reason : collapse.boxes->reasons)
      verdict.kernels.push_back(nameOf(reason.op) + ": " + reason.reason);
  }
  if (!obstacle)
    return verdict;
  if (auto deeper = findDeeperObstacle(op))
    obstacle = deeper;
  if (auto loop = dyn_cast<flow::WhileOp>(op); loop && obstacle->isCard)
    verdict.onHost = reasonAgainstCard(loop);
  verdict.reason = obstacle->reason;
  verdict.keeperNode = nodeNameOf(obstacle->op->getLoc()).str();
  if (obstacle->op != op)
    verdict.keeper = nameOf(obstacle->op);
  return verdict;
}

std::vector<LoopVerdict> loopVerdicts(ModuleOp module) {
  std::vector<LoopVerdict> verdicts;
  auto visit = [&](Operation *op, unsigned depth) {
    if (op->hasAttr(kReadsAttr))
      return false;
    verdicts.push_back(judge(op, depth));
    return !verdicts.back().isCollapsed;
  };
  visitOutermost(module, visit);
  return verdicts;
}

std::string explainLoops(ArrayRef<LoopVerdict> verdicts) {
  std::string text;
  for (const LoopVerdict &verdict : verdicts) {
    text.append(2 * verdict.depth, ' ');
    text += verdict.title;
    if (verdict.isOnCard) {
      text += llvm::formatv(
          ": run by the card, {0} ops{1}\n", verdict.ops,
          verdict.lists ? llvm::formatv(", {0} lists as arrays", verdict.lists).str() : "");
    } else if (verdict.isCollapsed) {
      text += llvm::formatv(": collapsed, {0} ops{1}\n", verdict.ops,
                            verdict.calls ? llvm::formatv(", {0} by kernels", verdict.calls).str()
                                          : "");
      for (const std::string &kernel : verdict.kernels)
        text += std::string(2 * verdict.depth + 2, ' ') + kernel + "\n";
    } else if (verdict.keeper.empty())
      text += ": not collapsed, it " + verdict.reason + "\n";
    else
      text += ": not collapsed, since " + verdict.keeper + " " + verdict.reason +
              (verdict.onHost.empty() ? "" : "; the host enqueues iterations, since ") +
              verdict.onHost + "\n";
  }
  return text;
}

} // namespace sluice::codegen
