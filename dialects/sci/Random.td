// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// sci ops of the family "random": random numbers that follow from a key.
#ifndef SLUICE_SCI_RANDOM
#define SLUICE_SCI_RANDOM

include "dialects/sci/SciBase.td"

def Sci_KeyPart : ND_Tensor<[UI64], "ui64">;
def Sci_Algorithm : ND_Tensor<[I32], "i32">;
def Sci_NoCodeOfRandom : ND_NoCode<"its kernel makes numbers as fast as code would">;

def Sci_RandomKeyOp : Sci_Op<"random_key", ND_NoCode<"it makes two small tensors of one">, ND_NoGradientOfInts> {
  let summary = "the key and counter of a stream of random numbers";
  let semantics = [{The key and the counter, its lower half first, of the Philox stream that belongs to the two numbers of `seed`. They are scrambled, so that seeds which are near each other have streams that are not.}];
  let failures = "INVALID_ARGUMENT when `seed` is no vector of two.";
  let constraints = [{C1. `seed` holds integers. C2. `key` and `counter` hold ui64.}];
  let example = "%k, %c = sci.random_key %s : (tensor<2xi64>) -> (tensor<1xui64>, tensor<2xui64>)";
  let arguments = (ins ND_Int:$seed);
  let results = (outs Sci_KeyPart:$key, Sci_KeyPart:$counter);
}

def Sci_RandomStreamOp : Sci_Op<"random_stream", ND_NoCode<"it makes a small tensor of others">, ND_NoGradientOfInts> {
  let summary = "where a stream of random numbers begins";
  let semantics = [{The position, as `nd.random_uniform` takes it, at which the stream of `key` and `counter` begins. `algorithm` is 1 for Philox, or 3 where the choice is free.}];
  let failures = "INVALID_ARGUMENT when `key` is no vector of one, `counter` is no vector of two or more, or `algorithm` is no scalar or names no algorithm; UNIMPLEMENTED when it is 2, ThreeFry.";
  let constraints = [{C1. `key` and `counter` hold ui64. C2. `algorithm` holds i32. C3. `position` holds i64.}];
  let example = "%p = sci.random_stream %k, %c, %a : (tensor<1xui64>, tensor<2xui64>, tensor<i32>) -> tensor<3xi64>";
  let arguments = (ins Sci_KeyPart:$key, Sci_KeyPart:$counter, Sci_Algorithm:$algorithm);
  let results = (outs ND_I64:$position);
}

class Sci_RandomFloats<string mnemonic, string what, string which>
    : Sci_Op<mnemonic, Sci_NoCodeOfRandom, ND_NoGradientOfSteps> {
  let summary = what;
  let semantics = "Numbers of the dims `shape`" # which # [{, made of the Philox stream at `position` in pairs, by the transform of Box and Muller.}];
  let failures = "INVALID_ARGUMENT when a dim is negative, or `position` is no vector of three.";
  let constraints = [{C1. `position` holds i64. C2. `shape` holds integers. C3. `result` holds floats.}];
  let example = "%y = sci." # mnemonic # " %p, %s : (tensor<3xi64>, tensor<1xi32>) -> tensor<?xf32>";
  let arguments = (ins ND_I64:$position, ND_Index:$shape);
  let results = (outs ND_Float:$result);
}

def Sci_RandomNormalOp : Sci_RandomFloats<"random_normal", "normal random numbers",
    " with mean 0 and deviation 1">;
def Sci_RandomTruncatedNormalOp : Sci_RandomFloats<"random_truncated_normal",
    "normal random numbers near their mean",
    " with mean 0 and deviation 1, of which those that are 2 or more away from 0 are left out">;

def Sci_RandomBitsOp : Sci_Op<"random_bits", Sci_NoCodeOfRandom, ND_NoGradientOfInts> {
  let summary = "random integers of the whole range";
  let semantics = [{Integers of the dims `shape`, of which each is as likely as any other: the numbers of the Philox stream at `position`, two for each of 64 bits, the lower one first.}];
  let failures = "INVALID_ARGUMENT when a dim is negative, or `position` is no vector of three.";
  let constraints = [{C1. `position` holds i64. C2. `shape` holds integers. C3. `result` holds integers.}];
  let example = "%y = sci.random_bits %p, %s : (tensor<3xi64>, tensor<1xi32>) -> tensor<?xui64>";
  let arguments = (ins ND_I64:$position, ND_Index:$shape);
  let results = (outs ND_Int:$result);
}

def Sci_RandomIntOp : Sci_Op<"random_int", Sci_NoCodeOfRandom, ND_NoGradientOfInts, [AllElementTypesMatch<["low", "high", "result"]>]> {
  let summary = "random integers of a range";
  let semantics = [{Integers of the dims `shape` in [`low`, `high`): `low`, and the remainder of a number of `sci.random_bits` by the length of the range.}];
  let failures = "INVALID_ARGUMENT when a dim is negative, `position` is no vector of three, a bound is no scalar, or the range is empty and the result is not.";
  let constraints = [{C1. `position` holds i64. C2. `shape` holds integers. C3. `low`, `high` and `result` have the same type of elements: integers.}];
  let example = "%y = sci.random_int %p, %s, %a, %b : (tensor<3xi64>, tensor<1xi32>, tensor<i32>, tensor<i32>) -> tensor<?xi32>";
  let arguments = (ins ND_I64:$position, ND_Index:$shape, ND_Int:$low, ND_Int:$high);
  let results = (outs ND_Int:$result);
}

