// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What the lanes of a warp do together.
#include "runtime/sim/ptx_dispatch.h"

#include <optional>

namespace sluice::rt::sim {

namespace {

// The place in the code is the operation itself; `c` has the mask.
template <WarpOperation kind>
const PtxOperation *exchange(PtxThread &thread, const PtxOperation *operation) {
  uint32_t value = thread.get<uint32_t>(operation->a) ^ operation->first;
  WarpAnswer answer =
      thread.block.exchange({kind, thread.get<uint32_t>(operation->c), value, 0, 0, operation});
  thread.set(operation->d, answer.value);
  return operation + 1;
}

const PtxOperation *synchronize(PtxThread &thread, const PtxOperation *operation) {
  thread.block.synchronizeWarp(thread.get<uint32_t>(operation->c), operation);
  return operation + 1;
}

// The other lane, the segment and the mask are a list.
template <WarpOperation kind>
const PtxOperation *shuffle(PtxThread &thread, const PtxOperation *operation) {
  const uint32_t *more = &thread.kernel.lists[operation->first];
  WarpAnswer answer = thread.block.exchange(
      {kind, thread.get<uint32_t>(more[2]), thread.get<uint32_t>(operation->a),
       thread.get<uint32_t>(more[0]), thread.get<uint32_t>(more[1]), operation});
  thread.set(operation->d, answer.value);
  thread.slots[operation->b] = answer.inRange;
  return operation + 1;
}

// Of matrices of small floats: the slots of the parts of `a`, of `b`, of the sums before it and of
// those after it are a list.
template <WarpOperation kind>
const PtxOperation *multiply(PtxThread &thread, const PtxOperation *operation) {
  const uint32_t *slot = &thread.kernel.lists[operation->first];
  MatrixFragments own;
  for (uint32_t &part : own.a)
    part = thread.get<uint32_t>(*slot++);
  for (uint32_t &part : own.b)
    part = thread.get<uint32_t>(*slot++);
  for (float &sum : own.sums)
    sum = thread.get<float>(*slot++);
  thread.block.exchange({kind, ~0u, 0, 0, 0, operation, &own});
  for (float sum : own.sums)
    thread.set(*slot++, sum);
  return operation + 1;
}

} // namespace

// What the opcode says of factors.
static std::optional<WarpOperation> takeFactors(PtxOpcode &opcode) {
  bool isNarrow = opcode.take("m16n8k8");
  if ((!isNarrow && !opcode.take("m16n8k16")) || !opcode.take("row") || !opcode.take("col") ||
      opcode.takeType() != PtxType::kF32)
    return std::nullopt;
  if (isNarrow)
    return opcode.take("tf32") && opcode.take("tf32") ? std::optional(WarpOperation::kMultiplyTF32)
                                                      : std::nullopt;
  PtxType a = opcode.takeType(), b = opcode.takeType();
  if (a != b || (a != PtxType::kF16 && a != PtxType::kBF16))
    return std::nullopt;
  return a == PtxType::kF16 ? WarpOperation::kMultiplyF16 : WarpOperation::kMultiplyBF16;
}

static bool decodeProduct(PtxDecoder &decoder, PtxOpcode opcode) {
  if (!opcode.take("aligned"))
    return false;
  std::optional<WarpOperation> factors = takeFactors(opcode);
  if (!factors || opcode.takeType() != PtxType::kF32 || !opcode.isEmpty() ||
      decoder.operandCount() != 4)
    return false;
  const std::vector<PtxOperand> &operands = decoder.statement().operands;
  constexpr size_t kParts[] = {4, 4, 2, 4};
  for (size_t i = 0; i < 4; ++i)
    if (operands[i].kind != PtxOperand::kList || operands[i].list.size() != kParts[i])
      return false;
  std::vector<uint32_t> slots;
  for (size_t i : {1, 2, 3})
    for (const PtxOperand &part : operands[i].list)
      slots.push_back(decoder.source(part, i == 3 ? PtxType::kF32 : PtxType::kB32));
  for (const PtxOperand &part : operands[0].list)
    slots.push_back(decoder.target(part, PtxType::kF32));
  auto first = uint32_t(decoder.lists().size());
  decoder.lists().insert(decoder.lists().end(), slots.begin(), slots.end());
  PtxHandler handler =
      *factors == WarpOperation::kMultiplyF16    ? multiply<WarpOperation::kMultiplyF16>
      : *factors == WarpOperation::kMultiplyBF16 ? multiply<WarpOperation::kMultiplyBF16>
                                                 : multiply<WarpOperation::kMultiplyTF32>;
  decoder.emit(handler).first = first;
  return true;
}

static bool decodeShuffle(PtxDecoder &decoder, PtxOpcode opcode) {
  int kind = opcode.takeOne({"idx", "up", "down", "bfly"});
  if (kind < 0 || opcode.takeType() != PtxType::kB32 || !opcode.isEmpty() ||
      decoder.operandCount() != 5)
    return false;
  constexpr PtxHandler kHandlers[] = {
      shuffle<WarpOperation::kShuffleIndex>, shuffle<WarpOperation::kShuffleUp>,
      shuffle<WarpOperation::kShuffleDown>, shuffle<WarpOperation::kShuffleXor>};
  std::string_view second = decoder.statement().operands[0].second;
  uint32_t d = decoder.target(0, PtxType::kB32), a = decoder.source(1, PtxType::kB32);
  uint32_t inRange = second.empty() ? decoder.scratch() : decoder.predicate(second);
  auto first = uint32_t(decoder.lists().size());
  for (size_t i = 2; i < 5; ++i)
    decoder.lists().push_back(decoder.source(i, PtxType::kB32));
  PtxOperation &one = decoder.emit(kHandlers[kind]);
  one.d = d;
  one.a = a;
  one.b = inRange;
  one.first = first;
  return true;
}

// One with a value and a mask.
static bool emitExchange(PtxDecoder &decoder, PtxHandler handler, PtxType answer, PtxType value) {
  if (decoder.operandCount() != 3)
    return false;
  uint32_t d = decoder.target(0, answer), a = decoder.source(1, value),
           mask = decoder.source(2, PtxType::kB32);
  PtxOperation &one = decoder.emit(handler);
  one.d = d;
  one.a = a;
  one.c = mask;
  one.first = decoder.statement().operands[1].negated;
  return true;
}

static bool decodeVote(PtxDecoder &decoder, PtxOpcode opcode) {
  int kind = opcode.takeOne({"all", "any", "uni", "ballot"});
  PtxType type = opcode.takeType();
  if (kind < 0 || !opcode.isEmpty() || type != (kind == 3 ? PtxType::kB32 : PtxType::kPred))
    return false;
  constexpr PtxHandler kHandlers[] = {exchange<WarpOperation::kAll>, exchange<WarpOperation::kAny>,
                                      exchange<WarpOperation::kUniform>,
                                      exchange<WarpOperation::kBallot>};
  return emitExchange(decoder, kHandlers[kind], type, PtxType::kPred);
}

static bool decodeReduction(PtxDecoder &decoder, PtxOpcode opcode) {
  int kind = opcode.takeOne({"add", "min", "max", "and", "or", "xor"});
  PtxType type = opcode.takeType();
  if (kind < 0 || bytesOf(type) != 4 || !opcode.isEmpty())
    return false;
  bool hasSign = type == PtxType::kS32;
  const PtxHandler handlers[] = {
      exchange<WarpOperation::kReduceAdd>,
      hasSign ? exchange<WarpOperation::kReduceMin> : exchange<WarpOperation::kReduceUnsignedMin>,
      hasSign ? exchange<WarpOperation::kReduceMax> : exchange<WarpOperation::kReduceUnsignedMax>,
      exchange<WarpOperation::kReduceAnd>,
      exchange<WarpOperation::kReduceOr>,
      exchange<WarpOperation::kReduceXor>};
  return emitExchange(decoder, handlers[kind], type, type);
}

bool decodeExchanges(PtxDecoder &decoder, PtxOpcode opcode) {
  if (!opcode.take("sync"))
    return false;
  if (opcode.is("shfl"))
    return decodeShuffle(decoder, opcode);
  if (opcode.is("mma"))
    return decodeProduct(decoder, opcode);
  if (opcode.is("vote"))
    return decodeVote(decoder, opcode);
  if (opcode.is("redux"))
    return decodeReduction(decoder, opcode);
  if (opcode.is("match"))
    return opcode.take("any") && opcode.takeType() == PtxType::kB32 && opcode.isEmpty() &&
           emitExchange(decoder, exchange<WarpOperation::kMatchAny>, PtxType::kB32, PtxType::kB32);
  if (!opcode.is("bar") || !opcode.take("warp") || !opcode.isEmpty() || decoder.operandCount() != 1)
    return false;
  uint32_t mask = decoder.source(0, PtxType::kB32);
  decoder.emit(synchronize).c = mask;
  return true;
}

} // namespace sluice::rt::sim
