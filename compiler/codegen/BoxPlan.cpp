// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Which values of a codelet have to be in boxes.
//
// Three rules, until nothing changes. An op on a box is run by its kernel, and what it gives is in
// a box unless its dims are known when it is compiled. What goes into a region or round a loop from
// a box is in a box there. A list is in a box with all that becomes of it.
//
// Then the dims of the rest have to be found by the very analysis that code is made with; what it
// stumbles over is put into boxes, too, and the rules go on.
#include "compiler/codegen/Boxes.h"
#include "compiler/codegen/Eligibility.h"
#include "compiler/codegen/ListCells.h"
#include "compiler/codegen/shapes/ShapeSymbols.h"
#include "dialects/interfaces/KernelOps.h"
#include "dialects/list/List.h"
#include "dialects/nd/Nd.h"

#include "mlir/IR/IRMapping.h"

using namespace mlir;

namespace sluice::codegen {

namespace {

bool isList(Value value) { return isa<list::OfType>(value.getType()); }
bool isStructured(Operation *op) { return isa<flow::WhileOp, flow::CondOp>(op); }
bool isKnownToCode(Type type) {
  return isa<list::OfType>(type) ? canHoldList(type) : canHold(type);
}

// Whether code can go on with what a kernel gives.
bool canBeRead(Value value) {
  auto tensor = dyn_cast<RankedTensorType>(value.getType());
  return tensor && tensor.hasStaticShape() && canHold(tensor);
}

class Planner {
public:
  explicit Planner(flow::CodeletOp codelet) : codelet_(codelet) {}

  std::variant<BoxPlan, Obstacle> run(ArrayRef<BlockArgument> foreign) {
    seed(foreign);
    if (obstacle_)
      return *obstacle_;
    spread();
    // Each round adds something, or is the last; most find everything at once.
    for (unsigned round = 0; !obstacle_; ++round) {
      if (!findCulprits())
        break;
      if (round == kMostRounds)
        return Obstacle{&*codelet_.getBody().front().begin(),
                        "has sizes that are not known or change from iteration to iteration"};
      spread();
    }
    if (obstacle_)
      return *obstacle_;
    return std::move(plan_);
  }

private:
  static constexpr unsigned kMostRounds = 16;

  void box(Value value) {
    if (plan_.boxed.insert(value).second)
      open_.push_back(value);
  }
  void boxAll(ValueRange values) {
    for (Value value : values)
      box(value);
  }

  void call(Operation *op) {
    if (!plan_.called.insert(op).second)
      return;
    if (!kernelOf(op) && !obstacle_)
      obstacle_ = Obstacle{op, "has neither code nor a kernel for these element types"};
    for (Value operand : op->getOperands())
      if (isList(operand))
        box(operand);
    for (Value result : op->getResults())
      if (!canBeRead(result))
        box(result);
    // A few elements change, so the rest should not go from code to the kernel and back.
    if (auto update = dyn_cast<nd::UpdatePointsOp>(op); update && update.getInput().hasOneUse()) {
      box(update.getInput());
      box(update.getResult());
    }
  }

  // ---- What cannot be held to begin with --------------------------------------------------------

  void seed(ArrayRef<BlockArgument> foreign) {
    for (BlockArgument input : foreign)
      box(input);
    for (Value list : listsWithoutCells(codelet_)) {
      Operation *op = list.getDefiningOp();
      plan_.reasons.push_back({op ? op : cast<BlockArgument>(list).getOwner()->getParentOp(),
                               "there may be two of a list at a time"});
      box(list);
    }
    codelet_.getBody().walk([&](Block *block) {
      for (BlockArgument argument : block->getArguments())
        if (!isKnownToCode(argument.getType()))
          box(argument);
      for (Operation &op : block->without_terminator()) {
        if (op.hasTrait<IsConstant>()) {
          seedConstant(&op);
          continue;
        }
        for (Value result : op.getResults())
          if (!isKnownToCode(result.getType()))
            box(result);
        if (!isStructured(&op) && !(usesList(&op) ? hasCodeForList(&op) : hasCode(&op))) {
          call(&op);
          plan_.reasons.push_back({&op, reasonAgainst(&op)});
        }
      }
    });
  }

