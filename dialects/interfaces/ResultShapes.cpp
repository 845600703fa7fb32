// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Shape rules called with the types of operands, and result types judged by the answer.
#include "dialects/interfaces/ResultShapes.h"

#include "dialects/nd/Nd.h"

using namespace mlir;

namespace sluice {

// No op that has a shape rule reads a resource in it.
static int64_t noResource(StringRef) { return 0; }

// No tensor can have such a shape. The op fails when it runs, so code for it must not be made,
// whose sizes would be wrong.
static rt::Status checkSize(const rt::Shape &shape) {
  constexpr int64_t kMostElementBytes = 32;
  if (!shape.isComplete())
    return rt::okStatus();
  SLUICE_ASSIGN_OR_RETURN(int64_t elements, shape.checkedElements());
  if (elements > INT64_MAX / kMostElementBytes)
    return rt::invalidArgument("byte size of shape " + shape.toString() + " overflows 64 bits");
  return rt::okStatus();
}

rt::Result<std::vector<rt::Shape>> evaluateShapes(Operation *op,
                                                  const std::vector<const rt::Shape *> &shapes,
                                                  const TensorPointers &values, rt::Sizes sizes) {
  SmallVector<rt::DType> types = kernelOutputTypes(op);
  std::vector<rt::Shape> results(types.size(), rt::Shape::unknownRank());
  const rt::KernelEntry *entry = kernelOf(op);
  if (!entry || !entry->kernel->shape)
    return results;
  KernelAttrs attrs(op, noResource);
  rt::ShapeCall call(shapes, values, attrs.view(), results, {types.data(), types.size()}, sizes);
  SLUICE_RETURN_IF_ERROR(entry->kernel->shape(call));
  for (const rt::Shape &shape : results)
    SLUICE_RETURN_IF_ERROR(checkSize(shape));
  return results;
}

// Sizes depend on few numbers.
static std::optional<rt::Tensor> smallConstant(Value value) {
  constexpr int64_t kMostElements = 1024;
  auto constant = value.getDefiningOp<nd::ConstantOp>(); // may not have been verified yet
  auto type = constant ? dyn_cast<RankedTensorType>(constant.getValue().getType()) : nullptr;
  if (!type || dtypeOf(type) == rt::DType::kString)
    return std::nullopt;
  auto elements = shapeOf(type).checkedElements();
  if (!elements.ok() || *elements > kMostElements)
    return std::nullopt;
  auto tensor = tensorOf(constant.getValue());
  return tensor.ok() ? std::optional(std::move(*tensor)) : std::nullopt;
}

SmallConstants::SmallConstants(Operation *op) {
  for (Value input : kernelInputs(op)) {
    std::optional<rt::Tensor> constant = smallConstant(input);
    values_.push_back(constant ? &tensors_.emplace_back(std::move(*constant)) : nullptr);
  }
}

rt::Result<std::vector<rt::Shape>> shapesByRule(Operation *op) {
  SmallVector<Value> inputs = kernelInputs(op);
  std::vector<rt::Shape> shapes;
  std::vector<const rt::Shape *> shapePointers;
  shapes.reserve(inputs.size());
  for (Value input : inputs)
    shapePointers.push_back(&shapes.emplace_back(shapeOf(input.getType())));
  return evaluateShapes(op, shapePointers, SmallConstants(op).values());
}

static bool saysSomething(Value result) {
  auto type = dyn_cast<TensorType>(result.getType());
  return type && type.hasRank();
}

LogicalResult verifyResultShapes(Operation *op) {
  SmallVector<Value> outputs = kernelOutputs(op);
  if (!isKernelOp(op) || llvm::none_of(outputs, saysSomething))
    return success();
  auto shapes = shapesByRule(op);
  if (!shapes.ok())
    return success();
  for (auto [number, output, shape] : llvm::enumerate(outputs, *shapes)) {
    auto type = dyn_cast<TensorType>(output.getType());
    if (!type || shapeOf(type).compatibleWith(shape))
      continue;
    return op->emitOpError("expected ")
           << tensorTypeOf(type.getElementType(), shape) << " as type of result #" << number
           << ", which follows from the operands, but got " << type;
  }
  return success();
}

} // namespace sluice
