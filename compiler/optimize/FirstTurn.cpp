// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The first condition of a loop, by the ops' kernels or by copies of the ops.
#include "compiler/optimize/FirstTurn.h"

#include "compiler/optimize/KernelEvaluation.h"
#include "dialects/nd/Nd.h"

#include "mlir/IR/IRMapping.h"
#include "llvm/ADT/SetVector.h"

using namespace mlir;

namespace sluice::optimize {

namespace {

// What is larger is no counter, and would take memory or time.
bool isSmall(Value value) {
  auto type = dyn_cast<RankedTensorType>(value.getType());
  return type && type.hasStaticShape() && type.getNumElements() <= 1024;
}

// Whoever asks for a first condition waits for all operands of the loop.
Value behindGates(Value value) {
  while (auto gate = value.getDefiningOp<flow::GateOp>())
    value = gate.getValue();
  return value;
}

Value conditionOf(flow::WhileOp loop) {
  return cast<flow::ConditionOp>(loop.getBefore().front().getTerminator()).getPredicate();
}

// The ops of `before` from which the condition follows, in an order in which they can run. Nothing
// if they do more than compute, or are too many to be run or copied at each loop that is asked
// about.
std::optional<SmallVector<Operation *>> opsOfCondition(flow::WhileOp loop) {
  constexpr size_t kMostOps = 1000; // to count takes one or two
  llvm::SetVector<Operation *> needed;
  auto need = [&](Value value) {
    if (Operation *op = behindGates(value).getDefiningOp())
      needed.insert(op);
  };
  need(conditionOf(loop));
  for (size_t i = 0; i < needed.size(); ++i) {
    if (needed.size() > kMostOps || !needed[i]->hasTrait<Computes>())
      return std::nullopt;
    llvm::for_each(needed[i]->getOperands(), need);
  }
  SmallVector<Operation *> ops(needed.begin(), needed.end());
  llvm::sort(ops, [](Operation *a, Operation *b) { return a->isBeforeInBlock(b); });
  return ops;
}

// Works on what follows from constants in `before` and from constant inits.
class Evaluation {
public:
  explicit Evaluation(flow::WhileOp loop) : loop_(loop) {}

  // Expects the op that gives it to have run.
  std::optional<rt::Tensor> of(Value value) const {
    value = behindGates(value);
    if (auto argument = dyn_cast<BlockArgument>(value))
      return ofConstant(behindGates(optimize::operandOf(loop_, argument).get()));
    auto known = known_.find(value);
    return known == known_.end() ? std::nullopt : std::optional(known->second);
  }

  // Whether the results are known afterwards.
  bool run(Operation *op) {
    if (!llvm::all_of(op->getResults(), isSmall))
      return false;
    if (op->hasTrait<IsConstant>()) {
      std::optional<rt::Tensor> tensor = ofConstant(op->getResult(0));
      if (tensor)
        known_.try_emplace(op->getResult(0), std::move(*tensor));
      return tensor.has_value();
    }
    std::vector<rt::Tensor> inputs;
    for (Value operand : op->getOperands()) {
      std::optional<rt::Tensor> input = of(operand);
      if (!input)
        return false;
      inputs.push_back(std::move(*input));
    }
    TensorPointers pointers;
    for (const rt::Tensor &input : inputs)
      pointers.push_back(&input);
    auto outputs = optimize::evaluate(op, pointers);
    if (!outputs.ok())
      return false; // so it will at run time
    for (auto [result, output] : llvm::zip_equal(op->getResults(), *outputs))
      known_.try_emplace(result, std::move(output));
    return true;
  }

private:
  static std::optional<rt::Tensor> ofConstant(Value value) {
    auto constant = value.getDefiningOp<nd::ConstantOp>();
    if (!constant || !isSmall(value))
      return std::nullopt;
    auto tensor = tensorOf(constant.getValue());
    return tensor.ok() ? std::optional(std::move(*tensor)) : std::nullopt;
  }

  flow::WhileOp loop_;
  DenseMap<Value, rt::Tensor> known_;
};

} // namespace

OpOperand &operandOf(flow::WhileOp loop, BlockArgument argument) {
  unsigned carried = argument.getOwner()->getNumArguments() - loop.getCaptures().size();
  unsigned number = argument.getArgNumber();
  return number < carried ? loop->getOpOperand(number)
                          : loop->getOpOperand(loop.getInits().size() + number - carried);
}

bool surelyRuns(flow::WhileOp loop) {
  auto ops = opsOfCondition(loop);
  Evaluation evaluation(loop);
  if (!ops || !llvm::all_of(*ops, [&](Operation *op) { return evaluation.run(op); }))
    return false;
  std::optional<rt::Tensor> first = evaluation.of(conditionOf(loop));
  return first && first->dtype() == rt::DType::kBool && first->rank() == 0 && *first->data<bool>();
}

Value buildFirstCondition(OpBuilder &builder, flow::WhileOp loop) {
  auto ops = opsOfCondition(loop);
  if (!ops)
    return {};
  IRMapping copies;
  auto copyOf = [&](Value value) {
    value = behindGates(value);
    auto argument = dyn_cast<BlockArgument>(value);
    return argument ? operandOf(loop, argument).get() : copies.lookup(value);
  };
  for (Operation *op : *ops) {
    for (Value operand : op->getOperands())
      copies.map(operand, copyOf(operand));
    builder.clone(*op, copies);
  }
  return copyOf(conditionOf(loop));
}

} // namespace sluice::optimize
