// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Shape rules that many ops share.
#include "runtime/kernels/shape_rules.h"

#include "runtime/kernels/attributes/nd.h"

#include <algorithm>

namespace sluice::rt {

Status sameShapeRule(ShapeCall &call) {
  call.output(0) = call.input(0);
  return okStatus();
}

Status scalarShapeRule(ShapeCall &call) {
  call.output(0) = Shape{};
  return okStatus();
}

namespace {
// The broadcast of two dims, or nothing when they are known to differ and neither is 1.
bool broadcastDims(int64_t a, int64_t b, const Sizes &sizes, int64_t &result) {
  if (a == b || b == 1)
    result = a;
  else if (a == 1)
    result = b;
  else if (a < 0 || b < 0)
    result = sizes.same(a, b); // the unknown one must be 1 or equal the known one
  else
    return false;
  return true;
}
} // namespace

Result<Shape> broadcastShapes(const Shape &a, const Shape &b, const Sizes &sizes) {
  if (!a.hasRank() || !b.hasRank())
    return Shape::unknownRank();
  const Shape &longer = a.rank() >= b.rank() ? a : b;
  const Shape &shorter = a.rank() >= b.rank() ? b : a;
  Shape result = longer;
  int missing = longer.rank() - shorter.rank();
  for (int i = 0; i < shorter.rank(); ++i) {
    int64_t dim;
    if (!broadcastDims(longer.dim(missing + i), shorter.dim(i), sizes, dim))
      return invalidArgument("Incompatible shapes: " + a.toString() + " vs. " + b.toString());
    result.setDim(missing + i, dim);
  }
  return result;
}

Status broadcastShapeRule(ShapeCall &call) {
  Shape result = call.input(0);
  for (size_t i = 1; i < call.numInputs(); ++i) {
    SLUICE_ASSIGN_OR_RETURN(result, broadcastShapes(result, call.input(i), call.sizes()));
  }
  call.output(0) = std::move(result);
  return okStatus();
}

bool mergeShapes(const Shape &a, const Shape &b, Shape &merged, const Sizes &sizes) {
  if (!a.compatibleWith(b))
    return false;
  Shape both = a.hasRank() ? a : b; // `merged` may be one of the operands
  if (a.hasRank() && b.hasRank())
    for (int i = 0; i < a.rank(); ++i)
      both.setDim(i, sizes.same(a.dim(i), b.dim(i)));
  merged = std::move(both);
  return true;
}

Result<AxisSet> reductionAxes(const Tensor &axes, int rank) {
  if (axes.rank() > 1)
    return invalidArgument("Expected reduction axes of rank 0 or 1 but got shape " +
                           axes.shape().toString());
  AxisSet set;
  for (int64_t i = 0, n = axes.elements(); i < n; ++i) {
    int64_t axis = axes.asInt(i);
    if (axis < -rank || axis >= rank)
      return invalidArgument(
          format("Invalid reduction dimension (%lld for input with %d dimension(s)",
                 static_cast<long long>(axis), rank));
    size_t index = static_cast<size_t>(axis < 0 ? axis + rank : axis);
    if (set[index])
      return invalidArgument(
          format("Invalid reduction arguments: Axes contains duplicate dimension: %zu", index));
    set.set(index);
  }
  return set;
}

namespace {
// The axes' values are not known, at best their number. Duplicates are errors: it gives the rank.
Shape reducedRankOnly(const Shape &input, const Shape &axes, bool keepDims) {
  if (keepDims)
    return Shape::unknownDims(input.rank());
  if (axes.isScalar())
    return input.rank() > 0 ? Shape::unknownDims(input.rank() - 1) : Shape::unknownRank();
  if (axes.rank() == 1 && axes.dim(0) == 0)
    return input;
  if (axes.rank() == 1 && axes.dim(0) > 0 && axes.dim(0) <= input.rank())
    return Shape::unknownDims(input.rank() - static_cast<int>(axes.dim(0)));
  return Shape::unknownRank();
}
} // namespace

Status reductionShapeRule(ShapeCall &call) {
  const Shape &input = call.input(0);
  bool keepDims = attributes::nd::ReduceSum(call).keepDims();
  call.output(0) = Shape::unknownRank();
  if (!input.hasRank())
    return okStatus();
  if (!call.value(1)) {
    call.output(0) = reducedRankOnly(input, call.input(1), keepDims);
    return okStatus();
  }
  SLUICE_ASSIGN_OR_RETURN(AxisSet axes, reductionAxes(*call.value(1), input.rank()));
  Shape result;
  for (int i = 0; i < input.rank(); ++i) {
    if (!axes[static_cast<size_t>(i)])
      result.append(input.dim(i));
    else if (keepDims)
      result.append(1);
  }
  call.output(0) = std::move(result);
  return okStatus();
}

uint64_t largestInput(const KernelCall &call) {
  int64_t most = 0;
  for (size_t i = 0; i < call.numInputs(); ++i)
    most = std::max(most, call.input(i).elements());
  return static_cast<uint64_t>(most);
}

uint64_t transcendentalWork(const KernelCall &call) { return 16 * largestInput(call); }

} // namespace sluice::rt
