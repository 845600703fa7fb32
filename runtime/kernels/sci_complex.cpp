// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Kernels that make complex numbers and take them apart.
#include "runtime/kernels/declare.h"
#include "runtime/kernels/elementwise.h"

#include <complex>

namespace sluice::rt {
namespace {

struct Complex {
  template <typename T> static std::complex<T> apply(T real, T imaginary) {
    return {real, imaginary};
  }
};
struct Imaginary {
  template <typename T> static T apply(const std::complex<T> &x) { return x.imag(); }
};
struct Magnitude {
  template <typename T> static T apply(const std::complex<T> &x) { return std::abs(x); }
};

template <typename T> constexpr Kernel sci_complex_kernel() {
  return BinaryKernel<Complex, T, std::complex<T>>::kernel();
}

template <typename Op> Status runPart(KernelCall &call) {
  const DType from = call.input(0).dtype(), to = call.outputType(0);
  if (from == DType::kC64 && to == DType::kF32)
    return UnaryKernel<Op, std::complex<float>, float>::run(call);
  if (from == DType::kC128 && to == DType::kF64)
    return UnaryKernel<Op, std::complex<double>, double>::run(call);
  return unimplemented("expected complex numbers and floats of the type of their parts");
}

} // namespace

SLUICE_DEFINE_KERNELS(sci_complex, LONG_FLOAT)
SLUICE_DEFINE_KERNEL(sci_imaginary, {sameShapeRule, runPart<Imaginary>})
SLUICE_DEFINE_KERNEL(sci_magnitude, {sameShapeRule, runPart<Magnitude>})

} // namespace sluice::rt
