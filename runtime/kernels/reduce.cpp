// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Sums, means, products, extrema and logical reductions over axes; l2_loss.
#include "runtime/kernels/attribute_table.h"
#include "runtime/kernels/declare.h"
#include "runtime/kernels/reducers.h"

namespace sluice::rt {
namespace {

Status runWholeReduction(KernelCall &call, const Reducer &reducer) {
  AxisSet axes;
  const Tensor &input = call.input(0);
  reduceAxes(input.shape().dims(), axes.set(), input.raw(), call.output(0).raw(), reducer);
  return okStatus();
}

template <typename Op, typename T> constexpr Kernel reductionKernel() {
  return {reductionShapeRule,
          [](KernelCall &call) { return runReduction(call, ReducerOf<Op, T>::reducer); }};
}

template <typename T> constexpr Kernel nd_l2_loss_kernel() {
  return {scalarShapeRule, [](KernelCall &call) {
            return runWholeReduction(call, ReducerOf<element::HalfSumOfSquares, T>::reducer);
          }};
}

} // namespace

// The shape rule of all of them reads the attributes of one.
#define SLUICE_REDUCTION(OP, REDUCTION, SET)                                                       \
  static_assert(attributes::readAs<attributes::nd::ReduceSum>("nd." #OP),                          \
                "expected a reduction to have the attributes of all others");                      \
  template <typename T> static constexpr Kernel nd_##OP##_kernel() {                               \
    return reductionKernel<element::REDUCTION, T>();                                               \
  }                                                                                                \
  SLUICE_DEFINE_KERNELS(nd_##OP, SET)
#include "runtime/elements/reductions.def"

SLUICE_DEFINE_KERNELS(nd_l2_loss, FLOAT)

} // namespace sluice::rt
