// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A branch or loop is collapsed if
//   - nothing in it has an effect, and all it works on are tensors and lists;
//   - no tokens go in or out, whose order the code could not keep. Those that stay inside order
//     nothing, since what is inside has no effects;
//   - it is not so large that compiling it as one function would take long;
//   - somebody needs a result: else it would be part of no codelet.
// What code cannot hold is in boxes (Boxes.h).
#include "compiler/codegen/CollapseCheck.h"

#include "compiler/codegen/Boxes.h"
#include "compiler/codegen/CardWork.h"
#include "compiler/codegen/CodeletBuilder.h"
#include "compiler/codegen/Eligibility.h"
#include "compiler/codegen/ListCells.h"
#include "compiler/codegen/gpu/CardLowerings.h"
#include "compiler/codegen/shapes/ShapeSymbols.h"
#include "dialects/array/Array.h"
#include "dialects/interfaces/KernelOps.h"
#include "dialects/interfaces/NodeName.h"
#include "dialects/list/List.h"
#include "dialects/nd/Nd.h"
#include "dialects/state/State.h"

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

// What not even a box holds, by its node.
static std::string describeForeign(Value value) {
  std::string what = "a value of a type that code does not know";
  if (auto list = dyn_cast<list::OfType>(value.getType()))
    what = isa<list::AnyType>(list.getElement()) ? "a list of elements of several types"
                                                 : "a list of lists";
  else if (array::isHandle(value))
    what = "a TensorArray or stack";
  else if (auto object = dyn_cast<state::ObjectType>(value.getType()))
    what = (object.getKind().starts_with("a") ? "an " : "a ") + object.getKind().str();
  else if (dtypeOf(value.getType()) == rt::DType::kHandle)
    what = "a variable";
  StringRef node = nodeNameOf(value.getLoc());
  return what + (node.empty() ? "" : " of '" + node.str() + "'");
}

static bool canBeHeld(Type type) {
  auto list = dyn_cast<list::OfType>(type);
  return isa<TensorType>(list ? list.getElement() : type);
}

