// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What of a loop lies where if a card runs it by itself.
#include "compiler/codegen/LoopPlacement.h"

#include "compiler/codegen/CardWork.h"
#include "compiler/codegen/ListArrays.h"
#include "compiler/codegen/elements/ElementCode.h"
#include "compiler/codegen/gpu/CardLowerings.h"
#include "dialects/interfaces/Faces.h"
#include "dialects/nd/Nd.h"
#include "dialects/wire/Memory.h"
#include "dialects/wire/Restructure.h"
#include "dialects/wire/Wire.h"

#include "mlir/IR/IRMapping.h"

using namespace mlir;

namespace sluice::codegen {

// A value that code holds as a scalar.
static bool isNumber(Value value) {
  auto type = dyn_cast<RankedTensorType>(value.getType());
  return type && type.hasStaticShape() && type.getNumElements() == 1;
}
static bool isConstant(Value value) {
  return value.getDefiningOp() && value.getDefiningOp()->hasTrait<IsConstant>();
}
// Whether the op is in the condition of the loop, or of one within it.
static bool isInTest(Operation *op, flow::WhileOp loop) {
  for (; op != loop; op = op->getParentOp())
    if (auto around = dyn_cast<flow::WhileOp>(op->getParentOp());
        around && op->getParentRegion() == &around.getBefore())
      return true;
  return false;
}
// Another look at memory is no kernel.
static bool isView(Operation *op) { return op->hasTrait<ViewsOperand>(); }

LoopPlacement::LoopPlacement(flow::WhileOp loop, unsigned card) : loop_(loop), card_(card) {
  loop->walk<WalkOrder::PreOrder>([&](Operation *op) {
    for (Region &region : op->getRegions())
      llvm::append_range(values_, region.getArguments());
    if (op == loop)
      return;
    auto inner = dyn_cast<flow::WhileOp>(op);
    loops_ += inner ? 1 : 0;
    if (inner && isInTest(op, loop) && !obstacle_)
      obstacle_ = Obstacle{op, "is a loop in the test of one"};
    llvm::append_range(values_, op->getResults());
    if (op->hasTrait<Computes>() && !op->hasTrait<IsConstant>()) {
      ops_.push_back(op);
      // Within the loop there is no host that looks at divisors.
      if (canRunOnCard(op) && !mayRefuseElements(op))
        eligible_[op] = *cardOperands(op);
    }
  });
  llvm::append_range(values_, loop.getResults());
  if (obstacle_)
    return;
  for (Value value : values_)
    ties_.insert(key(value));
  loop->walk([&](Operation *op) { tieRegions(op); });
  placeAll();
  for (Operation *op : ops_)
    check(op);
  loop->walk([&](Operation *op) {
    if (op == loop || op->hasTrait<Computes>())
      return;
    bool decides = isa<flow::ConditionOp, flow::CondOp>(op); // by its first operand
    for (OpOperand &operand : op->getOpOperands())
      if (decides && operand.getOperandNumber() == 0)
        checkOperand(operand);
      else
        checkHandedOn(operand);
  });
}

// ---- Places -------------------------------------------------------------------------------------

// What a loop or a branch hands on from one value to another.
void LoopPlacement::tieRegions(Operation *op) {
  if (auto branch = dyn_cast<flow::CondOp>(op)) {
    for (Region &region : branch->getRegions()) {
      for (auto [capture, argument] : llvm::zip(branch.getCaptures(), region.getArguments()))
        tie(capture, argument);
      for (auto [value, result] :
           llvm::zip(region.front().getTerminator()->getOperands(), branch.getResults()))
        tie(value, result);
    }
    return;
  }
  auto loop = dyn_cast<flow::WhileOp>(op);
  if (!loop)
    return;
  Block &before = loop.getBefore().front(), &body = loop.getBody().front();
  ValueRange forwarded = cast<flow::ConditionOp>(before.getTerminator()).getForwarded();
  for (auto [argument, next] :
       llvm::zip(before.getArguments(), body.getTerminator()->getOperands()))
    tie(argument, next);
  for (auto [value, argument, result] :
       llvm::zip(forwarded, body.getArguments(), loop.getResults())) {
    tie(value, argument);
    tie(value, result);
  }
  size_t captures = loop.getCaptures().size();
  for (auto [a, b] : llvm::zip(before.getArguments().take_back(captures),
                               body.getArguments().take_back(captures)))
    tie(a, b);
  if (loop != loop_) // what comes from outside is copied
    for (auto [operand, argument] : llvm::zip_equal(loop->getOperands(), before.getArguments()))
      tie(operand, argument);
}

bool LoopPlacement::runsOnCard(Operation *op) const {
  auto operands = eligible_.find(op);
  if (operands == eligible_.end())
    return false;
  return !llvm::all_of(op->getResults(), isNumber) ||
         llvm::any_of(operands->second, [&](unsigned i) {
           return isOnCard(op->getOperand(i)) && !isNumber(op->getOperand(i));
         });
}

bool LoopPlacement::isScalar(Value value) const {
  Operation *op = value.getDefiningOp();
  return op && op->hasTrait<Computes>() && (op->hasTrait<IsConstant>() || !runsOnCard(op));
}

// Whether anything is on the card that was not.
bool LoopPlacement::place(Operation *op) {
  bool changes = false;
  if (runsOnCard(op))
    for (Value result : op->getResults())
      changes |= put(result);
  return changes;
}

void LoopPlacement::placeAll() {
  for (Value value : values_)
    if (isa<BlockArgument>(value) && !isNumber(value))
      put(value);
  bool goesOn = true;
  while (goesOn) { // each time at least one value more, as far as it is away from the first
    goesOn = false;
    for (Operation *op : ops_)
      goesOn |= place(op);
  }
}

// ---- What cannot be -----------------------------------------------------------------------------

// What is not on the card is a number.
void LoopPlacement::checkOperand(OpOperand &operand) {
  if (obstacle_ || !isOnCard(operand.get()))
    return;
  if (isNumber(operand.get()))
    fetched_.insert(&operand);
  else
    obstacle_ = Obstacle{operand.getOwner(), "needs all of a value on the card as numbers"};
}

void LoopPlacement::checkHandedOn(OpOperand &operand) {
  if (!isTiedToCard(operand.get()) || !isScalar(operand.get()))
    return;
  (isNumber(operand.get()) ? stored_ : constants_).insert(&operand);
}

void LoopPlacement::check(Operation *op) {
  if (obstacle_)
    return;
  if (!runsOnCard(op)) {
    if (!llvm::all_of(op->getResults(), isNumber) || !canRunInKernel(op) || !op->getNumResults()) {
      obstacle_ = Obstacle{op, "has no code for a card"};
      return;
    }
    for (OpOperand &operand : op->getOpOperands())
      if (!op->hasTrait<AsksShape>())
        checkOperand(operand);
    return;
  }
  ArrayRef<unsigned> onCard = eligible_[op];
  for (OpOperand &operand : op->getOpOperands()) {
    Value value = operand.get();
    if (!llvm::is_contained(onCard, operand.getOperandNumber())) {
      checkOperand(operand);
    } else if (isConstant(value)) {
      if (!isNumber(value))
        constants_.insert(&operand);
    } else if (!isOnCard(value) && !isNumber(value)) {
      obstacle_ = Obstacle{op, "needs a value of the host on the card"};
    }
  }
  // Rows of lists are written by who computes them.
  if (isView(op) || op->hasAttr(kOfListAttr))
    return;
  // Elementwise ops over the same positions become one kernel as a rule.
  auto shape = cast<RankedTensorType>(op->getResult(0).getType()).getShape();
  launches_ += !op->hasTrait<OfElements>() || elementwise_.insert(shape).second;
  std::optional<int64_t> work = workOf(op);
  workIsKnown_ &= work.has_value();
  work_ += work.value_or(0);
}

// As measured on an H100: a launch takes 3.3 us of the host; an iteration of a WHILE node 4.3 and
// each kernel in it 0.9, of which the loop's own are two; an element 4 ps. A loop within it counts
// as if it did one iteration, since more take the host as much more.
bool LoopPlacement::isShort() const {
  constexpr double kLaunch = 3.3, kIteration = 4.3, kKernel = 0.9, kElement = 4e-6;
  double byHost = kLaunch * double(launches_);
  return workIsKnown_ && kElement * double(work_) < byHost &&
         (kIteration + 2 * kKernel) * double(loops_) + kKernel * double(launches_) < byHost;
}

// ---- The codelet --------------------------------------------------------------------------------

// Constants that kernels read come in from outside, once.
void LoopPlacement::copyConstants() {
  llvm::DenseMap<Value, Value> known;
  for (OpOperand *operand : constants_) {
    Value constant = operand->get();
    Value &captured = known[constant];
    if (!captured) {
      SmallVector<Region *> regions{constant.getParentRegion()}; // the outermost is the last
      while (regions.back()->getParentOp() != loop_)
        regions.push_back(regions.back()->getParentOp()->getParentRegion());
      OpBuilder b(loop_);
      captured = b.clone(*constant.getDefiningOp())->getResult(0);
      for (Region *region : llvm::reverse(regions))
        captured = wire::captureIn(region->getParentOp(), *region, captured);
    }
    operand->set(captured);
  }
}

// A number of the card as a scalar, or the other way round, where it is made.
void LoopPlacement::copyNumbers(const llvm::SetVector<OpOperand *> &operands, bool toCard) {
  llvm::DenseMap<Value, Value> known;
  for (OpOperand *operand : operands) {
    Value value = operand->get();
    Value &number = known[value];
    if (!number) {
      auto type = cast<RankedTensorType>(value.getType());
      OpBuilder b(loop_.getContext());
      b.setInsertionPointAfterValue(value);
      number = wire::CopyOp::create(b, value.getLoc(),
                                    toCard ? wire::onCard(type, card_) : wire::onHost(type), value);
    }
    operand->set(number);
  }
}

// Numbers that are constants are known within.
flow::CodeletOp LoopPlacement::makeCodelet() {
  OpBuilder b(loop_);
  Location location = loop_.getLoc();
  auto *block = new Block;
  SmallVector<Value> inputs, results;
  Value first = loop_->getOperand(0);
  OpBuilder inside(loop_.getContext());
  inside.setInsertionPointToEnd(block);
  ValueRange arguments = loop_.getBefore().getArguments();
  for (auto [operand, argument] : llvm::zip_equal(loop_->getOpOperands(), arguments)) {
    Value value = operand.get();
    if (wire::cardOf(argument))
      value = inMemoryOfCard(b, value, card_);
    else if (isConstant(value)) {
      operand.set(inside.clone(*value.getDefiningOp())->getResult(0));
      continue;
    }
    inputs.push_back(value);
    operand.set(block->addArgument(value.getType(), value.getLoc()));
  }
  if (inputs.empty()) { // something has to say when it begins
    inputs.push_back(first);
    block->addArgument(first.getType(), location);
  }
  auto ofType = [&](Value result) {
    return wire::onCard(wire::onHost(cast<RankedTensorType>(result.getType())), card_);
  };
  SmallVector<Value> used;
  for (Value result : loop_.getResults())
    if (!result.use_empty())
      used.push_back(result);
  auto codelet = flow::CodeletOp::create(
      b, location, llvm::map_to_vector(used, [&](Value v) -> Type { return ofType(v); }), inputs);
  for (auto [result, given] : llvm::zip_equal(used, codelet.getResults())) {
    Value onHost = wire::CopyOp::create(
        b, location, wire::onHost(cast<RankedTensorType>(given.getType())), given);
    result.replaceAllUsesWith(onHost);
  }
  codelet.getBody().push_back(block);
  loop_->moveBefore(block, block->end());
  inside.setInsertionPointToEnd(block);
  for (Value result : used)
    results.push_back(wire::cardOf(result)
                          ? result
                          : Value(wire::CopyOp::create(inside, location, ofType(result), result)));
  flow::YieldOp::create(inside, location, results);
  return codelet;
}

flow::CodeletOp LoopPlacement::apply() {
  SmallVector<Value> onCard = llvm::filter_to_vector(values_, [&](Value v) { return isOnCard(v); });
  for (Value value : onCard)
    value.setType(wire::onCard(cast<RankedTensorType>(value.getType()), card_));
  copyNumbers(fetched_, /*toCard=*/false);
  copyNumbers(stored_, /*toCard=*/true);
  copyConstants();
  loop_->walk([&](Operation *op) {
    for (Region &region : op->getRegions())
      for (Value argument : region.getArguments())
        if (!isNumber(argument))
          argument.setType(wire::onCard(cast<RankedTensorType>(argument.getType()), card_));
  });
  loop_->setAttr(flow::kCollapseAttr, UnitAttr::get(loop_.getContext()));
  return makeCodelet();
}

} // namespace sluice::codegen
