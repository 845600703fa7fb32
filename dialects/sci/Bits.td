// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// sci ops of the family "bits": bits of integers, and numbers seen as others.
#ifndef SLUICE_SCI_BITS
#define SLUICE_SCI_BITS

include "dialects/sci/SciBase.td"

def Sci_NoCodeOfBits : ND_NoCode<"code is made for sums and products, not for bits">;

class Sci_BitOp<string mnemonic, string text, string what>
    : Sci_Op<mnemonic, Sci_NoCodeOfBits, ND_NoGradientOfInts, [AllElementTypesMatch<["lhs", "rhs", "result"]>]> {
  let summary = text;
  let semantics = "Each element of the result is " # what # ". Shapes broadcast as in `nd.add`.";
  let failures = "INVALID_ARGUMENT when the shapes do not broadcast.";
  let constraints = "C1. `lhs` and `rhs` hold integers. C2. `lhs`, `rhs` and `result` have the same element type.";
  let example = "%z = sci." # mnemonic # " %x, %y : (tensor<2x3xi32>, tensor<3xi32>) -> tensor<2x3xi32>";
  let arguments = (ins ND_Int:$lhs, ND_Int:$rhs);
  let results = (outs ND_Int:$result);
}

def Sci_BitAndOp : Sci_BitOp<"bit_and", "bits that both have",
    "made of the bits that are set in both elements">;

def Sci_BitOrOp : Sci_BitOp<"bit_or", "bits that one has",
    "made of the bits that are set in one of the elements or in both">;

def Sci_BitXorOp : Sci_BitOp<"bit_xor", "bits that differ",
    "made of the bits that are set in just one of the elements">;

def Sci_ShiftLeftOp : Sci_BitOp<"shift_left", "bits moved up",
    "`lhs` with its bits moved up by `rhs` places; less than 0 places count as 0, more than there are as one less">;

def Sci_ShiftRightOp : Sci_BitOp<"shift_right", "bits moved down",
    "`lhs` with its bits moved down by `rhs` places, where signs are repeated; less than 0 places count as 0, more than there are as one less">;

def Sci_PopulationCountOp : Sci_Op<"population_count", Sci_NoCodeOfBits, ND_NoGradientOfInts> {
  let summary = "number of bits that are set";
  let semantics = "Each element of the result is the number of bits that are set in the element.";
  let constraints = [{C1. `input` holds integers. C2. `result` holds ui8.}];
  let example = "%y = sci.population_count %x : (tensor<4xi32>) -> tensor<4xui8>";
  let arguments = (ins ND_Int:$input);
  let results = (outs ND_Tensor<[UI8], "ui8">:$result);
}

def Sci_BitcastOp : Sci_Op<"bitcast", Sci_NoCodeOfBits, NoGradient<"bits are no numbers">> {
  let summary = "the same bytes as numbers of another type";
  let semantics = [{The bytes of `input`, read as elements of the result's type, in the order of little-endian
memory. If those are smaller, the result has one more dim at the end, of as many elements as make up one of the
input's; if they are larger, the last dim of `input` has that size and is gone. What would be a denormal of
f32, f64 or bf16 is a zero of its sign.}];
  let failures = "INVALID_ARGUMENT when the last dim of `input` is not what a larger element needs.";
  let constraints = [{C1. `input` and `result` hold numbers.}];
  let example = "%y = sci.bitcast %x : (tensor<4xf32>) -> tensor<4x4xui8>";
  let arguments = (ins ND_Number:$input);
  let results = (outs ND_Number:$result);
}

#endif