// Loop variables and operands of branches, also those that nothing inside looks at. Tokens vanish.
static std::optional<Obstacle> findForeignValues(Operation *structured) {
  for (ValueRange values :
       {ValueRange(structured->getOperands()), ValueRange(structured->getResults())})
    for (Value value : values)
      if (!isToken(value.getType()) && !canBeHeld(value.getType()))
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

// Whoever asks such a predicate fails.
static std::optional<Obstacle> findOddPredicate(Operation *structured) {
  Operation *asks = structured;
  if (auto loop = dyn_cast<flow::WhileOp>(structured))
    asks = loop.getBefore().front().getTerminator();
  auto type = dyn_cast<RankedTensorType>(asks->getOperand(0).getType());
  if (!type || type.getRank() == 0)
    return std::nullopt;
  return Obstacle{structured, "has a predicate that is no scalar"};
}

// Where there is a card, what it is for runs there: iterations are enqueued one after the other.
static std::optional<Obstacle> findCardWork(Operation *structured) {
  auto program = structured->getParentOfType<ModuleOp>();
  if (!program || !program->hasAttr(kHasCardAttr))
    return std::nullopt;
  Operation *found = nullptr;
  structured->walk([&](Operation *op) {
    found = canRunOnCard(op) && !isForHost(op, *cardOperands(op)) ? op : nullptr;
    return found ? WalkResult::interrupt() : WalkResult::advance();
  });
  return found ? std::optional(Obstacle{found, "runs on the card", /*isCard=*/true}) : std::nullopt;
}

// What keeps a branch or loop out by what goes in and out, wherever it stands. A token that one
// inside another takes comes from what is inside, too.
static std::optional<Obstacle> findOutside(Operation *structured) {
  std::optional<Obstacle> obstacle = findGivenToken(structured);
  if (!obstacle)
    obstacle = findOddPredicate(structured);
  return obstacle ? obstacle : findForeignValues(structured);
}

// What keeps an op out by itself.
static std::string reasonAgainst(Operation *op) {
  if (takesToken(op))
    return "waits for a token";
  bool isLarge =
      op->hasTrait<IsConstant>() && canHold(op->getResult(0).getType()) && !canCompile(op);
  if (op->hasTrait<Computes>() && !isLarge)
    return "";
  StringRef reason = reasonAgainstCode(op->getName());
  return ("cannot be compiled" + (reason.empty() ? "" : ": " + reason)).str();
}

// The branch or loop as it would be in a codelet, without tokens: a constant behind a gate is one.
class Trial {
public:
  // A card knows nothing of dims that are the same.
  Trial(Operation *structured, bool onCard) : structured_(structured) {
    OpBuilder b(structured->getContext());
    codelet_ = flow::CodeletOp::create(b, structured->getLoc(), structured->getResultTypes(),
                                       structured->getOperands());
    if (!onCard)
      setSameDims(*codelet_, sameDims(structured));
    Block *block = b.createBlock(&codelet_->getBody());
    for (Value operand : structured->getOperands())
      copies_.map(operand, block->addArgument(operand.getType(), operand.getLoc()));
    for (Value operand : structured->getOperands())
      copyMake(b, operand);
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
        obstacle = op->getNumRegions() > 0 ? findOutside(op) : std::nullopt;
      else if (std::string reason = reasonAgainst(op); !reason.empty())
        obstacle = Obstacle{op, std::move(reason)};
      return obstacle ? WalkResult::interrupt() : WalkResult::advance();
    });
    return obstacle;
  }

  // The copy has boxes and cells afterwards.
  std::optional<Obstacle> place(ArrayRef<int64_t> foreign, Collapse &collapse) {
    Block &body = codelet_->getBody().front();
    SmallVector<BlockArgument> inputs;
    for (int64_t position : foreign)
      inputs.push_back(body.getArgument(static_cast<unsigned>(position)));
    auto planned = planBoxes(*codelet_, inputs);
    if (auto *obstacle = std::get_if<Obstacle>(&planned))
      return ofOriginal(*obstacle);
    auto &plan = std::get<BoxPlan>(planned);
    if (!plan.isEmpty()) {
      collapse.boxes.emplace();
      llvm::append_range(collapse.boxes->operands, foreign);
      collapse.boxes->calls = plan.called.size();
      for (const Obstacle &reason : plan.reasons)
        collapse.boxes->reasons.push_back(ofOriginal(reason));
      for (auto [i, value] : llvm::enumerate(body.getTerminator()->getOperands()))
        if (plan.boxed.contains(value))
          collapse.boxes->results.push_back(static_cast<int64_t>(i));
      placeBoxes(*codelet_, plan);
    }
    if (std::optional<Obstacle> obstacle = placeLists(*codelet_))
      return ofOriginal(*obstacle);
    // Asked of the analysis that the code is made with.
    if (failed(ShapeSymbols::of(*codelet_)))
      return Obstacle{structured_,
                      "has sizes that are not known or change from iteration to iteration"};
    return std::nullopt;
  }

private:
  // Codelets are made in the same way.
  void copyMake(OpBuilder &b, Value operand) {
    Value value = operand;
    while (auto gate = value.getDefiningOp<flow::GateOp>())
      value = gate.getValue();
    list::MakeOp make = madeInside(value);
    if (!make)
      return;
    IRMapping sizes;
    b.clone(*make.getSize().getDefiningOp(), sizes);
    copies_.map(operand, b.clone(*make, sizes)->getResult(0));
  }

  Obstacle ofOriginal(const Obstacle &obstacle) {
    if (originals_.empty())
      structured_->walk([&](Operation *op) { originals_[copies_.lookupOrNull(op)] = op; });
    Operation *original = originals_.lookup(obstacle.op);
    return {original ? original : structured_, obstacle.reason};
  }

  Operation *structured_;
  OwningOpRef<flow::CodeletOp> codelet_;
  IRMapping copies_;
  DenseMap<Operation *, Operation *> originals_; // by copy
};

