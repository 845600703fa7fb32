// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Kernels of special functions that are sums, computed in f64, whose result is rounded once.
#include "runtime/base/arithmetic.h"
#include "runtime/kernels/broadcast.h"
#include "runtime/kernels/declare.h"
#include "runtime/kernels/shape_rules.h"
#include "runtime/kernels/special_functions.h"

namespace sluice::rt {
namespace {

// What an element costs at most, for pieces and as work: a sum of some dozens of terms, or of many.
constexpr int64_t kCostOfSum = 1024, kCostOfLongSum = 1 << 15;

uint64_t workOfSums(const KernelCall &call) { return 256 * largestInput(call); }
uint64_t workOfLongSums(const KernelCall &call) { return 8192 * largestInput(call); }

template <typename T> double wide(const void *element) {
  return static_cast<Compute<T>>(*static_cast<const T *>(element));
}

// Of one to three operands.
template <typename T, auto kFunction> struct FunctionKernel {
  template <typename... D> static T apply(D... x) {
    return static_cast<T>(static_cast<Compute<T>>(kFunction(x...)));
  }
  static T element(const void *const *in) {
    if constexpr (std::is_invocable_v<decltype(kFunction), double>)
      return apply(wide<T>(in[0]));
    else if constexpr (std::is_invocable_v<decltype(kFunction), double, double>)
      return apply(wide<T>(in[0]), wide<T>(in[1]));
    else
      return apply(wide<T>(in[0]), wide<T>(in[1]), wide<T>(in[2]));
  }
  static constexpr size_t kOperands = std::is_invocable_v<decltype(kFunction), double> ? 1
                                      : std::is_invocable_v<decltype(kFunction), double, double>
                                          ? 2
                                          : 3;

  static void scalar(const void *const *in, void *out) { *static_cast<T *>(out) = element(in); }
  static void loop(const void *const *in, const int64_t *strides, void *out, int64_t n) {
    const void *at[kOperands];
    for (int64_t i = 0; i < n; ++i) {
      for (size_t k = 0; k < kOperands; ++k)
        at[k] = static_cast<const T *>(in[k]) + i * strides[k];
      static_cast<T *>(out)[i] = element(at);
    }
  }

  template <bool kIsLong> static Status run(KernelCall &call) {
    return runElementwise(call, loop, kIsLong ? kCostOfLongSum : kCostOfSum);
  }
  template <bool kIsLong> static constexpr Kernel kernel() {
    return {kOperands == 1 ? sameShapeRule : broadcastShapeRule, run<kIsLong>, Kernel::kInPlace,
            scalar, kIsLong ? workOfLongSums : workOfSums};
  }
};

} // namespace

#define SLUICE_SUM(NAME, SET, FUNCTION, IS_LONG)                                               \
  template <typename T> static constexpr Kernel NAME##_kernel() {                                  \
    return FunctionKernel<T, FUNCTION>::template kernel<IS_LONG>();                                \
  }                                                                                                \
  SLUICE_DEFINE_KERNELS(NAME, SET)

SLUICE_SUM(sci_dawsn, FLOAT, special::dawson, false)
SLUICE_SUM(sci_fresnel_sin, FLOAT, special::fresnelSine, false)
SLUICE_SUM(sci_fresnel_cos, FLOAT, special::fresnelCosine, false)
SLUICE_SUM(sci_expint, FLOAT, special::exponentialIntegral, false)
SLUICE_SUM(sci_spence, FLOAT, special::spence, false)
SLUICE_SUM(sci_bessel_i0, FLOAT, special::besselI0, false)
SLUICE_SUM(sci_bessel_i1, FLOAT, special::besselI1, false)
SLUICE_SUM(sci_bessel_i0e, FLOAT, special::besselI0Scaled, false)
SLUICE_SUM(sci_bessel_i1e, FLOAT, special::besselI1Scaled, false)
SLUICE_SUM(sci_bessel_k0, FLOAT, special::besselK0, false)
SLUICE_SUM(sci_bessel_k1, FLOAT, special::besselK1, false)
SLUICE_SUM(sci_bessel_k0e, FLOAT, special::besselK0Scaled, false)
SLUICE_SUM(sci_bessel_k1e, FLOAT, special::besselK1Scaled, false)
SLUICE_SUM(sci_bessel_j0, FLOAT, special::besselJ0, false)
SLUICE_SUM(sci_bessel_j1, FLOAT, special::besselJ1, false)
SLUICE_SUM(sci_bessel_y0, FLOAT, special::besselY0, false)
SLUICE_SUM(sci_bessel_y1, FLOAT, special::besselY1, false)
SLUICE_SUM(sci_zeta, LONG_FLOAT, special::zeta, false)
SLUICE_SUM(sci_polygamma, LONG_FLOAT, special::polygamma, false)
SLUICE_SUM(sci_igamma, FLOAT, special::lowerGamma, true)
SLUICE_SUM(sci_igammac, FLOAT, special::upperGamma, true)
SLUICE_SUM(sci_igamma_grad_a, LONG_FLOAT, special::lowerGammaByShape, true)
SLUICE_SUM(sci_random_gamma_grad, LONG_FLOAT, special::gammaSampleByShape, true)
SLUICE_SUM(sci_betainc, LONG_FLOAT, special::incompleteBeta, true)

} // namespace sluice::rt
