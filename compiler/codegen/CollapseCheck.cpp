// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A branch or loop is collapsed if
//   - all ops in it have code that needs no guards: a loop that runs cannot be left and repeated by
//     the plain kernels, and nothing in it has an effect;
//   - no tokens go in or out, whose order the code could not keep. Those that stay inside order
//     nothing, since what is inside has no effects;
//   - all sizes follow from those of the operands and stay the same from iteration to iteration;
//   - it is not so large that compiling it as one function would take long;
//   - of each list in it there is one at a time;
//   - somebody needs a result: else it would be part of no codelet.
#include "compiler/codegen/CollapseCheck.h"

#include "compiler/codegen/Eligibility.h"
#include "compiler/codegen/ListCells.h"
#include "compiler/codegen/cpu/ShapeSymbols.h"
#include "dialects/interfaces/KernelOps.h"
#include "dialects/interfaces/NodeName.h"
#include "dialects/list/List.h"
#include "dialects/nd/Nd.h"

#include "mlir/IR/IRMapping.h"

using namespace mlir;

namespace sluice::codegen {

static bool isToken(Type type) { return isa<flow::TokenType>(type); }
static bool isTokenOp(Operation *op) {
  return isa<flow::StartOp, flow::JoinOp, flow::TriggerOp, flow::GateOp, flow::AfterOp>(op);
}
static bool isStructure(Operation *op) {
  return isa<flow::WhileOp, flow::CondOp, flow::YieldOp, flow::ConditionOp>(op);
}

// ---- Obstacles ----------------------------------------------------------------------------------

static bool takesToken(Operation *op) { return llvm::any_of(op->getOperandTypes(), isToken); }

static std::optional<Obstacle> findGivenToken(Operation *structured) {
  if (llvm::any_of(structured->getResultTypes(), isToken))
    return Obstacle{structured, "gives a token"};
  return std::nullopt;
}

// What code cannot hold, by its node.
static std::string describeForeign(Value value) {
  std::string what = "a value of a type that code does not know";
  if (auto list = dyn_cast<list::OfType>(value.getType()))
    what = isa<list::OfType>(list.getElement()) ? "a list of lists"
                                                : "a list of elements whose shapes may differ";
  else if (auto tensor = dyn_cast<TensorType>(value.getType()))
    what = !tensor.hasRank()                       ? "a tensor of unknown rank"
           : dtypeOf(tensor) == rt::DType::kString ? "strings"
                                                   : "a tensor that code does not hold";
  else if (value.getType().getDialect().getNamespace() == "array")
    what = "a TensorArray or stack";
  else if (dtypeOf(value.getType()) == rt::DType::kHandle)
    what = "a variable";
  StringRef node = nodeNameOf(value.getLoc());
  return what + (node.empty() ? "" : " of '" + node.str() + "'");
}

// Loop variables and operands of branches, also those that nothing inside looks at. Tokens vanish.
// What comes in has been made outside; inside, all that is put into a list is looked at.
static std::optional<Obstacle> findForeignValues(Operation *structured, bool isOutermost) {
  auto isForeign = [&](Value value) {
    Type type = value.getType();
    if (isa<list::OfType>(type))
      return !canHoldList(type) ||
             (isOutermost && value.getDefiningOp() != structured && !rowsAreAlike(value));
    return !isToken(type) && !canHold(type);
  };
  for (ValueRange values :
       {ValueRange(structured->getOperands()), ValueRange(structured->getResults())})
    for (Value value : values)
      if (isForeign(value))
        return Obstacle{structured, "carries " + describeForeign(value)};
  return std::nullopt;
}

// The time in which LLVM allocates the registers of one function grows faster than the function.
// Ops that are grouped have a bound of their own; a branch or loop is one function whatever is in
// it.
static std::optional<Obstacle> findExcess(Operation *structured) {
  constexpr unsigned kMostOps = 1024, kMostValues = 1024;
  if (structured->getNumOperands() + structured->getNumResults() > kMostValues)
    return Obstacle{structured, "takes and gives more than " + std::to_string(kMostValues) +
                                    " values, which would be compiled for long"};
  unsigned ops = 0;
  auto result = structured->walk([&](Operation *op) {
    bool counts = op->hasTrait<Computes>() && !op->hasTrait<IsConstant>();
    ops += counts;
    return ops > kMostOps ? WalkResult::interrupt() : WalkResult::advance();
  });
  if (!result.wasInterrupted())
    return std::nullopt;
  return Obstacle{structured, "has more than " + std::to_string(kMostOps) +
                                  " ops, which would be compiled for long"};
}

// What keeps a branch or loop out by what goes in and out, wherever it stands. A token that one
// inside another takes comes from what is inside, too.
static std::optional<Obstacle> findOutside(Operation *structured, bool isOutermost) {
  std::optional<Obstacle> obstacle = findGivenToken(structured);
  return obstacle ? obstacle : findForeignValues(structured, isOutermost);
}

// What keeps an op out by itself. Its copy has lost the tokens that it takes.
static std::string reasonAgainst(Operation *op, Operation *copy) {
  if (usesList(op))
    return takesToken(op) ? "waits for a token" : reasonAgainstList(op);
  if (takesToken(op) || !canCompile(copy)) {
    StringRef reason = reasonAgainstCode(op->getName());
    return ("cannot be compiled" + (reason.empty() ? "" : ": " + reason)).str();
  }
  if (!canCompileInRegion(copy))
    return "may need what only a straight line can check, as sizes or indices";
  return "";
}

// The branch or loop as it would be in a codelet, without tokens: a constant behind a gate is one.
class Trial {
public:
  explicit Trial(Operation *structured) : structured_(structured) {
    OpBuilder b(structured->getContext());
    codelet_ = flow::CodeletOp::create(b, structured->getLoc(), structured->getResultTypes(),
                                       structured->getOperands());
    Block *block = b.createBlock(&codelet_->getBody());
    for (Value operand : structured->getOperands())
      copies_.map(operand, block->addArgument(operand.getType(), operand.getLoc()));
    Operation *copy = b.clone(*structured, copies_);
    flow::YieldOp::create(b, structured->getLoc(), copy->getResults());
    removeTokens(copy);
  }

