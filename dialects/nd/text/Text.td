// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// nd ops of the family "text": strings made of strings and numbers, and patterns of strings.
#ifndef SLUICE_ND_TEXT
#define SLUICE_ND_TEXT

include "dialects/nd/NdBase.td"

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

#endif