  // Dims that come in and are known to be equal may be all that an op needs, which shows once the
  // dims of all values are found.
  bool hasCode(Operation *op) const {
    return codelet_->hasAttr(kSameDimsAttr) ? canCompileIfDimsFit(op) : canCompileInRegion(op);
  }

  static std::string reasonAgainst(Operation *op) {
    StringRef reason = reasonAgainstCode(op->getName());
    if (!reason.empty())
      return reason.str();
    if (usesList(op))
      return "it works on a list whose elements may differ, or on a whole one";
    if (!llvm::all_of(op->getOperandTypes(), isKnownToCode) ||
        !llvm::all_of(op->getResultTypes(), isKnownToCode))
      return "it works on values that code does not hold, as of unknown rank";
    if (auto code = dyn_cast<CodeOp>(op); code && !code.isWithinCodeLimit())
      return ("there is code only " + code.getCodeLimit()).str();
    return canCompile(op) ? "it may need what only a straight line can check, as sizes or indices"
                          : "there is no code for these operands";
  }

  // A kernel has constants of its own. Nothing else can take one from code that does not hold it.
  void seedConstant(Operation *op) {
    auto isOfKernel = [](Operation *user) {
      return !isStructured(user) && !user->hasTrait<OpTrait::IsTerminator>();
    };
    if (!isKnownToCode(op->getResult(0).getType()) && !llvm::all_of(op->getUsers(), isOfKernel) &&
        !obstacle_)
      obstacle_ = Obstacle{op, "gives what code does not hold"};
  }

  // ---- The rules --------------------------------------------------------------------------------

  void spread() {
    while (!open_.empty()) {
      Value value = open_.pop_back_val();
      for (OpOperand &use : value.getUses())
        spreadTo(use);
      if (Operation *op = value.getDefiningOp(); op && !isStructured(op)) {
        if (!op->hasTrait<IsConstant>())
          call(op);
      } else {
        spreadBack(value);
      }
    }
  }

  void spreadTo(OpOperand &use) {
    unsigned position = use.getOperandNumber();
    Operation *user = use.getOwner(), *parent = user->getParentOp();
    if (auto loop = dyn_cast<flow::WhileOp>(user)) {
      Block &before = loop.getBefore().front(), &body = loop.getBody().front();
      box(before.getArgument(position));
      if (unsigned inits = loop.getInits().size(); position >= inits)
        box(body.getArgument(loop.getNumResults() + position - inits));
    } else if (auto branch = dyn_cast<flow::CondOp>(user)) {
      if (position > 0)
        for (Region &region : branch->getRegions())
          box(region.getArgument(position - 1));
    } else if (isa<flow::ConditionOp>(user)) {
      if (position > 0)
        boxForwarded(cast<flow::WhileOp>(parent), position - 1);
    } else if (isa<flow::YieldOp>(user)) {
      if (auto around = dyn_cast<flow::WhileOp>(parent))
        box(around.getBefore().front().getArgument(position));
      else if (isa<flow::CondOp>(parent))
        box(parent->getResult(position));
    } else {
      call(user);
    }
  }

  void boxForwarded(flow::WhileOp loop, unsigned position) {
    box(loop.getBody().front().getArgument(position));
    box(loop.getResult(position));
  }

