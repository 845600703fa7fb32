// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The host looks at indices for a card, which cannot tell anybody that one is out of range.
#include "runtime/base/pieces.h"
#include "runtime/kernels/arguments.h"
#include "runtime/kernels/attributes.h"
#include "runtime/kernels/declare.h"

namespace sluice::rt {

namespace {

constexpr int64_t kCostOfIndex = 8;

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

} // namespace

SLUICE_DEFINE_EFFECT_KERNEL(state_check_range, nullptr, checkRangeRun)

} // namespace sluice::rt
