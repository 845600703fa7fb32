// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// nd ops of the family "text": strings made of strings and numbers, and patterns of strings.
#ifndef SLUICE_ND_TEXT
#define SLUICE_ND_TEXT

include "dialects/nd/NdBase.td"

// Positions and lengths.
def ND_Place : ND_Tensor<[I32, I64], "i32 or i64">;

def ND_JoinTextsOp : ND_Op<"join_texts", ND_NoCodeOfTexts, ND_NoGradientOfBools> {
  let summary = "strings behind each other";
  let semantics = [{Of the operands, the strings at the same position, with `separator` between them. A scalar goes with every position.}];
  let failures = "INVALID_ARGUMENT when two operands that are no scalars have different shapes.";
  let constraints = [{C1. `texts` and `result` hold strings. C2. There is an operand.}];
  let example = [{%y = nd.join_texts %a, %b {separator = "/"} : (tensor<!nd.string>, tensor<2x!nd.string>) -> tensor<2x!nd.string>}];
  let arguments = (ins Variadic<ND_Text>:$texts, StrAttr:$separator);
  let results = (outs ND_Text:$result);
  let hasVerifier = 1;
}

def ND_DecimalOp : ND_Op<"decimal", ND_NoCodeOfTexts, ND_NoGradientOfBools> {
  let summary = "integers as decimal digits";
  let semantics = [{Each element as text: a minus sign if it is negative, and digits, with zeros before them until the text has `width` characters.}];
  let failures = "none.";
  let constraints = [{C1. `input` holds integers. C2. `result` holds strings. C3. `width` is from 0 to 1000.}];
  let example = [{%y = nd.decimal %n {width = 5 : i64} : (tensor<2xi32>) -> tensor<2x!nd.string>}];
  let arguments = (ins ND_Int:$input, I64Attr:$width);
  let results = (outs ND_Text:$result);
  let hasVerifier = 1;
}

def ND_MatchPatternOp : ND_Op<"match_pattern", ND_NoCodeOfTexts, ND_NoGradientOfBools> {
  let summary = "whether strings match a pattern";
  let semantics = [{Of each string, whether all of it matches the regular expression `pattern`, a scalar ([syntax](../../rationale/patterns.md)).}];
  let failures = "INVALID_ARGUMENT when `pattern` is no scalar or no regular expression, UNIMPLEMENTED when it has what is not supported.";
  let constraints = [{C1. `texts` and `pattern` hold strings. C2. `result` holds i1.}];
  let example = [{%y = nd.match_pattern %x, %p : (tensor<2x!nd.string>, tensor<!nd.string>) -> tensor<2xi1>}];
  let arguments = (ins ND_Text:$texts, ND_Text:$pattern);
  let results = (outs ND_Bool:$result);
}

def ND_ReplacePatternOp : ND_Op<"replace_pattern", ND_NoCodeOfTexts, ND_NoGradientOfBools> {
  let summary = "replace what matches a pattern";
  let semantics = [{Each string with `rewrite` in the place of the first part that matches the regular expression `pattern`, or with `every` of all such parts, from left to right. In `rewrite` a backslash and a digit stand for what the group of this number has matched, `\0` for all that has, and two backslashes for one. Where `rewrite` names a group that the pattern does not have, strings stay as they are.}];
  let failures = "INVALID_ARGUMENT when `pattern` or `rewrite` is no scalar, or `pattern` is no regular expression; UNIMPLEMENTED when it has what is not supported.";
  let constraints = [{C1. `texts`, `pattern`, `rewrite` and `result` hold strings.}];
  let example = [{%y = nd.replace_pattern %x, %p, %w {every = true} : (tensor<2x!nd.string>, tensor<!nd.string>, tensor<!nd.string>) -> tensor<2x!nd.string>}];
  let arguments = (ins ND_Text:$texts, ND_Text:$pattern, ND_Text:$rewrite, BoolAttr:$every);
  let results = (outs ND_Text:$result);
}