def Sci_RandomShuffleOp : Sci_Op<"random_shuffle", Sci_NoCodeOfRandom, NoGradient<"TensorFlow has none">, [AllElementTypesMatch<["input", "result"]>]> {
  let summary = "rows in a random order";
  let semantics = [{The slices of `input` along its first dim, in an order of which each is as likely as any other: place after place gets one of the slices that are left, by the next number of the Philox stream at `position`. A scalar is as it is.}];
  let failures = "INVALID_ARGUMENT when `position` is no vector of three.";
  let constraints = [{C1. `position` holds i64. C2. `input` and `result` have the same element type.}];
  let example = "%y = sci.random_shuffle %p, %x : (tensor<3xi64>, tensor<5x2xf32>) -> tensor<5x2xf32>";
  let arguments = (ins ND_I64:$position, ND_Any:$input);
  let results = (outs ND_Any:$result);
}

def Sci_RandomChoicesOp : Sci_Op<"random_choices", Sci_NoCodeOfRandom, ND_NoGradientOfInts> {
  let summary = "classes, by how likely they are";
  let semantics = [{For each row of the matrix `logits`, `count` numbers of classes, the columns: a class is as likely as the exponential of its element says, beside those of the others. Elements that are infinite or NaN are those of classes that are never chosen. A number takes two of the Philox stream at `position`, and the rows follow each other there.}];
  let failures = "INVALID_ARGUMENT when `logits` is no matrix or has no columns, `count` is no scalar or negative, or `position` is no vector of three.";
  let constraints = [{C1. `position` holds i64. C2. `logits` holds floats. C3. `count` and `result` hold integers.}];
  let example = "%y = sci.random_choices %p, %x, %n : (tensor<3xi64>, tensor<4x9xf32>, tensor<i32>) -> tensor<4x?xi64>";
  let arguments = (ins ND_I64:$position, ND_Float:$logits, ND_Index:$count);
  let results = (outs ND_Int:$result);
}

class Sci_RandomDrawn<string mnemonic, Sluice_Gradient gradient, list<Trait> traits = []>
    : Sci_Op<mnemonic, Sci_NoCodeOfRandom, gradient, traits> {
  let failures = "INVALID_ARGUMENT when a dim is negative, `position` is no vector of three, or `shape` does not end with the dims of the parameters.";
}

def Sci_RandomGammaOp : Sci_RandomDrawn<"random_gamma", HasGradient, [AllElementTypesMatch<["alpha", "result"]>]> {
  let summary = "random numbers of gamma distributions";
  let semantics = [{Numbers of the dims `shape`, which ends with those of `alpha`: of the gamma distribution with the shape that the element of `alpha` at the same last indices says, and the rate 1. They are made of the Philox stream at `position` as Marsaglia and Tsang do it; each may take 256 groups of it.}];
  let constraints = [{C1. `position` holds i64. C2. `shape` holds integers. C3. `alpha` and `result` have the same type of elements: floats.}];
  let example = "%y = sci.random_gamma %p, %s, %a : (tensor<3xi64>, tensor<2xi32>, tensor<4xf32>) -> tensor<?x4xf32>";
  let arguments = (ins ND_I64:$position, ND_Index:$shape, ND_Float:$alpha);
  let results = (outs ND_Float:$result);
}

def Sci_RandomBoundedNormalOp : Sci_RandomDrawn<"random_bounded_normal", HasGradient, [AllElementTypesMatch<["mean", "deviation", "low", "high", "result"]>]> {
  let summary = "normal random numbers between bounds";
  let semantics = [{Numbers of the dims `shape`, which ends with those of the parameters: of the normal distribution with the `mean` and `deviation` at the same last indices, of which what is not between `low` and `high` is left out. They are drawn one after the other from the Philox stream at `position`, as Robert does it: each takes what the one before it has left.}];
  let failures = "INVALID_ARGUMENT when a dim is negative, `position` is no vector of three, `shape` does not end with the dims of the parameters, these differ, a deviation is not positive, or of two bounds the first one is not smaller or none is finite; INTERNAL when 1000 tries found no number.";
  let constraints = [{C1. `position` holds i64. C2. `shape` holds integers. C3. `mean`, `deviation`, `low`, `high` and `result` have the same type of elements: floats.}];
  let example = "%y = sci.random_bounded_normal %p, %s, %m, %d, %l, %h : (tensor<3xi64>, tensor<2xi32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>) -> tensor<?x4xf32>";
  let arguments = (ins ND_I64:$position, ND_Index:$shape, ND_Float:$mean, ND_Float:$deviation, ND_Float:$low, ND_Float:$high);
  let results = (outs ND_Float:$result);
}

