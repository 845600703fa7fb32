// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// TensorFlow ops of the family "random": numbers of streams that go on from call to call, and of
// those that follow from a seed alone.
#include "compiler/import/GraphBuilder.h"
#include "compiler/import/tensorflow/Arithmetic.h"
#include "compiler/import/tensorflow/Checks.h"
#include "compiler/import/tensorflow/RandomStreams.h"

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
SmallVector<NamedAttribute> streamAttributes(Expansion &e, int64_t seed, int64_t seed2) {
  if (seed == 0 && seed2 == 0)
    seed = seedFromName(e.name());
  auto generator = e.builder().getNamedAttr(
      "generator", e.graph().declarations().generator(e.graph().graph(), e.index(), e.loc()));
  return {generator, e.number("seed", seed), e.number("seed2", seed2)};
}

SmallVector<NamedAttribute> streamAttributes(Expansion &e) {
  return streamAttributes(e, e.intAttr("seed"), e.intAttr("seed2"));
}

void randomUniform(Expansion &e) {
  Type element = e.typeAttr("dtype");
  if (!element)
    return;
  auto op = e.effect<state::RandomUniformOp>(unrankedOf(element), e.input(0), streamAttributes(e));
  e.result(0, op.getResult());
}

// Where a firing's numbers begin if each takes 256 groups of the stream for each element.
Value nextPosition(Expansion &e, Value shape) {
  return e
      .effect<state::RandomPositionOp>(unrankedOf(e.builder().getI64Type()), shape,
                                       streamAttributes(e))
      .getPosition();
}

// Input 0 gives the shape; the others are what the op takes besides.
template <typename OpT> void fromPosition(Expansion &e) {
  Type element = e.resultElement(0);
  if (!element)
    return;
  SmallVector<Value> operands{nextPosition(e, e.input(0))};
  llvm::append_range(operands, e.inputs());
  e.result(0, e.tensor<OpT>(element, operands));
}

// A stream of its own for each node, as every op without seeds has: nothing is left to chance.
void unseededBits(Expansion &e) {
  Type i64 = e.builder().getI64Type();
  auto next =
      e.effect<state::RandomPositionOp>(unrankedOf(i64), e.input(0), streamAttributes(e, 0, 0));
  e.result(0, e.tensor<sci::RandomBitsOp>(e.resultElement(0), {next.getPosition(), e.input(0)}));
}

// Where they begin if each takes so many groups, a vector of one: the position is counted as if
// there were one element, and its lower part is scaled.
Value nextPositionOfGroups(Expansion &e, Value groups) {
  constexpr int64_t kGroupsPerElement = 256;
  Type i64 = e.builder().getI64Type();
  Value position = nextPosition(e, part(e, groups, e.int32(0), e.int32(0)));
  Value firings = e.like<nd::FloorDivOp>({position, e.ints({1, 1, kGroupsPerElement}, i64)});
  return mul(e, firings, joined(e, {e.ints({1, 1}, i64), converted(e, groups, i64)}));
}

// A row that is placed takes one number, the last one none.
void shuffle(Expansion &e) {
  Value x = e.input(0);
  Value rows = part(e, joined(e, {dimsOf(e, x), e.ints({1})}), e.int32(0), e.int32(1));
  Value groups = e.like<nd::FloorDivOp>({add(e, rows, e.int32(2)), e.int32(4)});
  e.result(0, e.tensor<sci::RandomShuffleOp>(e.elementOf(x), {nextPositionOfGroups(e, groups), x}));
}

// Two numbers for each of a multiple of four samples, and room for as many as an element has.
void multinomial(Expansion &e) {
  Value logits = e.input(0), samples = e.input(1);
  Value fours = e.like<nd::FloorDivOp>({add(e, samples, e.int32(3)), e.int32(4)});
  Value rows = part(e, dimsOf(e, logits), e.int32(0), e.int32(1));
  Value elements = mul(e, mul(e, rows, flat(e, fours)), e.int32(8));
  e.result(0, e.tensor<sci::RandomChoicesOp>(e.resultElement(0),
                                             {nextPosition(e, elements), logits, samples}));
}

