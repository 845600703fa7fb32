// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Pass optimize-infer-regions: shapes in branches and loops.
//
// What a loop carries has the shape that it starts with, as far as the body gives it that shape
// back.
#include "compiler/optimize/Forwarding.h"
#include "compiler/optimize/ListElements.h"
#include "compiler/optimize/Passes.h"
#include "compiler/optimize/ShapeFact.h"
#include "dialects/flow/GraphOrder.h"
#include "dialects/flow/GraphPass.h"
#include "dialects/interfaces/ResultShapes.h"

#include <deque>
#include <queue>

using namespace mlir;

namespace sluice::optimize {
#define GEN_PASS_DEF_OPTIMIZEINFERREGIONS
#include "compiler/optimize/Passes.h.inc"
} // namespace sluice::optimize

namespace {

using namespace sluice;

constexpr int64_t kMostElements = 1024; // shapes, axes and sizes have fewer

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

// All types of a graph at once, by abstract execution to a fixpoint. A value that nothing has
// reached yet has no type here, and ops wait for it; so a variable of a loop has the type that it
// starts with until the end of the body gives it another one. From then on types only become
// vaguer: each dim is forgotten once, and the rank. That is how often an op is visited again for
// each of its operands, however deep the loop is that it is in.
class RegionTypes {
public:
  explicit RegionTypes(flow::TokenGraph graph) : lists_(graph) {
    for (Operation *op : flow::operandsFirst(graph))
      op->walk<WalkOrder::PreOrder>([&](Operation *inner) {
        positions_[inner] = static_cast<unsigned>(ops_.size());
        ops_.push_back(inner);
        bool isOpaque = inner->getNumRegions() && !isa<flow::WhileOp, flow::CondOp>(inner);
        return isOpaque ? WalkResult::skip() : WalkResult::advance();
      });
    queued_.resize(ops_.size());
    lists_.findReaders(ops_);
    for (Operation *op : ops_)
      enqueue(op);
    while (!queue_.empty()) { // the first one, so that inner loops settle before what follows
      unsigned position = queue_.top();
      queue_.pop();
      queued_[position] = false;
      visit(ops_[position]);
    }
  }

  unsigned refine() {
    unsigned refined = 0;
    for (auto [value, type] : types_)
      if (value.getType() != type) {
        value.setType(type);
        ++refined;
      }
    return refined + lists_.refine();
  }

private:
  void enqueue(Operation *op) {
    unsigned position = positions_.lookup(op);
    if (!queued_[position])
      queue_.push(position);
    queued_[position] = true;
  }

  // Null as long as nothing has reached the value. Of what is no tensor, nothing is found out.
  Type typeOf(Value value) const {
    return isa<TensorType>(value.getType()) ? types_.lookup(value) : value.getType();
  }

  // The value may be one of the given type. It is one of its declared type anyway.
  void learn(Value value, Type type) {
    if (!type || !isa<TensorType>(value.getType()))
      return;
    auto [known, isNew] = types_.try_emplace(value, Type());
    Type better = meet(value.getType(), type);
    Type vaguer = isNew ? better : join(known->second, better);
    if (known->second == vaguer)
      return;
    known->second = vaguer;
    for (Operation *user : value.getUsers())
      enqueue(user);
  }
  void learnAll(ValueRange values, ValueRange from) {
    for (auto [value, other] : llvm::zip_equal(values, from))
      learn(value, typeOf(other));
  }
  void learnDeclared(Operation *op) {
    for (Value result : op->getResults())
      learn(result, result.getType());
  }

