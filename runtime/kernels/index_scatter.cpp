// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Kernels between indices and dense tensors: scatter_nd, one_hot, where.
#include "runtime/base/arithmetic.h"
#include "runtime/base/pieces.h"
#include "runtime/kernels/arguments.h"
#include "runtime/kernels/attributes/nd.h"
#include "runtime/kernels/declare.h"
#include "runtime/kernels/movement.h"
#include "runtime/kernels/update_points.h"

#include <vector>

namespace sluice::rt {

namespace {

Status scatterNdShape(ShapeCall &call) {
  const Shape &indices = call.input(0), &updates = call.input(1);
  if (indices.rank() == 0)
    return invalidArgument("indices must be at least a vector");
  SLUICE_RETURN_IF_ERROR(shapeFromOperand(call, 2, "shape", call.output(0)));
  if (!indices.hasRank() || !call.output(0).hasRank())
    return okStatus();
  return checkPoints(indices, updates, call.output(0), call.sizes());
}

// What it costs to find a point, and to change an element there.
constexpr int64_t kCostOfPoint = 32, kCostOfElement = 8;

template <typename T> Status scatterNdRun(KernelCall &call) {
  const Tensor &indices = call.input(0), &updates = call.input(1);
  Tensor &output = call.output(0);
  int depth = static_cast<int>(depthOfPoints(indices.shape()));
  int64_t inner = elementsBetween(output.shape(), depth, output.rank());
  int64_t count = dimsOfPoints(indices.shape()).elements();
  clearElements(output);
  const T *from = updates.data<T>();
  T *to = output.data<T>();
  TurnsOfCall turns(kCostOfPoint + costOfAll(inner, kCostOfElement));
  for (int64_t i = 0; i < count && (depth > 0 || updates.elements() > 0) && !turns.end(); ++i) {
    std::optional<int64_t> row = positionOfPoint(indices, i, depth, output.shape());
    if (!row)
      return invalidArgument(format("indices%s = %s does not index into shape %s",
                                    positionText(dimsOfPoints(indices.shape()), i).c_str(),
                                    indexRowText(indices, i, depth).c_str(),
                                    output.shape().toString().c_str()));
    T *there = to + *row * inner;
    const T *here = from + i * inner;
    forPieces(updates.elements() > 0 ? inner : 0, kCostOfElement, [=](int64_t begin, int64_t end) {
      for (int64_t k = begin; k < end; ++k)
        there[k] = wrapAdd(there[k], here[k]);
    });
  }
  return okStatus();
}
template <typename T> constexpr Kernel nd_scatter_nd_kernel() {
  return {scatterNdShape, scatterNdRun<T>};
}

Status oneHotShape(ShapeCall &call) {
  static constexpr const char *names[] = {"", "depth", "on_value", "off_value"};
  for (size_t i = 1; i < 4; ++i)
    if (call.input(i).hasRank() && call.input(i).rank() != 0)
      return invalidArgument(
          format("%s must be a scalar, but got: %s", names[i], call.input(i).toString().c_str()));
  const Tensor *depthValue = call.value(1);
  int64_t depth = depthValue ? depthValue->asInt() : Shape::kUnknown;
  if (depthValue && depth < 0)
    return invalidArgument(
        format("depth must be non-negative, got: %lld", static_cast<long long>(depth)));
  const Shape &indices = call.input(0);
  call.output(0) = Shape::unknownRank();
  if (!indices.hasRank())
    return okStatus();
  SLUICE_RETURN_IF_ERROR(checkRank(indices.rank() + 1));
  int64_t axis = attributes::nd::OneHot(call).axis();
  if (axis < -1 || axis > indices.rank())
    return invalidArgument(format("Expected axis to be -1 or between [0, %d).  But received: %lld",
                                  indices.rank() + 1, static_cast<long long>(axis)));
  call.output(0) = insertDim(indices, axis < 0 ? indices.rank() : axis, depth);
  return okStatus();
}
Status oneHotRun(KernelCall &call) {
  const Tensor &indices = call.input(0);
  Tensor &output = call.output(0);
  SLUICE_RETURN_IF_ERROR(fillElements(call.input(3), output));
  if (output.elements() == 0)
    return okStatus();
  int64_t depth = call.input(1).asInt(), axis = attributes::nd::OneHot(call).axis();
  int split = axis < 0 ? indices.rank() : static_cast<int>(axis);
  int64_t inner = elementsBetween(indices.shape(), split, indices.rank());
  forPieces(indices.elements(), kCostOfPoint, [&](int64_t begin, int64_t end) {
    for (int64_t i = begin; i < end; ++i) {
      int64_t hot = indices.asInt(i);
      // What is out of range is nowhere hot.
      if (hot < 0 || hot >= depth)
        continue;
      int64_t to = (i / inner * depth + hot) * inner + i % inner;
      (void)copyElements(call.input(2), 0, output, to, 1).ok(); // as fill has moved one
    }
  });
  return okStatus();
}

Status whereShape(ShapeCall &call) {
  call.output(0) = Shape{Shape::kUnknown, call.input(0).rank()};
  return okStatus();
}

template <typename T> void listSet(const Tensor &input, std::vector<int64_t> &positions) {
  const T *elements = input.data<T>();
  TurnsOfCall turns(kCostOfElement);
  for (int64_t i = 0, n = input.elements(); i < n && !turns.end(); ++i)
    if constexpr (kIsSmallFloat<T>) {
      if (float(elements[i]) != 0)
        positions.push_back(i);
    } else {
      if (elements[i] != T(0))
        positions.push_back(i);
    }
}

Status whereRun(KernelCall &call) {
  const Tensor &input = call.input(0);
  std::vector<int64_t> positions;
  switch (input.dtype()) {
#define SLUICE_CASE(E, T, N)                                                                       \
  case DType::E:                                                                                   \
    listSet<T>(input, positions);                                                                  \
    break;
    SLUICE_NUMBER_DTYPES(SLUICE_CASE)
    SLUICE_CASE(kBool, bool, bool)
#undef SLUICE_CASE
  default:
    return unimplemented("cannot compare elements of type " +
                         std::string(dtypeName(input.dtype())) + " with 0");
  }
  if (Cancellation::requestedHere())
    return cancelledWork();
  int64_t count = static_cast<int64_t>(positions.size());
  SLUICE_ASSIGN_OR_RETURN(call.output(0),
                          Tensor::allocate(DType::kI64, Shape{count, input.rank()}));
  int64_t *points = call.output(0).data<int64_t>();
  forPieces(count, kCostOfPoint, [&](int64_t begin, int64_t end) {
    for (int64_t i = begin; i < end; ++i) {
      int64_t position = positions[static_cast<size_t>(i)];
      for (int d = input.rank() - 1; d >= 0; --d) {
        points[i * input.rank() + d] = position % input.dim(d);
        position /= input.dim(d);
      }
    }
  });
  return okStatus();
}

} // namespace

SLUICE_DEFINE_KERNELS(nd_scatter_nd, NUMBER)
SLUICE_DEFINE_KERNEL(nd_one_hot, {oneHotShape, oneHotRun})
SLUICE_DEFINE_KERNEL(nd_where, {whereShape, whereRun, Kernel::kAllocates})

} // namespace sluice::rt
