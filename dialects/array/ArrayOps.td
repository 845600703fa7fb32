// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Ops of the array dialect.
#ifndef SLUICE_ARRAY_OPS
#define SLUICE_ARRAY_OPS

include "dialects/array/ArrayBase.td"

def Array_CreateOp : Array_Op<"create"> {
  let summary = "make an array";
  let semantics = [{Makes an array of `size` elements of the type `dtype`, each time it fires. `element_shape` is what is known of an element's shape; with `dynamic_size` a write beyond the end grows the array; with `clear_after_read` an element can be read once; with `identical_element_shapes` the first write fixes the shape.}];
  let failures = "INVALID_ARGUMENT when the size is negative.";
  let constraints = [{C1. `size` holds i32. C2. `element_shape` is a tensor type.}];
  let example = [{%h, %f, %t = array.create %n {dtype = f32, element_shape = tensor<*xf32>, dynamic_size = false, clear_after_read = true, identical_element_shapes = false, name = "a"} : (tensor<i32>) -> (!array.handle<tensor<*xf32>>, tensor<f32>, !flow.token)}];
  let arguments = (ins ND_I32:$size, Sluice_ElementTypeAttr:$dtype, Sluice_ElementShapeAttr:$element_shape, BoolAttr:$dynamic_size, BoolAttr:$clear_after_read, BoolAttr:$identical_element_shapes, StrAttr:$name, Variadic<Flow_Token>:$after);
  let results = (outs Array_Handle:$handle, Array_Flow:$flow, Flow_Token:$done);
  let hasVerifier = 1;
}

def Array_WriteOp : Array_Op<"write"> {
  let summary = "write an element";
  let semantics = [{Writes `value` at `index`.}];
  let failures = "INVALID_ARGUMENT when the index is out of range, or the element was written or read before, or type or shape do not fit.";
  let constraints = [{C1. `handle` is an array handle. C2. `index` holds i32, `flow` and `flow_out` hold f32.}];
  let example = [{%g, %t = array.write %h, %i, %v, %f : (!array.handle<tensor<*xf32>>, tensor<i32>, tensor<f32>, tensor<f32>) -> (tensor<f32>, !flow.token)}];
  let arguments = (ins Array_Handle:$handle, ND_I32:$index, ND_Any:$value, Array_Flow:$flow, Variadic<Flow_Token>:$after);
  let results = (outs Array_Flow:$flow_out, Flow_Token:$done);
}

def Array_ReadOp : Array_Op<"read"> {
  let summary = "read an element";
  let semantics = [{The element at `index`; zeros when it was never written and the element shape is fully known.}];
  let failures = "INVALID_ARGUMENT when the index is out of range, or the element was cleared by an earlier read, or was never written.";
  let constraints = [{C1. `handle` is an array handle. C2. `index` holds i32, `flow` holds f32.}];
  let example = [{%v, %t = array.read %h, %i, %f : (!array.handle<tensor<*xf32>>, tensor<i32>, tensor<f32>) -> (tensor<*xf32>, !flow.token)}];
  let arguments = (ins Array_Handle:$handle, ND_I32:$index, Array_Flow:$flow, Variadic<Flow_Token>:$after);
  let results = (outs ND_Any:$value, Flow_Token:$done);
}

def Array_GatherOp : Array_Op<"gather"> {
  let summary = "read elements and stack them";
  let semantics = [{The elements at `indices` along a new first dim. Where nothing was written to one, and the array does not know what shape its elements have, it reads as zeros of `element_shape`. TensorFlow has all later readers know that shape, too; here it is this reader's alone, because nothing says which of two readers is the later one.}];
  let failures = "as `array.read`; INVALID_ARGUMENT when shapes differ; UNIMPLEMENTED for no index and an unknown element shape.";
  let constraints = [{C1. `handle` is an array handle. C2. `indices` holds i32, `flow` holds f32. C3. `element_shape` is a tensor type.}];
  let example = [{%v, %t = array.gather %h, %i, %f {element_shape = tensor<*xf32>} : (!array.handle<tensor<*xf32>>, tensor<?xi32>, tensor<f32>) -> (tensor<*xf32>, !flow.token)}];
  let arguments = (ins Array_Handle:$handle, ND_I32:$indices, Array_Flow:$flow, Sluice_ElementShapeAttr:$element_shape, Variadic<Flow_Token>:$after);
  let results = (outs ND_Any:$value, Flow_Token:$done);
  let hasVerifier = 1;
}

def Array_ScatterOp : Array_Op<"scatter"> {
  let summary = "cut a tensor into elements";
  let semantics = [{Writes row i of `value` at `indices[i]`.}];
  let failures = "as `array.write`; INVALID_ARGUMENT when there are not as many rows as indices.";
  let constraints = [{C1. `handle` is an array handle. C2. `indices` holds i32, `flow` and `flow_out` hold f32.}];
  let example = [{%g, %t = array.scatter %h, %i, %v, %f : (!array.handle<tensor<*xf32>>, tensor<?xi32>, tensor<?xf32>, tensor<f32>) -> (tensor<f32>, !flow.token)}];
  let arguments = (ins Array_Handle:$handle, ND_I32:$indices, ND_Any:$value, Array_Flow:$flow, Variadic<Flow_Token>:$after);
  let results = (outs Array_Flow:$flow_out, Flow_Token:$done);
}

def Array_ConcatOp : Array_Op<"concat"> {
  let summary = "read all elements and join them";
  let semantics = [{All elements joined along their first dim, and the size of each along it.}];
  let failures = "as `array.read`; INVALID_ARGUMENT when an element is a scalar or other dims differ.";
  let constraints = [{C1. `handle` is an array handle. C2. `flow` holds f32, `lengths` holds i64. C3. `element_shape_except0` is a tensor type.}];
  let example = [{%v, %l, %t = array.concat %h, %f {element_shape_except0 = tensor<*xf32>} : (!array.handle<tensor<*xf32>>, tensor<f32>) -> (tensor<*xf32>, tensor<?xi64>, !flow.token)}];
  let arguments = (ins Array_Handle:$handle, Array_Flow:$flow, Sluice_ElementShapeAttr:$element_shape_except0, Variadic<Flow_Token>:$after);
  let results = (outs ND_Any:$value, ND_I64:$lengths, Flow_Token:$done);
  let hasVerifier = 1;
}

def Array_SplitOp : Array_Op<"split"> {
  let summary = "cut a tensor into elements of given lengths";
  let semantics = [{Cuts `value` along its first dim into pieces of `lengths` and writes them as elements 0, 1, ….}];
  let failures = "as `array.write`; INVALID_ARGUMENT when the lengths do not sum to the first dim or are not as many as elements.";
  let constraints = [{C1. `handle` is an array handle. C2. `lengths` holds i64, `flow` and `flow_out` hold f32.}];
  let example = [{%g, %t = array.split %h, %v, %l, %f : (!array.handle<tensor<*xf32>>, tensor<?xf32>, tensor<?xi64>, tensor<f32>) -> (tensor<f32>, !flow.token)}];
  let arguments = (ins Array_Handle:$handle, ND_Any:$value, ND_I64:$lengths, Array_Flow:$flow, Variadic<Flow_Token>:$after);
  let results = (outs Array_Flow:$flow_out, Flow_Token:$done);
}

def Array_SizeOp : Array_Op<"size"> {
  let summary = "number of elements";
  let semantics = [{The number of elements, written or not.}];
  let failures = "INVALID_ARGUMENT when the array is closed.";
  let constraints = [{C1. `handle` is an array handle. C2. `flow` holds f32, `size` holds i32.}];
  let example = [{%n, %t = array.size %h, %f : (!array.handle<tensor<*xf32>>, tensor<f32>) -> (tensor<i32>, !flow.token)}];
  let arguments = (ins Array_Handle:$handle, Array_Flow:$flow, Variadic<Flow_Token>:$after);
  let results = (outs ND_I32:$size, Flow_Token:$done);
}

def Array_CloseOp : Array_Op<"close"> {
  let summary = "free the elements";
  let semantics = [{Frees all elements; nothing may use the array afterwards.}];
  let failures = "none.";
  let constraints = [{C1. `handle` is an array handle.}];
  let example = [{%t = array.close %h : (!array.handle<tensor<*xf32>>) -> !flow.token}];
  let arguments = (ins Array_Handle:$handle, Variadic<Flow_Token>:$after);
  let results = (outs Flow_Token:$done);
}

def Array_GradOp : Array_Op<"grad", [AllTypesMatch<["handle", "gradient"]>]> {
  let summary = "the gradient array of an array";
  let semantics = [{The array that collects gradients of `handle` for `source`; made the first time, found again later. Its writes add up.}];
  let failures = "INVALID_ARGUMENT for the gradient of an array that adds up.";
  let constraints = [{C1. `handle` and `gradient` are array handles of the same type. C2. `flow` and `flow_out` hold f32.}];
  let example = [{%g, %f2, %t = array.grad %h, %f {source = "gradients"} : (!array.handle<tensor<*xf32>>, tensor<f32>) -> (!array.handle<tensor<*xf32>>, tensor<f32>, !flow.token)}];
  let arguments = (ins Array_Handle:$handle, Array_Flow:$flow, StrAttr:$source, Variadic<Flow_Token>:$after);
  let results = (outs Array_Handle:$gradient, Array_Flow:$flow_out, Flow_Token:$done);
}

def Array_GradWithShapeOp : Array_Op<"grad_with_shape"> {
  let summary = "the gradient array with longer elements";
  let semantics = [{As `array.grad`, with `shape` put before the dims of each element.}];
  let failures = "INVALID_ARGUMENT for the gradient of an array that adds up.";
  let constraints = [{C1. `handle` and `gradient` are array handles. C2. `shape` holds i32, `flow` and `flow_out` hold f32.}];
  let example = [{%g, %f2, %t = array.grad_with_shape %h, %f, %s {source = "gradients"} : (!array.handle<tensor<*xf32>>, tensor<f32>, tensor<?xi32>) -> (!array.handle<tensor<*xf32>>, tensor<f32>, !flow.token)}];
  let arguments = (ins Array_Handle:$handle, Array_Flow:$flow, ND_I32:$shape, StrAttr:$source, Variadic<Flow_Token>:$after);
  let results = (outs Array_Handle:$gradient, Array_Flow:$flow_out, Flow_Token:$done);
}

def Array_StackCreateOp : Array_Op<"stack_create"> {
  let summary = "make a stack";
  let semantics = [{Makes a stack of elements of `dtype`, each time it fires; `max_size` below 0 sets no bound.}];
  let failures = "none.";
  let constraints = [{C1. `max_size` holds integers.}];
  let example = [{%s, %t = array.stack_create %n {dtype = f32, name = "s"} : (tensor<i32>) -> (!array.stack<tensor<*xf32>>, !flow.token)}];
  let arguments = (ins ND_Index:$max_size, Sluice_ElementTypeAttr:$dtype, StrAttr:$name, Variadic<Flow_Token>:$after);
  let results = (outs Array_Stack:$stack, Flow_Token:$done);
}

def Array_StackPushOp : Array_Op<"stack_push", [AllTypesMatch<["value", "result"]>]> {
  let summary = "push a value";
  let semantics = [{Pushes `value` and forwards it. `swap_memory` allows the value to be kept in host memory.}];
  let failures = "INVALID_ARGUMENT when the stack is full or closed or the type differs.";
  let constraints = [{C1. `stack` is a stack handle. C2. `value` and `result` have the same type.}];
  let example = [{%w, %t = array.stack_push %s, %v {swap_memory = false} : (!array.stack<tensor<*xf32>>, tensor<f32>) -> (tensor<f32>, !flow.token)}];
  let arguments = (ins Array_Stack:$stack, Flow_Value:$value, BoolAttr:$swap_memory, Variadic<Flow_Token>:$after);
  let results = (outs Flow_Value:$result, Flow_Token:$done);
}

def Array_StackPopOp : Array_Op<"stack_pop"> {
  let summary = "pop a value";
  let semantics = [{Takes the value pushed last.}];
  let failures = "INVALID_ARGUMENT when the stack is empty or closed.";
  let constraints = [{C1. `stack` is a stack handle.}];
  let example = [{%v, %t = array.stack_pop %s : (!array.stack<tensor<*xf32>>) -> (tensor<*xf32>, !flow.token)}];
  let arguments = (ins Array_Stack:$stack, Variadic<Flow_Token>:$after);
  let results = (outs Flow_Value:$value, Flow_Token:$done);
}

def Array_StackCloseOp : Array_Op<"stack_close"> {
  let summary = "free a stack";
  let semantics = [{Frees all values; nothing may use the stack afterwards.}];
  let failures = "none.";
  let constraints = [{C1. `stack` is a stack handle.}];
  let example = [{%t = array.stack_close %s : (!array.stack<tensor<*xf32>>) -> !flow.token}];
  let arguments = (ins Array_Stack:$stack, Variadic<Flow_Token>:$after);
  let results = (outs Flow_Token:$done);
}

#endif
