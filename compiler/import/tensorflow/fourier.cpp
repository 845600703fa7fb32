// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// TensorFlow ops of the family "fourier": discrete Fourier transforms of one to three dims.
#include "compiler/import/tensorflow/Expansion.h"

#include "dialects/sci/Sci.h"

using namespace mlir;

namespace sluice::import {

namespace {

template <int64_t dims, bool inverse> void fft(Expansion &e) {
  e.result(0, e.like<sci::FftOp>(e.input(0), {e.number("dims", dims), e.flag("inverse", inverse)}));
}

// Either side may be asked for in a precision of its own, which has to be that of the other one.
template <typename OpT, int64_t dims> void ofReal(Expansion &e) {
  Type from = e.elementOf(e.input(0)), to = e.resultElement(0);
  Type complex = isa<ComplexType>(from) ? from : to, real = complex == from ? to : from;
  if (auto type = dyn_cast<ComplexType>(complex); !type || type.getElementType() != real)
    return e.fail(ExitCode::kBadGraph,
                  "attributes 'Treal' and 'Tcomplex': expected types of one precision");
  e.result(0, e.tensor<OpT>(to, e.inputs(), e.number("dims", dims)));
}

constexpr OpExpansion kOps[] = {
    {"FFT", fft<1, false>},
    {"FFT2D", fft<2, false>},
    {"FFT3D", fft<3, false>},
    {"IFFT", fft<1, true>},
    {"IFFT2D", fft<2, true>},
    {"IFFT3D", fft<3, true>},
    {"RFFT", ofReal<sci::RfftOp, 1>},
    {"RFFT2D", ofReal<sci::RfftOp, 2>},
    {"RFFT3D", ofReal<sci::RfftOp, 3>},
    {"IRFFT", ofReal<sci::IrfftOp, 1>},
    {"IRFFT2D", ofReal<sci::IrfftOp, 2>},
    {"IRFFT3D", ofReal<sci::IrfftOp, 3>},
};

} // namespace

ArrayRef<OpExpansion> fourierOps() { return kOps; }

} // namespace sluice::import
