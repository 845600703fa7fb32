// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// nd ops of the family "matmul": matrix products.
#ifndef SLUICE_ND_MATMUL
#define SLUICE_ND_MATMUL

include "dialects/nd/NdBase.td"

def ND_MatmulOp : ND_Op<"matmul", ND_OwnCode<"{}", [ND_CodeLimit<"for floats", "::llvm::isa<::mlir::FloatType>(::mlir::getElementTypeOrSelf(getLhs()))">]>, HasGradient, [AllElementTypesMatch<["lhs", "rhs", "result"]>]> {
  let summary = "matrix product";
  let semantics = [{The product of the matrices in the last two dims; the dims before them broadcast.
`transpose_*` swaps the last two dims of an operand first, `adjoint_*` conjugates as well.
The order of additions depends on the shapes alone.}];
  let failures = "INVALID_ARGUMENT when a rank is below 2 or the inner dims differ.";
  let constraints = [{C1. `lhs`, `rhs` and `result` have the same number type. C2. An operand is not both transposed and adjoint.}];
  let example = "%z = nd.matmul %x, %y {transpose_lhs = false, transpose_rhs = true, adjoint_lhs = false, adjoint_rhs = false} : (tensor<2x3xf32>, tensor<4x3xf32>) -> tensor<2x4xf32>";
  let arguments = (ins ND_Number:$lhs, ND_Number:$rhs, BoolAttr:$transpose_lhs,
    BoolAttr:$transpose_rhs, BoolAttr:$adjoint_lhs, BoolAttr:$adjoint_rhs);
  let results = (outs ND_Number:$result);
  let hasVerifier = 1;
}

def ND_LongFloat : ND_Tensor<[F32, F64], "f32 or f64">;

def ND_MatmulOntoOp : ND_Op<"matmul_onto", ND_OwnCode<"{}">, HasGradient, [AllElementTypesMatch<["sum", "lhs", "rhs", "result"]>]> {
  let summary = "matrix product that goes on with a sum";
  let semantics = [{The sum of a matrix and the product of two others. The chain of additions that makes an element of the
product begins with the element of `sum`. So products onto each other's results give the bits of one product of
all their columns and rows. `transpose_*` swaps the dims of an operand first.}];
  let failures = "INVALID_ARGUMENT when a rank is not 2, the inner dims differ, or `sum` has not the shape of the product.";
  let constraints = [{C1. `sum`, `lhs`, `rhs` and `result` have the same type of elements, f32 or f64.}];
  let example = "%t = nd.matmul_onto %s, %x, %y {transpose_lhs = true, transpose_rhs = false} : (tensor<3x4xf32>, tensor<2x3xf32>, tensor<2x4xf32>) -> tensor<3x4xf32>";
  let arguments = (ins ND_LongFloat:$sum, ND_LongFloat:$lhs, ND_LongFloat:$rhs, BoolAttr:$transpose_lhs,
    BoolAttr:$transpose_rhs);
  let results = (outs ND_LongFloat:$result);
}

#endif
