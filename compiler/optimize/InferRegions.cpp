// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Pass optimize-infer-regions: shapes in branches and loops.
//
// What a loop carries has the shape that it starts with if the body gives it that shape back: that is
// tried, and where it does not hold taken back for those variables, until it does for the others.
#include "compiler/optimize/Forwarding.h"
#include "compiler/optimize/Passes.h"
#include "compiler/optimize/ShapeFact.h"
#include "dialects/flow/GraphOrder.h"
#include "dialects/interfaces/ResultShapes.h"
#include "dialects/list/List.h"

#include <deque>

using namespace mlir;

namespace sluice::optimize {
#define GEN_PASS_DEF_OPTIMIZEINFERREGIONS
#include "compiler/optimize/Passes.h.inc"
} // namespace sluice::optimize

namespace {

using namespace sluice;

constexpr int64_t kMostElements = 1024; // shapes, axes and sizes have fewer
// A loop is tried with fewer variables whenever one did not keep its shape.
constexpr unsigned kMostAttempts = 8;

Type withShape(Type type, const rt::Shape &shape) {
  return tensorTypeOf(cast<TensorType>(type).getElementType(), shape);
}

// What both types say of one value.
Type meet(Type a, Type b) {
  if (!isa<TensorType>(a) || !isa<TensorType>(b))
    return a;
  return withShape(a, optimize::refineShape(shapeOf(a), shapeOf(b)));
}
// What is true of values of either type.
Type join(Type a, Type b) {
  if (!isa<TensorType>(a) || !isa<TensorType>(b))
    return a;
  return withShape(a, optimize::joinShapes(shapeOf(a), shapeOf(b)));
}

class RegionTypes {
public:
  void visit(Operation *op) {
    if (auto loop = dyn_cast<flow::WhileOp>(op))
      visitLoop(loop);
    else if (auto branch = dyn_cast<flow::CondOp>(op))
      visitBranch(branch);
    else if (auto gate = dyn_cast<flow::GateOp>(op))
      refine(gate.getResult(), gate.getValue().getType());
    else if (isa<list::GetOp, list::PopOp>(op))
      refine(op->getResult(0), cast<list::OfType>(op->getOperand(0).getType()).getElement());
    else if (op->hasTrait<Computes>() && !op->hasTrait<IsConstant>())
      visitKernel(op);
  }
  unsigned numRefined() const { return refined_; }

private:
  // What forwards the value has its type.
  void refine(Value value, Type type) {
    Type better = meet(value.getType(), type);
    if (better == value.getType())
      return;
    ++refined_;
    optimize::refineType(value, better);
  }
  void refineAll(ValueRange values, ValueRange like) {
    for (auto [value, other] : llvm::zip_equal(values, like))
      refine(value, other.getType());
  }

  void visitBlock(Block &block) {
    for (Operation &op : block.without_terminator())
      visit(&op);
  }

  void visitBranch(flow::CondOp branch) {
    for (Region &region : branch->getRegions()) {
      refineAll(region.getArguments(), branch.getCaptures());
      visitBlock(region.front());
    }
    Operation *onTrue = branch.getOnTrue().front().getTerminator();
    Operation *onFalse = branch.getOnFalse().front().getTerminator();
    for (auto [result, a, b] :
         llvm::zip_equal(branch.getResults(), onTrue->getOperands(), onFalse->getOperands()))
      refine(result, join(a.getType(), b.getType()));
  }

  void visitLoop(flow::WhileOp loop) {
    SmallVector<std::pair<Value, Type>> before;
    auto remember = [&](Value value) { before.emplace_back(value, value.getType()); };
    loop->walk([&](Block *block) {
      llvm::for_each(block->getArguments(), remember);
      for (Operation &op : *block)
        llvm::for_each(op.getResults(), remember);
    });
    llvm::BitVector keeps(static_cast<unsigned>(loop.getInits().size()), true);
    for (unsigned attempt = 0; attempt < kMostAttempts; ++attempt) {
      unsigned refined = refined_;
      if (attempt + 1 == kMostAttempts)
        keeps.reset();
      if (tryLoop(loop, keeps)) {
        auto condition = cast<flow::ConditionOp>(loop.getBefore().front().getTerminator());
        return refineAll(loop.getResults(), condition.getForwarded());
      }
      for (auto [value, type] : before)
        value.setType(type);
      refined_ = refined;
    }
  }

  // Whether the variables that should keep the shapes that they start with do so; the others are out
  // afterwards.
  bool tryLoop(flow::WhileOp loop, llvm::BitVector &keeps) {
    Block &before = loop.getBefore().front(), &body = loop.getBody().front();
    unsigned inits = keeps.size(), results = loop.getNumResults();
    for (unsigned i = 0; i < inits; ++i)
      if (keeps[i])
        refine(before.getArgument(i), loop.getInits()[i].getType());
    refineAll(before.getArguments().drop_front(inits), loop.getCaptures());
    visitBlock(before);
    auto condition = cast<flow::ConditionOp>(before.getTerminator());
    refineAll(body.getArguments().take_front(results), condition.getForwarded());
    refineAll(body.getArguments().drop_front(results), loop.getCaptures());
    visitBlock(body);
    bool all = true;
    for (unsigned i = 0; i < inits; ++i) {
      Type carried = before.getArgument(i).getType();
      Type next = body.getTerminator()->getOperand(i).getType();
      if (keeps[i] && join(carried, next) != carried) {
        keeps.reset(i);
        all = false;
      }
    }
    return all;
  }

  // By the op's own rule, with what is known of its operands.
  void visitKernel(Operation *op) {
    std::deque<rt::Tensor> constants;
    std::vector<rt::Shape> shapes;
    TensorPointers values;
    for (Value operand : op->getOperands()) {
      shapes.push_back(shapeOf(operand.getType()));
      values.push_back(smallConstant(operand, constants));
    }
    std::vector<const rt::Shape *> inputs;
    for (const rt::Shape &shape : shapes)
      inputs.push_back(&shape);
    auto results = evaluateShapes(op, inputs, values);
    if (!results.ok()) // fails if it runs
      return;
    for (auto [result, shape] : llvm::zip(op->getResults(), *results))
      if (isa<TensorType>(result.getType()))
        refine(result, withShape(result.getType(), shape));
  }

  static const rt::Tensor *smallConstant(Value value, std::deque<rt::Tensor> &constants) {
    while (auto gate = value.getDefiningOp<flow::GateOp>())
      value = gate.getValue();
    auto constant = value.getDefiningOp<nd::ConstantOp>();
    if (!constant || constant.getValue().getNumElements() > kMostElements)
      return nullptr;
    auto tensor = tensorOf(constant.getValue());
    return tensor.ok() ? &constants.emplace_back(std::move(*tensor)) : nullptr;
  }

  unsigned refined_ = 0;
};

struct InferRegions : optimize::impl::OptimizeInferRegionsBase<InferRegions> {
  void runOnOperation() override {
    RegionTypes types;
    for (Operation *op : flow::operandsFirst(getOperation()))
      types.visit(op);
    numRefined += types.numRefined();
  }
};

} // namespace
