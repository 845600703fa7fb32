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

#endif
