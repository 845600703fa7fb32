// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// sci ops of the family "linear": linear algebra.
#ifndef SLUICE_SCI_LINEAR
#define SLUICE_SCI_LINEAR

include "dialects/sci/SciBase.td"

def Sci_NoCodeOfMatrices : ND_NoCode<"its work grows with the third power of sizes, beside which a firing is little">;

// Of matrices in the last two dims of one operand.
class Sci_MatrixOp<string mnemonic, Sluice_Gradient gradient, list<string> results>
    : Sci_Op<mnemonic, Sci_NoCodeOfMatrices, gradient,
             [AllElementTypesMatch<!listconcat(["input"], results)>]> {
  let arguments = (ins ND_FloatOrComplex:$input);
  let results = (outs ND_FloatOrComplex:$result);
  let constraints = "C1. `input` and `result` have the same element type: floats or complex numbers.";
}

def Sci_CholeskyOp : Sci_MatrixOp<"cholesky", HasGradient, ["result"]> {
  let summary = "Cholesky factors";
  let semantics = [{For each matrix A in the last two dims of `input` the lower triangular L with A = L L*. Elements of A above the diagonal are not looked at. Where A is not positive definite, L holds NaN up to the diagonal.}];
  let failures = "INVALID_ARGUMENT when a matrix is not square.";
  let example = "%l = sci.cholesky %x : (tensor<5x3x3xf32>) -> tensor<5x3x3xf32>";
}

def Sci_MatrixInverseOp : Sci_MatrixOp<"matrix_inverse", HasGradient, ["result"]> {
  let summary = "inverses of matrices";
  let semantics = [{The inverse of each matrix in the last two dims of `input`, or of its adjoint.}];
  let failures = "INVALID_ARGUMENT when a matrix is not square, or has no inverse.";
  let example = "%y = sci.matrix_inverse %x {adjoint = false} : (tensor<5x3x3xf32>) -> tensor<5x3x3xf32>";
  let arguments = (ins ND_FloatOrComplex:$input, BoolAttr:$adjoint);
}

def Sci_DeterminantOp : Sci_MatrixOp<"determinant", HasGradient, ["result"]> {
  let summary = "determinants";
  let semantics = [{The determinant of each matrix in the last two dims of `input`; 1 of a matrix without elements.}];
  let failures = "INVALID_ARGUMENT when a matrix is not square.";
  let example = "%d = sci.determinant %x : (tensor<5x3x3xf32>) -> tensor<5xf32>";
}

def Sci_LogDeterminantOp : Sci_MatrixOp<"log_determinant", HasGradient, ["sign", "log"]> {
  let summary = "logarithms of determinants";
  let semantics = [{Of each matrix in the last two dims of `input` the determinant, in two parts that do not overflow: a number of absolute value 1 and the logarithm of the absolute value. Of a determinant of 0 they are 0 and -inf.}];
  let failures = "INVALID_ARGUMENT when a matrix is not square.";
  let constraints = "C1. `input`, `sign` and `log` have the same element type: floats or complex numbers.";
  let example = "%s, %l = sci.log_determinant %x : (tensor<5x3x3xf32>) -> (tensor<5xf32>, tensor<5xf32>)";
  let results = (outs ND_FloatOrComplex:$sign, ND_FloatOrComplex:$log);
}

class Sci_SolveOp<string mnemonic, Sluice_Gradient gradient>
    : Sci_Op<mnemonic, Sci_NoCodeOfMatrices, gradient, [AllElementTypesMatch<["matrix", "rhs", "result"]>]> {
  let constraints = "C1. `matrix`, `rhs` and `result` have the same element type: floats or complex numbers.";
  let results = (outs ND_FloatOrComplex:$result);
}

def Sci_MatrixSolveOp : Sci_SolveOp<"matrix_solve", HasGradient> {
  let summary = "solutions of systems of linear equations";
  let semantics = [{The X with A X = B, for each matrix A in the last two dims of `matrix`, or its adjoint, and B in those of `rhs`.}];
  let failures = "INVALID_ARGUMENT when A is not square or has no inverse, when B has not as many rows, or when the dims before the matrices differ.";
  let example = "%x = sci.matrix_solve %a, %b {adjoint = false} : (tensor<5x3x3xf32>, tensor<5x3x2xf32>) -> tensor<5x3x2xf32>";
  let arguments = (ins ND_FloatOrComplex:$matrix, ND_FloatOrComplex:$rhs, BoolAttr:$adjoint);
}

