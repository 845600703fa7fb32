// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Reading sizes and indices from operands.
#include "runtime/kernels/arguments.h"

namespace sluice::rt {

Status checkRank(int64_t rank) {
  if (rank > Shape::kMaxRank)
    return invalidArgument(format("expected a rank of at most %d but got %lld", Shape::kMaxRank,
                                  static_cast<long long>(rank)));
  return okStatus();
}

Status readShape(const Tensor &sizes, Shape &shape) {
  int64_t rank = sizes.elements();
  SLUICE_RETURN_IF_ERROR(checkRank(rank));
  shape = Shape::unknownDims(static_cast<int>(rank));
  for (int i = 0; i < rank; ++i) {
    int64_t size = sizes.asInt(i);
    if (size < 0)
      return invalidArgument(format("Dimension %lld must be >= 0", static_cast<long long>(size)));
    shape.setDim(i, size);
  }
  return shape.checkedElements().status();
}

Status shapeFromOperand(const ShapeCall &call, size_t i, const char *name, Shape &shape) {
  const Shape &operand = call.input(i);
  if (operand.hasRank() && operand.rank() != 1)
    return invalidArgument(
        format("%s must be a vector, got shape %s", name, operand.toString().c_str()));
  if (const Tensor *sizes = call.value(i))
    return readShape(*sizes, shape);
  shape = Shape::unknownRank();
  if (operand.hasRank() && operand.dim(0) >= 0) {
    SLUICE_RETURN_IF_ERROR(checkRank(operand.dim(0)));
    shape = Shape::unknownDims(static_cast<int>(operand.dim(0)));
  }
  return okStatus();
}

Shape insertDim(const Shape &shape, int64_t axis, int64_t size) {
  Shape result = Shape::unknownDims(shape.rank() + 1);
  for (int i = 0; i < result.rank(); ++i)
    result.setDim(i, i == axis ? size : shape.dim(i < axis ? i : i - 1));
  return result;
}

Shape removeDim(const Shape &shape, int64_t axis) {
  Shape result = Shape::unknownDims(shape.rank() - 1);
  for (int i = 0; i < result.rank(); ++i)
    result.setDim(i, shape.dim(i < axis ? i : i + 1));
  return result;
}

void putInt(Tensor &tensor, int64_t index, int64_t value) {
  switch (tensor.dtype()) {
#define SLUICE_CASE(E, T, N)                                                                       \
  case DType::E:                                                                                   \
    tensor.data<T>()[index] = static_cast<T>(value);                                               \
    break;
    SLUICE_INT_DTYPES(SLUICE_CASE)
#undef SLUICE_CASE
  default:
    break;
  }
}

std::string positionText(const Shape &shape, int64_t position) {
  std::string text;
  for (int i = shape.rank() - 1; i >= 0; --i) {
    text.insert(0, std::to_string(position % shape.dim(i)) + (text.empty() ? "" : ","));
    position /= shape.dim(i);
  }
  return text.empty() ? text : "[" + text + "]";
}

std::optional<int64_t> positionOfPoint(const Tensor &indices, int64_t row, int depth,
                                       const Shape &shape) {
  int64_t position = 0;
  for (int d = 0; d < depth; ++d) {
    int64_t index = indices.asInt(row * depth + d);
    if (index < 0 || index >= shape.dim(d))
      return std::nullopt;
    position = position * shape.dim(d) + index;
  }
  return position;
}

std::string indexRowText(const Tensor &indices, int64_t row, int depth) {
  std::string text = "[";
  for (int i = 0; i < depth; ++i)
    text += (i ? "," : "") + std::to_string(indices.asInt(row * depth + i));
  return text + "]";
}

std::string valuesText(const Tensor &tensor) {
  std::string text = "[";
  for (int64_t i = 0, n = tensor.elements(); i < n; ++i)
    text += (i ? " " : "") + std::to_string(tensor.asInt(i));
  return text + "]";
}

Status checkOneElement(const Shape &shape, const char *what) {
  if (!shape.isComplete() || shape.elements() == 1)
    return okStatus();
  return invalidArgument(
      format("%s must be a scalar, but got shape %s", what, shape.toString().c_str()));
}

} // namespace sluice::rt
