// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// One walk over a loop's body.
#include "compiler/codegen/KnownAhead.h"

#include "dialects/interfaces/Faces.h"
#include "dialects/list/List.h"

#include "llvm/ADT/SetVector.h"

using namespace mlir;

namespace sluice::codegen {

// Rows of a product that is as fast as larger ones.
static constexpr int64_t kManyRows = 256;
// More iterations in a block gain little more, and a loop that runs less often than that gains
// nothing.
static constexpr int64_t kMostIterations = 16;
// A smaller right operand stays in the first cache anyway.
static constexpr int64_t kFewElements = 1024;

static bool isSplat(Value value, int64_t number) {
  auto constant = value.getDefiningOp<nd::ConstantOp>();
  auto elements = constant ? dyn_cast<DenseIntElementsAttr>(constant.getValue()) : nullptr;
  return elements && elements.isSplat() && elements.getSplatValue<APInt>().getSExtValue() == number;
}

static bool isMatrix(Value value) {
  auto type = dyn_cast<RankedTensorType>(value.getType());
  return type && type.hasStaticShape() && type.getRank() == 2 &&
         (type.getElementType().isF32() || type.getElementType().isF64());
}

KnownAhead::KnownAhead(flow::WhileOp loop) : loop_(loop), body_(loop.getBody().front()) {
  if (!countsDown())
    return;
  loop_.getBody().walk([&](Operation *op) {
    if (auto cell = op->getAttrOfType<IntegerAttr>("cell"); cell && op->hasTrait<UsesCell>())
      ++cellUses_[cell.getInt()];
  });
  int64_t rows = 1;
  for (Operation &op : body_.without_terminator()) {
    auto product = dyn_cast<nd::MatmulOp>(op);
    bool isAhead = product && isWorthwhile(product);
    if (!isAhead && !isKnown(&op))
      continue;
    known_.insert(&op);
    if (isAhead) {
      products_.push_back(product);
      rows = std::max(rows, cast<RankedTensorType>(product.getType()).getDimSize(0));
    }
  }
  iterations_ = std::min(kMostIterations, kManyRows / rows);
}

// Whether all that ends the loop is a number that becomes less by 1 with each iteration, and what
// is forwarded is what is carried, in whatever order.
bool KnownAhead::countsDown() {
  Block &before = loop_.getBefore().front();
  auto condition = cast<flow::ConditionOp>(before.getTerminator());
  auto compares = condition.getPredicate().getDefiningOp<nd::GreaterOp>();
  bool hasMore = llvm::any_of(before.without_terminator(), [&](Operation &op) {
    return &op != compares && !isa<nd::ConstantOp>(op);
  });
  size_t numCarried = loop_.getInits().size();
  if (!compares || hasMore || !isSplat(compares.getRhs(), 0) ||
      condition.getForwarded().size() != numCarried)
    return false;
  llvm::DenseSet<unsigned> seen;
  for (auto [i, value] : llvm::enumerate(condition.getForwarded())) {
    auto argument = dyn_cast<BlockArgument>(value);
    if (!argument || argument.getArgNumber() >= numCarried ||
        !seen.insert(argument.getArgNumber()).second ||
        loop_.getInits()[argument.getArgNumber()].getType() != loop_.getResult(i).getType())
      return false;
    initOf_.push_back(argument.getArgNumber());
    if (argument == compares.getLhs())
      counter_ = static_cast<unsigned>(i);
  }
  auto counter = dyn_cast<BlockArgument>(compares.getLhs());
  return counter && counter.getArgNumber() < numCarried &&
         isNextOfCounter(body_.getTerminator()->getOperand(counter.getArgNumber()));
}

bool KnownAhead::isNextOfCounter(Value value) const {
  Value counter = body_.getArgument(counter_);
  auto type = dyn_cast<RankedTensorType>(counter.getType());
  if (!type || type.getRank() != 0 || !type.getElementType().isSignlessInteger())
    return false;
  if (auto less = value.getDefiningOp<nd::SubOp>())
    return less.getLhs() == counter && isSplat(less.getRhs(), 1);
  auto sum = value.getDefiningOp<nd::AddOp>();
  return sum && sum.getLhs() == counter && isSplat(sum.getRhs(), -1);
}

bool KnownAhead::isCapture(Value value) const {
  auto argument = dyn_cast<BlockArgument>(value);
  return argument && argument.getOwner() == &body_ && argument.getArgNumber() >= initOf_.size();
}

// Each iteration takes one element, and nothing else looks at the list.
bool KnownAhead::isPoppedAlone(Operation *op) const {
  auto pop = dyn_cast<list::CellPopOp>(op);
  return pop && cellUses_.lookup(static_cast<int64_t>(pop.getCell())) == 1;
}

bool KnownAhead::isKnown(Operation *op) const {
  if (isPoppedAlone(op))
    return cast<RankedTensorType>(op->getResult(0).getType()).hasStaticShape();
  bool isCheap = op->hasTrait<IsConstant>() || op->hasTrait<OfElements>() ||
                 op->hasTrait<ViewsOperand>() || op->hasTrait<RepeatsElements>() ||
                 op->hasTrait<MovesElements>();
  auto isHere = [&](Value operand) {
    Operation *made = operand.getDefiningOp();
    return made ? known_.contains(made)
                : isCapture(operand) || operand == body_.getArgument(counter_);
  };
  auto isStatic = [](Type type) {
    auto tensor = dyn_cast<RankedTensorType>(type);
    return tensor && tensor.hasStaticShape();
  };
  return isCheap && op->hasTrait<Computes>() && op->getNumRegions() == 0 &&
         llvm::all_of(op->getOperands(), isHere) && llvm::all_of(op->getResultTypes(), isStatic);
}

bool KnownAhead::isWorthwhile(nd::MatmulOp product) const {
  Operation *left = product.getLhs().getDefiningOp();
  if (!left || !known_.contains(left) || !isCapture(product.getRhs()) ||
      !isMatrix(product.getLhs()) || !isMatrix(product.getRhs()) ||
      !isMatrix(product.getResult()) || product.getTransposeLhs() || product.getAdjointLhs())
    return false;
  return 2 * cast<RankedTensorType>(product.getType()).getDimSize(0) <= kManyRows &&
         cast<RankedTensorType>(product.getRhs().getType()).getNumElements() > kFewElements;
}

SmallVector<Operation *> KnownAhead::neededFor(nd::MatmulOp product) const {
  llvm::SetVector<Operation *> needed;
  SmallVector<Value> open{product.getLhs()};
  while (!open.empty()) {
    Operation *op = open.pop_back_val().getDefiningOp();
    if (!op || !needed.insert(op))
      continue;
    if (!llvm::is_contained(products_, op))
      open.append(op->operand_begin(), op->operand_end());
  }
  SmallVector<Operation *> ops = needed.takeVector();
  llvm::sort(ops, [](Operation *a, Operation *b) { return a->isBeforeInBlock(b); });
  return ops;
}

} // namespace sluice::codegen