def Sci_TriangularSolveOp : Sci_SolveOp<"triangular_solve", HasGradient> {
  let summary = "solutions of triangular systems of linear equations";
  let semantics = [{The X with A X = B, for each matrix A in the last two dims of `matrix`, or its adjoint, and B in those of `rhs`. Of A only the elements up to the diagonal are looked at, or with `lower` = false those from it on. The dims before the matrices broadcast. A zero on the diagonal makes infinite and undefined numbers.}];
  let failures = "INVALID_ARGUMENT when A is not square, or B has not as many rows.";
  let example = "%x = sci.triangular_solve %a, %b {lower = true, adjoint = false} : (tensor<5x3x3xf32>, tensor<3x2xf32>) -> tensor<5x3x2xf32>";
  let arguments = (ins ND_FloatOrComplex:$matrix, ND_FloatOrComplex:$rhs, BoolAttr:$lower, BoolAttr:$adjoint);
}

def Sci_QrOp : Sci_MatrixOp<"qr", HasGradient, ["q", "r"]> {
  let summary = "QR decompositions";
  let semantics = [{For each matrix A in the last two dims of `input` a Q with orthonormal columns and an upper triangular R with A = Q R, by Householder reflections. Q has as many columns as A has rows or, with `full_matrices` = false, as the shorter side of A. There is no derivative of a full Q that has columns which A does not determine; asking for it is a run-time error.}];
  let failures = "INVALID_ARGUMENT when the rank is below 2.";
  let constraints = "C1. `input`, `q` and `r` have the same element type: floats or complex numbers.";
  let example = "%q, %r = sci.qr %x {full_matrices = false} : (tensor<5x4x3xf32>) -> (tensor<5x4x3xf32>, tensor<5x3x3xf32>)";
  let arguments = (ins ND_FloatOrComplex:$input, BoolAttr:$full_matrices);
  let results = (outs ND_FloatOrComplex:$q, ND_FloatOrComplex:$r);
}

def Sci_SvdOp : Sci_MatrixOp<"svd", HasGradient, ["s", "u", "v"]> {
  let summary = "singular value decompositions";
  let semantics = [{For each matrix A in the last two dims of `input` its singular values, largest first, and U and V with orthonormal columns, so that A is U diag(s) V*. With `full_matrices` U and V are square. Without `compute_uv` they are scalar zeros. Of a matrix with elements that are not finite all is NaN. There is no derivative of full U and V of a matrix that is not square; asking for it is a run-time error.}];
  let failures = "INVALID_ARGUMENT when the rank is below 2.";
  let constraints = "C1. `input`, `s`, `u` and `v` have the same element type: floats or complex numbers.";
  let example = "%s, %u, %v = sci.svd %x {compute_uv = true, full_matrices = false} : (tensor<5x4x3xf32>) -> (tensor<5x3xf32>, tensor<5x4x3xf32>, tensor<5x3x3xf32>)";
  let arguments = (ins ND_FloatOrComplex:$input, BoolAttr:$compute_uv, BoolAttr:$full_matrices);
  let results = (outs ND_FloatOrComplex:$s, ND_FloatOrComplex:$u, ND_FloatOrComplex:$v);
}

def Sci_SelfAdjointEigOp : Sci_MatrixOp<"self_adjoint_eig", HasGradient, ["e", "v"]> {
  let summary = "eigenvalues of self-adjoint matrices";
  let semantics = [{For each self-adjoint matrix in the last two dims of `input` its eigenvalues, smallest first, and eigenvectors of length 1, the columns of `v`. Elements above the diagonal are not looked at. Without `compute_v`, `v` is a scalar zero.}];
  let failures = "INVALID_ARGUMENT when a matrix is not square, or has elements that are not numbers.";
  let constraints = "C1. `input`, `e` and `v` have the same element type: floats or complex numbers.";
  let example = "%e, %v = sci.self_adjoint_eig %x {compute_v = true} : (tensor<5x3x3xf32>) -> (tensor<5x3xf32>, tensor<5x3x3xf32>)";
  let arguments = (ins ND_FloatOrComplex:$input, BoolAttr:$compute_v);
  let results = (outs ND_FloatOrComplex:$e, ND_FloatOrComplex:$v);
}

def Sci_LuOp : Sci_Op<"lu", Sci_NoCodeOfMatrices, NoGradient<"TensorFlow has none">, [AllElementTypesMatch<["input", "lu"]>]> {
  let summary = "LU decompositions";
  let semantics = [{For each matrix A in the last two dims of `input` a lower triangular L, whose diagonal is 1, an upper triangular U and an order of rows, so that row i of L U is row `order[i]` of A. L and U are stored in one matrix, without the diagonal of L. Among the elements that may be divided by, the largest is taken.}];
  let failures = "INVALID_ARGUMENT when a matrix is not square or has no inverse.";
  let constraints = [{C1. `input` and `lu` have the same element type: floats or complex numbers. C2. `order` holds i32 or i64.}];
  let example = "%lu, %p = sci.lu %x : (tensor<5x3x3xf32>) -> (tensor<5x3x3xf32>, tensor<5x3xi32>)";
  let arguments = (ins ND_FloatOrComplex:$input);
  let results = (outs ND_FloatOrComplex:$lu, ND_Tensor<[I32, I64], "i32 or i64">:$order);
}