def Sci_RandomPoissonOp : Sci_RandomDrawn<"random_poisson", ND_NoGradientOfSteps> {
  let summary = "random numbers of Poisson distributions";
  let semantics = [{Numbers of the dims `shape`, which ends with those of `rate`: of the Poisson distribution with the rate at the same last indices. They are made of the Philox stream at `position`: below a rate of 10 by the times between events, above it by Hörmann's transformed rejection. A rate that the result's type does not reach is the number itself; NaN is 0 as an integer.}];
  let constraints = [{C1. `position` holds i64. C2. `shape` holds integers. C3. `rate` holds f64. C4. `result` holds real numbers.}];
  let example = "%y = sci.random_poisson %p, %s, %r : (tensor<3xi64>, tensor<2xi32>, tensor<4xf64>) -> tensor<?x4xi32>";
  let arguments = (ins ND_I64:$position, ND_Index:$shape, ND_Tensor<[F64], "f64">:$rate);
  let results = (outs ND_Real:$result);
}

def Sci_RandomBinomialOp : Sci_RandomDrawn<"random_binomial", ND_NoGradientOfSteps, [AllElementTypesMatch<["counts", "probs"]>]> {
  let summary = "random numbers of binomial distributions";
  let semantics = [{Numbers of the dims `shape`, which ends with those of `counts` and `probs`: how many of so many tries are hits, each with that probability. They are made of the Philox stream at `position`: below 10 hits, or misses, by the lengths of runs, above that by Hörmann's transformed rejection.}];
  let failures = "INVALID_ARGUMENT when a dim is negative, `position` is no vector of three, `shape` does not end with the dims of the parameters, or these differ.";
  let constraints = [{C1. `position` holds i64. C2. `shape` holds integers. C3. `counts` and `probs` have the same type of elements: floats. C4. `result` holds real numbers.}];
  let example = "%y = sci.random_binomial %p, %s, %n, %q : (tensor<3xi64>, tensor<2xi32>, tensor<4xf32>, tensor<4xf32>) -> tensor<?x4xi32>";
  let arguments = (ins ND_I64:$position, ND_Index:$shape, ND_Float:$counts, ND_Float:$probs);
  let results = (outs ND_Real:$result);
}

def Sci_RandomIndexShuffleOp : Sci_Op<"random_index_shuffle", Sci_NoCodeOfRandom, ND_NoGradientOfInts, [AllElementTypesMatch<["index", "limit", "result"]>]> {
  let summary = "places in a random order";
  let semantics = [{Where `index` comes in an order of the numbers from 0 to `limit`, the limit as well. Which one it is says `seed`, of three numbers of which the lower 32 bits count. The numbers of as many bits as `limit` has, 16 or more, are permuted by `rounds` rounds of the cipher Simon, again and again until one is not above `limit`. Each operand may be of one number (of one seed) or of n; the result has n.}];
  let failures = "INVALID_ARGUMENT when `index` or `limit` is neither scalar nor vector, `seed` has neither the shape [3] nor [n,3], or sizes differ.";
  let constraints = [{C1. `index`, `limit` and `result` have the same type of elements: integers. C2. `seed` holds integers. C3. `rounds` is even, and 4 or more.}];
  let example = "%y = sci.random_index_shuffle %i, %s, %n {rounds = 4 : i64} : (tensor<i64>, tensor<3xi32>, tensor<i64>) -> tensor<i64>";
  let arguments = (ins ND_Int:$index, ND_Int:$seed, ND_Int:$limit, I64Attr:$rounds);
  let results = (outs ND_Int:$result);
  let hasVerifier = 1;
}

def Sci_RandomCandidatesOp : Sci_Op<"random_candidates", Sci_NoCodeOfRandom, ND_NoGradientOfInts> {
  let summary = "classes to compare with";
  let semantics = [{`count` numbers below `range`, drawn from the Philox stream at `position`: with the `distribution` `uniform` each is as likely as any other, with `log_uniform` n is as likely as log((n + 2) / (n + 1)) says beside the others. With `unique` those that have been drawn before are left out. Of `classes` and of the numbers, `of_classes` and `of_drawn` have how often each is expected among as many tries as were needed.}];
  let failures = "INVALID_ARGUMENT when `position` is no vector of three, `classes` is no matrix or has an element outside [0, range), or `count` unique numbers are more than there are.";
  let constraints = [{C1. `position`, `classes` and `drawn` hold i64. C2. `of_classes` and `of_drawn` hold f32. C3. `distribution` is `uniform` or `log_uniform`. C4. `range` and `count` are positive.}];
  let example = "%d, %c, %e = sci.random_candidates %p, %x {distribution = \"uniform\", range = 9 : i64, count = 4 : i64, unique = true} : (tensor<3xi64>, tensor<2x1xi64>) -> (tensor<4xi64>, tensor<2x1xf32>, tensor<4xf32>)";
  let arguments = (ins ND_I64:$position, ND_I64:$classes, StrAttr:$distribution, I64Attr:$range, I64Attr:$count, BoolAttr:$unique);
  let results = (outs ND_I64:$drawn, ND_Tensor<[F32], "f32">:$of_classes, ND_Tensor<[F32], "f32">:$of_drawn);
  let hasVerifier = 1;
}

#endif