// The operands that are lists whose rows may differ, or that come in twice.
static SmallVector<int64_t> foreignLists(Operation *structured) {
  SmallVector<int64_t> positions;
  for (OpOperand &operand : structured->getOpOperands()) {
    Value value = operand.get();
    if (!isa<list::OfType>(value.getType()))
      continue;
    bool isDouble = llvm::count(structured->getOperands(), value) > 1;
    if (isDouble || !canHoldList(value.getType()) || !rowsAreAlike(value))
      positions.push_back(operand.getOperandNumber());
  }
  return positions;
}

// Wherever it is to run.
static std::optional<Obstacle> findAnywhere(Operation *structured) {
  if (structured->use_empty())
    return Obstacle{structured, "gives nothing that anybody needs"};
  if (takesToken(structured))
    return Obstacle{structured, "waits for a token"};
  if (std::optional<Obstacle> obstacle = findOutside(structured))
    return obstacle;
  return findExcess(structured);
}

static std::optional<Obstacle> findInTrial(Operation *structured, Collapse &collapse, bool onCard) {
  Trial trial(structured, onCard);
  if (std::optional<Obstacle> obstacle = trial.findInside())
    return obstacle;
  return trial.place(foreignLists(structured), collapse);
}

// Names of dims are found out for what becomes code, so its loops have them if they do so alone.
static std::optional<Obstacle> findBetterLoops(Operation *structured, const Collapse &collapse) {
  if (!isa<flow::CondOp>(structured) || !collapse.boxes ||
      structured->getParentOfType<flow::WhileOp>())
    return std::nullopt;
  bool hasLoop =
      structured->walk([](flow::WhileOp) { return WalkResult::interrupt(); }).wasInterrupted();
  return hasLoop
             ? std::optional(Obstacle{structured, "would leave ops to kernels, and holds loops"})
             : std::nullopt;
}

Collapse judgeCollapse(Operation *structured) {
  Collapse collapse;
  collapse.obstacle = [&]() -> std::optional<Obstacle> {
    if (std::optional<Obstacle> obstacle = findAnywhere(structured))
      return obstacle;
    if (std::optional<Obstacle> obstacle = findCardWork(structured))
      return obstacle;
    if (auto obstacle = findInTrial(structured, collapse, /*onCard=*/false))
      return obstacle;
    return findBetterLoops(structured, collapse);
  }();
  return collapse;
}

static std::optional<Obstacle> findLists(Operation *structured) {
  auto isList = [](Type type) { return isa<list::OfType>(type); };
  Operation *found = nullptr;
  structured->walk([&](Operation *op) {
    found =
        llvm::any_of(op->getOperandTypes(), isList) || llvm::any_of(op->getResultTypes(), isList)
            ? op
            : nullptr;
    return found ? WalkResult::interrupt() : WalkResult::advance();
  });
  return found ? std::optional(Obstacle{found, "uses a list, which only the host can hold"})
               : std::nullopt;
}

std::optional<Obstacle> findObstacleOnCard(flow::WhileOp loop) {
  if (std::optional<Obstacle> obstacle = findAnywhere(loop))
    return obstacle;
  if (std::optional<Obstacle> obstacle = findLists(loop))
    return obstacle;
  Collapse collapse;
  if (std::optional<Obstacle> obstacle = findInTrial(loop, collapse, /*onCard=*/true))
    return obstacle;
  if (!collapse.boxes)
    return std::nullopt;
  if (collapse.boxes->reasons.empty())
    return Obstacle{loop, "takes a value that only the host can hold"};
  return collapse.boxes->reasons.front();
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
