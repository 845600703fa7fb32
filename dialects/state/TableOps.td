// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Ops of the state dialect on lookup tables.
#ifndef SLUICE_STATE_TABLE_OPS
#define SLUICE_STATE_TABLE_OPS

include "dialects/state/StateBase.td"

// What makes a table. Kinds: a "static" one is filled once; a "mutable" one can be changed; in a
// "dense" one two keys are taken for empty and for deleted places, which an export shows.
class State_MakesTable<string mnemonic, dag more, list<Trait> traits = []> : State_Op<mnemonic, traits> {
  let failures = "INVALID_ARGUMENT when the table has been made with other types, or no table can be made of the operands.";
  let arguments = !con((ins Variadic<AnyType>:$operands, StrAttr:$kind, Sluice_ElementTypeAttr:$key_dtype, Sluice_ElementTypeAttr:$value_dtype, Sluice_ElementShapeAttr:$value_shape, I64Attr:$buckets, StrAttr:$name), more);
  let results = (outs State_Table:$result, Flow_Token:$done);
  let hasVerifier = 1;
}

def State_TableHandleOp : State_MakesTable<"table_handle", (ins FlatSymbolRefAttr:$object), [DeclareOpInterfaceMethods<SymbolUserOpInterface>]> {
  let summary = "handle of a table that lives on";
  let semantics = [{The table `object` itself. It is made when it is first asked for, of the kind `kind`: "static", which is filled once, "mutable", or "dense", which shows its places. Values have the shape `value_shape`. Those of a dense table begin with `buckets` places, and `operands` are then the key of empty places, that of deleted ones, and how full it may get. Then come tokens.}];
  let constraints = [{C1. `object` names a `state.object` of the kind "table". C2. `kind` is one of "static", "mutable", "dense". C3. `value_shape` is a tensor type. C4. A dense table has three tensors, any other has none.}];
  let example = [{%h, %t = state.table_handle {object = @words, kind = "static", key_dtype = !nd.string, value_dtype = i64, value_shape = tensor<i64>, buckets = 0 : i64, name = "words"} : () -> (!state.object<"table">, !flow.token)}];
}

def State_MakeTableOp : State_MakesTable<"make_table", (ins)> {
  let summary = "a new table";
  let semantics = [{A table that lives as long as somebody has its handle, made each time that the op fires; else as `state.table_handle`.}];
  let constraints = [{C1. `kind` is one of "static", "mutable", "dense". C2. `value_shape` is a tensor type. C3. A dense table has three tensors, any other has none.}];
  let example = [{%h, %t = state.make_table {kind = "mutable", key_dtype = i64, value_dtype = f32, value_shape = tensor<2xf32>, buckets = 0 : i64, name = "t"} : () -> (!state.object<"table">, !flow.token)}];
}

def State_TableImportOp : State_Op<"table_import"> {
  let summary = "fill a table";
  let semantics = [{Replaces all that is in a table by `keys` and their `values`. A static table is filled once; a second time, with as many entries as it has, does nothing. With `initializes` only a static table can be filled, from vectors.}];
  let failures = "INVALID_ARGUMENT when types or shapes do not fit, FAILED_PRECONDITION when a static table has other entries or a key two values.";
  let constraints = [{C1. `table` is the handle of a table.}];
  let example = [{%t = state.table_import %h, %k, %v {initializes = false} : (!state.object<"table">, tensor<2x!nd.string>, tensor<2xi64>) -> !flow.token}];
  let arguments = (ins State_Table:$table, ND_Any:$keys, ND_Any:$values, BoolAttr:$initializes, Variadic<Flow_Token>:$after);
  let results = (outs Flow_Token:$done);
}

