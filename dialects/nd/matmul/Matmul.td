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

#endif
