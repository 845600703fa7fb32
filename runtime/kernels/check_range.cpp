// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The host looks at indices and divisors for a card, which cannot tell anybody of a bad one.
#include "runtime/base/pieces.h"
#include "runtime/elements/division.h"
#include "runtime/kernels/arguments.h"
#include "runtime/kernels/attributes/state.h"
#include "runtime/kernels/declare.h"
#include "runtime/kernels/update_points.h"

namespace sluice::rt {

namespace {

constexpr int64_t kCostOfIndex = 8, kCostOfNumber = 4;

Status checkRangeRun(KernelCall &call) {
  attributes::state::CheckRange attributes(call);
  const Tensor &indices = call.input(0);
  const int64_t size = call.input(1).dim(static_cast<int>(attributes.dim()));
  const int64_t least = attributes.allowsNegative() ? std::numeric_limits<int64_t>::min() : 0;
  TurnsOfCall turns(kCostOfIndex);
  for (int64_t i = 0, n = indices.elements(); i < n && !turns.end(); ++i)
    if (int64_t index = indices.asInt(i); index < least || index >= size)
      return invalidArgument(
          format("%s%s = %lld %s [0, %lld)", std::string(attributes.name()).c_str(),
                 positionText(indices.shape(), i).c_str(), static_cast<long long>(index),
                 std::string(attributes.fails()).c_str(), static_cast<long long>(size)));
  return Cancellation::requestedHere() ? cancelledWork() : okStatus();
}

Status checkPointsRun(KernelCall &call) {
  attributes::state::CheckPoints attributes(call);
  const Tensor &indices = call.input(0);
  const Shape &of = call.input(1).shape(), &all = indices.shape();
  const bool areColumns = attributes.columns() && all.rank() == 1;
  const Shape points = areColumns ? all : removeDim(all, all.rank() - 1);
  const int depth = areColumns ? 1 : static_cast<int>(all.dim(all.rank() - 1));
  if (depth == 0) // which points at all there is, as often as it may be
    return okStatus();
  TurnsOfCall turns(kCostOfIndex * depth);
  for (int64_t i = 0, n = points.elements(); i < n && !turns.end(); ++i)
    if (!positionOfPoint(indices, i, depth, of))
      return invalidArgument(format("indices%s = %s %s %s", positionText(points, i).c_str(),
                                    indexRowText(indices, i, depth).c_str(),
                                    std::string(attributes.fails()).c_str(),
                                    of.toString().c_str()));
  return Cancellation::requestedHere() ? cancelledWork() : okStatus();
}

template <typename Condition> Status checkAll(const Tensor &numbers) {
  TurnsOfCall turns(kCostOfNumber);
  for (int64_t i = 0, n = numbers.elements(); i < n && !turns.end(); ++i)
    if (Condition::isBrokenBy(numbers.asInt(i)))
      return invalidArgument(Condition::kError);
  return Cancellation::requestedHere() ? cancelledWork() : okStatus();
}

Status checkNumbersRun(KernelCall &call) {
  if (call.input(1).elements() == 0) // nobody asks for the quotient of any
    return okStatus();
  return attributes::state::CheckNumbers(call).refused() == "zero"
             ? checkAll<element::NotZero>(call.input(0))
             : checkAll<element::NotNegative>(call.input(0));
}

} // namespace

SLUICE_DEFINE_EFFECT_KERNEL(state_check_numbers, nullptr, checkNumbersRun)
SLUICE_DEFINE_EFFECT_KERNEL(state_check_points, nullptr, checkPointsRun)
SLUICE_DEFINE_EFFECT_KERNEL(state_check_range, nullptr, checkRangeRun)

} // namespace sluice::rt
