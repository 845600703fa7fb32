// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Ops that only look at a list, of which any number may look at one.
//
// An empty element is zeros of a shape that is put together: of what the list says of its elements,
// of `element_shape` and of `shape`, which is one as of `list.declare_shape`; and if that is not all
// of it, of the elements that are set.
#ifndef SLUICE_LIST_LOOKS
#define SLUICE_LIST_LOOKS

include "dialects/list/ListBase.td"

def List_PeekOp : List_Op<"peek", HasGradient> {
  let summary = "look at an element";
  let semantics = [{The element at `index`. An empty one is zeros of the shape that the list, `element_shape` and `shape` give together with all elements that are set.}];
  let failures = "INVALID_ARGUMENT when the index is out of range, or the element is empty and no shape is found for it.";
  let constraints = [{C1. `index` and `shape` hold integers. C2. `element_shape` is a tensor type or a list. C3. `value` holds what elements of `list` hold.}];
  let example = [{%v = list.peek %l, %i {element_shape = tensor<*xf32>} : (!list.of<tensor<4xf32>>, tensor<i32>) -> tensor<4xf32>}];
  let arguments = (ins List_Any:$list, ND_Index:$index, Optional<ND_Index>:$shape, Sluice_ElementShapeAttr:$element_shape);
  let results = (outs List_Element:$value);
  let hasVerifier = 1;
}

def List_OnlyOp : List_Op<"only", HasGradient> {
  let summary = "the element of a list that may have one";
  let semantics = [{The first element. A list of one element or none is what others call an optional.}];
  let failures = "INVALID_ARGUMENT when there is none, or its shape is not as `element_shape` says.";
  let constraints = [{C1. `element_shape` is a tensor type or a list. C2. `value` holds what elements of `list` hold.}];
  let example = [{%v = list.only %l {element_shape = tensor<?xf32>} : (!list.of<tensor<4xf32>>) -> tensor<4xf32>}];
  let arguments = (ins List_Any:$list, Sluice_ElementShapeAttr:$element_shape);
  let results = (outs List_Element:$value);
  let hasVerifier = 1;
}

def List_ElementShapeOp : List_Op<"element_shape", ND_NoGradientOfInts> {
  let summary = "what a list says of its elements";
  let semantics = [{The sizes of an element's dims as far as they were declared, -1 where they were not; the scalar -1 where not even the rank was.}];
  let constraints = [{C1. `shape` holds integers.}];
  let example = [{%s = list.element_shape %l : (!list.of<tensor<*xf32>>) -> tensor<*xi32>}];
  let arguments = (ins List_Any:$list);
  let results = (outs ND_Index:$shape);
}

def List_StackOp : List_Op<"stack", HasGradient> {
  let summary = "all elements along a new first dim";
  let semantics = [{All elements along a new first dim. Empty ones are as for `list.peek`. Unless it is below 0, there are `num_elements` of them.}];
  let failures = "INVALID_ARGUMENT when shapes differ, none is found for an empty element, it is not known for no element, or there is another number of them.";
  let constraints = [{C1. `shape` holds integers. C2. `element_shape` is a tensor type. C3. `value` holds what elements of `list` hold.}];
  let example = [{%v = list.stack %l {element_shape = tensor<4xf32>, num_elements = -1 : i64} : (!list.of<tensor<4xf32>>) -> tensor<?x4xf32>}];
  let arguments = (ins List_Any:$list, Optional<ND_Index>:$shape, Sluice_ElementShapeAttr:$element_shape, I64Attr:$num_elements);
  let results = (outs ND_Any:$value);
  let hasVerifier = 1;
}

def List_RowsOp : List_Op<"rows", HasGradient> {
  let summary = "some elements along a new first dim";
  let semantics = [{The elements at `indices` along a new first dim. Empty ones are as for `list.peek`, with what is set among these elements.}];
  let failures = "INVALID_ARGUMENT when an index is out of range, shapes differ, or as of `list.stack`.";
  let constraints = [{C1. `indices` and `shape` hold integers. C2. `element_shape` is a tensor type. C3. `value` holds what elements of `list` hold.}];
  let example = [{%v = list.rows %l, %i {element_shape = tensor<4xf32>} : (!list.of<tensor<4xf32>>, tensor<?xi32>) -> tensor<?x4xf32>}];
  let arguments = (ins List_Any:$list, ND_Index:$indices, Optional<ND_Index>:$shape, Sluice_ElementShapeAttr:$element_shape);
  let results = (outs ND_Any:$value);
  let hasVerifier = 1;
}

def List_JoinOp : List_Op<"join", HasGradient> {
  let summary = "all elements along their first dim";
  let semantics = [{All elements joined along their first dim, and the size of each along it. That of an empty one is in `leading_dims` at its index, or is what the shapes say.}];
  let failures = "INVALID_ARGUMENT when an element is a scalar, other dims differ, or those of an empty one or of no element are not known.";
  let constraints = [{C1. `leading_dims` and `lengths` hold i64. C2. `shape` holds integers. C3. `element_shape` is a tensor type. C4. `value` holds what elements of `list` hold.}];
  let example = [{%v, %n = list.join %l, %dims {element_shape = tensor<?x4xf32>} : (!list.of<tensor<?x4xf32>>, tensor<?xi64>) -> (tensor<?x4xf32>, tensor<?xi64>)}];
  let arguments = (ins List_Any:$list, ND_I64:$leading_dims, Optional<ND_Index>:$shape, Sluice_ElementShapeAttr:$element_shape);
  let results = (outs ND_Any:$value, ND_I64:$lengths);
  let hasVerifier = 1;
}

#endif
