// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// nd ops of the family "text": strings made of strings and numbers.
#ifndef SLUICE_ND_TEXT
#define SLUICE_ND_TEXT

include "dialects/nd/NdBase.td"

def ND_NoCodeOfTexts : ND_NoCode<"compiled code has no strings">;

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

#endif
