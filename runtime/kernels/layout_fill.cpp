// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Kernels that make elements from few values: fill, pad, range.
#include "runtime/base/arithmetic.h"
#include "runtime/base/pieces.h"
#include "runtime/kernels/arguments.h"
#include "runtime/kernels/declare.h"
#include "runtime/kernels/layout_pad.h"
#include "runtime/kernels/movement.h"

#include <cmath>

namespace sluice::rt {

namespace {

Status checkPaddings(const Shape &input, const Shape &paddings) {
  bool wrong = paddings.hasRank() && paddings.rank() != 2;
  if (paddings.rank() == 2)
    wrong = paddings.dim(1) >= 0 && paddings.dim(1) != 2;
  if (wrong)
    return invalidArgument("paddings must be a matrix with 2 columns: " + paddings.toString());
  if (paddings.rank() == 2 && paddings.dim(0) >= 0 && input.hasRank() &&
      paddings.dim(0) != input.rank())
    return invalidArgument("The first dimension of paddings must be the rank of inputs" +
                           paddings.toString() + " " + input.toString());
  return okStatus();
}

} // namespace

Status paddedShapeRule(ShapeCall &call) {
  const Shape &input = call.input(0), &paddingsShape = call.input(1);
  SLUICE_RETURN_IF_ERROR(checkPaddings(input, paddingsShape));
  int64_t rank = input.rank();
  if (rank < 0 && paddingsShape.rank() == 2)
    rank = paddingsShape.dim(0);
  SLUICE_RETURN_IF_ERROR(checkRank(rank));
  Shape output = rank < 0 ? Shape::unknownRank() : Shape::unknownDims(static_cast<int>(rank));
  const Tensor *paddings = call.value(1);
  for (int i = 0; paddings && i < output.rank(); ++i) {
    int64_t before = paddings->asInt(2 * i), after = paddings->asInt(2 * i + 1);
    if (before < 0 || after < 0)
      return invalidArgument(format("Paddings must be non-negative: %lld %lld",
                                    static_cast<long long>(before), static_cast<long long>(after)));
    int64_t size = input.hasRank() ? input.dim(i) : Shape::kUnknown, all;
    if (size >= 0 &&
        (__builtin_add_overflow(size, before, &all) || __builtin_add_overflow(all, after, &all)))
      return invalidArgument(format("dim %d of the padded tensor overflows 64 bits", i));
    output.setDim(i, call.sizes().add(call.sizes().add(size, before), after));
  }
  call.output(0) = output;
  return okStatus();
}

namespace {

Status fillShape(ShapeCall &call) {
  const Shape &value = call.input(1);
  if (value.hasRank() && value.rank() != 0)
    return invalidArgument("value must be a scalar, got shape " + value.toString());
  return shapeFromOperand(call, 0, "dims", call.output(0));
}
Status fillRun(KernelCall &call) { return fillElements(call.input(1), call.output(0)); }

Status padShape(ShapeCall &call) {
  SLUICE_RETURN_IF_ERROR(paddedShapeRule(call));
  return checkOneElement(call.input(2), "constant_values");
}
Status padRun(KernelCall &call) {
  const Shape &input = call.input(0).shape(), &output = call.output(0).shape();
  SLUICE_RETURN_IF_ERROR(fillElements(call.input(2), call.output(0)));
  if (input.elements() == 0)
    return okStatus();
  Strides from(input), to(output);
  Movement movement;
  int64_t start = 0;
  for (int i = 0; i < input.rank(); ++i) {
    start += call.input(1).asInt(2 * i) * to[i];
    movement.addDim(input.dim(i), from[i], to[i]);
  }
  movement.startAt(0, start);
  return movement.run(call.input(0), call.output(0));
}

std::string numberText(double value) { return format("%g", value); }
template <typename T>
std::string numberText(T value)
  requires std::is_integral_v<T>
{
  return std::to_string(value);
}

// How many values lie in [start, limit) by steps of delta. Integers are counted exactly: their
// distance may need one bit more than they have.
template <typename T> Status countRange(T start, T limit, T delta, int64_t &count) {
  if constexpr (std::is_integral_v<T>) {
    unsigned __int128 distance =
        delta > T(0) ? __int128(limit) - __int128(start) : __int128(start) - __int128(limit);
    unsigned __int128 step = delta > T(0) ? __int128(delta) : -__int128(delta);
    unsigned __int128 steps = (distance + step - 1) / step;
    if (steps <= static_cast<unsigned __int128>(INT64_MAX)) {
      count = static_cast<int64_t>(steps);
      return okStatus();
    }
  } else {
    // In the op's own precision, as the number of values must not depend on wider arithmetic.
    using F = std::conditional_t<std::is_same_v<T, double>, double, float>;
    F steps = std::ceil(std::abs(F(T(F(limit) - F(start))) / F(delta)));
    if (steps < F(9.2e18)) { // false for NaN
      count = static_cast<int64_t>(steps);
      return okStatus();
    }
  }
  return invalidArgument("Requires ((limit - start) / delta) <= 9223372036854775807");
}

template <typename T> Status rangeShape(ShapeCall &call) {
  static constexpr const char *names[] = {"start", "limit", "delta"};
  call.output(0) = Shape{Shape::kUnknown};
  bool known = true;
  for (size_t i = 0; i < 3; ++i) {
    const Shape &operand = call.input(i);
    if (operand.hasRank() && operand.rank() != 0 &&
        !(operand.isComplete() && operand.elements() == 1 && operand.rank() == 1))
      return invalidArgument(
          format("%s must be a scalar, but got shape %s", names[i], operand.toString().c_str()));
    known = known && call.value(i);
  }
  // A delta of 0 is wrong whatever the rest is.
  if (call.value(2) && *call.value(2)->template data<T>() == T(0))
    return invalidArgument("Requires delta != 0: 0");
  if (!known)
    return okStatus();
  T start = *call.value(0)->template data<T>(), limit = *call.value(1)->template data<T>(),
    delta = *call.value(2)->template data<T>();
  std::string bounds = numberText(start) + "/" + numberText(limit);
  if (delta > T(0) && start > limit)
    return invalidArgument("Requires start <= limit when delta > 0: " + bounds);
  if (delta < T(0) && start < limit)
    return invalidArgument("Requires start >= limit when delta < 0: " + bounds);
  int64_t count = 0;
  SLUICE_RETURN_IF_ERROR(countRange(start, limit, delta, count));
  call.output(0) = Shape{count};
  return okStatus();
}
// Adds up rather than multiplies, so that rounding errors are those of TensorFlow.
template <typename T> Status rangeRun(KernelCall &call) {
  T value = *call.input(0).data<T>(), delta = *call.input(2).data<T>();
  T *to = call.output(0).data<T>();
  TurnsOfCall turns(sizeof(T));
  for (int64_t i = 0, n = call.output(0).elements(); i < n && !turns.end(); ++i) {
    to[i] = value;
    value = wrapAdd(value, delta);
  }
  return okStatus();
}
template <typename T> constexpr Kernel nd_range_kernel() { return {rangeShape<T>, rangeRun<T>}; }

} // namespace

SLUICE_DEFINE_KERNEL(nd_fill, {fillShape, fillRun})
SLUICE_DEFINE_KERNEL(nd_pad, {padShape, padRun})
SLUICE_DEFINE_KERNELS(nd_range, REAL)

} // namespace sluice::rt
