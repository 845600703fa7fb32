// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// nn ops of the family "convolve": products of the windows of images and a filter, and what flows
// back through them.
#ifndef SLUICE_NN_CONVOLVE
#define SLUICE_NN_CONVOLVE

include "dialects/nn/NnBase.td"

// `lhs` and `rhs` are operands of floats; a vector of dims may stand before or between them.
class Nn_Convolution<string mnemonic, ND_Code how, Sluice_Gradient gradient, string operands, dag ins_>
    : Nn_Op<mnemonic, how, gradient, [AllElementTypesMatch<["lhs", "rhs", "result"]>]> {
  let failures = "INVALID_ARGUMENT when ranks or sizes do not fit, or windows reach further than what `\"valid\"` or `\"explicit\"` leaves them.";
  let constraints = "C1. `lhs`, `rhs` and `result` have the same type of floats. C2. `strides` has one to three numbers, each from 1 to 2147483647. C3. `dilations` has as many, each from 1 to 2147483647. C4. `padding` is \"same\", \"valid\" or \"explicit\". C5. `pads` has two numbers from 0 to 2147483647 for each stride if `padding` is \"explicit\", else none." # operands;
  let arguments = !con(ins_, (ins DenseI64ArrayAttr:$strides, DenseI64ArrayAttr:$dilations,
    StrAttr:$padding, DenseI64ArrayAttr:$pads));
  let results = (outs ND_Float:$result);
  let hasVerifier = 1;
}

def Nn_ConvolveOp : Nn_Convolution<"convolve", Nn_CardCode<>, HasGradient, "", (ins ND_Float:$lhs, ND_Float:$rhs)> {
  let summary = "product of the windows of images and a filter";
  let semantics = [{`lhs` are images. `rhs` is a filter, whose dims are the window's, the channels that go in, and those that
come out. An element of the result is the sum of the products of a window's elements and the filter's for that channel; places
around the image hold zeros. If images have several times as many channels as the filter takes, channels of both sides are so
many groups, and those of a group follow from each other alone. The order of additions depends on shapes alone.}];
  let example = "%y = nn.convolve %x, %f {strides = array<i64: 2, 2>, dilations = array<i64: 1, 1>, padding = \"same\", pads = array<i64>} : (tensor<1x8x8x3xf32>, tensor<3x3x3x4xf32>) -> tensor<1x4x4x4xf32>";
}

def Nn_ConvolveInputOp : Nn_Convolution<"convolve_input", Nn_CardCode<"0">, HasGradient, " C6. `dims` is of integers (i8 to i64, ui8, ui16).", (ins ND_Index:$dims, ND_Float:$lhs, ND_Float:$rhs)> {
  let summary = "what flows back to the images of a convolution";
  let semantics = [{The derivative of `nn.convolve` with respect to its images, whose dims are `dims`, given the one with respect to
its result, `rhs`, and the filter, `lhs`. This is a transposed convolution.}];
  let example = "%d = nn.convolve_input %dims, %f, %g {strides = array<i64: 2, 2>, dilations = array<i64: 1, 1>, padding = \"same\", pads = array<i64>} : (tensor<4xi64>, tensor<3x3x3x4xf32>, tensor<1x4x4x4xf32>) -> tensor<?x?x?x?xf32>";
}

def Nn_ConvolveFilterOp : Nn_Convolution<"convolve_filter", Nn_CardCode<"1">, HasGradient, " C6. `dims` is of integers (i8 to i64, ui8, ui16).", (ins ND_Float:$lhs, ND_Index:$dims, ND_Float:$rhs)> {
  let summary = "what flows back to the filter of a convolution";
  let semantics = [{The derivative of `nn.convolve` with respect to its filter, whose dims are `dims`, given the one with respect to
its result, `rhs`, and the images, `lhs`.}];
  let example = "%d = nn.convolve_filter %x, %dims, %g {strides = array<i64: 2, 2>, dilations = array<i64: 1, 1>, padding = \"same\", pads = array<i64>} : (tensor<1x8x8x3xf32>, tensor<4xi64>, tensor<1x4x4x4xf32>) -> tensor<?x?x?x?xf32>";
}

#endif