def ND_SubstringOp : ND_Op<"substring", ND_NoCodeOfTexts, ND_NoGradientOfBools, [AllElementTypesMatch<["positions", "lengths"]>]> {
  let summary = "parts of strings";
  let semantics = [{Of each string, what begins at the element of `positions`, which counts from the end if it is negative, and has as many units as that of `lengths`, or fewer where the string ends. A unit is a byte (`byte`), or one and the bytes from 0x80 to 0xBF behind it (`character`). Of bytes, a negative length takes all to the end; of characters, none. Scalar `positions` and `lengths` go with every string; else they have the shape of `texts`, or broadcast with it where neither has more than two dims.}];
  let failures = "INVALID_ARGUMENT when a position is before the begin or beyond the end of its string, or the shapes of `positions` and `lengths` differ or do not broadcast with that of `texts`; UNIMPLEMENTED when something is broadcast to more than two dims.";
  let constraints = [{C1. `texts` and `result` hold strings. C2. `positions` and `lengths` are both i32 or both i64. C3. `unit` is `byte` or `character`.}];
  let example = [{%y = nd.substring %x, %p, %n {unit = "byte"} : (tensor<2x!nd.string>, tensor<i32>, tensor<i32>) -> tensor<2x!nd.string>}];
  let arguments = (ins ND_Text:$texts, ND_Place:$positions, ND_Place:$lengths, StrAttr:$unit);
  let results = (outs ND_Text:$result);
  let hasVerifier = 1;
}