def State_TableLoadOp : State_Op<"table_load"> {
  let summary = "fill a table from a text file";
  let semantics = [{Fills a static table with a key and a value from each line of the file `filename`. `key_index` and `value_index` say where these stand: from 0 on in the column of this number, where columns are what `delimiter` separates; -1 is the number of the line; -2 is the line. `offset` is added to numbers of lines and to all of type `i32`. A line ends with "\\n" or "\\r\\n". `vocab_size` is how many lines count; -1: all. The file is there when the op fires, on the machine where it fires. A table that is filled already stays as it is.}];
  let failures = "INVALID_ARGUMENT when the table is not static, an index does not fit its types, a line is empty, has too few columns or no number where there should be one, or lines are fewer than `vocab_size`; NOT_FOUND when there is no such file; OUT_OF_RANGE when it is empty; FAILED_PRECONDITION when a key has two values.";
  let constraints = [{C1. `table` is the handle of a table. C2. `filename` holds strings. C3. `delimiter` is one byte.}];
  let example = [{%t = state.table_load %h, %f {key_index = -2 : i64, value_index = -1 : i64, vocab_size = -1 : i64, delimiter = "\t", offset = 0 : i64} : (!state.object<"table">, tensor<!nd.string>) -> !flow.token}];
  let arguments = (ins State_Table:$table, ND_Any:$filename, I64Attr:$key_index, I64Attr:$value_index, I64Attr:$vocab_size, StrAttr:$delimiter, I64Attr:$offset, Variadic<Flow_Token>:$after);
  let results = (outs Flow_Token:$done);
  let hasVerifier = 1;
}

def State_TableInsertOp : State_Op<"table_insert"> {
  let summary = "set entries of a table";
  let semantics = [{Sets the values of `keys`, in order; those that are in the table are replaced.}];
  let failures = "INVALID_ARGUMENT when types or shapes do not fit, UNIMPLEMENTED when the table is static.";
  let constraints = [{C1. `table` is the handle of a table.}];
  let example = [{%t = state.table_insert %h, %k, %v : (!state.object<"table">, tensor<2x!nd.string>, tensor<2xi64>) -> !flow.token}];
  let arguments = (ins State_Table:$table, ND_Any:$keys, ND_Any:$values, Variadic<Flow_Token>:$after);
  let results = (outs Flow_Token:$done);
}

def State_TableRemoveOp : State_Op<"table_remove"> {
  let summary = "remove entries of a table";
  let semantics = [{Removes `keys`, of which those that are not in the table do not matter.}];
  let failures = "INVALID_ARGUMENT when the type does not fit, UNIMPLEMENTED when the table is static.";
  let constraints = [{C1. `table` is the handle of a table.}];
  let example = [{%t = state.table_remove %h, %k : (!state.object<"table">, tensor<2x!nd.string>) -> !flow.token}];
  let arguments = (ins State_Table:$table, ND_Any:$keys, Variadic<Flow_Token>:$after);
  let results = (outs Flow_Token:$done);
}

def State_TableFindOp : State_Op<"table_find", [OnlyReads]> {
  let summary = "values of keys";
  let semantics = [{The values of `keys`; `default`, which may also have a value for each key unless the table is static, where a key is not in the table.}];
  let failures = "INVALID_ARGUMENT when types or shapes do not fit, FAILED_PRECONDITION when a static table was not filled.";
  let constraints = [{C1. `table` is the handle of a table. C2. `default` and `values` have the same element type.}];
  let example = [{%v, %t = state.table_find %h, %k, %d : (!state.object<"table">, tensor<2x!nd.string>, tensor<i64>) -> (tensor<2xi64>, !flow.token)}];
  let arguments = (ins State_Table:$table, ND_Any:$keys, ND_Any:$default_value, Variadic<Flow_Token>:$after);
  let results = (outs ND_Any:$values, Flow_Token:$done);
  let hasVerifier = 1;
}

def State_TableSizeOp : State_Op<"table_size", [OnlyReads]> {
  let summary = "how many keys a table has";
  let semantics = [{The number of keys.}];
  let failures = "none.";
  let constraints = [{C1. `table` is the handle of a table. C2. `size` holds i64.}];
  let example = [{%n, %t = state.table_size %h : (!state.object<"table">) -> (tensor<i64>, !flow.token)}];
  let arguments = (ins State_Table:$table, Variadic<Flow_Token>:$after);
  let results = (outs ND_I64:$size, Flow_Token:$done);
}

def State_TableExportOp : State_Op<"table_export", [OnlyReads]> {
  let summary = "all that is in a table";
  let semantics = [{All keys and their values; of a dense table its places, also the empty ones.}];
  let failures = "INVALID_ARGUMENT when types do not fit, ABORTED when a static table was not filled.";
  let constraints = [{C1. `table` is the handle of a table.}];
  let example = [{%k, %v, %t = state.table_export %h : (!state.object<"table">) -> (tensor<?x!nd.string>, tensor<?xi64>, !flow.token)}];
  let arguments = (ins State_Table:$table, Variadic<Flow_Token>:$after);
  let results = (outs ND_Any:$keys, ND_Any:$values, Flow_Token:$done);
}

#endif
