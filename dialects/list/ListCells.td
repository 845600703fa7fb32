// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Ops on the cells of a codelet.
#ifndef SLUICE_LIST_CELLS
#define SLUICE_LIST_CELLS

include "dialects/list/ListBase.td"

def List_CellOpenOp : List_CellOp<"cell_open"> {
  let summary = "begin with a cell";
  let semantics = [{The cell holds `list`, or one without elements. Stands once for each cell, ahead of all else that uses it, in a codelet's straight line.}];
  let constraints = [{C1. `list` is a list.}];
  let example = [{list.cell_open %l {cell = 0 : i64, element = tensor<4xf32>} : (!list.of<tensor<4xf32>>) -> ()}];
  let arguments = (ins Optional<List_Any>:$list, I64Attr:$cell, TypeAttr:$element);
  let results = (outs);
}

def List_CellCloseOp : List_CellOp<"cell_close"> {
  let summary = "what a cell holds, as a list";
  let semantics = [{The list that the cell holds, which leaves the codelet. Stands at most once for each cell, behind all else that uses it.}];
  let constraints = [{C1. `list` is a list.}];
  let example = [{%l = list.cell_close {cell = 0 : i64} : () -> !list.of<tensor<4xf32>>}];
  let arguments = (ins I64Attr:$cell);
  let results = (outs List_Any:$list);
}

def List_CellMakeOp : List_CellOp<"cell_make", [LooksAtIndices]> {
  let summary = "`list.make` in a cell";
  let semantics = [{As `list.make`, with the cell as result.}];
  let failures = "as `list.make`; RESOURCE_EXHAUSTED when there is no memory.";
  let constraints = [{C1. `size` holds integers.}];
  let example = [{list.cell_make %n {cell = 0 : i64, zeros = false} : (tensor<i32>) -> ()}];
  let arguments = (ins ND_Index:$size, I64Attr:$cell, BoolAttr:$zeros);
  let results = (outs);
}

def List_CellLengthOp : List_CellOp<"cell_length"> {
  let summary = "`list.length` of a cell";
  let semantics = [{As `list.length`.}];
  let constraints = [{C1. `length` holds i32.}];
  let example = [{%n = list.cell_length {cell = 0 : i64} : () -> tensor<i32>}];
  let arguments = (ins I64Attr:$cell);
  let results = (outs ND_I32:$length);
}

def List_CellGetOp : List_CellOp<"cell_get", [LooksAtIndices]> {
  let summary = "`list.get` from a cell";
  let semantics = [{As `list.get`.}];
  let failures = "as `list.get`.";
  let constraints = [{C1. `index` holds integers.}];
  let example = [{%v = list.cell_get %i {beyond = false, cell = 0 : i64, clear = false} : (tensor<i32>) -> tensor<4xf32>}];
  let arguments = (ins ND_Index:$index, BoolAttr:$beyond, I64Attr:$cell, BoolAttr:$clear);
  let results = (outs ND_Any:$value);
}

def List_CellSetOp : List_CellOp<"cell_set", [LooksAtIndices]> {
  let summary = "`list.set` in a cell";
  let semantics = [{As `list.set`.}];
  let failures = "as `list.set`; RESOURCE_EXHAUSTED when there is no memory.";
  let constraints = [{C1. `index` holds integers.}];
  let example = [{list.cell_set %i, %v {cell = 0 : i64, grow = false, once = true} : (tensor<i32>, tensor<4xf32>) -> ()}];
  let arguments = (ins ND_Index:$index, ND_Any:$value, I64Attr:$cell, BoolAttr:$grow, BoolAttr:$once);
  let results = (outs);
}

def List_CellAccumulateOp : List_CellOp<"cell_accumulate", [LooksAtIndices]> {
  let summary = "`list.accumulate` in a cell";
  let semantics = [{As `list.accumulate`.}];
  let failures = "as `list.accumulate`; RESOURCE_EXHAUSTED when there is no memory.";
  let constraints = [{C1. `index` holds integers.}];
  let example = [{list.cell_accumulate %i, %v {cell = 0 : i64} : (tensor<i32>, tensor<4xf32>) -> ()}];
  let arguments = (ins ND_Index:$index, ND_Number:$value, I64Attr:$cell);
  let results = (outs);
}

def List_CellPushOp : List_CellOp<"cell_push", [LooksAtIndices]> {
  let summary = "`list.push` to a cell";
  let semantics = [{As `list.push`.}];
  let failures = "as `list.push`; RESOURCE_EXHAUSTED when there is no memory.";
  let constraints = [{C1. `value` is a tensor.}];
  let example = [{list.cell_push %v {cell = 0 : i64, limit = -1 : i64} : (tensor<4xf32>) -> ()}];
  let arguments = (ins ND_Any:$value, I64Attr:$cell, I64Attr:$limit);
  let results = (outs);
}

def List_CellPopOp : List_CellOp<"cell_pop", [LooksAtIndices]> {
  let summary = "`list.pop` from a cell";
  let semantics = [{As `list.pop`. With `zeros` an empty element can be read, whatever the list says of its elements.}];
  let failures = "as `list.pop`.";
  let constraints = [{C1. `value` is a tensor.}];
  let example = [{%v = list.cell_pop {cell = 0 : i64, zeros = false} : () -> tensor<4xf32>}];
  let arguments = (ins I64Attr:$cell, BoolAttr:$zeros);
  let results = (outs ND_Any:$value);
}

def List_CellPeekOp : List_CellOp<"cell_peek", [LooksAtIndices]> {
  let summary = "`list.peek` at a cell";
  let semantics = [{As `list.peek`. With `zeros` an empty element can be read, whatever the list says of its elements.}];
  let failures = "as `list.peek`.";
  let constraints = [{C1. `index` holds integers.}];
  let example = [{%v = list.cell_peek %i {cell = 0 : i64, zeros = false} : (tensor<i32>) -> tensor<4xf32>}];
  let arguments = (ins ND_Index:$index, I64Attr:$cell, BoolAttr:$zeros);
  let results = (outs ND_Any:$value);
}

def List_CellResizeOp : List_CellOp<"cell_resize", [LooksAtIndices]> {
  let summary = "`list.resize` of a cell";
  let semantics = [{As `list.resize`.}];
  let failures = "as `list.resize`; RESOURCE_EXHAUSTED when there is no memory.";
  let constraints = [{C1. `size` holds integers.}];
  let example = [{list.cell_resize %n {cell = 0 : i64} : (tensor<i32>) -> ()}];
  let arguments = (ins ND_Index:$size, I64Attr:$cell);
  let results = (outs);
}

def List_CellLimitOp : List_CellOp<"cell_limit", [LooksAtIndices]> {
  let summary = "`list.declare_limit` of a cell";
  let semantics = [{As `list.declare_limit`.}];
  let constraints = [{C1. `limit` holds integers.}];
  let example = [{list.cell_limit %n {cell = 0 : i64} : (tensor<i32>) -> ()}];
  let arguments = (ins ND_Index:$limit, I64Attr:$cell);
  let results = (outs);
}

#endif
