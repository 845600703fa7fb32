// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// TensorFlow ops of the family "random": numbers of streams that go on from call to call, and of
// those that follow from a seed alone.
#include "compiler/import/GraphBuilder.h"
#include "compiler/import/tensorflow/SizeVectors.h"

#include "dialects/sci/Sci.h"

using namespace mlir;

namespace sluice::import {

namespace {

// ---- Streams that go on

// A hash that is the same on every machine and in every run (FNV-1a), never 0.
int64_t seedFromName(StringRef name) {
  uint64_t hash = 0xcbf29ce484222325;
  for (char c : name)
    hash = (hash ^ static_cast<unsigned char>(c)) * 0x100000001b3;
  return static_cast<int64_t>(hash ? hash : 1);
}

// What says which stream it is.
SmallVector<NamedAttribute> streamAttributes(Expansion &e) {
  int64_t seed = e.intAttr("seed");
  if (seed == 0 && e.intAttr("seed2") == 0)
    seed = seedFromName(e.name());
  auto generator = e.builder().getNamedAttr(
      "generator", e.graph().declarations().generator(e.graph().graph(), e.index(), e.loc()));
  return {generator, e.number("seed", seed), e.number("seed2", e.intAttr("seed2"))};
}

void randomUniform(Expansion &e) {
  Type element = e.typeAttr("dtype");
  if (!element)
    return;
  auto op = e.effect<state::RandomUniformOp>(unrankedOf(element), e.input(0), streamAttributes(e));
  e.result(0, op.getResult());
}

// Input 0 gives the shape; the others are what the op takes besides.
template <typename OpT> void fromPosition(Expansion &e) {
  Type element = e.resultElement(0);
  if (!element)
    return;
  auto next = e.effect<state::RandomPositionOp>(unrankedOf(e.builder().getI64Type()), e.input(0),
                                                streamAttributes(e));
  SmallVector<Value> operands{next.getPosition()};
  llvm::append_range(operands, e.inputs());
  e.result(0, e.tensor<OpT>(element, operands));
}

// ---- Streams that follow from a seed

// TensorFlow's number of the algorithm.
constexpr int64_t kPhilox = 1;

sci::RandomKeyOp keyOf(Expansion &e, Value seed) {
  Type part = unrankedOf(e.builder().getIntegerType(64, /*isSigned=*/false));
  return e.make<sci::RandomKeyOp>({part, part}, seed);
}

Value streamOf(Expansion &e, ValueRange keyCounterAlgorithm) {
  return e.tensor<sci::RandomStreamOp>(e.builder().getI64Type(), keyCounterAlgorithm);
}

void randomKey(Expansion &e) {
  auto key = keyOf(e, e.input(0));
  e.result(0, key.getKey());
  e.result(1, key.getCounter());
  if (e.numResults() > 2)
    e.result(2, e.gated(e.int32(kPhilox),
                        e.make<flow::AfterOp>(e.tokenType(), key.getKey())->getResults()));
}

void algorithm(Expansion &e) { e.result(0, e.int32(kPhilox)); }

// The inputs are a shape, a seed, and what the op takes besides.
template <typename OpT> void fromSeed(Expansion &e) {
  SmallVector<Value> inputs = e.afterAllInputs(e.inputs());
  auto key = keyOf(e, inputs[1]);
  Value stream = streamOf(e, {key.getKey(), key.getCounter(), e.int32(kPhilox)});
  SmallVector<Value> operands{stream, inputs[0]};
  llvm::append_range(operands, ArrayRef(inputs).drop_front(2));
  e.result(0, e.tensor<OpT>(e.resultElement(0), operands));
}

// The inputs are a shape, a key, a counter, an algorithm, and what the op takes besides.
template <typename OpT> void fromKey(Expansion &e) {
  SmallVector<Value> inputs = e.afterAllInputs(e.inputs());
  SmallVector<Value> operands{streamOf(e, {inputs[1], inputs[2], inputs[3]}), inputs[0]};
  llvm::append_range(operands, ArrayRef(inputs).drop_front(4));
  e.result(0, e.tensor<OpT>(e.resultElement(0), operands));
}

constexpr llvm::StringLiteral kSeeds = "seed seed2";

constexpr OpExpansion kOps[] = {
    {"RandomUniform", randomUniform, Style::kEffect, kSeeds},
    {"RandomStandardNormal", fromPosition<sci::RandomNormalOp>, Style::kEffect, kSeeds},
    {"TruncatedNormal", fromPosition<sci::RandomTruncatedNormalOp>, Style::kEffect, kSeeds},
    {"RandomUniformInt", fromPosition<sci::RandomIntOp>, Style::kEffect, kSeeds},
    {"StatelessRandomGetAlg", algorithm},
    {"StatelessRandomGetKeyCounter", randomKey},
    {"StatelessRandomGetKeyCounterAlg", randomKey},
    {"StatelessRandomUniform", fromSeed<nd::RandomUniformOp>},
    {"StatelessRandomNormal", fromSeed<sci::RandomNormalOp>},
    {"StatelessTruncatedNormal", fromSeed<sci::RandomTruncatedNormalOp>},
    {"StatelessRandomUniformInt", fromSeed<sci::RandomIntOp>},
    {"StatelessRandomUniformFullInt", fromSeed<sci::RandomBitsOp>},
    {"StatelessRandomUniformV2", fromKey<nd::RandomUniformOp>},
    {"StatelessRandomNormalV2", fromKey<sci::RandomNormalOp>},
    {"StatelessTruncatedNormalV2", fromKey<sci::RandomTruncatedNormalOp>},
    {"StatelessRandomUniformIntV2", fromKey<sci::RandomIntOp>},
    {"StatelessRandomUniformFullIntV2", fromKey<sci::RandomBitsOp>},
};

} // namespace

ArrayRef<OpExpansion> randomOps() { return kOps; }

} // namespace sluice::import
