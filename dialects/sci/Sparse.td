// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// sci ops of the family "sparse": places of values in sparse tensors, and sets.
#ifndef SLUICE_SCI_SPARSE
#define SLUICE_SCI_SPARSE

include "dialects/sci/SciBase.td"

defvar Sci_NoCodeOfSearch = ND_NoCode<"where its result's elements come from depends on all elements">;

def Sci_SetElement : ND_Tensor<[I8, I16, I32, I64, UI8, UI16, ND_String], "integers (i8 to i64, ui8, ui16) or strings">;

def Sci_RowOrderOp : Sci_Op<"row_order", Sci_NoCodeOfSearch, ND_NoGradientOfInts> {
  let summary = "the order of a matrix's rows";
  let semantics = [{The numbers of the rows of the matrix `rows`, in the order that sorts them by their first column, equal ones by the next, and so on. Equal rows keep their order.}];
  let failures = "INVALID_ARGUMENT when `rows` is no matrix.";
  let constraints = [{C1. `rows` holds integers (i8 to i64, ui8, ui16). C2. `order` holds i64.}];
  let example = "%order = sci.row_order %rows : (tensor<4x2xi64>) -> tensor<4xi64>";
  let arguments = (ins ND_Index:$rows);
  let results = (outs ND_I64:$order);
}

def Sci_SetOperationOp : Sci_Op<"set_operation", Sci_NoCodeOfSearch, ND_NoGradientOfInts, [AllElementTypesMatch<["firstValues", "secondValues", "values"]>]> {
  let summary = "sets made of two sets each";
  let semantics = [{Two sparse tensors of sets: the values of all places that have the same indices but the last are a set. For each such place: what is in both sets (`intersection`), in either (`union`), in the first only (`first_only`), or in the second only (`second_only`). The result is a sparse tensor of sorted sets: `indices`, `values`, and `dims`, of which the last one is the size of the largest set.}];
  let failures = "INVALID_ARGUMENT when indices are no matrix with a row for each value and a column for each dim; when there are fewer than two dims, or the dims but the last differ; when an index is outside of the dims, or indices but the last decrease; with `checked`, when the last one does not increase.";
  let constraints = [{C1. Indices and dims are i64. C2. `firstValues`, `secondValues` and `values` have the same element type. C3. That is i8, i16, i32, i64, ui8, ui16 or strings. C4. `how` is `intersection`, `union`, `first_only` or `second_only`.}];
  let example = [{%i, %v, %d = sci.set_operation %ai, %av, %ad, %bi, %bv, %bd {how = "union", checked = true} : (tensor<3x2xi64>, tensor<3xi32>, tensor<2xi64>, tensor<1x2xi64>, tensor<1xi32>, tensor<2xi64>) -> (tensor<?x2xi64>, tensor<?xi32>, tensor<2xi64>)}];
  let arguments = (ins ND_I64:$firstIndices, Sci_SetElement:$firstValues, ND_I64:$firstDims,
                       ND_I64:$secondIndices, Sci_SetElement:$secondValues, ND_I64:$secondDims,
                       StrAttr:$how, BoolAttr:$checked);
  let results = (outs ND_I64:$indices, Sci_SetElement:$values, ND_I64:$dims);
  let hasVerifier = 1;
}

def Sci_SetSizeOp : Sci_Op<"set_size", Sci_NoCodeOfSearch, ND_NoGradientOfInts> {
  let summary = "how many elements sets have";
  let semantics = [{Of a sparse tensor of sets, as `sci.set_operation` has them, the number of different values of each set, as a tensor of the dims but the last.}];
  let failures = "INVALID_ARGUMENT as of `sci.set_operation`; RESOURCE_EXHAUSTED when there is no memory for the result.";
  let constraints = [{C1. `indices` and `dims` are i64. C2. `values` holds i8, i16, i32, i64, ui8, ui16 or strings. C3. `sizes` holds i32.}];
  let example = [{%n = sci.set_size %i, %v, %d {checked = true} : (tensor<3x2xi64>, tensor<3xi32>, tensor<2xi64>) -> tensor<?xi32>}];
  let arguments = (ins ND_I64:$indices, Sci_SetElement:$values, ND_I64:$dims, BoolAttr:$checked);
  let results = (outs ND_I32:$sizes);
}

def Sci_Feature : ND_Tensor<[I64, ND_String], "i64 or strings">;

def Sci_SparseCrossOp : Sci_Op<"sparse_cross", Sci_NoCodeOfSearch, ND_NoGradientOfInts> {
  let summary = "features of rows, crossed";
  let semantics = [{Each column has some features for each row. The first `sparse` columns are sparse matrices: indices, in the order of their rows, values and dims; the others are dense matrices. The result is a sparse matrix, `indices`, `values` and `dims`, which has in each row a value for each choice of one feature of every column, in the order of the features, those of the last column first. By `how` that is the features as text with `separator` between them (`join`), or a hash of 64 bits modulo the first of the `numbers`, or modulo 2^63 - 1 if that is not positive. A feature's hash is itself if it is a number, else FarmHash's fingerprint, with `keyed` SipHash-2-4 with the other two numbers as key; the hashes of several are joined from left to right, with `seeded` from the second number on.}];
  let failures = "INVALID_ARGUMENT when `separator` is no scalar, there are not three `numbers`, indices are not those of a matrix with a value for each, in the order of their rows and below their number, a dense column is no matrix, or columns have different numbers of rows. RESOURCE_EXHAUSTED when there is no memory for the result.";
  let constraints = [{C1. `separator` holds strings. C2. `numbers`, `indices` and `dims` are i64. C3. `columns` and `values` hold i64 or strings. C4. `how` is `join`, `seeded`, `plain` or `keyed`. C5. There are columns, and three operands for each of the `sparse` ones. C6. `values` holds strings if `how` is `join`, else i64. C7. The indices and dims of sparse columns are i64.}];
  let example = [{%i, %v, %d = sci.sparse_cross %s, %n, %ci, %cv, %cd, %x {how = "join", sparse = 1 : i64} : (tensor<!nd.string>, tensor<3xi64>, tensor<3x2xi64>, tensor<3x!nd.string>, tensor<2xi64>, tensor<2x2xi64>) -> (tensor<?x2xi64>, tensor<?x!nd.string>, tensor<2xi64>)}];
  let arguments = (ins ND_Text:$separator, ND_I64:$numbers, Variadic<Sci_Feature>:$columns, I64Attr:$sparse, StrAttr:$how);
  let results = (outs ND_I64:$indices, Sci_Feature:$values, ND_I64:$dims);
  let hasVerifier = 1;
}

#endif
