// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Pass optimize-merge-regions: what is computed twice within a region, or also around it.
//
// An op of a region sees other values than an equal one outside. What it would be outside is found
// operand by operand: captures are values there, and of other operands it is known whether an equal
// op outside gives them. Then the op, with those operands, is looked up among the ops outside.
#include "compiler/optimize/EqualOps.h"
#include "compiler/optimize/Passes.h"
#include "compiler/optimize/Recomputation.h"
#include "dialects/flow/FrameAnalysis.h"
#include "dialects/flow/GraphOrder.h"
#include "dialects/flow/GraphPass.h"
#include "dialects/list/List.h"
#include "dialects/wire/Restructure.h"
#include "dialects/wire/Steering.h"

using namespace mlir;

namespace sluice::optimize {
#define GEN_PASS_DEF_OPTIMIZEMERGEREGIONS
#include "compiler/optimize/Passes.h.inc"
} // namespace sluice::optimize

namespace {

using namespace sluice;

bool isStructured(Operation *op) { return isa<flow::WhileOp, flow::CondOp>(op); }

// Code keeps lists in places, of which each has one at a time.
bool hasLists(Operation *op) {
  auto isList = [](Type type) { return isa<list::OfType>(type); };
  return llvm::any_of(op->getOperandTypes(), isList) || llvm::any_of(op->getResultTypes(), isList);
}

bool isCandidate(Operation *op) { return optimize::isMergeable(op) && !hasLists(op); }

OperandRange capturesOf(Operation *structured) {
  if (auto loop = dyn_cast<flow::WhileOp>(structured))
    return loop.getCaptures();
  return cast<flow::CondOp>(structured).getCaptures();
}

ArrayRef<BlockArgument> captureArguments(Operation *structured, Region &region) {
  return region.getArguments().take_back(capturesOf(structured).size());
}

// One region, as seen from the block in which its branch or loop stands.
class RegionMerge {
public:
  RegionMerge(Operation *structured, Region &region, const optimize::FirstOps &around)
      : structured_(structured), region_(region), around_(around) {
    wire::Steering steering(structured);
    bool isLoop = isa<flow::WhileOp>(structured);
    StringRef role = isLoop                          ? wire::kInvariants
                     : region.getRegionNumber() == 0 ? wire::kOnTrue
                                                     : wire::kOnFalse;
    auto arguments = captureArguments(structured, region);
    for (auto [number, capture] : llvm::enumerate(capturesOf(structured))) {
      // What somebody wants in a place of its own stays apart.
      if (steering.wishes(role, static_cast<unsigned>(number)))
        continue;
      auto [known, isNew] = arguments_.try_emplace(capture, arguments[number]);
      if (isNew)
        outside_[arguments[number]] = capture;
      else
        Value(arguments[number]).replaceAllUsesWith(known->second);
    }
  }

  const optimize::FirstOps &firsts() const { return firsts_; }
  unsigned numMerged() const { return merged_; }
  unsigned numCaptured() const { return captured_; }

  // Ops must come in their order.
  void visit(Operation *op) {
    if (!isCandidate(op))
      return;
    auto [first, isNew] = firsts_.insert(op);
    if (!isNew) {
      op->replaceAllUsesWith(*first);
      op->erase();
      ++merged_;
    } else if (Operation *equal = findOutside(op)) {
      for (auto [inside, outside] : llvm::zip_equal(op->getResults(), equal->getResults()))
        outside_[inside] = outside;
      if (optimize::worksInMemory(op))
        known_.push_back({op, equal});
    }
  }

  // What is there outside comes in as captures.
  void finish() {
    SmallVector<Value> results, values;
    for (auto [op, equal] : known_)
      for (auto [inside, outside] : llvm::zip_equal(op->getResults(), equal->getResults()))
        if (!inside.use_empty()) {
          results.push_back(inside);
          values.push_back(outside);
        }
    if (values.empty())
      return;
    for (auto [result, argument] :
         llvm::zip_equal(results, wire::captureIn(structured_, region_, values)))
      result.replaceAllUsesWith(argument);
    for (auto [op, equal] : llvm::reverse(known_))
      op->erase();
    captured_ += known_.size();
  }

private:
  Operation *findOutside(Operation *op) {
    if (!op->hasTrait<Computes>())
      return nullptr; // tokens of a region are its own
    if (op->hasTrait<IsConstant>())
      return lookUp(op);
    SmallVector<Value> inside(op->getOperands()), outside;
    bool isBound = false;
    for (Value operand : inside) {
      Value value = outside_.lookup(operand);
      if (!value)
        return nullptr;
      outside.push_back(value);
      isBound |= !flow::isConstantLike(value);
    }
    // Of constants alone: nothing says in which frame the op outside is.
    if (!isBound)
      return nullptr;
    firsts_.erase(op);
    op->setOperands(outside);
    Operation *equal = lookUp(op);
    op->setOperands(inside);
    firsts_.insert(op);
    return equal;
  }

  Operation *lookUp(Operation *op) const {
    auto found = around_.find_as(op);
    return found == around_.end() ? nullptr : *found;
  }

  Operation *structured_;
  Region &region_;
  const optimize::FirstOps &around_; // of the block outside
  optimize::FirstOps firsts_;
  DenseMap<Value, Value> arguments_;                       // by capture
  DenseMap<Value, Value> outside_;                         // equal values there
  SmallVector<std::pair<Operation *, Operation *>> known_; // outside as well, and worth a capture
  unsigned merged_ = 0, captured_ = 0;
};

struct MergeRegions : flow::GraphPass<optimize::impl::OptimizeMergeRegionsBase<MergeRegions>> {
  void runOnGraph(flow::TokenGraph graph) override {
    optimize::FirstOps firsts;
    SmallVector<Operation *> structured;
    for (Operation *op : flow::operandsFirst(graph))
      if (isStructured(op))
        structured.push_back(op);
      else if (isCandidate(op))
        firsts.insert(op);
    for (Operation *op : structured)
      visit(op, firsts);
  }

private:
  void visit(Operation *structured, const optimize::FirstOps &around) {
    for (Region &region : structured->getRegions()) {
      RegionMerge merge(structured, region, around);
      for (Operation &op : llvm::make_early_inc_range(region.front().without_terminator()))
        if (isStructured(&op))
          visit(&op, merge.firsts());
        else
          merge.visit(&op);
      merge.finish();
      numMerged += merge.numMerged();
      numCaptured += merge.numCaptured();
    }
  }
};

} // namespace
