// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// sci ops of the family "fourier": Fourier transforms.
#ifndef SLUICE_SCI_FOURIER
#define SLUICE_SCI_FOURIER

include "dialects/sci/SciBase.td"

def Sci_Spectrum : ND_Tensor<ND_ComplexTypes, "complex numbers">;
def Sci_Signal : ND_Tensor<[F32, F64], "f32 or f64">;
def Sci_NoCodeOfTransforms : ND_NoCode<"each element of its result depends on all elements of a line">;

def Sci_FftOp : Sci_Op<"fft", Sci_NoCodeOfTransforms, HasGradient, [AllElementTypesMatch<["input", "result"]>]> {
  let summary = "discrete Fourier transform";
  let semantics = [{The transform of the last `dims` dims of `input`, or with `inverse` its inverse, which is divided by the number of elements. The work is that of n log n products for lines of any length n; numbers are computed in 64 bits.}];
  let failures = "INVALID_ARGUMENT when the rank is below `dims`.";
  let constraints = [{C1. `input` and `result` have the same type of complex numbers. C2. `dims` is 1, 2 or 3.}];
  let example = "%y = sci.fft %x {dims = 1 : i64, inverse = false} : (tensor<2x8xcomplex<f32>>) -> tensor<2x8xcomplex<f32>>";
  let arguments = (ins Sci_Spectrum:$input, I64Attr:$dims, BoolAttr:$inverse);
  let results = (outs Sci_Spectrum:$result);
  let hasVerifier = 1;
}

def Sci_RfftOp : Sci_Op<"rfft", Sci_NoCodeOfTransforms, HasGradient> {
  let summary = "discrete Fourier transform of real numbers";
  let semantics = [{The transform of the last dims of `input`, as many as `length` has elements, which are cut to these sizes before. Of the last dim the first half is there, with the middle; the other one follows from it.}];
  let failures = "INVALID_ARGUMENT when `length` is no vector of `dims` elements, has an element that is negative or asks for more than `input` has, or the rank is below `dims`.";
  let constraints = [{C1. `input` holds f32 or f64, and `result` complex numbers of it. C2. `length` holds integers. C3. `dims` is 1, 2 or 3.}];
  let example = "%y = sci.rfft %x, %n {dims = 1 : i64} : (tensor<2x8xf32>, tensor<1xi32>) -> tensor<2x?xcomplex<f32>>";
  let arguments = (ins Sci_Signal:$input, ND_Index:$length, I64Attr:$dims);
  let results = (outs Sci_Spectrum:$result);
  let hasVerifier = 1;
}

def Sci_IrfftOp : Sci_Op<"irfft", Sci_NoCodeOfTransforms, HasGradient> {
  let summary = "inverse Fourier transform to real numbers";
  let semantics = [{What `sci.rfft` makes `input` of: real numbers, with the sizes `length` in the last dims. `input` is cut to what such a transform has.}];
  let failures = "INVALID_ARGUMENT when `length` is no vector of `dims` elements, has an element that is negative or asks for more than `input` has, or the rank is below `dims`.";
  let constraints = [{C1. `result` holds f32 or f64, and `input` complex numbers of it. C2. `length` holds integers. C3. `dims` is 1, 2 or 3.}];
  let example = "%y = sci.irfft %x, %n {dims = 1 : i64} : (tensor<2x5xcomplex<f32>>, tensor<1xi32>) -> tensor<2x?xf32>";
  let arguments = (ins Sci_Spectrum:$input, ND_Index:$length, I64Attr:$dims);
  let results = (outs Sci_Signal:$result);
  let hasVerifier = 1;
}

#endif
