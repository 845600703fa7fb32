// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The first condition of a loop, by the ops' kernels or by copies of the ops.
#include "compiler/optimize/FirstTurn.h"

#include "compiler/optimize/KernelEvaluation.h"
#include "dialects/nd/Nd.h"

#include "mlir/IR/IRMapping.h"

using namespace mlir;

namespace sluice::optimize {

namespace {

// What is larger is no counter, and would take memory or time.
bool isSmall(Value value) {
  auto type = dyn_cast<RankedTensorType>(value.getType());
  return type && type.hasStaticShape() && type.getNumElements() <= 1024;
}

// Works on what follows from constants in `before` and from constant inits.
class Evaluation {
public:
  explicit Evaluation(flow::WhileOp loop) : loop_(loop) {}

  std::optional<rt::Tensor> of(Value value) {
    if (auto argument = dyn_cast<BlockArgument>(value)) {
      if (argument.getOwner() != &loop_.getBefore().front())
        return std::nullopt;
      return of(operandOf(loop_, argument).get());
    }
    Operation *op = value.getDefiningOp();
    if (auto gate = dyn_cast<flow::GateOp>(op))
      return of(gate.getValue());
    if (!known_.contains(value))
      visit(op);
    return known_.lookup(value);
  }

private:
  void visit(Operation *op) {
    for (Value result : op->getResults())
      known_[result] = std::nullopt;
    if (!llvm::all_of(op->getResults(), isSmall))
      return;
    if (auto constant = dyn_cast<nd::ConstantOp>(op)) {
      if (auto tensor = tensorOf(constant.getValue()); tensor.ok())
        known_[constant.getResult()] = std::move(*tensor);
    } else if (op->hasTrait<Computes>() && op->getBlock() == &loop_.getBefore().front()) {
      run(op);
    }
  }

  void run(Operation *op) {
    std::vector<rt::Tensor> inputs;
    for (Value operand : op->getOperands()) {
      std::optional<rt::Tensor> input = of(operand);
      if (!input)
        return;
      inputs.push_back(std::move(*input));
    }
    TensorPointers pointers;
    for (const rt::Tensor &input : inputs)
      pointers.push_back(&input);
    auto outputs = evaluate(op, pointers);
    if (!outputs.ok())
      return; // so it will at run time
    for (auto [result, output] : llvm::zip_equal(op->getResults(), *outputs))
      known_[result] = std::move(output);
  }

  flow::WhileOp loop_;
  DenseMap<Value, std::optional<rt::Tensor>> known_;
};

// Copies what a value is computed from.
class Copies {
public:
  Copies(OpBuilder &builder, flow::WhileOp loop) : builder_(builder), loop_(loop) {}

  Value of(Value value) {
    if (Value copy = copies_.lookupOrNull(value))
      return copy;
    if (auto argument = dyn_cast<BlockArgument>(value))
      return operandOf(loop_, argument).get();
    Operation *op = value.getDefiningOp();
    if (auto gate = dyn_cast<flow::GateOp>(op)) // whoever asks waits for all operands of the loop
      return of(gate.getValue());
    if (!op->hasTrait<Computes>())
      return {};
    for (Value operand : op->getOperands()) {
      Value copy = of(operand);
      if (!copy)
        return {};
      copies_.map(operand, copy);
    }
    builder_.clone(*op, copies_);
    return copies_.lookup(value);
  }

private:
  OpBuilder &builder_;
  flow::WhileOp loop_;
  IRMapping copies_;
};

} // namespace

OpOperand &operandOf(flow::WhileOp loop, BlockArgument argument) {
  unsigned carried = argument.getOwner()->getNumArguments() - loop.getCaptures().size();
  unsigned number = argument.getArgNumber();
  return number < carried ? loop->getOpOperand(number)
                          : loop->getOpOperand(loop.getInits().size() + number - carried);
}

static Value conditionOf(flow::WhileOp loop) {
  return cast<flow::ConditionOp>(loop.getBefore().front().getTerminator()).getPredicate();
}

bool surelyRuns(flow::WhileOp loop) {
  std::optional<rt::Tensor> first = Evaluation(loop).of(conditionOf(loop));
  return first && first->dtype() == rt::DType::kBool && first->elements() == 1 &&
         *first->data<bool>();
}

Value buildFirstCondition(OpBuilder &builder, flow::WhileOp loop) {
  return Copies(builder, loop).of(conditionOf(loop));
}

} // namespace sluice::optimize
