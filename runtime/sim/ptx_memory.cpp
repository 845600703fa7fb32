// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Loads and stores, of one value or of a vector, and parameters, which are slots.
#include "runtime/sim/ptx_dispatch.h"

namespace sluice::rt::sim {

namespace {

// Signed types fill the register with their sign.
template <PtxSpace space, typename T>
const PtxOperation *load(PtxThread &thread, const PtxOperation *operation) {
  T value;
  memcpy(&value,
         thread.place<space>(thread.slots[operation->a] + operation->offset, sizeof value,
                             AccessKind::kRead),
         sizeof value);
  thread.slots[operation->d] = uint64_t(value) & operation->mask;
  return operation + 1;
}

template <PtxSpace space, typename T>
const PtxOperation *loadVector(PtxThread &thread, const PtxOperation *operation) {
  const char *from = thread.place<space>(thread.slots[operation->a] + operation->offset,
                                         operation->count * sizeof(T), AccessKind::kRead);
  const uint32_t *slots = &thread.kernel.lists[operation->first];
  for (uint32_t i = 0; i < operation->count; ++i) {
    T value;
    memcpy(&value, from + i * sizeof value, sizeof value);
    thread.slots[slots[i]] = uint64_t(value) & operation->mask;
  }
  return operation + 1;
}

template <PtxSpace space, typename T>
const PtxOperation *store(PtxThread &thread, const PtxOperation *operation) {
  memcpy(thread.place<space>(thread.slots[operation->a] + operation->offset, sizeof(T),
                             AccessKind::kWrite),
         &thread.slots[operation->b], sizeof(T));
  return operation + 1;
}

template <PtxSpace space, typename T>
const PtxOperation *storeVector(PtxThread &thread, const PtxOperation *operation) {
  char *to = thread.place<space>(thread.slots[operation->a] + operation->offset,
                                 operation->count * sizeof(T), AccessKind::kWrite);
  const uint32_t *slots = &thread.kernel.lists[operation->first];
  for (uint32_t i = 0; i < operation->count; ++i)
    memcpy(to + i * sizeof(T), &thread.slots[slots[i]], sizeof(T));
  return operation + 1;
}

// `offset` is the place in the slots from `a` on, in bytes.
template <typename T>
const PtxOperation *loadParameter(PtxThread &thread, const PtxOperation *operation) {
  T value;
  memcpy(&value, reinterpret_cast<char *>(&thread.slots[operation->a]) + operation->offset,
         sizeof value);
  thread.slots[operation->d] = uint64_t(value) & operation->mask;
  return operation + 1;
}

template <typename T>
const PtxOperation *storeParameter(PtxThread &thread, const PtxOperation *operation) {
  memcpy(reinterpret_cast<char *>(&thread.slots[operation->a]) + operation->offset,
         &thread.slots[operation->b], sizeof(T));
  return operation + 1;
}

template <typename T> PtxHandler handlerOf(PtxSpace space, bool stores, bool isVector) {
  auto of = [&](auto tag) -> PtxHandler {
    constexpr PtxSpace kSpace = decltype(tag)::value;
    if (isVector)
      return stores ? storeVector<kSpace, T> : loadVector<kSpace, T>;
    return stores ? store<kSpace, T> : load<kSpace, T>;
  };
  switch (space) {
  case PtxSpace::kGeneric:
    return of(std::integral_constant<PtxSpace, PtxSpace::kGeneric>());
  case PtxSpace::kShared:
    return of(std::integral_constant<PtxSpace, PtxSpace::kShared>());
  case PtxSpace::kLocal:
    return of(std::integral_constant<PtxSpace, PtxSpace::kLocal>());
  default: // constants are in the device's memory
    return of(std::integral_constant<PtxSpace, PtxSpace::kGlobal>());
  }
}

// Floats move as bits.
PtxType plainType(PtxType type) {
  switch (type) {
  case PtxType::kF16:
  case PtxType::kBF16:
    return PtxType::kB16;
  case PtxType::kF16x2:
  case PtxType::kBF16x2:
  case PtxType::kF32:
    return PtxType::kB32;
  case PtxType::kF64:
    return PtxType::kB64;
  default:
    return type;
  }
}

} // namespace

static bool decodeParameter(PtxDecoder &decoder, PtxType type, bool stores) {
  const PtxOperand &at = decoder.statement().operands[stores ? 0 : 1];
  const PtxDecoder::Parameter *found = decoder.parameter(at.name);
  PtxHandler handler = forIntegers(type, [&](auto tag) -> PtxHandler {
    using T = typename decltype(tag)::Type;
    return stores ? storeParameter<T> : loadParameter<T>;
  });
  if (!handler || at.kind != PtxOperand::kAddress)
    return false;
  uint32_t bytes = bytesOf(type);
  if (!found)
    decoder.fail("expected a parameter but got '%s'", std::string(at.name).c_str());
  else if (at.offset < 0 || at.offset + bytes > found->bytes)
    decoder.fail("out of bounds: %u bytes at %lld of a parameter of %u bytes", bytes,
                 static_cast<long long>(at.offset), found->bytes);
  else if (at.offset % bytes)
    decoder.fail("misaligned: %u bytes at %lld of a parameter", bytes,
                 static_cast<long long>(at.offset));
  uint32_t value = stores ? decoder.source(1, type, true) : decoder.target(0, type, true);
  PtxOperation &one = decoder.emit(handler);
  one.a = found ? found->slot : 0;
  one.d = one.b = value;
  one.offset = at.offset;
  one.mask = decoder.maskOf(value);
  return true;
}

// The slots of what is loaded or stored, one or a list.
static bool decodeValues(PtxDecoder &decoder, PtxType type, bool stores, int vector,
                         std::vector<uint32_t> &slots) {
  const PtxOperand &values = decoder.statement().operands[stores ? 1 : 0];
  auto slotOf = [&](const PtxOperand &one) {
    return stores ? decoder.source(one, type, true) : decoder.target(one, type, true);
  };
  if (vector < 0) {
    slots.push_back(slotOf(values));
    return true;
  }
  if (values.kind != PtxOperand::kList || values.list.size() != size_t(2) << vector)
    return false;
  for (const PtxOperand &one : values.list)
    slots.push_back(slotOf(one));
  return true;
}

static bool decodeAccess(PtxDecoder &decoder, PtxType type, PtxSpace space, bool stores,
                         int vector) {
  PtxHandler handler = forIntegers(type, [&](auto tag) {
    return handlerOf<typename decltype(tag)::Type>(space, stores, vector >= 0);
  });
  std::vector<uint32_t> slots;
  if (!handler || !decodeValues(decoder, type, stores, vector, slots))
    return false;
  int64_t offset = 0;
  uint32_t base = decoder.address(stores ? 0 : 1, offset);
  auto first = uint32_t(decoder.lists().size());
  if (vector >= 0)
    decoder.lists().insert(decoder.lists().end(), slots.begin(), slots.end());
  PtxOperation &one = decoder.emit(handler);
  one.a = base;
  one.b = one.d = slots[0];
  one.offset = offset;
  one.first = first;
  one.count = uint32_t(slots.size());
  one.mask = decoder.maskOf(slots[0]);
  return true;
}

bool decodeMemory(PtxDecoder &decoder, PtxOpcode opcode) {
  bool stores = opcode.is("st");
  if ((!stores && !opcode.is("ld")) || decoder.operandCount() != 2)
    return false;
  // Threads run one at a time and see each other's writes at once; there are no caches.
  opcode.takeAny({"weak", "volatile", "relaxed", "acquire", "release", "cta", "gpu", "sys", "nc",
                  "ca", "cg", "cs", "cv", "wb", "wt"});
  int vector = opcode.takeOne({"v2", "v4", "v8"});
  int space = opcode.takeOne({"global", "shared", "shared::cta", "local", "param", "const"});
  PtxType type = plainType(opcode.takeType());
  if (!opcode.isEmpty())
    return false;
  constexpr PtxSpace kSpaces[] = {PtxSpace::kGeneric, PtxSpace::kGlobal, PtxSpace::kShared,
                                  PtxSpace::kShared,  PtxSpace::kLocal,  PtxSpace::kParameter,
                                  PtxSpace::kConstant};
  if (kSpaces[space + 1] != PtxSpace::kParameter)
    return decodeAccess(decoder, type, kSpaces[space + 1], stores, vector);
  return vector < 0 && decodeParameter(decoder, type, stores);
}

} // namespace sluice::rt::sim