def ND_AsTextOp : ND_Op<"as_text", ND_NoCodeOfTexts, ND_NoGradientOfBools> {
  let summary = "elements as text";
  let semantics = [{Each element as C's `printf` writes it: integers as `%d`, floats as `%f` (`decimal`), `%e` (`scientific`) or `%g` (`shortest`), of a complex number both parts, with parentheses around and a comma between them, strings as `%s`. `width`, `precision` and the flag `fill` count as there, where they are not negative or empty. `i1` is `true` or `false`, whatever else is given.}];
  let failures = "RESOURCE_EXHAUSTED when there is no memory for a string.";
  let constraints = [{C1. `input` holds numbers, i1 or strings. C2. `result` holds strings. C3. `form` is `decimal`, `scientific` or `shortest`, and the first unless `input` holds floats, complex numbers or strings. C4. `width` and `precision` are from -1 to 1000, and `precision` is -1 where `input` holds integers or i1. C5. `fill` is empty or one of a blank, `+`, `-`, `0` and `#`.}];
  let example = [{%y = nd.as_text %x {fill = "0", form = "decimal", precision = 2 : i64, width = 8 : i64} : (tensor<2xf32>) -> tensor<2x!nd.string>}];
  let arguments = (ins ND_Comparable:$input, StrAttr:$form, I64Attr:$precision, I64Attr:$width, StrAttr:$fill);
  let results = (outs ND_Text:$result);
  let hasVerifier = 1;
}

def ND_ParseNumberOp : ND_Op<"parse_number", ND_NoCodeOfTexts, ND_NoGradientOfBools> {
  let summary = "numbers that strings name";
  let semantics = [{Each string as a number, with white space around it or without. A float is as C writes it, decimal or hexadecimal, or `inf`, `infinity`, `nan`, in any case; the nearest one, or infinite. An integer is a sign and decimal digits; one without a sign of its own type takes no minus.}];
  let failures = "INVALID_ARGUMENT when a string is no number, or an integer beyond its type.";
  let constraints = [{C1. `texts` holds strings. C2. `result` holds f32, f64, i32, i64, ui32 or ui64.}];
  let example = "%y = nd.parse_number %x : (tensor<2x!nd.string>) -> tensor<2xf32>";
  let arguments = (ins ND_Text:$texts);
  let results = (outs ND_Tensor<[F32, F64, I32, I64, UI32, UI64], "f32, f64, i32, i64, ui32 or ui64">:$result);
}

def ND_HashBucketOp : ND_Op<"hash_bucket", ND_NoCodeOfTexts, ND_NoGradientOfBools> {
  let summary = "numbers of buckets for strings";
  let semantics = [{Of each string a hash of 64 bits, modulo `buckets`: `fingerprint` is FarmHash's fingerprint, `murmur` MurmurHash64A with the seed 0xDECAFCAFFE, `keyed` SipHash-2-4 with `key`.}];
  let failures = "none.";
  let constraints = [{C1. `texts` holds strings. C2. `result` holds i64. C3. `buckets` is at least 1. C4. `method` is `fingerprint`, `murmur` or `keyed`. C5. `key` has two numbers if `method` is `keyed`, else none.}];
  let example = [{%y = nd.hash_bucket %x {buckets = 10 : i64, key = array<i64>, method = "fingerprint"} : (tensor<2x!nd.string>) -> tensor<2xi64>}];
  let arguments = (ins ND_Text:$texts, StrAttr:$method, I64Attr:$buckets, DenseI64ArrayAttr:$key);
  let results = (outs ND_I64:$result);
  let hasVerifier = 1;
}

def ND_SplitTextsOp : ND_Op<"split_texts", ND_NoCodeOfTexts, ND_NoGradientOfBools> {
  let summary = "strings cut at separators";
  let semantics = [{The parts of each string of a vector, as a sparse matrix: `indices` are numbers of a string and of its part, `parts` the strings, `dims` the number of strings and the largest number of parts. `at` says what `separator`, a scalar, is: `whole`, the string between parts, where an empty one stands for white space, of which runs count as one, and which is taken away before the first part and behind the last; at most `limit` cuts are made if it is not negative. `bytes`: each of its bytes is between parts, and if it has none, each byte of the string is a part; an empty string has no parts, and empty parts are left out unless `keep_empty`.}];
  let failures = "INVALID_ARGUMENT when `texts` is no vector or `separator` no scalar; RESOURCE_EXHAUSTED when there is no memory for the result.";
  let constraints = [{C1. `texts`, `separator` and `parts` hold strings. C2. `indices` and `dims` are i64. C3. `at` is `whole` or `bytes`. C4. `limit` is -1 unless `at` is `whole`.}];
  let example = [{%i, %p, %d = nd.split_texts %x, %s {at = "whole", keep_empty = true, limit = -1 : i64} : (tensor<2x!nd.string>, tensor<!nd.string>) -> (tensor<?x2xi64>, tensor<?x!nd.string>, tensor<2xi64>)}];
  let arguments = (ins ND_Text:$texts, ND_Text:$separator, StrAttr:$at, I64Attr:$limit, BoolAttr:$keep_empty);
  let results = (outs ND_I64:$indices, ND_Text:$parts, ND_I64:$dims);
  let hasVerifier = 1;
}

def ND_NgramsOp : ND_Op<"ngrams", ND_NoCodeOfTexts, ND_NoGradientOfBools, [AllElementTypesMatch<["splits", "ends"]>]> {
  let summary = "neighbouring strings joined";
  let semantics = [{The rows of a ragged matrix of strings are neighbours in the vector `texts`; row i goes from `splits[i]` to `splits[i + 1]`. Of each row, for each of the `widths` in their order, all runs of so many neighbours, joined with `separator`. Before a row and behind it stand `padding` strings `left_pad` and `right_pad`, of a width w at most w - 1, and so many if `padding` is -1. With `keep_short`, a row that gives nothing is joined as a whole, with its padding. The result is ragged in the same way, with its splits `ends`; without any `texts` it is empty.}];
  let failures = "INVALID_ARGUMENT when `texts` or `splits` is no vector; when the splits do not begin with 0, decrease, or do not end with the number of texts; when a row is to be kept and `padding` is -1. RESOURCE_EXHAUSTED when there is no memory for the result.";
  let constraints = [{C1. `texts` and `result` hold strings. C2. `splits` holds i32 or i64. C3. `splits` and `ends` have the same element type. C4. All `widths` are at least 1. C5. `padding` is at least -1.}];
  let example = [{%y, %e = nd.ngrams %x, %s {keep_short = false, left_pad = "", padding = 0 : i64, right_pad = "", separator = " ", widths = array<i64: 2>} : (tensor<4x!nd.string>, tensor<3xi64>) -> (tensor<?x!nd.string>, tensor<3xi64>)}];
  let arguments = (ins ND_Text:$texts, ND_Place:$splits, StrAttr:$separator, StrAttr:$left_pad, StrAttr:$right_pad, DenseI64ArrayAttr:$widths, I64Attr:$padding, BoolAttr:$keep_short);
  let results = (outs ND_Text:$result, ND_Place:$ends);
  let hasVerifier = 1;
}

def ND_EditTextsOp : ND_Op<"edit_texts", ND_NoCodeOfTexts, ND_NoGradientOfBools> {
  let summary = "each string changed";
  let semantics = [{Each string, by `how`: `strip` takes white space away from its ends; `lower` and `upper` change the letters of ASCII, `lower_utf8` and `upper_utf8` those of Unicode, where a letter may become several and what is no UTF-8 becomes U+FFFD; `encode_base64` writes bytes in the alphabet of base64 for addresses, without padding, `pad_base64` with it; `decode_base64` reads either.}];
  let failures = "INVALID_ARGUMENT when what is to be decoded has other characters, or no length that an encoded string has; RESOURCE_EXHAUSTED when there is no memory for a string.";
  let constraints = [{C1. `texts` and `result` hold strings. C2. `how` is `strip`, `lower`, `upper`, `lower_utf8`, `upper_utf8`, `encode_base64`, `pad_base64` or `decode_base64`.}];
  let example = [{%y = nd.edit_texts %x {how = "strip"} : (tensor<2x!nd.string>) -> tensor<2x!nd.string>}];
  let arguments = (ins ND_Text:$texts, StrAttr:$how);
  let results = (outs ND_Text:$result);
  let hasVerifier = 1;
}

def ND_TextLengthOp : ND_Op<"text_length", ND_NoCodeOfTexts, ND_NoGradientOfBools> {
  let summary = "lengths of strings";
  let semantics = [{Of each string the number of its bytes, or of those that are not from 0x80 to 0xBF: the characters of UTF-8.}];
  let failures = "none.";
  let constraints = [{C1. `texts` holds strings. C2. `result` holds i32. C3. `unit` is `byte` or `character`.}];
  let example = [{%y = nd.text_length %x {unit = "byte"} : (tensor<2x!nd.string>) -> tensor<2xi32>}];
  let arguments = (ins ND_Text:$texts, StrAttr:$unit);
  let results = (outs ND_I32:$result);
  let hasVerifier = 1;
}

def ND_FormatTextOp : ND_Op<"format_text", ND_NoCodeOfTexts, ND_NoGradientOfBools> {
  let summary = "tensors as part of a text";
  let semantics = [{`pattern` with the text of one of the `data` for each `placeholder`. Of a tensor there are brackets for each dim and the first and last `summarize` elements of it, all if that is negative, with an ellipsis between; strings have double quotes.}];
  let failures = "RESOURCE_EXHAUSTED when there is no memory for the result.";
  let constraints = [{C1. `result` holds strings. C2. `placeholder` is not empty and occurs in `pattern` as often as there are `data`.}];
  let example = [{%y = nd.format_text %x {pattern = "x = {}", placeholder = "{}", summarize = 3 : i64} : (tensor<2xf32>) -> tensor<!nd.string>}];
  let arguments = (ins Variadic<ND_Any>:$data, StrAttr:$pattern, StrAttr:$placeholder, I64Attr:$summarize);
  let results = (outs ND_Text:$result);
  let hasVerifier = 1;
}

def ND_ReduceJoinOp : ND_Op<"reduce_join", ND_NoCodeOfTexts, ND_NoGradientOfBools> {
  let summary = "strings joined along axes";
  let semantics = [{The strings along `axes` behind each other, with `separator` between them; the first of the `axes` moves fastest. Without axes `texts` as it is. With `keep_dims` the joined dims stay as 1.}];
  let failures = "INVALID_ARGUMENT when an axis occurs twice, OUT_OF_RANGE when one is outside of the dims; RESOURCE_EXHAUSTED when there is no memory for a string.";
  let constraints = [{C1. `texts` and `result` hold strings. C2. `axes` holds i32.}];
  let example = [{%y = nd.reduce_join %x, %axes {keep_dims = false, separator = ","} : (tensor<2x3x!nd.string>, tensor<1xi32>) -> tensor<?x!nd.string>}];
  let arguments = (ins ND_Text:$texts, ND_I32:$axes, BoolAttr:$keep_dims, StrAttr:$separator);
  let results = (outs ND_Text:$result);
}

#endif