  void visit(Operation *op) {
    if (auto loop = dyn_cast<flow::WhileOp>(op)) {
      enterLoop(loop);
    } else if (auto branch = dyn_cast<flow::CondOp>(op)) {
      for (Region &region : branch->getRegions())
        learnAll(region.getArguments(), branch.getCaptures());
    } else if (auto condition = dyn_cast<flow::ConditionOp>(op)) {
      auto loop = cast<flow::WhileOp>(op->getParentOp());
      learnAll(loop.getBody().getArguments().take_front(loop.getNumResults()),
               condition.getForwarded());
      learnAll(loop.getResults(), condition.getForwarded());
    } else if (isa<flow::YieldOp>(op)) {
      leaveRegion(op);
    } else if (Value forwarded = optimize::forwardedOperand(op)) {
      for (Value result : optimize::forwardedResults(op))
        learn(result, typeOf(forwarded));
    } else if (optimize::hidesOperands(op)) {
      learnAll(op->getResults(), op->getOperands().take_front(op->getNumResults()));
    } else if (isa_and_nonnull<list::ListDialect>(op->getDialect()) && !op->hasTrait<UsesCell>()) {
      visitList(op);
    } else if (op->hasTrait<Computes>() && !op->hasTrait<IsConstant>()) {
      visitKernel(op);
    } else {
      learnDeclared(op);
    }
  }

  void visitList(Operation *op) {
    std::optional<list::ElementUse> use = list::elementUse(op);
    bool changed = use && isa<TensorType>(use->value.getType()) && !lists_.isRead(op)
                       ? lists_.write(*use, typeOf(use->value))
                       : lists_.declare(op);
    if (changed)
      for (Operation *reader : lists_.readersOf(op))
        enqueue(reader);
    if (!lists_.isRead(op))
      return visitKernel(op);
    if (Type read = lists_.read(op, *use))
      learn(use->value, read);
    for (Value result : op->getResults())
      if (result != use->value)
        learn(result, result.getType());
  }

  void enterLoop(flow::WhileOp loop) {
    Block &before = loop.getBefore().front(), &body = loop.getBody().front();
    size_t inits = loop.getInits().size(), results = loop.getNumResults();
    learnAll(before.getArguments().take_front(inits), loop.getInits());
    learnAll(before.getArguments().drop_front(inits), loop.getCaptures());
    learnAll(body.getArguments().drop_front(results), loop.getCaptures());
  }

  // What comes from both sides of a branch, or round a loop, is joined there.
  void leaveRegion(Operation *yield) {
    Operation *around = yield->getParentOp();
    if (auto loop = dyn_cast<flow::WhileOp>(around))
      learnAll(loop.getBefore().getArguments().take_front(loop.getInits().size()),
               yield->getOperands());
    else
      learnAll(around->getResults(), yield->getOperands());
  }

  // By the op's own rule, with what is known of its operands.
  void visitKernel(Operation *op) {
    std::deque<rt::Tensor> constants;
    std::vector<rt::Shape> shapes;
    TensorPointers values;
    for (Value operand : op->getOperands()) {
      Type type = typeOf(operand);
      if (!type)
        return;
      shapes.push_back(shapeOf(type));
      values.push_back(smallConstant(operand, constants));
    }
    std::vector<const rt::Shape *> inputs;
    for (const rt::Shape &shape : shapes)
      inputs.push_back(&shape);
    auto results = evaluateShapes(op, inputs, values);
    if (!results.ok()) // fails if it runs
      return learnDeclared(op);
    for (auto [result, shape] : llvm::zip_equal(kernelOutputs(op), *results))
      if (isa<TensorType>(result.getType()))
        learn(result, withShape(result.getType(), shape));
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

  optimize::ListElements lists_;
  std::vector<Operation *> ops_; // operands first, those of regions after the op around them
  DenseMap<Operation *, unsigned> positions_;
  std::priority_queue<unsigned, std::vector<unsigned>, std::greater<>> queue_;
  std::vector<bool> queued_;
  DenseMap<Value, Type> types_;
};

struct InferRegions : flow::GraphPass<optimize::impl::OptimizeInferRegionsBase<InferRegions>> {
  void runOnGraph(flow::TokenGraph graph) override { numRefined += RegionTypes(graph).refine(); }
};

} // namespace
