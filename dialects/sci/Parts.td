// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// sci ops of the family "parts": complex numbers, diagonals, and places of values.
#ifndef SLUICE_SCI_PARTS
#define SLUICE_SCI_PARTS

include "dialects/sci/SciBase.td"

def Sci_NoCodeOfParts : ND_NoCode<"few programs have it, and its kernel only moves what there is">;
def Sci_ComplexNumber : ND_Tensor<ND_ComplexTypes, "complex numbers">;
def Sci_PartFloat : ND_Tensor<[F32, F64], "f32 or f64">;

// ---- Complex numbers

def Sci_ComplexOp : Sci_Op<"complex", Sci_NoCodeOfParts, HasGradient, [AllElementTypesMatch<["real", "imaginary"]>]> {
  let summary = "complex numbers of two parts";
  let semantics = "Each element of the result has the elements of both operands as its parts. Shapes broadcast as in `nd.add`.";
  let failures = "INVALID_ARGUMENT when the shapes do not broadcast.";
  let constraints = [{C1. `real` and `imaginary` hold f32 or f64. C2. They have the same element type.
C3. `result` holds complex numbers of parts of that type.}];
  let example = "%z = sci.complex %re, %im : (tensor<3xf32>, tensor<3xf32>) -> tensor<3xcomplex<f32>>";
  let arguments = (ins Sci_PartFloat:$real, Sci_PartFloat:$imaginary);
  let results = (outs Sci_ComplexNumber:$result);
  let hasVerifier = 1;
}

class Sci_PartOfComplex<string mnemonic, Sluice_Gradient gradient, string text, string what>
    : Sci_Op<mnemonic, Sci_NoCodeOfParts, gradient> {
  let summary = text;
  let semantics = "Each element of the result is " # what # ".";
  let constraints = [{C1. `input` holds complex numbers. C2. `result` holds floats of the type of their parts.}];
  let example = "%y = sci." # mnemonic # " %z : (tensor<3xcomplex<f32>>) -> tensor<3xf32>";
  let arguments = (ins Sci_ComplexNumber:$input);
  let results = (outs Sci_PartFloat:$result);
  let hasVerifier = 1;
}

def Sci_ImaginaryOp : Sci_PartOfComplex<"imaginary", HasGradient, "imaginary part",
    "the imaginary part of the element">;

def Sci_MagnitudeOp : Sci_PartOfComplex<"magnitude", HasGradient, "distance from 0",
    "the distance of the element from 0">;

// ---- Along an axis

def Sci_CumulativeLogsumexpOp : Sci_Op<"cumulative_logsumexp", ND_NoCode<"each element needs the one before it">, HasGradient, [AllElementTypesMatch<["input", "result"]>]> {
  let summary = "running sum of numbers given by their logarithms";
  let semantics = [{The logarithm of the sum of exponentials of the elements up to each position along the scalar
`axis`; `exclusive` leaves the position itself out, where there is none the result is -∞,
and `reverse` starts at the end.}];
  let failures = "INVALID_ARGUMENT when the axis is no scalar or out of range.";
  let constraints = [{C1. `input` holds floats. C2. `result` has the element type of `input`. C3. `axis` holds integers.}];
  let example = "%y = sci.cumulative_logsumexp %x, %axis {exclusive = false, reverse = false} : (tensor<4xf32>, tensor<i32>) -> tensor<4xf32>";
  let arguments = (ins ND_Float:$input, ND_Index:$axis, BoolAttr:$exclusive, BoolAttr:$reverse);
  let results = (outs ND_Float:$result);
}

def Sci_SearchSortedOp : Sci_Op<"search_sorted", ND_NoCode<"it jumps from place to place, which its kernel does">, ND_NoGradientOfInts, [AllElementTypesMatch<["sorted", "values"]>]> {
  let summary = "places of values in sorted rows";
  let semantics = [{For each element of `values`, how many elements of the row of `sorted` with the same leading dims come
before it: those that are less, with `after_equals` also those that are equal. Rows are in rising order;
of others the answer is some number from 0 to the size of a row.}];
  let failures = "INVALID_ARGUMENT when an operand is a scalar, or when the dims before the last differ.";
  let constraints = [{C1. `sorted` and `values` hold real numbers. C2. They have the same element type. C3. `result` holds i32 or i64.}];
  let example = "%y = sci.search_sorted %rows, %x {after_equals = true} : (tensor<2x5xf32>, tensor<2x3xf32>) -> tensor<2x3xi32>";
  let arguments = (ins ND_Real:$sorted, ND_Real:$values, BoolAttr:$after_equals);
  let results = (outs ND_Tensor<[I32, I64], "i32 or i64">:$result);
}

// ---- Diagonals

def Sci_DiagonalsOp : Sci_Op<"diagonals", Sci_NoCodeOfParts, HasGradient, [AllElementTypesMatch<["input", "padding", "result"]>]> {
  let summary = "diagonals of matrices";
  let semantics = [{The last two dims of `input` are matrices. `k` names their diagonals, by a scalar, or by a vector of the
lowest and the highest: 0 is the main one, those above it are positive. Of a single one the result has a dim
less than `input`, of several as many, with the highest first. A diagonal that is shorter than the longest of
them is filled up with the scalar `padding`: those above the main one at their begin if `right_above` holds, else
at their end, and those below it likewise by `right_below`.}];
  let failures = "INVALID_ARGUMENT when `input` has less than two dims, when `k` is not one number or two in rising order, or names what is outside of the matrices, and when `padding` is no scalar.";
  let constraints = [{C1. `input`, `padding` and `result` have the same element type. C2. `k` holds i32.}];
  let example = "%d = sci.diagonals %x, %k, %p {right_above = true, right_below = false} : (tensor<3x4xf32>, tensor<i32>, tensor<f32>) -> tensor<?xf32>";
  let arguments = (ins ND_Any:$input, ND_I32:$k, ND_Any:$padding, BoolAttr:$right_above, BoolAttr:$right_below);
  let results = (outs ND_Any:$result);
}

def Sci_SetDiagonalsOp : Sci_Op<"set_diagonals", Sci_NoCodeOfParts, HasGradient, [AllElementTypesMatch<["input", "diagonals", "result"]>]> {
  let summary = "matrices with other diagonals";
  let semantics = [{`input` with `diagonals` in place of those that `sci.diagonals` would give for `k`, `right_above` and
`right_below`. What fills up shorter ones is left out.}];
  let failures = "INVALID_ARGUMENT where `sci.diagonals` fails, and when `diagonals` has other dims than its result.";
  let constraints = [{C1. `input`, `diagonals` and `result` have the same element type. C2. `k` holds i32.}];
  let example = "%y = sci.set_diagonals %x, %d, %k {right_above = true, right_below = false} : (tensor<3x4xf32>, tensor<2x3xf32>, tensor<2xi32>) -> tensor<3x4xf32>";
  let arguments = (ins ND_Any:$input, ND_Any:$diagonals, ND_I32:$k, BoolAttr:$right_above, BoolAttr:$right_below);
  let results = (outs ND_Any:$result);
}

#endif