  // The first op inside that keeps it out.
  std::optional<Obstacle> findInside() {
    std::optional<Obstacle> obstacle;
    structured_->walk<WalkOrder::PreOrder>([&](Operation *op) {
      if (op == structured_ || isTokenOp(op))
        return WalkResult::advance();
      if (isStructure(op))
        obstacle = op->getNumRegions() > 0 ? findOutside(op, false) : std::nullopt;
      else if (std::string reason = reasonAgainst(op, copies_.lookup(op)); !reason.empty())
        obstacle = Obstacle{op, std::move(reason)};
      return obstacle ? WalkResult::interrupt() : WalkResult::advance();
    });
    return obstacle;
  }

  // The copy has cells instead of lists afterwards.
  std::optional<Obstacle> checkLists() {
    std::optional<Obstacle> obstacle = placeLists(*codelet_);
    if (!obstacle)
      return std::nullopt;
    Operation *original = structured_;
    structured_->walk([&](Operation *op) {
      if (copies_.lookupOrNull(op) == obstacle->op)
        original = op;
    });
    return Obstacle{original, obstacle->reason};
  }

  // Asked of the analysis that the code is made with.
  std::optional<Obstacle> checkSizes() {
    if (succeeded(ShapeSymbols::of(*codelet_)))
      return std::nullopt;
    return Obstacle{structured_,
                    "has sizes that are not known or change from iteration to iteration"};
  }

private:
  Operation *structured_;
  OwningOpRef<flow::CodeletOp> codelet_;
  IRMapping copies_;
};

// One list in two places would be two.
static std::optional<Obstacle> findDouble(Operation *structured) {
  llvm::SmallDenseSet<Value> lists;
  for (Value operand : structured->getOperands())
    if (isa<list::OfType>(operand.getType()) && !lists.insert(operand).second)
      return Obstacle{structured, "takes one list twice"};
  return std::nullopt;
}

std::optional<Obstacle> findObstacle(Operation *structured) {
  if (structured->use_empty())
    return Obstacle{structured, "gives nothing that anybody needs"};
  if (takesToken(structured))
    return Obstacle{structured, "waits for a token"};
  if (std::optional<Obstacle> obstacle = findOutside(structured, true))
    return obstacle;
  if (std::optional<Obstacle> obstacle = findDouble(structured))
    return obstacle;
  if (std::optional<Obstacle> obstacle = findExcess(structured))
    return obstacle;
  Trial trial(structured);
  if (std::optional<Obstacle> obstacle = trial.findInside())
    return obstacle;
  if (std::optional<Obstacle> obstacle = trial.checkLists())
    return obstacle;
  return trial.checkSizes();
}

static void dropCapturedTokens(flow::CondOp branch) {
  MutableOperandRange captures = branch.getCapturesMutable();
  for (unsigned i = captures.size(); i-- > 0;) {
    if (!isToken(captures[i].get().getType()))
      continue;
    for (Region &region : branch->getRegions()) {
      region.getArgument(i).dropAllUses(); // by plumbing
      region.front().eraseArgument(i);
    }
    captures.erase(i);
  }
}

void removeTokens(Operation *structured) {
  structured->walk([&](flow::CondOp branch) { // those inside others come first
    if (branch != structured)
      dropCapturedTokens(branch);
  });
  SmallVector<Operation *> plumbing;
  structured->walk([&](Operation *op) {
    if (!isTokenOp(op))
      return;
    plumbing.push_back(op);
    if (auto gate = dyn_cast<flow::GateOp>(op))
      gate.getResult().replaceAllUsesWith(gate.getValue());
  });
  for (Operation *op : plumbing)
    op->dropAllUses();
  for (Operation *op : plumbing)
    op->erase();
}

void visitOutermost(Operation *root, function_ref<bool(Operation *, unsigned depth)> visit,
                    unsigned depth) {
  for (Region &region : root->getRegions())
    for (Operation &op : llvm::make_early_inc_range(region.getOps())) {
      bool isStructured = isa<flow::WhileOp, flow::CondOp>(op);
      if (!isStructured || visit(&op, depth))
        visitOutermost(&op, visit, depth + isStructured);
    }
}

} // namespace sluice::codegen
