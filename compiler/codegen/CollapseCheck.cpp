// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A branch or loop is collapsed if
//   - all ops in it have code that needs no guards: a loop that runs cannot be left and repeated by
//     the plain kernels, and nothing in it has an effect;
//   - no tokens go in or out, whose order the code could not keep;
//   - all sizes follow from those of the operands and stay the same from iteration to iteration;
//   - it waits for no result of its own, also not by way of others: code waits for all operands;
//   - no op in it is so large that the executor's work for it does not count. Then the executor is
//     better, since it runs ops and iterations at the same time.
#include "compiler/codegen/CollapseCheck.h"

#include "compiler/codegen/Eligibility.h"
#include "compiler/codegen/cpu/ShapeSymbols.h"
#include "dialects/nd/Nd.h"

#include "mlir/IR/IRMapping.h"
#include "llvm/ADT/SetVector.h"

using namespace mlir;

namespace sluice::codegen {

// Elementary operations of one op, from which on it is left to the executor: about 100 us.
static constexpr double kMostWork = 1 << 21;

static bool isToken(Type type) { return isa<flow::TokenType>(type); }
static bool isPlumbing(Operation *op) {
  return isa<flow::StartOp, flow::JoinOp, flow::TriggerOp, flow::GateOp, flow::AfterOp>(op);
}
static bool isStructure(Operation *op) {
  return isa<flow::WhileOp, flow::CondOp, flow::YieldOp, flow::ConditionOp>(op);
}

// ---- Work ---------------------------------------------------------------------------------------

// 1 for each dim that is not known.
static double elementsOf(Value value) {
  auto type = dyn_cast<RankedTensorType>(value.getType());
  double elements = 1;
  for (int64_t size : type ? type.getShape() : ArrayRef<int64_t>())
    elements *= ShapedType::isDynamic(size) ? 1 : static_cast<double>(size);
  return elements;
}

static double workOf(Operation *op) {
  double work = 0;
  for (Value value : op->getOperands())
    work = std::max(work, elementsOf(value));
  for (Value value : op->getResults())
    work = std::max(work, elementsOf(value));
  if (auto product = dyn_cast<nd::MatmulOp>(op)) {
    auto type = dyn_cast<RankedTensorType>(product.getLhs().getType());
    int64_t rank = type ? type.getRank() : 0;
    int64_t inner = rank < 2 ? 1 : type.getDimSize(product.getTransposeLhs() ? rank - 2 : rank - 1);
    work = elementsOf(product.getResult()) * static_cast<double>(std::max<int64_t>(inner, 1));
  }
  return work;
}

// ---- Obstacles ----------------------------------------------------------------------------------

static std::optional<Obstacle> findTokens(Operation *structured) {
  auto isAToken = [](Value value) { return isToken(value.getType()); };
  if (llvm::any_of(structured->getOperands(), isAToken))
    return Obstacle{structured, "waits for a token inside"};
  if (llvm::any_of(structured->getResults(), isAToken))
    return Obstacle{structured, "gives a token"};
  return std::nullopt;
}

static std::optional<Obstacle> findInside(Operation *op) {
  if (isStructure(op))
    return op->getNumRegions() > 0 ? findTokens(op) : std::nullopt;
  if (isPlumbing(op))
    return std::nullopt;
  if (!canCompile(op))
    return Obstacle{op, "cannot be compiled"};
  if (!canCompileInRegion(op))
    return Obstacle{op, "may need what only a straight line can check, as sizes or indices"};
  if (workOf(op) > kMostWork)
    return Obstacle{op, "is so large that the executor runs it as well, and beside others"};
  return std::nullopt;
}

// Sizes, asked of the analysis that the code is made with.
static std::optional<Obstacle> checkSizes(Operation *structured) {
  OpBuilder b(structured->getContext());
  OwningOpRef<flow::CodeletOp> codelet = flow::CodeletOp::create(
      b, structured->getLoc(), structured->getResultTypes(), structured->getOperands());
  Block *block = b.createBlock(&codelet->getBody());
  IRMapping mapping;
  for (Value operand : structured->getOperands())
    mapping.map(operand, block->addArgument(operand.getType(), operand.getLoc()));
  Operation *copy = b.clone(*structured, mapping);
  flow::YieldOp::create(b, structured->getLoc(), copy->getResults());
  removeTokens(copy);
  if (failed(ShapeSymbols::of(*codelet)))
    return Obstacle{structured,
                    "has sizes that are not known or change from iteration to iteration"};
  return std::nullopt;
}

static bool waitsForItself(Operation *structured) {
  llvm::SmallSetVector<Operation *, 16> later;
  later.insert_range(structured->getUsers());
  for (size_t i = 0; i < later.size(); ++i) {
    // Ops in regions of others stand for the one around them.
    Operation *user = structured->getBlock()->findAncestorOpInBlock(*later[i]);
    if (user == structured)
      return true;
    // The value comes in the next iteration.
    if (user && !isa<flow::NextIterationOp>(user))
      later.insert_range(user->getUsers());
  }
  return false;
}

std::optional<Obstacle> findObstacle(Operation *structured) {
  std::optional<Obstacle> obstacle = findTokens(structured);
  if (!obstacle)
    structured->walk<WalkOrder::PreOrder>([&](Operation *op) {
      if (op != structured)
        obstacle = findInside(op);
      return obstacle ? WalkResult::interrupt() : WalkResult::advance();
    });
  if (!obstacle && waitsForItself(structured))
    obstacle = Obstacle{structured, "waits for a result of its own"};
  return obstacle ? obstacle : checkSizes(structured);
}

void removeTokens(Operation *structured) {
  SmallVector<Operation *> plumbing;
  structured->walk([&](Operation *op) {
    if (!isPlumbing(op))
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

} // namespace sluice::codegen
