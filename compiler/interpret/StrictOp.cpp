// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Codelets and composites, one op after another.
#include "compiler/interpret/StrictOp.h"

#include "dialects/nd/Nd.h"

using namespace mlir;

namespace sluice::interpret {

rt::Result<bool> truthOf(const rt::Tensor &predicate) {
  if (predicate.dtype() != rt::DType::kBool || predicate.rank() != 0)
    return rt::invalidArgument("expected a scalar bool as predicate but got shape " +
                               predicate.shape().toString());
  return *predicate.data<bool>();
}

bool StrictOp::fits(Operation *op) {
  return isa<flow::CodeletOp, flow::CompositeOp>(op) ||
         (isa<flow::CondOp, flow::WhileOp>(op) && flow::isCollapsed(op));
}

rt::Result<std::unique_ptr<StrictOp>> StrictOp::make(Operation *op, const ResolveSymbol &resolve) {
  auto made = std::make_unique<StrictOp>();
  made->op_ = op;
  SLUICE_RETURN_IF_ERROR(made->prepare(resolve));
  return made;
}

rt::Status StrictOp::prepare(const ResolveSymbol &resolve) {
  SmallVector<Operation *> inside;
  op_->walk([&](Operation *op) { inside.push_back(op); });
  for (Operation *op : inside) {
    if (auto constant = dyn_cast<nd::ConstantOp>(op)) {
      SLUICE_ASSIGN_OR_RETURN(constants_[op], tensorOf(constant.getValue()));
    } else if (isKernelOp(op)) {
      SLUICE_ASSIGN_OR_RETURN(kernels_[op], KernelCall::make(op, resolve));
    }
  }
  return rt::okStatus();
}

rt::Result<std::vector<rt::Tensor>> StrictOp::run(const std::vector<const rt::Tensor *> &inputs,
                                                  rt::Environment &environment,
                                                  uint64_t &kernels) const {
  Tensors operands;
  for (const rt::Tensor *input : inputs)
    operands.push_back(*input);
  Call call{environment, kernels};
  return runOp(op_, operands, call);
}

rt::Result<std::vector<TapeValue>> StrictOp::runOnTape(const std::vector<TapeValue> &inputs,
                                                       rt::Environment &environment,
                                                       uint64_t &kernels, Tape &tape) const {
  Block &block = op_->getRegion(0).front();
  Call call{environment, kernels};
  llvm::DenseMap<Value, TapeValue> values;
  for (auto [argument, value] : llvm::zip_equal(block.getArguments(), inputs))
    values[argument] = value;
  auto operandsOf = [&](Operation *op) {
    std::vector<TapeValue> operands;
    for (Value operand : op->getOperands())
      operands.push_back(values.lookup(operand));
    return operands;
  };
  for (Operation &op : block.without_terminator()) {
    if (auto constant = constants_.find(&op); constant != constants_.end()) {
      values[op.getResult(0)].value = constant->second;
      continue;
    }
    std::vector<TapeValue> operands = operandsOf(&op);
    Tensors tensors;
    for (const TapeValue &operand : operands)
      tensors.push_back(operand.value);
    SLUICE_ASSIGN_OR_RETURN(Tensors results, runOp(&op, tensors, call));
    auto kernel = kernels_.find(&op);
    uint64_t number = tape.record(&op, kernel == kernels_.end() ? nullptr : kernel->second.get(),
                                  operands, results);
    for (auto [result, tensor] : llvm::zip_equal(op.getResults(), results))
      values[result] = {tensor, number++};
  }
  return operandsOf(block.getTerminator());
}

rt::Result<StrictOp::Tensors> StrictOp::runOp(Operation *op, const Tensors &inputs,
                                              Call &call) const {
  if (isa<flow::CodeletOp, flow::CompositeOp>(op))
    return runBlock(op->getRegion(0).front(), inputs, call);
  if (auto loop = dyn_cast<flow::WhileOp>(op))
    return runLoop(loop, inputs, call);
  if (auto cond = dyn_cast<flow::CondOp>(op)) {
    rt::Result<bool> taken = truthOf(inputs[0]);
    if (!taken.ok())
      return taken.status().atNode(nodeName(op));
    Region &region = *taken ? cond.getOnTrue() : cond.getOnFalse();
    return runBlock(region.front(), Tensors(inputs.begin() + 1, inputs.end()), call);
  }
  if (op->hasTrait<UsesBox>())
    return runBoxOp(op, inputs, call);
  if (op->hasTrait<UsesCell>()) {
    rt::Result<Tensors> results = call.cells.run(op, inputs);
    return results.ok() ? std::move(results) : results.status().atNode(nodeName(op));
  }
  auto kernel = kernels_.find(op);
  if (kernel == kernels_.end())
    return rt::unimplemented("the interpreter does not run " + op->getName().getStringRef().str() +
                             " in a codelet")
        .atNode(nodeName(op));
  std::vector<const rt::Tensor *> operands;
  for (const rt::Tensor &input : inputs)
    operands.push_back(&input);
  ++call.kernels;
  SLUICE_ASSIGN_OR_RETURN(Tensors results, kernel->second->run(operands, call.environment));
  SLUICE_RETURN_IF_ERROR(kernel->second->check(results));
  return results;
}

rt::Result<StrictOp::Tensors> StrictOp::runBoxOp(Operation *op, const Tensors &inputs,
                                                 Call &call) const {
  if (auto put = dyn_cast<flow::BoxPutOp>(op))
    return call.boxes[put.getBox()] = inputs[0], Tensors();
  if (auto get = dyn_cast<flow::BoxGetOp>(op))
    return Tensors{call.boxes[get.getBox()]};
  if (auto move = dyn_cast<flow::BoxMoveOp>(op)) {
    call.boxes[move.getTo()] = call.boxes.lookup(move.getFrom());
    if (move.getLast())
      call.boxes.erase(move.getFrom());
    return Tensors();
  }
  if (auto drop = dyn_cast<flow::BoxDropOp>(op)) {
    for (int64_t box : drop.getBoxes())
      call.boxes.erase(static_cast<uint64_t>(box));
    return Tensors();
  }
  auto run = cast<flow::BoxRunOp>(op);
  Tensors arguments;
  for (int64_t box : run.getInputs())
    arguments.push_back(call.boxes[static_cast<uint64_t>(box)]);
  for (int64_t operand : run.getLast()) {
    auto argument = cast<BlockArgument>(run.getOp()->getOperand(static_cast<unsigned>(operand)));
    call.boxes.erase(static_cast<uint64_t>(run.getInputs()[argument.getArgNumber()]));
  }
  SLUICE_ASSIGN_OR_RETURN(Tensors results, runBlock(run.getBody().front(), arguments, call));
  for (auto [box, result] : llvm::zip_equal(run.getResults(), results))
    call.boxes[static_cast<uint64_t>(box)] = result;
  return Tensors();
}

// What the block's terminator names.
rt::Result<StrictOp::Tensors> StrictOp::runBlock(Block &block, const Tensors &arguments,
                                                 Call &call) const {
  llvm::DenseMap<Value, rt::Tensor> values;
  for (auto [argument, tensor] : llvm::zip_equal(block.getArguments(), arguments))
    values[argument] = tensor;
  auto operandsOf = [&](Operation *op) {
    Tensors operands;
    for (Value operand : op->getOperands())
      operands.push_back(values.lookup(operand));
    return operands;
  };
  for (Operation &op : block.without_terminator()) {
    if (auto constant = constants_.find(&op); constant != constants_.end()) {
      values[op.getResult(0)] = constant->second;
      continue;
    }
    SLUICE_ASSIGN_OR_RETURN(Tensors results, runOp(&op, operandsOf(&op), call));
    for (auto [result, tensor] : llvm::zip_equal(op.getResults(), results))
      values[result] = tensor;
  }
  return operandsOf(block.getTerminator());
}

rt::Result<StrictOp::Tensors> StrictOp::runLoop(flow::WhileOp loop, const Tensors &inputs,
                                                Call &call) const {
  auto firstCapture = inputs.begin() + static_cast<ptrdiff_t>(loop.getInits().size());
  Tensors carried(inputs.begin(), firstCapture);
  while (true) {
    carried.insert(carried.end(), firstCapture, inputs.end());
    SLUICE_ASSIGN_OR_RETURN(Tensors forwarded, runBlock(loop.getBefore().front(), carried, call));
    rt::Result<bool> goesOn = truthOf(forwarded.front());
    if (!goesOn.ok())
      return goesOn.status().atNode(nodeName(loop));
    forwarded.erase(forwarded.begin());
    if (!*goesOn)
      return forwarded;
    forwarded.insert(forwarded.end(), firstCapture, inputs.end());
    SLUICE_ASSIGN_OR_RETURN(carried, runBlock(loop.getBody().front(), forwarded, call));
  }
}

} // namespace sluice::interpret
