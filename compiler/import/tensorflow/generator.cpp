// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// TensorFlow ops of the family "generator": random numbers whose place in a stream is a variable's
// value. It holds the lower and the upper half of the counter, the key, and more that stays.
#include "compiler/import/GraphBuilder.h"
#include "compiler/import/tensorflow/Arithmetic.h"
#include "compiler/import/tensorflow/RandomStreams.h"

using namespace mlir;

namespace sluice::import {

namespace {

constexpr int64_t kPartsOfCounter = 2;
constexpr double kGroupsPerElement = 256;

Type unsignedType(Expansion &e) { return e.builder().getIntegerType(64, /*isSigned=*/false); }

// What the variable holds, once the other inputs are there; null if it is no state.
Value readState(Expansion &e) {
  if (!e.hasVariables(1))
    return {};
  if (!e.valueType(e.input(0)).getElementType().isInteger(64)) {
    e.fail(ExitCode::kBadGraph, "expected a variable of int64, the state of a random generator, "
                                "but it holds another type");
    return {};
  }
  return e.effect<state::ReadOp>(e.heldType(e.input(0)), e.inputs()).getValue();
}

// Writes the state that is so many elements further; gives what says that it is written.
Value advance(Expansion &e, Value state, Value elements) {
  Type i64 = e.builder().getI64Type(), u64 = unsignedType(e);
  Value groups = mul(e, converted(e, flat(e, elements), u64), e.scalar(u64, kGroupsPerElement));
  Value lower = converted(e, part(e, state, e.int32(0), e.int32(1)), u64);
  Value upper = part(e, state, e.int32(1), e.int32(1));
  Value next = add(e, lower, groups);
  Value carry = converted(e, e.compare<nd::LessOp>(next, lower), i64);
  Value whole = joined(
      e, {converted(e, next, i64), add(e, upper, carry), from(e, state, e.int32(kPartsOfCounter))});
  return e.effect<state::AssignOp>({}, {e.input(0), whole}, e.flag("validate_shape", true))
      .getDone();
}

Value positionOf(Expansion &e, Value state, Value algorithm) {
  Type u64 = unsignedType(e);
  Value counter = part(e, state, e.int32(0), e.int32(kPartsOfCounter));
  Value key = part(e, state, e.int32(kPartsOfCounter), e.int32(1));
  return streamOf(e, {converted(e, key, u64), converted(e, counter, u64),
                      converted(e, algorithm, e.builder().getI32Type())});
}

// Neither of them needs the position, but it fails where the algorithm is another one.
void skip(Expansion &e) {
  Value state = readState(e);
  if (!state)
    return;
  Value position = positionOf(e, state, e.input(1));
  state = e.gated(state, e.make<flow::AfterOp>(e.tokenType(), position)->getResults());
  Value done = advance(e, state, e.input(2));
  if (e.numResults() > 0)
    e.result(0, e.gated(state, done));
}

// The inputs are a variable, an algorithm, a shape, and what the op takes besides.
template <typename OpT> void drawn(Expansion &e) {
  Value state = readState(e);
  if (!state)
    return;
  Value shape = e.input(2), position = positionOf(e, state, e.input(1));
  Value done = advance(e, state, product(e, converted(e, shape, e.builder().getI64Type())));
  SmallVector<Value> operands{position, shape};
  llvm::append_range(operands, e.inputs().drop_front(3));
  e.result(0, e.gated(e.tensor<OpT>(e.resultElement(0), operands), done));
}

constexpr OpExpansion kOps[] = {
    {"RngReadAndSkip", skip, Style::kEffect},
    {"RngSkip", skip, Style::kEffect},
    {"StatefulStandardNormalV2", drawn<sci::RandomNormalOp>, Style::kEffect},
    {"StatefulTruncatedNormal", drawn<sci::RandomTruncatedNormalOp>, Style::kEffect},
    {"StatefulUniform", drawn<nd::RandomUniformOp>, Style::kEffect},
    {"StatefulUniformInt", drawn<sci::RandomIntOp>, Style::kEffect},
    {"StatefulUniformFullInt", drawn<sci::RandomBitsOp>, Style::kEffect},
};

} // namespace

ArrayRef<OpExpansion> generatorOps() { return kOps; }

} // namespace sluice::import
