// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// nn ops of the family "sequence": labels of sequences whose times are not known.
#ifndef SLUICE_NN_SEQUENCE
#define SLUICE_NN_SEQUENCE

include "dialects/nn/NnBase.td"

def Nn_LongFloat : ND_Tensor<[F32, F64], "f32 or f64">;
def Nn_NoCodeOfPaths : ND_NoCode<"it sums over paths, step by step">;

def Nn_CtcLossOp : Nn_Op<"ctc_loss", Nn_NoCodeOfPaths, HasGradient, [AllElementTypesMatch<["logits", "loss", "gradient"]>]> {
  let summary = "how unlikely labels are, and what flows back from that";
  let semantics = [{Connectionist temporal classification: `logits` has for each time, each sequence and each class a number, whose softmax is the class's probability at that time; the last class is the *blank*. A path has a class for each of the first `lengths[b]` times. It reads as the labels that are left once neighbours that are equal have become one, unless `merge_repeated` is false, and blanks are gone. `loss` is for each sequence the negative logarithm of the probability of all paths that read as its labels, and `gradient` its derivative with respect to `logits`. The labels of sequence b are those `labels` whose row of `indices` begins with b, in their order; of neighbours that are equal only the first counts if `collapse_repeated` is set, and the ones from the first blank on do not count. A sequence of length 0 has neither loss nor gradient; nor has one with less times than `labels`, all of them counted, if `ignore_longer` is set.}];
  let failures = "INVALID_ARGUMENT when ranks or sizes do not fit, there is no sequence, a length is negative or above the number of times, a label or sequence is not there, a sequence has no labels, `indices` is not in order, labels follow a blank, or there are too few times for the labels.";
  let constraints = [{C1. `logits`, `loss` and `gradient` have the same element type: f32 or f64. C2. `indices` holds i64. C3. `labels` and `lengths` hold i32.}];
  let example = "%l, %d = nn.ctc_loss %x, %i, %v, %n {collapse_repeated = false, ignore_longer = false, merge_repeated = true} : (tensor<5x2x4xf32>, tensor<3x2xi64>, tensor<3xi32>, tensor<2xi32>) -> (tensor<2xf32>, tensor<5x2x4xf32>)";
  let arguments = (ins Nn_LongFloat:$logits, ND_I64:$indices, ND_I32:$labels, ND_I32:$lengths, BoolAttr:$collapse_repeated, BoolAttr:$merge_repeated, BoolAttr:$ignore_longer);
  let results = (outs Nn_LongFloat:$loss, Nn_LongFloat:$gradient);
}

def Nn_CtcBeamSearchOp : Nn_Op<"ctc_beam_search", Nn_NoCodeOfPaths, NoGradient<"what is found changes in steps">, [AllElementTypesMatch<["logits", "score"]>]> {
  let summary = "the likeliest labels of sequences";
  let semantics = [{Of each sequence of `logits`, as `nn.ctc_loss` has them, the `paths` likeliest readings, likeliest first: found time by time, of which only the `width` likeliest ones are gone on with. `labels` has a row for each reading of all sequences, path by path: row p b + s is the one with the number p of sequence s, of b sequences, with -1 behind its end. `score` has for each sequence the logarithms of their probabilities. With `merge_repeated` neighbours of a reading that are equal become one.}];
  let failures = "INVALID_ARGUMENT when ranks or sizes do not fit, a length is negative or above the number of times, there are no classes, or less readings than paths.";
  let constraints = [{C1. `logits` and `score` have the same element type: f32 or f64. C2. `lengths` holds i32. C3. `labels` holds i64. C4. `width` is at least 1. C5. `paths` is at least 1 and at most `width`.}];
  let example = "%y, %s = nn.ctc_beam_search %x, %n {merge_repeated = false, paths = 1 : i64, width = 10 : i64} : (tensor<5x2x4xf32>, tensor<2xi32>) -> (tensor<2x?xi64>, tensor<2x1xf32>)";
  let arguments = (ins Nn_LongFloat:$logits, ND_I32:$lengths, I64Attr:$width, I64Attr:$paths, BoolAttr:$merge_repeated);
  let results = (outs ND_I64:$labels, Nn_LongFloat:$score);
  let hasVerifier = 1;
}

def Nn_EditDistanceOp : Nn_Op<"edit_distance", ND_NoCode<"each label depends on those before it">, ND_NoGradientOfSteps> {
  let summary = "how far sequences of labels are from others";
  let semantics = [{For each of `count` pairs of sequences, how many labels must be added, removed or replaced until the first has become the second. The labels of a pair's first sequence are those `labels` whose element of `pairs` is the pair's number, in their order; those of the second are told by `other_pairs` and `other_labels`. With `normalized` the numbers are divided by the length of the second sequence: a sequence that is to become one of no labels is infinitely far away, unless it has none itself.}];
  let failures = "INVALID_ARGUMENT when an operand has not the rank of the example, there are not as many pairs as labels, `count` is negative, or a pair is not there.";
  let constraints = [{C1. `pairs`, `labels`, `other_pairs`, `other_labels` and `count` hold i64. C2. `result` holds f32.}];
  let example = "%d = nn.edit_distance %p, %x, %q, %y, %n {normalized = true} : (tensor<5xi64>, tensor<5xi64>, tensor<4xi64>, tensor<4xi64>, tensor<i64>) -> tensor<?xf32>";
  let arguments = (ins ND_I64:$pairs, ND_I64:$labels, ND_I64:$other_pairs, ND_I64:$other_labels, ND_I64:$count, BoolAttr:$normalized);
  let results = (outs ND_Tensor<[F32], "f32">:$result);
}

#endif
