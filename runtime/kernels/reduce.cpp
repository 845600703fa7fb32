// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Sums, means, products, extrema and logical reductions over axes; l2_loss.
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

template <template <typename> typename Op, typename T> constexpr Kernel reductionKernel() {
  return {reductionShapeRule, [](KernelCall &call) {
            return runReduction(call, ReducerOf<Op<Compute<T>>, T>::reducer);
          }};
}
template <typename T> constexpr Kernel nd_reduce_sum_kernel() { return reductionKernel<Sum, T>(); }
template <typename T> constexpr Kernel nd_reduce_mean_kernel() {
  return reductionKernel<Mean, T>();
}
template <typename T> constexpr Kernel nd_reduce_prod_kernel() {
  return reductionKernel<Prod, T>();
}
template <typename T> constexpr Kernel nd_reduce_max_kernel() { return reductionKernel<Max, T>(); }
template <typename T> constexpr Kernel nd_reduce_min_kernel() { return reductionKernel<Min, T>(); }
template <typename T> constexpr Kernel nd_reduce_all_kernel() { return reductionKernel<All, T>(); }
template <typename T> constexpr Kernel nd_reduce_any_kernel() { return reductionKernel<Any, T>(); }

template <typename T> constexpr Kernel nd_l2_loss_kernel() {
  return {scalarShapeRule, [](KernelCall &call) {
            return runWholeReduction(call, ReducerOf<HalfSumOfSquares<Compute<T>>, T>::reducer);
          }};
}

} // namespace

SLUICE_DEFINE_KERNELS(nd_reduce_sum, NUMBER)
SLUICE_DEFINE_KERNELS(nd_reduce_mean, NUMBER)
SLUICE_DEFINE_KERNELS(nd_reduce_prod, NUMBER)
SLUICE_DEFINE_KERNELS(nd_reduce_max, REAL)
SLUICE_DEFINE_KERNELS(nd_reduce_min, REAL)
SLUICE_DEFINE_KERNELS(nd_reduce_all, BOOL)
SLUICE_DEFINE_KERNELS(nd_reduce_any, BOOL)
SLUICE_DEFINE_KERNELS(nd_l2_loss, FLOAT)

} // namespace sluice::rt
