// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Moves: between registers, to and from parts of registers, and of addresses between spaces.
#include "runtime/sim/ptx_dispatch.h"

namespace sluice::rt::sim {

namespace {

const PtxOperation *move(PtxThread &thread, const PtxOperation *operation) {
  thread.slots[operation->d] = thread.slots[operation->a];
  return operation + 1;
}

const PtxOperation *moveNot(PtxThread &thread, const PtxOperation *operation) {
  thread.slots[operation->d] = !thread.slots[operation->a];
  return operation + 1;
}

// The first part is the lowest; `offset` is how many bits each has.
const PtxOperation *pack(PtxThread &thread, const PtxOperation *operation) {
  const uint32_t *parts = &thread.kernel.lists[operation->first];
  uint64_t whole = 0;
  for (uint32_t i = 0; i < operation->count; ++i)
    whole |= thread.slots[parts[i]] << i * operation->offset;
  thread.slots[operation->d] = whole;
  return operation + 1;
}

const PtxOperation *unpack(PtxThread &thread, const PtxOperation *operation) {
  const uint32_t *parts = &thread.kernel.lists[operation->first];
  uint64_t whole = thread.slots[operation->a];
  for (uint32_t i = 0; i < operation->count; ++i)
    thread.slots[parts[i]] = whole >> i * operation->offset & operation->mask;
  return operation + 1;
}

// Addresses of the device's memory are the same with and without a space.
const PtxOperation *fromShared(PtxThread &thread, const PtxOperation *operation) {
  thread.slots[operation->d] = thread.slots[operation->a] + thread.sharedBase;
  return operation + 1;
}
const PtxOperation *toShared(PtxThread &thread, const PtxOperation *operation) {
  thread.slots[operation->d] = thread.slots[operation->a] - thread.sharedBase;
  return operation + 1;
}
const PtxOperation *fromLocal(PtxThread &thread, const PtxOperation *operation) {
  thread.slots[operation->d] =
      thread.slots[operation->a] + reinterpret_cast<uint64_t>(thread.local);
  return operation + 1;
}
const PtxOperation *toLocal(PtxThread &thread, const PtxOperation *operation) {
  thread.slots[operation->d] =
      thread.slots[operation->a] - reinterpret_cast<uint64_t>(thread.local);
  return operation + 1;
}

} // namespace

static PtxType bitsOf(uint32_t bytes) {
  return bytes == 1   ? PtxType::kB8
         : bytes == 2 ? PtxType::kB16
         : bytes == 4 ? PtxType::kB32
                      : PtxType::kNone;
}

static bool decodeParts(PtxDecoder &decoder, PtxType type, size_t listed) {
  const std::vector<PtxOperand> &parts = decoder.statement().operands[listed].list;
  uint32_t bytes = parts.empty() ? 0 : bytesOf(type) / uint32_t(parts.size());
  PtxType part = bitsOf(bytes);
  if (part == PtxType::kNone || bytes * parts.size() != bytesOf(type))
    return false;
  std::vector<uint32_t> slots;
  for (const PtxOperand &one : parts)
    slots.push_back(listed ? decoder.source(one, part) : decoder.target(one, part));
  uint32_t whole = listed ? decoder.target(0, type) : decoder.source(1, type);
  auto first = uint32_t(decoder.lists().size());
  decoder.lists().insert(decoder.lists().end(), slots.begin(), slots.end());
  PtxOperation &one = decoder.emit(listed ? pack : unpack);
  one.d = one.a = whole;
  one.first = first;
  one.count = uint32_t(slots.size());
  one.offset = 8 * bytes;
  one.mask = (uint64_t(1) << 8 * bytes) - 1;
  return true;
}

static bool emitMove(PtxDecoder &decoder, PtxHandler handler, PtxType type) {
  uint32_t d = decoder.target(0, type), a = decoder.source(1, type);
  PtxOperation &one = decoder.emit(handler);
  one.d = d;
  one.a = a;
  return true;
}

static bool decodeAddressMove(PtxDecoder &decoder, PtxOpcode opcode) {
  bool to = opcode.take("to");
  int space = opcode.takeOne({"global", "const", "shared", "shared::cta", "local"});
  if (space < 0 || opcode.takeType() != PtxType::kU64 || !opcode.isEmpty())
    return false;
  PtxHandler handler = move;
  if (space == 2 || space == 3)
    handler = to ? toShared : fromShared;
  else if (space == 4)
    handler = to ? toLocal : fromLocal;
  return emitMove(decoder, handler, PtxType::kU64);
}

bool decodeMoves(PtxDecoder &decoder, PtxOpcode opcode) {
  if (decoder.operandCount() != 2)
    return false;
  if (opcode.is("cvta"))
    return decodeAddressMove(decoder, opcode);
  PtxType type = opcode.takeType();
  if (!opcode.is("mov") || type == PtxType::kNone || !opcode.isEmpty())
    return false;
  const std::vector<PtxOperand> &operands = decoder.statement().operands;
  for (size_t i = 0; i < 2; ++i)
    if (operands[i].kind == PtxOperand::kList)
      return decodeParts(decoder, type, i);
  return emitMove(decoder, operands[1].negated ? moveNot : move, type);
}

} // namespace sluice::rt::sim