// TensorFlow leaves 2048 numbers of the stream to each candidate.
template <bool kIsLogarithmic> void candidates(Expansion &e) {
  Value classes = e.input(0);
  const int64_t count = e.intAttr("num_sampled"), range = e.intAttr("range_max");
  Checks checks(e);
  Value width = from(e, dimsOf(e, classes), e.int32(1));
  checks.require(e.compare<nd::EqualOp>(width, e.int32(e.intAttr("num_true"))),
                 "true_classes must have num_true columns", width);
  Type i64 = unrankedOf(e.builder().getI64Type()), f32 = unrankedOf(e.builder().getF32Type());
  SmallVector<NamedAttribute> attributes = {
      e.text("distribution", kIsLogarithmic ? "log_uniform" : "uniform"), e.number("range", range),
      e.number("count", count), e.flag("unique", e.boolAttr("unique"))};
  auto drawn = e.make<sci::RandomCandidatesOp>(
      {i64, f32, f32}, {nextPosition(e, e.ints({2 * count})), checks.checked(classes)}, attributes);
  for (uint32_t slot = 0; slot < 3; ++slot)
    e.result(slot, drawn->getResult(slot));
}

// The dims of the samples, and those of the distributions.
Value wholeShape(Expansion &e, Value samples, Value parameters) {
  return joined(e, {samples, converted(e, dimsOf(e, parameters), e.elementOf(samples))});
}

void gamma(Expansion &e) {
  Value shape = wholeShape(e, e.input(0), e.input(1));
  e.result(0, e.tensor<sci::RandomGammaOp>(e.resultElement(0),
                                           {nextPosition(e, shape), shape, e.input(1)}));
}

Value poisson(Expansion &e, Value position, Value shape, Value rate) {
  return e.tensor<sci::RandomPoissonOp>(
      e.resultElement(0), {position, shape, converted(e, rate, e.builder().getF64Type())});
}

void poissonOfStream(Expansion &e) {
  Value shape = wholeShape(e, e.input(0), e.input(1));
  e.result(0, poisson(e, nextPosition(e, shape), shape, e.input(1)));
}

// Parameters broadcast.
Value boundedNormal(Expansion &e, Value position, Value shape, ValueRange parameters) {
  constexpr size_t kParameters = 4; // what comes after them has their dims only
  Value dims = dimsOf(e, parameters.front());
  for (Value parameter : parameters.drop_front())
    dims = e.tensor<nd::BroadcastArgsOp>(e.builder().getI32Type(), {dims, dimsOf(e, parameter)});
  SmallVector<Value> operands{position, shape};
  for (Value parameter : parameters.take_front(kParameters))
    operands.push_back(e.like<nd::BroadcastToOp>({parameter, dims}));
  return e.tensor<sci::RandomBoundedNormalOp>(e.resultElement(0), operands);
}

// A row of numbers has a distribution; if all have the same one, so have pieces of 100 numbers.
// TensorFlow leaves room for 1000 tries of two numbers each.
void boundedNormalOfStream(Expansion &e) {
  Type i64 = e.builder().getI64Type(), i1 = e.builder().getI1Type();
  Value shape = converted(e, e.input(0), i64), rows = part(e, shape, e.int32(0), e.int32(1));
  Value columns = flat(e, product(e, from(e, shape, e.int32(1))));
  Value sizes = joined(e, {flat(e, sizeOf(e, e.input(1))), flat(e, sizeOf(e, e.input(2))),
                           add(e, flat(e, rankOf(e, e.input(3))), e.int32(1)),
                           add(e, flat(e, rankOf(e, e.input(4))), e.int32(1))});
  Value isOne = e.tensor<nd::ReduceAllOp>(
      i1, {e.compare<nd::EqualOp>(sizes, e.int32(1)), e.ints({0})}, e.flag("keep_dims", false));
  auto number = [&](int64_t x) { return e.ints({x}, i64); };
  Value pieces = e.like<nd::FloorDivOp>({add(e, mul(e, rows, columns), number(99)), number(100)});
  Value count = selected(e, isOne, pieces, rows), each = selected(e, isOne, number(100), columns);
  Value groups = mul(e, mul(e, count, number(2000)), add(e, each, number(3)));
  Value position = nextPositionOfGroups(e, e.like<nd::FloorDivOp>({groups, number(4)}));
  SmallVector<Value> parameters = llvm::to_vector(e.inputs().drop_front());
  parameters.push_back(filled(e, count, e.scalar(e.elementOf(e.input(1)), 0)));
  Value drawn = boundedNormal(e, position, joined(e, {each, count}), parameters);
  Value all = flat(e, transposed(e, drawn, e.ints({1, 0})));
  e.result(0, reshaped(e, part(e, all, e.int32(0), product(e, shape)), shape));
}

// ---- Streams that follow from a seed

// TensorFlow's number of the algorithm.
constexpr int64_t kPhilox = 1;

