// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// nd ops of the family "records": tensors from strings that hold records of files, and the reverse.
#ifndef SLUICE_ND_RECORDS
#define SLUICE_ND_RECORDS

include "dialects/nd/NdBase.td"

def ND_NoGradientOfRecords : NoGradient<"its operands are strings">;

def ND_DecodeRawOp : ND_Op<"decode_raw", ND_NoCodeOfTexts, ND_NoGradientOfRecords> {
  let summary = "bytes of strings as elements";
  let semantics = [{Of each string, the elements whose bytes it holds one behind the other, as a new last dim. Without `little_endian` the first byte of a number is the highest one. A byte that is not 0 is a true bool.}];
  let failures = "INVALID_ARGUMENT when two strings differ in length, or their length is no multiple of an element's.";
  let constraints = [{C1. `texts` holds strings. C2. `result` holds numbers or i1.}];
  let example = [{%y = nd.decode_raw %x {little_endian = true} : (tensor<2x!nd.string>) -> tensor<2x?xi16>}];
  let arguments = (ins ND_Text:$texts, BoolAttr:$little_endian);
  let results = (outs ND_NumberOrBool:$result);
}

def ND_DecodePaddedRawOp : ND_Op<"decode_padded_raw", ND_NoCodeOfTexts, ND_NoGradientOfRecords> {
  let summary = "the first bytes of strings as elements";
  let semantics = [{As `nd.decode_raw` of strings that are cut to `length` bytes, or filled up with zeros.}];
  let failures = "INVALID_ARGUMENT when `length` is no scalar, not positive, or no multiple of an element's.";
  let constraints = [{C1. `texts` holds strings. C2. `length` holds i32. C3. `result` holds numbers.}];
  let example = [{%y = nd.decode_padded_raw %x, %n {little_endian = true} : (tensor<2x!nd.string>, tensor<i32>) -> tensor<2x?xi16>}];
  let arguments = (ins ND_Text:$texts, ND_I32:$length, BoolAttr:$little_endian);
  let results = (outs ND_Number:$result);
}

def ND_DecompressOp : ND_Op<"decompress", ND_NoCodeOfTexts, ND_NoGradientOfRecords> {
  let summary = "inflate strings";
  let semantics = [{What each string was before it was compressed. `format` is "zlib", of which what comes behind the end is passed over, or "gzip", of which several may come one behind the other. Of a string that was cut off, what is there.}];
  let failures = "DATA_LOSS when a string is not of this format, RESOURCE_EXHAUSTED when memory does not suffice.";
  let constraints = [{C1. `texts` and `result` hold strings. C2. `format` is "zlib" or "gzip".}];
  let example = [{%y = nd.decompress %x {format = "gzip"} : (tensor<2x!nd.string>) -> tensor<2x!nd.string>}];
  let arguments = (ins ND_Text:$texts, StrAttr:$format);
  let results = (outs ND_Text:$result);
  let hasVerifier = 1;
}

def ND_DecodeCsvOp : ND_Op<"decode_csv", ND_NoCodeOfTexts, ND_NoGradientOfRecords> {
  let summary = "fields of lines of text";
  let semantics = [{Each string of `records` is a line of fields with `delimiter` between them; a result has the field of its position of all lines. With `quotes` a field may be between double quotes; a delimiter, an end of line, and a pair of double quotes, which stands for one, are then part of it. A field that is empty, or is `missing`, has the value of its element of `defaults`, which is empty for a field that has to be there. Where there are `columns`, these are the positions of the fields that count.}];
  let failures = "INVALID_ARGUMENT when a line has more or fewer fields than there are results, a field is no number where there should be one, is not there and has to be, or quotes are where they may not; when a default has more than one element or dim.";
  let constraints = [{C1. `records` holds strings. C2. There are as many `defaults` as `fields`, with the same element types. C3. `fields` hold f32, f64, i32, i64 or strings. C4. `delimiter` is one byte. C5. `columns` is empty or has a position for each field, each larger than the one before and none below 0.}];
  let example = [{%a, %b = nd.decode_csv %x, %d, %e {delimiter = ",", quotes = true, missing = "", columns = array<i64>} : (tensor<2x!nd.string>, tensor<1xi32>, tensor<0xf32>) -> (tensor<2xi32>, tensor<2xf32>)}];
  let arguments = (ins ND_Text:$records, Variadic<ND_Any>:$defaults, StrAttr:$delimiter, BoolAttr:$quotes, StrAttr:$missing, DenseI64ArrayAttr:$columns);
  let results = (outs Variadic<ND_Any>:$fields);
  let hasVerifier = 1;
}