  // What a loop gives is what its body gets. A list is in a box wherever it comes from.
  void spreadBack(Value value) {
    if (auto result = dyn_cast<OpResult>(value)) {
      unsigned position = result.getResultNumber();
      if (auto loop = dyn_cast<flow::WhileOp>(result.getOwner())) {
        boxForwarded(loop, position);
        if (isList(value))
          box(conditionOf(loop).getForwarded()[position]);
      } else if (isList(value)) {
        for (Region &region : result.getOwner()->getRegions())
          box(region.front().getTerminator()->getOperand(position));
      }
      return;
    }
    auto argument = cast<BlockArgument>(value);
    unsigned position = argument.getArgNumber();
    auto loop = dyn_cast<flow::WhileOp>(argument.getOwner()->getParentOp());
    bool isForwarded =
        loop && argument.getOwner() == &loop.getBody().front() && position < loop.getNumResults();
    if (isForwarded)
      boxForwarded(loop, position);
    if (!isList(value))
      return;
    if (isForwarded) {
      box(conditionOf(loop).getForwarded()[position]);
    } else if (loop) {
      bool isBefore = argument.getOwner() == &loop.getBefore().front();
      unsigned inits = loop.getInits().size();
      if (isBefore && position < inits)
        boxAll({loop.getInits()[position],
                loop.getBody().front().getTerminator()->getOperand(position)});
      else
        box(loop.getCaptures()[position - (isBefore ? inits : loop.getNumResults())]);
    } else if (auto branch = dyn_cast<flow::CondOp>(argument.getOwner()->getParentOp())) {
      box(branch.getCaptures()[position]);
    }
  }

  static flow::ConditionOp conditionOf(flow::WhileOp loop) {
    return cast<flow::ConditionOp>(loop.getBefore().front().getTerminator());
  }

  // ---- Dims -------------------------------------------------------------------------------------

  // Tries the plan on a copy whose ops are told apart by their places.
  bool findCulprits() {
    IRMapping copies;
    OwningOpRef<flow::CodeletOp> copy(cast<flow::CodeletOp>(codelet_->clone(copies)));
    std::vector<Operation *> originals;
    DenseMap<Value, Value> arguments;
    codelet_.getBody().walk([&](Operation *op) {
      copies.lookup(op)->setLoc(
          FileLineColLoc::get(op->getContext(), "", static_cast<unsigned>(originals.size()), 0));
      originals.push_back(op);
    });
    codelet_.getBody().walk([&](Block *block) {
      for (BlockArgument argument : block->getArguments())
        arguments[copies.lookup(argument)] = argument;
    });
    BoxPlan there;
    for (Value value : plan_.boxed)
      there.boxed.insert(copies.lookup(value));
    for (Operation *op : plan_.called)
      there.called.insert(copies.lookup(op));
    placeBoxes(*copy, there);
    auto originalOf = [&](Operation *op) {
      auto place = dyn_cast<FileLineColLoc>(op->getLoc());
      return place && place.getLine() < originals.size() ? originals[place.getLine()]
                                                         : codelet_.getOperation();
    };
    if (std::optional<Obstacle> obstacle = placeLists(*copy)) {
      obstacle_ = Obstacle{originalOf(obstacle->op), obstacle->reason};
      return false;
    }
    SmallVector<ShapeSymbols::Culprit> culprits = ShapeSymbols::culprits(*copy);
    for (const ShapeSymbols::Culprit &culprit : culprits) {
      Operation *op = originalOf(culprit.op);
      plan_.reasons.push_back({op, reasonAgainst(culprit, op)});
      if (culprit.argument)
        box(arguments.lookup(culprit.argument));
      else if (isStructured(op))
        boxUnknown(op);
      else
        call(op);
    }
    return !culprits.empty();
  }

  static std::string reasonAgainst(const ShapeSymbols::Culprit &culprit, Operation *op) {
    if (culprit.argument || isStructured(op))
      return "its sizes are not known or change";
    bool mayNeedGuards = !usesList(op) && canCompile(op) && !canCompileInRegion(op);
    return mayNeedGuards ? reasonAgainst(op) : "it needs sizes that are not known or change";
  }

  // Of a branch that does not give the same dims either way.
  void boxUnknown(Operation *branch) {
    for (Value result : branch->getResults())
      if (!canBeRead(result) && !isList(result))
        box(result);
  }

  flow::CodeletOp codelet_;
  BoxPlan plan_;
  SmallVector<Value> open_;
  std::optional<Obstacle> obstacle_;
};

} // namespace

std::variant<BoxPlan, Obstacle> planBoxes(flow::CodeletOp codelet,
                                          ArrayRef<BlockArgument> foreign) {
  return Planner(codelet).run(foreign);
}

} // namespace sluice::codegen
