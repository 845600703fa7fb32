// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Kernels that reorder or repeat whole dims: transpose, tile, reverse.
#include "runtime/base/pieces.h"
#include "runtime/kernels/arguments.h"
#include "runtime/kernels/attributes/nd.h"
#include "runtime/kernels/declare.h"
#include "runtime/kernels/movement.h"

namespace sluice::rt {

namespace {

// Which input dim each output dim is. INVALID_ARGUMENT unless that is a permutation.
Status readPermutation(const Tensor &perm, int rank, int *from) {
  bool seen[Shape::kMaxRank] = {};
  for (int i = 0; i < rank; ++i) {
    int64_t axis = perm.asInt(i);
    if (!normalizeAxis(axis, rank))
      return invalidArgument(
          format("%lld is out of range [0 .. %d)", static_cast<long long>(axis), rank));
    from[i] = static_cast<int>(axis);
    seen[axis] = true;
  }
  for (int i = 0; i < rank; ++i)
    if (!seen[i]) {
      std::string text = valuesText(perm);
      for (char &c : text)
        c = c == ' ' ? ',' : c == '[' ? '{' : c == ']' ? '}' : c;
      return invalidArgument(format("%d is missing from %s.", i, text.c_str()));
    }
  return okStatus();
}

Status transposeShape(ShapeCall &call) {
  const Shape &input = call.input(0), &permShape = call.input(1);
  int64_t rank = input.rank();
  if (permShape.hasRank() && permShape.rank() != 1)
    return invalidArgument("perm must be rank 1, got shape " + permShape.toString());
  if (permShape.isComplete() && rank >= 0 && permShape.dim(0) != rank)
    return invalidArgument(
        format("transpose expects a vector of size %lld. But input(1) is a vector of size %lld",
               static_cast<long long>(rank), static_cast<long long>(permShape.dim(0))));
  if (permShape.isComplete())
    rank = permShape.dim(0);
  SLUICE_RETURN_IF_ERROR(checkRank(rank));
  Shape output = rank < 0 ? Shape::unknownRank() : Shape::unknownDims(static_cast<int>(rank));
  if (const Tensor *perm = call.value(1)) {
    int from[Shape::kMaxRank];
    SLUICE_RETURN_IF_ERROR(readPermutation(*perm, output.rank(), from));
    for (int i = 0; input.hasRank() && i < output.rank(); ++i)
      output.setDim(i, input.dim(from[i]));
  }
  call.output(0) = output;
  return okStatus();
}

template <typename T> void conjugate(Tensor &tensor) {
  T *elements = tensor.data<T>();
  forPieces(tensor.elements(), sizeof(T), [=](int64_t begin, int64_t end) {
    for (int64_t i = begin; i < end; ++i)
      elements[i] = std::conj(elements[i]);
  });
}

Status transposeRun(KernelCall &call) {
  const Shape &input = call.input(0).shape(), &output = call.output(0).shape();
  int from[Shape::kMaxRank];
  SLUICE_RETURN_IF_ERROR(readPermutation(call.input(1), input.rank(), from));
  if (output.elements() == 0)
    return okStatus();
  Strides inputStrides(input), outputStrides(output);
  Movement movement;
  for (int i = 0; i < output.rank(); ++i)
    movement.addDim(output.dim(i), inputStrides[from[i]], outputStrides[i]);
  SLUICE_RETURN_IF_ERROR(movement.run(call.input(0), call.output(0)));
  bool conjugates = attributes::nd::Transpose(call).conjugate();
  if (conjugates && call.output(0).dtype() == DType::kC64)
    conjugate<std::complex<float>>(call.output(0));
  if (conjugates && call.output(0).dtype() == DType::kC128)
    conjugate<std::complex<double>>(call.output(0));
  return okStatus();
}

Status tileShape(ShapeCall &call) {
  const Shape &input = call.input(0), &multiplesShape = call.input(1);
  if (multiplesShape.hasRank() && multiplesShape.rank() != 1)
    return invalidArgument("Expected multiples to be 1-D, but got shape " +
                           multiplesShape.toString());
  int64_t rank = input.rank();
  if (multiplesShape.isComplete() && rank >= 0 && multiplesShape.dim(0) != rank)
    return invalidArgument(
        format("Expected multiples argument to be a vector of length %lld but got length %lld",
               static_cast<long long>(rank), static_cast<long long>(multiplesShape.dim(0))));
  if (multiplesShape.isComplete())
    rank = multiplesShape.dim(0);
  SLUICE_RETURN_IF_ERROR(checkRank(rank));
  Shape output = rank < 0 ? Shape::unknownRank() : Shape::unknownDims(static_cast<int>(rank));
  const Tensor *multiples = call.value(1);
  for (int i = 0; multiples && i < output.rank(); ++i) {
    int64_t times = multiples->asInt(i), size = input.hasRank() ? input.dim(i) : -1;
    if (times < 0)
      return invalidArgument(
          format("Expected multiples[%d] >= 0, but got %lld", i, static_cast<long long>(times)));
    if (size >= 0 && __builtin_mul_overflow(size, times, &size))
      return invalidArgument(format("dim %d of the tiled tensor overflows 64 bits", i));
    output.setDim(i, times == 0 ? 0 : size < 0 ? call.sizes().multiply(size, times) : size);
  }
  call.output(0) = output;
  return okStatus();
}
Status tileRun(KernelCall &call) {
  const Shape &input = call.input(0).shape(), &output = call.output(0).shape();
  if (output.elements() == 0)
    return okStatus();
  Strides from(input), to(output);
  Movement movement;
  for (int i = 0; i < input.rank(); ++i) {
    movement.addDim(call.input(1).asInt(i), 0, input.dim(i) * to[i]);
    movement.addDim(input.dim(i), from[i], to[i]);
  }
  return movement.run(call.input(0), call.output(0));
}

Status readReversed(const Tensor &axes, int rank, bool *reversed) {
  for (int64_t i = 0, n = axes.elements(); i < n; ++i) {
    int64_t axis = axes.asInt(i);
    if (!normalizeAxis(axis, rank))
      return invalidArgument(format("'axis'[%lld] = %lld is out of valid range [0, %d)",
                                    static_cast<long long>(i), static_cast<long long>(axis), rank));
    if (reversed[axis])
      return invalidArgument(
          format("axis %lld specified more than once.", static_cast<long long>(axis)));
    reversed[axis] = true;
  }
  return okStatus();
}

Status reverseShape(ShapeCall &call) {
  if (call.input(1).hasRank() && call.input(1).rank() != 1)
    return invalidArgument("'dims' must be 1-dimension, not " + call.input(1).toString());
  call.output(0) = call.input(0);
  bool reversed[Shape::kMaxRank] = {};
  if (call.value(1) && call.input(0).hasRank())
    return readReversed(*call.value(1), call.input(0).rank(), reversed);
  return okStatus();
}
Status reverseRun(KernelCall &call) {
  const Shape &shape = call.input(0).shape();
  bool reversed[Shape::kMaxRank] = {};
  SLUICE_RETURN_IF_ERROR(readReversed(call.input(1), shape.rank(), reversed));
  if (shape.elements() == 0)
    return okStatus();
  Strides strides(shape);
  Movement movement;
  int64_t start = 0;
  for (int i = 0; i < shape.rank(); ++i) {
    start += reversed[i] ? (shape.dim(i) - 1) * strides[i] : 0;
    movement.addDim(shape.dim(i), reversed[i] ? -strides[i] : strides[i], strides[i]);
  }
  movement.startAt(start, 0);
  return movement.run(call.input(0), call.output(0));
}

} // namespace

SLUICE_DEFINE_KERNEL(nd_transpose, {transposeShape, transposeRun})
SLUICE_DEFINE_KERNEL(nd_tile, {tileShape, tileRun})
SLUICE_DEFINE_KERNEL(nd_reverse, {reverseShape, reverseRun})

} // namespace sluice::rt