def Sci_MatrixFunctionOp : Sci_MatrixOp<"matrix_function", HasGradient, ["result"]> {
  let summary = "functions of matrices";
  let semantics = [{Of each matrix A in the last two dims of `input`, by `function`: `sqrt`, the matrix whose product with itself is A and whose eigenvalues have no negative real part; `exp`, the sum of A^k / k!; `log`, the matrix whose `exp` is A, of complex numbers only.}];
  let failures = "INVALID_ARGUMENT when a matrix is not square.";
  let constraints = "C1. `input` and `result` have the same element type: floats or complex numbers. C2. `function` is `sqrt`, `exp` or `log`. C3. `input` holds complex numbers if `function` is `log`.";
  let example = "%y = sci.matrix_function %x {function = \"sqrt\"} : (tensor<5x3x3xf32>) -> tensor<5x3x3xf32>";
  let arguments = (ins ND_FloatOrComplex:$input, StrAttr:$function);
  let hasVerifier = 1;
}

def Sci_EigOp : Sci_Op<"eig", Sci_NoCodeOfMatrices, HasGradient, [AllElementTypesMatch<["e", "v"]>]> {
  let summary = "eigenvalues of matrices";
  let semantics = [{For each matrix in the last two dims of `input` its eigenvalues, in an order that means nothing, and eigenvectors of length 1, the columns of `v`. Without `compute_v`, `v` is a scalar zero.}];
  let failures = "INVALID_ARGUMENT when a matrix is not square, or has elements that are not numbers.";
  let constraints = "C1. `input` holds floats or complex numbers. C2. `e` and `v` hold complex<f64> if `input` holds f64 or complex<f64>, else complex<f32>. C3. `e` and `v` have the same element type.";
  let example = "%e, %v = sci.eig %x {compute_v = true} : (tensor<5x3x3xf32>) -> (tensor<5x3xcomplex<f32>>, tensor<5x3x3xcomplex<f32>>)";
  let arguments = (ins ND_FloatOrComplex:$input, BoolAttr:$compute_v);
  let results = (outs ND_Tensor<ND_ComplexTypes, "complex numbers">:$e, ND_Tensor<ND_ComplexTypes, "complex numbers">:$v);
  let hasVerifier = 1;
}

def Sci_TridiagonalSolveOp : Sci_Op<"tridiagonal_solve", ND_NoCode<"each row depends on the one before it">, HasGradient, [AllElementTypesMatch<["diagonals", "rhs", "result"]>]> {
  let summary = "solutions of tridiagonal systems of linear equations";
  let semantics = [{The X with A X = B, for each B in the last two dims of `rhs` and matrix A with three diagonals, which are the rows of those of `diagonals`: above the main one, without the last element; the main one; below it, without the first element. With `pivoting` rows are exchanged where that makes it more exact. X is not a number if A has no inverse or, without `pivoting`, there is a zero to divide by.}];
  let failures = "INVALID_ARGUMENT when there are not three diagonals, as long as B has rows, or when the dims before the matrices differ.";
  let constraints = "C1. `diagonals`, `rhs` and `result` have the same element type: floats or complex numbers.";
  let example = "%x = sci.tridiagonal_solve %d, %b {pivoting = true} : (tensor<5x3x4xf32>, tensor<5x4x2xf32>) -> tensor<5x4x2xf32>";
  let arguments = (ins ND_FloatOrComplex:$diagonals, ND_FloatOrComplex:$rhs, BoolAttr:$pivoting);
  let results = (outs ND_FloatOrComplex:$result);
}

def Sci_LeastSquaresOp : Sci_Op<"least_squares", Sci_NoCodeOfMatrices, HasGradient, [AllElementTypesMatch<["matrix", "rhs", "result"]>]> {
  let summary = "the nearest to solutions of systems of linear equations";
  let semantics = [{The X for which the sum of the squares of A X - B and of the squares of X times `weight` is least, for each matrix A in the last two dims of `matrix` and B in those of `rhs`; of several the X of least length. With `fast` by Cholesky factors of A* A or A A*, else by a complete orthogonal decomposition, which leaves `weight` out. The derivative is that of matrices whose rank is their shorter side.}];
  let failures = "INVALID_ARGUMENT when B has not as many rows as A, `weight` is no scalar, the dims before the matrices differ, or, with `fast`, A* A or A A* is not positive definite.";
  let constraints = "C1. `matrix`, `rhs` and `result` have the same element type: floats or complex numbers. C2. `weight` holds f64.";
  let example = "%x = sci.least_squares %a, %b, %w {fast = true} : (tensor<5x4x3xf32>, tensor<5x4x2xf32>, tensor<f64>) -> tensor<5x3x2xf32>";
  let arguments = (ins ND_FloatOrComplex:$matrix, ND_FloatOrComplex:$rhs, ND_Tensor<[F64], "f64">:$weight, BoolAttr:$fast);
  let results = (outs ND_FloatOrComplex:$result);
}

#endif
