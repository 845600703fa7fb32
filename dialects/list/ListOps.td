// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Ops on lists.
#ifndef SLUICE_LIST_OPS
#define SLUICE_LIST_OPS

include "dialects/list/ListBase.td"

// ---- Making -------------------------------------------------------------------------------------

def List_MakeOp : List_Op<"make", NoGradient<"its result holds no numbers yet">> {
  let summary = "a list of empty elements";
  let semantics = [{A list of `size` empty elements. `element_shape` is what is known of an element's shape; where all of it is, an empty element reads as zeros. With `identical` the first element that is set fixes the shape.}];
  let failures = "INVALID_ARGUMENT when the size is negative.";
  let constraints = [{C1. `size` holds integers. C2. `element_shape` is a tensor type or a list.}];
  let example = [{%l = list.make %n {element_shape = tensor<4xf32>, identical = false} : (tensor<i32>) -> !list.of<tensor<4xf32>>}];
  let arguments = (ins ND_Index:$size, Sluice_ElementShapeAttr:$element_shape, BoolAttr:$identical);
  let results = (outs List_Any:$result);
  let hasVerifier = 1;
}

def List_DeclareShapeOp : List_Op<"declare_shape", HasGradient> {
  let summary = "more is known of the shape of elements";
  let semantics = [{The list, which says of its elements what it said and what `shape` says: a size for each dim, or -1 where it is not known; the scalar -1 where not even the rank is.}];
  let failures = "INVALID_ARGUMENT when `shape` is none, or excludes what the list says or an element that is set.";
  let constraints = [{C1. `shape` holds integers. C2. `result` has the type of `list`.}];
  let example = [{%m = list.declare_shape %l, %shape : (!list.of<tensor<*xf32>>, tensor<?xi32>) -> !list.of<tensor<*xf32>>}];
  let arguments = (ins List_Any:$list, ND_Index:$shape);
  let results = (outs List_Any:$result);
  let hasVerifier = 1;
}

def List_DeclareLimitOp : List_Op<"declare_limit", HasGradient> {
  let summary = "how long pushes may make a list";
  let semantics = [{The list, which is full from a length of `limit` on; below 0 it never is.}];
  let failures = "INVALID_ARGUMENT when `limit` is no single number.";
  let constraints = [{C1. `limit` holds integers. C2. `result` has the type of `list`.}];
  let example = [{%m = list.declare_limit %l, %n : (!list.of<tensor<4xf32>>, tensor<i32>) -> !list.of<tensor<4xf32>>}];
  let arguments = (ins List_Any:$list, ND_Index:$limit);
  let results = (outs List_Any:$result);
  let hasVerifier = 1;
}

def List_AddOp : List_Op<"add", HasGradient> {
  let summary = "elementwise sum of two lists";
  let semantics = [{The sums of elements at equal indices; where one is empty, the other one. The result says of its elements what both lists say.}];
  let failures = "INVALID_ARGUMENT when the lengths differ, or shapes that are added do, or what the lists say excludes each other.";
  let constraints = [{C1. `list`, `other` and `result` have the same type.}];
  let example = [{%m = list.add %l, %o : (!list.of<tensor<4xf32>>, !list.of<tensor<4xf32>>) -> !list.of<tensor<4xf32>>}];
  let arguments = (ins List_Any:$list, List_Any:$other);
  let results = (outs List_Any:$result);
  let hasVerifier = 1;
}

def List_AppendOp : List_Op<"append", HasGradient> {
  let summary = "the elements of two lists, one behind the other";
  let semantics = [{The elements of `list`, and behind them those of `other`.}];
  let failures = "INVALID_ARGUMENT when the lists do not say the same of their elements.";
  let constraints = [{C1. `list`, `other` and `result` have the same type.}];
  let example = [{%m = list.append %l, %o : (!list.of<tensor<4xf32>>, !list.of<tensor<4xf32>>) -> !list.of<tensor<4xf32>>}];
  let arguments = (ins List_Any:$list, List_Any:$other);
  let results = (outs List_Any:$result);
  let hasVerifier = 1;
}

def List_ZerosLikeOp : List_Op<"zeros_like", HasGradient> {
  let summary = "zeros for the elements of a list";
  let semantics = [{A list of the same length: zeros of the same shape where `list` has, or had, an element, and empty elements where it has none. `list.accumulate` takes such zeros for nothing: what is added first keeps its bits.}];
  let constraints = [{C1. `list` and `result` have the same type.}];
  let example = [{%g = list.zeros_like %l : (!list.of<tensor<4xf32>>) -> !list.of<tensor<4xf32>>}];
  let arguments = (ins List_Any:$list);
  let results = (outs List_Any:$result);
  let hasVerifier = 1;
}

def List_UnstackOp : List_Op<"unstack", HasGradient> {
  let summary = "the rows of a tensor as a list";
  let semantics = [{A list with an element for each index of the first dim of `value`. `element_shape` is what the list says of its elements afterwards, as that of `list.make` does.}];
  let failures = "INVALID_ARGUMENT when the value is a scalar, or its rows are not of `element_shape`.";
  let constraints = [{C1. `value` is a tensor. C2. `element_shape` is a tensor type. C3. `value` holds what elements of `result` hold.}];
  let example = [{%l = list.unstack %v {element_shape = tensor<4xf32>} : (tensor<3x4xf32>) -> !list.of<tensor<4xf32>>}];
  let arguments = (ins ND_Any:$value, Sluice_ElementShapeAttr:$element_shape);
  let results = (outs List_Any:$result);
  let hasVerifier = 1;
}

// ---- Single elements ----------------------------------------------------------------------------

def List_LengthOp : List_Op<"length", ND_NoGradientOfInts> {
  let summary = "number of elements";
  let semantics = [{The number of elements, empty and cleared ones included.}];
  let constraints = [{C1. `length` holds i32.}];
  let example = [{%n = list.length %l : (!list.of<tensor<4xf32>>) -> tensor<i32>}];
  let arguments = (ins List_Any:$list);
  let results = (outs ND_I32:$length);
}

def List_GetOp : List_Op<"get", HasGradient> {
  let summary = "read an element";
  let semantics = [{The element at `index`, and the list afterwards: with `clear` the element is cleared. With `beyond` an element beyond the end is an empty one. Once an empty element has been read, `list.set` with `once` fails there.}];
  let failures = "INVALID_ARGUMENT when the index is out of range, the element has been cleared, or it is empty and its shape is not known.";
  let constraints = [{C1. `index` holds integers. C2. `result` has the type of `list`. C3. `value` holds what elements of `list` hold.}];
  let example = [{%v, %m = list.get %l, %i {beyond = false, clear = false} : (!list.of<tensor<4xf32>>, tensor<i32>) -> (tensor<4xf32>, !list.of<tensor<4xf32>>)}];
  let arguments = (ins List_Any:$list, ND_Index:$index, BoolAttr:$beyond, BoolAttr:$clear);
  let results = (outs List_Element:$value, List_Any:$result);
  let hasVerifier = 1;
}

def List_SetOp : List_Op<"set", HasGradient> {
  let summary = "write an element";
  let semantics = [{The list with `value` at `index`. With `once` the element has to be empty. With `grow` the list is as long as it needs to be.}];
  let failures = "INVALID_ARGUMENT when the index is out of range, the shape is not that of elements, or with `once` the element is not empty.";
  let constraints = [{C1. `index` holds integers. C2. `result` has the type of `list`. C3. `value` holds what elements of `list` hold.}];
  let example = [{%m = list.set %l, %i, %v {grow = false, once = true} : (!list.of<tensor<4xf32>>, tensor<i32>, tensor<4xf32>) -> !list.of<tensor<4xf32>>}];
  let arguments = (ins List_Any:$list, ND_Index:$index, List_Element:$value, BoolAttr:$grow, BoolAttr:$once);
  let results = (outs List_Any:$result);
  let hasVerifier = 1;
}

def List_AccumulateOp : List_Op<"accumulate", HasGradient> {
  let summary = "add to an element";
  let semantics = [{The list with the sum of the element at `index` and `value` there; with `value` itself where the element is empty or only zeros of `list.zeros_like`.}];
  let failures = "INVALID_ARGUMENT when the index is out of range, the shapes differ, or the element has been cleared.";
  let constraints = [{C1. `index` holds integers. C2. `value` holds numbers. C3. `result` has the type of `list`. C4. `value` holds what elements of `list` hold.}];
  let example = [{%m = list.accumulate %l, %i, %v : (!list.of<tensor<4xf32>>, tensor<i32>, tensor<4xf32>) -> !list.of<tensor<4xf32>>}];
  let arguments = (ins List_Any:$list, ND_Index:$index, ND_Number:$value);
  let results = (outs List_Any:$result);
  let hasVerifier = 1;
}

def List_PushOp : List_Op<"push", HasGradient> {
  let summary = "append an element";
  let semantics = [{The list with `value` behind its last element. `limit` is the length from which on it is full; below 0 there is none.}];
  let failures = "INVALID_ARGUMENT when the list is full, or the shape is not that of elements.";
  let constraints = [{C1. `result` has the type of `list`. C2. `value` holds what elements of `list` hold.}];
  let example = [{%m = list.push %l, %v {limit = -1 : i64} : (!list.of<tensor<4xf32>>, tensor<4xf32>) -> !list.of<tensor<4xf32>>}];
  let arguments = (ins List_Any:$list, List_Element:$value, I64Attr:$limit);
  let results = (outs List_Any:$result);
  let hasVerifier = 1;
}

def List_PopOp : List_Op<"pop", HasGradient> {
  let summary = "take the last element away";
  let semantics = [{The last element, and the list without it. If nothing was set there it is zeros of the shape that `element_shape`, `shape` and the list together give.}];
  let failures = "INVALID_ARGUMENT when the list is empty, or its last element is and its shape is not known.";
  let constraints = [{C1. `shape` holds integers. C2. `element_shape` is a tensor type or a list. C3. `result` has the type of `list`. C4. `value` holds what elements of `list` hold.}];
  let example = [{%v, %m = list.pop %l {element_shape = tensor<*xf32>} : (!list.of<tensor<4xf32>>) -> (tensor<4xf32>, !list.of<tensor<4xf32>>)}];
  let arguments = (ins List_Any:$list, Optional<ND_Index>:$shape, Sluice_ElementShapeAttr:$element_shape);
  let results = (outs List_Element:$value, List_Any:$result);
  let hasVerifier = 1;
}

def List_ResizeOp : List_Op<"resize", HasGradient> {
  let summary = "another length";
  let semantics = [{The first `size` elements, and empty ones where there are fewer.}];
  let failures = "INVALID_ARGUMENT when the size is negative.";
  let constraints = [{C1. `size` holds integers. C2. `result` has the type of `list`.}];
  let example = [{%m = list.resize %l, %n : (!list.of<tensor<4xf32>>, tensor<i32>) -> !list.of<tensor<4xf32>>}];
  let arguments = (ins List_Any:$list, ND_Index:$size);
  let results = (outs List_Any:$result);
  let hasVerifier = 1;
}

// ---- Many elements ------------------------------------------------------------------------------

def List_GatherOp : List_Op<"gather", HasGradient> {
  let summary = "read elements along a new first dim";
  let semantics = [{The elements at `indices` along a new first dim, and the list afterwards: with `clear` they are cleared. An empty element is zeros of `element_shape` and what the list knows of it.}];
  let failures = "as `list.get`; INVALID_ARGUMENT when shapes differ; UNIMPLEMENTED for no index and an unknown `element_shape`.";
  let constraints = [{C1. `indices` holds i32. C2. `element_shape` is a tensor type. C3. `result` has the type of `list`. C4. `value` holds what elements of `list` hold.}];
  let example = [{%v, %m = list.gather %l, %i {beyond = false, clear = true, element_shape = tensor<4xf32>} : (!list.of<tensor<4xf32>>, tensor<?xi32>) -> (tensor<?x4xf32>, !list.of<tensor<4xf32>>)}];
  let arguments = (ins List_Any:$list, ND_I32:$indices, BoolAttr:$beyond, BoolAttr:$clear, Sluice_ElementShapeAttr:$element_shape);
  let results = (outs ND_Any:$value, List_Any:$result);
  let hasVerifier = 1;
}

def List_ScatterOp : List_Op<"scatter", HasGradient> {
  let summary = "write rows of a tensor as elements";
  let semantics = [{The list with row i of `value` at `indices[i]`; `grow` and `once` as for `list.set`. With `accumulate` they are added, as `list.accumulate` does.}];
  let failures = "as `list.set` and `list.accumulate`; INVALID_ARGUMENT when there are not as many rows as indices.";
  let constraints = [{C1. `indices` holds i32. C2. `result` has the type of `list`. C3. `value` holds what elements of `list` hold.}];
  let example = [{%m = list.scatter %l, %i, %v {accumulate = false, grow = false, once = true} : (!list.of<tensor<4xf32>>, tensor<?xi32>, tensor<?x4xf32>) -> !list.of<tensor<4xf32>>}];
  let arguments = (ins List_Any:$list, ND_I32:$indices, ND_Any:$value, BoolAttr:$accumulate, BoolAttr:$grow, BoolAttr:$once);
  let results = (outs List_Any:$result);
  let hasVerifier = 1;
}

def List_ConcatOp : List_Op<"concat", HasGradient> {
  let summary = "join all elements along their first dim";
  let semantics = [{All elements joined along their first dim, the size of each along it, and the list afterwards: with `clear` they are cleared. `element_shape_except0` is what is known of their other dims.}];
  let failures = "as `list.get`; INVALID_ARGUMENT when an element is a scalar or other dims differ; UNIMPLEMENTED for no element and unknown dims.";
  let constraints = [{C1. `lengths` holds i64. C2. `element_shape_except0` is a tensor type. C3. `result` has the type of `list`. C4. `value` holds what elements of `list` hold.}];
  let example = [{%v, %n, %m = list.concat %l {clear = true, element_shape_except0 = tensor<*xf32>} : (!list.of<tensor<*xf32>>) -> (tensor<*xf32>, tensor<?xi64>, !list.of<tensor<*xf32>>)}];
  let arguments = (ins List_Any:$list, BoolAttr:$clear, Sluice_ElementShapeAttr:$element_shape_except0);
  let results = (outs ND_Any:$value, ND_I64:$lengths, List_Any:$result);
  let hasVerifier = 1;
}

def List_SplitOp : List_Op<"split", HasGradient> {
  let summary = "cut a tensor into elements of given lengths";
  let semantics = [{The list with pieces of `value` of `lengths` along its first dim as elements 0, 1, …; `accumulate`, `grow` and `once` as for `list.scatter`.}];
  let failures = "as `list.scatter`; INVALID_ARGUMENT when the lengths do not sum to the first dim or are not as many as elements.";
  let constraints = [{C1. `lengths` holds i64. C2. `result` has the type of `list`. C3. `value` holds what elements of `list` hold.}];
  let example = [{%m = list.split %l, %v, %n {accumulate = false, grow = false, once = true} : (!list.of<tensor<*xf32>>, tensor<?xf32>, tensor<?xi64>) -> !list.of<tensor<*xf32>>}];
  let arguments = (ins List_Any:$list, ND_Any:$value, ND_I64:$lengths, BoolAttr:$accumulate, BoolAttr:$grow, BoolAttr:$once);
  let results = (outs List_Any:$result);
  let hasVerifier = 1;
}

include "dialects/list/ListLooks.td"
include "dialects/list/ListCells.td"

#endif