sci::RandomKeyOp keyOf(Expansion &e, Value seed) {
  Type part = unrankedOf(e.builder().getIntegerType(64, /*isSigned=*/false));
  return e.make<sci::RandomKeyOp>({part, part}, seed);
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

Value streamOfSeed(Expansion &e, Value seed) {
  auto key = keyOf(e, seed);
  return streamOf(e, {key.getKey(), key.getCounter(), e.int32(kPhilox)});
}

// The inputs are a shape, a seed, and what the op takes besides.
template <typename OpT> void fromSeed(Expansion &e) {
  SmallVector<Value> inputs = e.afterAllInputs(e.inputs());
  SmallVector<Value> operands{streamOfSeed(e, inputs[1]), inputs[0]};
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

void indexShuffle(Expansion &e) {
  constexpr int64_t kLeastRounds = 4;
  const int64_t rounds = e.intAttr("rounds");
  if (rounds < kLeastRounds || rounds % 2 != 0)
    return e.fail(ExitCode::kBadGraph,
                  "expected an even number of 4 or more rounds but got " + std::to_string(rounds));
  e.result(0, e.tensor<sci::RandomIndexShuffleOp>(e.resultElement(0), e.inputs(),
                                                  e.number("rounds", rounds)));
}

void boundedNormalFromSeed(Expansion &e) {
  SmallVector<Value> inputs = e.afterAllInputs(e.inputs());
  e.result(0,
           boundedNormal(e, streamOfSeed(e, inputs[1]), inputs[0], ArrayRef(inputs).drop_front(2)));
}

void shuffleFromKey(Expansion &e) {
  SmallVector<Value> inputs = e.afterAllInputs(e.inputs());
  Value stream = streamOf(e, {inputs[1], inputs[2], inputs[3]});
  e.result(0, e.tensor<sci::RandomShuffleOp>(e.elementOf(inputs[0]), {stream, inputs[0]}));
}

void multinomialFromSeed(Expansion &e) {
  SmallVector<Value> inputs = e.afterAllInputs(e.inputs());
  e.result(0, e.tensor<sci::RandomChoicesOp>(e.resultElement(0),
                                             {streamOfSeed(e, inputs[2]), inputs[0], inputs[1]}));
}

void poissonFromSeed(Expansion &e) {
  SmallVector<Value> inputs = e.afterAllInputs(e.inputs());
  e.result(0, poisson(e, streamOfSeed(e, inputs[1]), inputs[0], inputs[2]));
}

void binomialFromSeed(Expansion &e) {
  SmallVector<Value> inputs = e.afterAllInputs(e.inputs());
  e.result(0, binomial(e, streamOfSeed(e, inputs[1]), inputs[0], inputs[2], inputs[3]));
}

constexpr llvm::StringLiteral kSeeds = "seed seed2";
constexpr llvm::StringLiteral kCandidates = "num_true num_sampled unique range_max seed seed2";

constexpr OpExpansion kOps[] = {
    {"RandomUniform", randomUniform, Style::kEffect, kSeeds},
    {"RandomStandardNormal", fromPosition<sci::RandomNormalOp>, Style::kEffect, kSeeds},
    {"TruncatedNormal", fromPosition<sci::RandomTruncatedNormalOp>, Style::kEffect, kSeeds},
    {"RandomUniformInt", fromPosition<sci::RandomIntOp>, Style::kEffect, kSeeds},
    {"NonDeterministicInts", unseededBits, Style::kEffect},
    moving({"RandomShuffle", shuffle, Style::kEffect, kSeeds}),
    {"Multinomial", multinomial, Style::kEffect, kSeeds},
    {"UniformCandidateSampler", candidates<false>, Style::kEffect, kCandidates},
    {"LogUniformCandidateSampler", candidates<true>, Style::kEffect, kCandidates},
    {"ParameterizedTruncatedNormal", boundedNormalOfStream, Style::kEffect, kSeeds},
    {"RandomGamma", gamma, Style::kEffect, kSeeds},
    {"RandomPoissonV2", poissonOfStream, Style::kEffect, kSeeds},
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
    moving({"StatelessShuffle", shuffleFromKey}),
    {"RandomIndexShuffle", indexShuffle, Style::kPure, "rounds"},
    {"StatelessMultinomial", multinomialFromSeed},
    {"StatelessRandomGammaV2", fromSeed<sci::RandomGammaOp>},
    {"StatelessRandomGammaV3", fromKey<sci::RandomGammaOp>},
    {"StatelessParameterizedTruncatedNormal", boundedNormalFromSeed},
    {"StatelessRandomPoisson", poissonFromSeed},
    {"StatelessRandomBinomial", binomialFromSeed},
};

} // namespace

ArrayRef<OpExpansion> randomOps() { return kOps; }

} // namespace sluice::import