def ND_ParseExampleOp : ND_Op<"parse_example", ND_NoCodeOfTexts, ND_NoGradientOfRecords> {
  let summary = "features of serialized examples";
  let semantics = [{Each string of `serialized`, a vector or a scalar, is a message of type tf.train.Example; `names` has their names for messages of errors, or none. The results are those of the features `sparse_keys`, of which there are `sparse`: the indices of the values of each, the values of each, and the dims of each; then a tensor for each of `dense_keys`; then for each of `ragged_keys` the values, and then, for each, where the values of an example begin.

A dense feature has a shape, which `dense_shapes` gives as the number of dims and the dims, for one after the other, and an element of `defaults`, which stands for a feature that an example does not have; one without elements says that every example has it. If the first dim is -1, examples may have different numbers of values, after which the one element of the default fills up. `rank` is the rank that `serialized` has to have, or -1 if both will do. A scalar gives results without the dim of examples, and nothing for where values begin.}];
  let failures = "INVALID_ARGUMENT when a string is no such message, a feature holds elements of another type or of another number, or one is missing that has no default; when keys, names or defaults do not fit.";
  let constraints = [{C1. `serialized`, `names` and keys hold strings. C2. `sparse` is not negative, and results are as many as `sparse` and `defaults` want and a multiple of two for ragged features. C3. Indices and dims hold i64, where values begin is told by i32 or i64, and the others hold f32, i64 or strings. C4. Each default has the element type of its result. C5. `dense_shapes` has a shape for each default, in which only the first dim is -1. C6. `rank` is -1, 0 or 1.}];
  let example = [{%i, %v, %s, %d = nd.parse_example %x, %n, %sk, %dk, %rk, %e {sparse = 1 : i64, dense_shapes = array<i64: 1, 3>, rank = -1 : i64} : (tensor<2x!nd.string>, tensor<0x!nd.string>, tensor<1x!nd.string>, tensor<1x!nd.string>, tensor<0x!nd.string>, tensor<0xf32>) -> (tensor<?x2xi64>, tensor<?xi64>, tensor<2xi64>, tensor<2x3xf32>)}];
  let arguments = (ins ND_Text:$serialized, ND_Text:$names, ND_Text:$sparse_keys, ND_Text:$dense_keys, ND_Text:$ragged_keys, Variadic<ND_Any>:$defaults, I64Attr:$sparse, DenseI64ArrayAttr:$dense_shapes, I64Attr:$rank);
  let results = (outs Variadic<ND_Any>:$features);
  let hasVerifier = 1;
}

def ND_ParseTensorOp : ND_Op<"parse_tensor", ND_NoCodeOfTexts, ND_NoGradientOfRecords> {
  let summary = "tensor of a serialized tensor";
  let semantics = [{The tensor that a string, which is a message of type tensorflow.TensorProto, describes.}];
  let failures = "INVALID_ARGUMENT when `text` is no scalar or no such message, or one of a tensor with elements of another type; RESOURCE_EXHAUSTED when memory does not suffice.";
  let constraints = [{C1. `text` holds strings. C2. `result` holds numbers, i1 or strings.}];
  let example = [{%y = nd.parse_tensor %x : (tensor<!nd.string>) -> tensor<*xf32>}];
  let arguments = (ins ND_Text:$text);
  let results = (outs ND_Comparable:$result);
}

def ND_SerializeTensorOp : ND_Op<"serialize_tensor", ND_NoCodeOfTexts, ND_NoGradientOfRecords> {
  let summary = "serialized tensor";
  let semantics = [{A string that `nd.parse_tensor` makes `input` of.}];
  let failures = "none.";
  let constraints = [{C1. `input` holds numbers, i1 or strings. C2. `text` holds strings.}];
  let example = [{%y = nd.serialize_tensor %x : (tensor<2xf32>) -> tensor<!nd.string>}];
  let arguments = (ins ND_Comparable:$input);
  let results = (outs ND_Text:$text);
}

def ND_ParseRowsOp : ND_Op<"parse_rows", ND_NoCodeOfTexts, ND_NoGradientOfRecords> {
  let summary = "rows of serialized tensors";
  let semantics = [{The tensors that strings describe, as `nd.parse_tensor` has it, joined along their first dim, and the size of each along it. Of no strings, no elements in one dim.}];
  let failures = "INVALID_ARGUMENT when `texts` is no vector; when a string is no such message, or one of a tensor with elements of another type, of a scalar, or of rows with another shape; RESOURCE_EXHAUSTED when memory does not suffice.";
  let constraints = [{C1. `texts` holds strings. C2. `rows` holds numbers, i1 or strings. C3. `sizes` holds i64.}];
  let example = [{%y, %n = nd.parse_rows %x : (tensor<2x!nd.string>) -> (tensor<*xf32>, tensor<2xi64>)}];
  let arguments = (ins ND_Text:$texts);
  let results = (outs ND_Comparable:$rows, ND_I64:$sizes);
}

def ND_SerializeRowsOp : ND_Op<"serialize_rows", ND_NoCodeOfTexts, ND_NoGradientOfRecords> {
  let summary = "serialized rows";
  let semantics = [{A string for each of `starts`, of which `nd.parse_tensor` makes the rows of `input` from there up to, and not with, the one in `ends`; with `single` it is one row, without the first dim.}];
  let failures = "INVALID_ARGUMENT when `input` is a scalar, `starts` and `ends` are no vectors of one length, or they are not the bounds of rows, of one if `single`.";
  let constraints = [{C1. `input` holds numbers, i1 or strings. C2. `starts` and `ends` hold i64. C3. `texts` holds strings.}];
  let example = [{%y = nd.serialize_rows %x, %s, %e {single = false} : (tensor<4x2xf32>, tensor<3xi64>, tensor<3xi64>) -> tensor<3x!nd.string>}];
  let arguments = (ins ND_Comparable:$input, ND_I64:$starts, ND_I64:$ends, BoolAttr:$single);
  let results = (outs ND_Text:$texts);
}

#endif
