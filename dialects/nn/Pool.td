// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// nn ops of the family "pool": windows of images that become numbers, what flows back through them,
// and images mirrored at their borders.
#ifndef SLUICE_NN_POOL
#define SLUICE_NN_POOL

include "dialects/nn/NnBase.td"

class Nn_Pool<string mnemonic, ND_Code how, Sluice_Gradient gradient, string first, string more, dag ins_>
    : Nn_Op<mnemonic, how, gradient> {
  let failures = "INVALID_ARGUMENT when ranks or sizes do not fit, or windows reach further than what `\"valid\"` or `\"explicit\"` leaves them.";
  let constraints = "C1. " # first # " C2. `windows` has one to three numbers, each from 1 to 2147483647. C3. `strides` has as many, each from 1 to 2147483647. C4. `padding` is \"same\", \"valid\" or \"explicit\". C5. `pads` has two numbers from 0 to 2147483647 for each window, each below the window, if `padding` is \"explicit\", else none." # more;
  let arguments = !con(ins_, (ins DenseI64ArrayAttr:$windows, DenseI64ArrayAttr:$strides,
    StrAttr:$padding, DenseI64ArrayAttr:$pads));
  let hasVerifier = 1;
}
class Nn_FloatPool<string mnemonic, ND_Code how, Sluice_Gradient gradient, string first, string more, dag ins_>
    : Nn_Pool<mnemonic, how, gradient, first, more, ins_> {
  let results = (outs ND_Float:$result);
}

def Nn_AveragePoolOp : Nn_FloatPool<"average_pool", Nn_CardCode<>, HasGradient, "`input` and `result` have the same type of elements.", " C6. `input` holds floats.", (ins ND_Float:$input)> {
  let summary = "averages of windows";
  let semantics = [{The averages of the elements of each window of the images, channel by channel. Places around the image do not count.}];
  let example = "%y = nn.average_pool %x {windows = array<i64: 2, 2>, strides = array<i64: 2, 2>, padding = \"valid\", pads = array<i64>} : (tensor<1x8x8x3xf32>) -> tensor<1x4x4x3xf32>";
}

def Nn_AveragePoolInputOp : Nn_FloatPool<"average_pool_input", Nn_CardCode<"0">, HasGradient, "`gradient` and `result` have the same type of elements.", " C6. `gradient` holds floats. C7. `dims` is of integers (i8 to i64, ui8, ui16).", (ins ND_Index:$dims, ND_Float:$gradient)> {
  let summary = "what flows back through averages of windows";
  let semantics = [{The derivative of `nn.average_pool` with respect to its images, whose dims are `dims`, given the one with respect to its result.}];
  let example = "%d = nn.average_pool_input %dims, %g {windows = array<i64: 2, 2>, strides = array<i64: 2, 2>, padding = \"valid\", pads = array<i64>} : (tensor<4xi64>, tensor<1x4x4x3xf32>) -> tensor<?x?x?x?xf32>";
}

def Nn_MaxPoolOp : Nn_Pool<"max_pool", Nn_CardCode<>, HasGradient, "`input` and `result` have the same type of elements.", " C6. `input` holds real numbers.", (ins ND_Real:$input)> {
  let summary = "greatest elements of windows";
  let semantics = [{The greatest element of each window of the images, channel by channel. Places around the image do not count.}];
  let example = "%y = nn.max_pool %x {windows = array<i64: 2, 2>, strides = array<i64: 2, 2>, padding = \"valid\", pads = array<i64>} : (tensor<1x8x8x3xf32>) -> tensor<1x4x4x3xf32>";
  let results = (outs ND_Real:$result);
}

def Nn_MaxPoolIndexOp : Nn_Pool<"max_pool_index", Nn_CardCode<>, NoGradient<"its result holds integers">, "`input` holds real numbers.", " C6. `result` holds i64.", (ins ND_Real:$input)> {
  let summary = "places of the greatest elements of windows";
  let semantics = [{For each element of the result of `nn.max_pool`, the row-major place in `input` of the first
element of the window that has its value.}];
  let example = "%i = nn.max_pool_index %x {windows = array<i64: 2, 2>, strides = array<i64: 2, 2>, padding = \"valid\", pads = array<i64>} : (tensor<1x8x8x3xf32>) -> tensor<1x4x4x3xi64>";
  let results = (outs ND_I64:$result);
}

def Nn_MirrorPadOp : Nn_Op<"mirror_pad", Nn_NoCode, HasGradient, [AllElementTypesMatch<["input", "result"]>]> {
  let summary = "a tensor and its mirror image around it";
  let semantics = [{Row i of `paddings` says how many elements are put before and behind dim i: those of the tensor, in turned order from the border on.
With `edge` the one at the border is among them.}];
  let failures = "INVALID_ARGUMENT when `paddings` is not a matrix with a row of two numbers for each dim, or asks for more elements than there are.";
  let constraints = "C1. `input` and `result` have the same element type. C2. `paddings` is of integers (i8 to i64, ui8, ui16).";
  let example = "%y = nn.mirror_pad %x, %p {edge = true} : (tensor<2x3xf32>, tensor<2x2xi32>) -> tensor<?x?xf32>";
  let arguments = (ins ND_Any:$input, ND_Index:$paddings, BoolAttr:$edge);
  let results = (outs ND_Any:$result);
}

def Nn_MirrorPadInputOp : Nn_Op<"mirror_pad_input", Nn_NoCode, HasGradient, [AllElementTypesMatch<["gradient", "result"]>]> {
  let summary = "what flows back through a mirror image";
  let semantics = [{The derivative of `nn.mirror_pad` with respect to its tensor, given the one with respect to its result: each element gets the sum of its images.}];
  let failures = "INVALID_ARGUMENT when `paddings` is not a matrix with a row of two numbers for each dim, or cannot be those of such a tensor.";
  let constraints = "C1. `gradient` and `result` have the same type of numbers. C2. `paddings` is of integers (i8 to i64, ui8, ui16).";
  let example = "%y = nn.mirror_pad_input %g, %p {edge = true} : (tensor<4x5xf32>, tensor<2x2xi32>) -> tensor<?x?xf32>";
  let arguments = (ins ND_Number:$gradient, ND_Index:$paddings, BoolAttr:$edge);
  let results = (outs ND_Number:$result);
}

#endif
