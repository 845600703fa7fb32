// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Runs kernels on the numbers of elements instead of elements.
#include "compiler/codegen/shapes/Moves.h"

#include "dialects/interfaces/KernelOps.h"
#include "dialects/nd/Nd.h"

#include <numeric>

using namespace mlir;

namespace sluice::codegen {

// Numbers of elements, of which `next` is the first that is not taken.
static rt::Result<rt::Tensor> numbersFor(Value operand, int32_t &next) {
  auto tensor = rt::Tensor::allocate(rt::DType::kI32, shapeOf(operand.getType()));
  if (tensor.ok()) {
    int32_t *numbers = tensor->data<int32_t>();
    std::iota(numbers, numbers + tensor->elements(), next);
    next += static_cast<int32_t>(tensor->elements());
  }
  return tensor;
}

static rt::Result<std::vector<rt::Tensor>> inputsFor(Operation *op) {
  SmallVector<unsigned> data = cast<MoveOp>(op).getDataOperands();
  std::vector<rt::Tensor> inputs;
  int32_t next = 0;
  for (OpOperand &operand : op->getOpOperands()) {
    if (llvm::is_contained(data, operand.getOperandNumber())) {
      auto type = dyn_cast<RankedTensorType>(operand.get().getType());
      if (!type || !type.hasStaticShape())
        return rt::unimplemented("shape not known");
      SLUICE_ASSIGN_OR_RETURN(rt::Tensor numbers, numbersFor(operand.get(), next));
      inputs.push_back(std::move(numbers));
      continue;
    }
    auto constant = operand.get().getDefiningOp<nd::ConstantOp>();
    if (!constant)
      return rt::unimplemented("operand not constant");
    SLUICE_ASSIGN_OR_RETURN(rt::Tensor value, tensorOf(constant.getValue()));
    inputs.push_back(std::move(value));
  }
  return inputs;
}

static rt::Result<std::vector<rt::Tensor>> runOnNumbers(Operation *op) {
  SLUICE_ASSIGN_OR_RETURN(std::vector<rt::Tensor> inputs, inputsFor(op));
  std::vector<const rt::Tensor *> pointers;
  std::vector<rt::DType> inputTypes;
  for (const rt::Tensor &input : inputs) {
    pointers.push_back(&input);
    inputTypes.push_back(input.dtype());
  }
  std::vector<rt::DType> types(op->getNumResults(), rt::DType::kI32);
  const rt::KernelEntry *entry = rt::findKernel(op->getName().getStringRef(), inputTypes, types);
  if (!entry)
    return rt::unimplemented("no kernel");
  std::vector<rt::Tensor> outputs(op->getNumResults());
  KernelAttrs attributes(op, [](StringRef) -> int64_t { return 0; });
  SLUICE_RETURN_IF_ERROR(
      rt::runKernel(*entry->kernel, pointers, outputs, attributes.view(), types, nullptr));
  return outputs;
}

FailureOr<Moves> findMoves(Operation *op) {
  auto outputs = runOnNumbers(op);
  if (!outputs.ok())
    return failure();
  Moves moves;
  for (auto [output, result] : llvm::zip(*outputs, op->getResults())) {
    auto type = dyn_cast<RankedTensorType>(result.getType());
    if (!type || !type.hasStaticShape() || type.getNumElements() != output.elements())
      return failure();
    const int32_t *numbers = output.data<int32_t>();
    moves.emplace_back(numbers, numbers + output.elements());
  }
  return moves;
}

} // namespace sluice::codegen
