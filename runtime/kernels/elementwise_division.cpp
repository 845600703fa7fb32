// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Division, remainders and powers. The integer versions look at the second operand first, because
// their loops cannot report an error.
#include "runtime/base/pieces.h"
#include "runtime/elements/division.h"
#include "runtime/kernels/declare.h"
#include "runtime/kernels/elementwise.h"

#include <atomic>

namespace sluice::rt {
namespace {

template <typename Condition, typename T> Status checkSecondOperand(KernelCall &call) {
  const Tensor &y = call.input(1);
  auto *values = y.data<T>();
  if (call.output(0).elements() == 0) // no element is ever used
    return okStatus();
  std::atomic<bool> isBroken = false;
  forPieces(y.elements(), costOfElement<T>(), [&](int64_t begin, int64_t end) {
#pragma clang loop vectorize(disable) unroll(disable)
    for (int64_t i = begin; i < end; ++i)
      if (Condition::isBrokenBy(values[i]))
        return isBroken.store(true, std::memory_order_relaxed);
  });
  return isBroken ? invalidArgument(Condition::kError) : okStatus();
}

template <typename Function, typename Condition, typename T> struct DivisionKernel {
  static constexpr bool kChecks = Condition::template kApplies<T>;
  // What vectors compute.
  static constexpr bool kIsCheap =
      std::is_same_v<Function, element::Div>
          ? !kIsInt<T>
          : std::is_same_v<Function, element::Pow> && element::kIsF32<T>;
  using Elements = BinaryKernel<Function, T, T, kIsCheap>;

  // Of a division, or of a power.
  static constexpr int64_t kCost = 4 * costOfElement<T>();

  static Status run(KernelCall &call) {
    SLUICE_RETURN_IF_ERROR((checkSecondOperand<Condition, T>(call)));
    return runElementwise(call, Elements::loop, kCost);
  }
  static constexpr Kernel kernel(WorkFn work) {
    if constexpr (kChecks)
      return {broadcastShapeRule, run, Kernel::kInPlace, nullptr, work};
    else
      return Elements::kernel(work);
  }
};

} // namespace

#define SLUICE_DIVISION(OP, FUNCTION, SET, CONDITION, WORK)                                        \
  template <typename T> static constexpr Kernel nd_##OP##_kernel() {                               \
    return DivisionKernel<element::FUNCTION, element::CONDITION, T>::kernel(WORK);                 \
  }                                                                                                \
  SLUICE_DEFINE_KERNELS(nd_##OP, SET)
#include "runtime/elements/elements.def"

} // namespace sluice::rt
