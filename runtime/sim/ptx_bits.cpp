// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Instructions on bits: logic, shifts, fields, counts, permutations.
#include "runtime/sim/ptx_dispatch.h"

#include <algorithm>
#include <bit>

namespace sluice::rt::sim {

namespace {

struct And {
  template <typename T> T operator()(T a, T b) { return a & b; }
};
struct Or {
  template <typename T> T operator()(T a, T b) { return a | b; }
};
struct Xor {
  template <typename T> T operator()(T a, T b) { return a ^ b; }
};
struct Not {
  template <typename T> T operator()(T a) { return T(~a); }
};
struct NotPredicate {
  uint8_t operator()(uint8_t a) { return !a; }
};
struct CountOnes {
  template <typename T> uint32_t operator()(T a) { return std::popcount(a); }
};
struct CountLeadingZeros {
  template <typename T> uint32_t operator()(T a) { return std::countl_zero(a); }
};
struct Reverse {
  template <typename T> T operator()(T a) {
    T result = 0;
    for (size_t i = 0; i < 8 * sizeof(T); ++i)
      result |= (a >> i & 1) << (8 * sizeof(T) - 1 - i);
    return result;
  }
};

// A distance beyond the width shifts everything out; it is never taken modulo the width.
template <typename T>
const PtxOperation *shiftLeft(PtxThread &thread, const PtxOperation *operation) {
  uint32_t by = thread.get<uint32_t>(operation->b);
  thread.set(operation->d, T(by < 8 * sizeof(T) ? thread.get<T>(operation->a) << by : 0));
  return operation + 1;
}

template <typename T>
const PtxOperation *shiftRight(PtxThread &thread, const PtxOperation *operation) {
  T value = thread.get<T>(operation->a);
  uint32_t by = thread.get<uint32_t>(operation->b), last = 8 * sizeof(T) - 1;
  thread.set(operation->d, T(by <= last ? value >> by : std::is_signed_v<T> ? value >> last : 0));
  return operation + 1;
}

// shf: 32 of the 64 bits of b (high) and a.
template <bool left, bool wraps>
const PtxOperation *funnel(PtxThread &thread, const PtxOperation *operation) {
  uint64_t both =
      uint64_t(thread.get<uint32_t>(operation->b)) << 32 | thread.get<uint32_t>(operation->a);
  uint32_t by = thread.get<uint32_t>(operation->c);
  by = wraps ? by & 31 : std::min(by, 32u);
  thread.set(operation->d, uint32_t(left ? both << by >> 32 : both >> by));
  return operation + 1;
}

// bfe: a field of a, from bit b on, c bits wide; what lies beyond is the sign.
template <typename T>
const PtxOperation *extract(PtxThread &thread, const PtxOperation *operation) {
  constexpr uint32_t kBits = 8 * sizeof(T);
  T value = thread.get<T>(operation->a);
  uint32_t from = thread.get<uint32_t>(operation->b) & 255;
  uint32_t width = thread.get<uint32_t>(operation->c) & 255;
  T fill = 0;
  if (std::is_signed_v<T> && width)
    fill = value >> std::min(from + width - 1, kBits - 1) & 1 ? T(-1) : T(0);
  T result = fill;
  for (uint32_t i = 0; i < kBits && width; ++i)
    if (i < width && from + i < kBits) {
      using U = std::make_unsigned_t<T>;
      U bit = U(1) << i;
      result = T((U(result) & ~bit) | ((U(value) >> (from + i) & 1) << i));
    }
  thread.set(operation->d, result);
  return operation + 1;
}

// bfi: b with a field replaced by the low bits of a.
template <typename T> const PtxOperation *insert(PtxThread &thread, const PtxOperation *operation) {
  constexpr uint32_t kBits = 8 * sizeof(T);
  T value = thread.get<T>(operation->a), result = thread.get<T>(operation->b);
  uint32_t from = thread.get<uint32_t>(operation->c) & 255;
  uint32_t width = uint32_t(thread.slots[operation->first]) & 255;
  for (uint32_t i = 0; i < width && from + i < kBits; ++i) {
    T bit = T(1) << (from + i);
    result = (result & ~bit) | ((value >> i & 1) << (from + i));
  }
  thread.set(operation->d, result);
  return operation + 1;
}

// prmt: each byte of the result is one of the eight of b (high) and a, or its sign.
const PtxOperation *permute(PtxThread &thread, const PtxOperation *operation) {
  uint64_t both =
      uint64_t(thread.get<uint32_t>(operation->b)) << 32 | thread.get<uint32_t>(operation->a);
  uint32_t choice = thread.get<uint32_t>(operation->c), result = 0;
  for (int i = 0; i < 4; ++i) {
    uint32_t which = choice >> 4 * i & 15;
    uint8_t byte = uint8_t(both >> 8 * (which & 7));
    if (which & 8)
      byte = byte & 0x80 ? 0xff : 0;
    result |= uint32_t(byte) << 8 * i;
  }
  thread.set(operation->d, result);
  return operation + 1;
}

// lop3: the table in the last operand says what three bits become.
const PtxOperation *anyOfThree(PtxThread &thread, const PtxOperation *operation) {
  uint32_t a = thread.get<uint32_t>(operation->a), b = thread.get<uint32_t>(operation->b);
  uint32_t c = thread.get<uint32_t>(operation->c), result = 0;
  uint32_t table = uint32_t(thread.slots[operation->first]);
  for (uint32_t i = 0; i < 32; ++i)
    result |= (table >> ((a >> i & 1) << 2 | (b >> i & 1) << 1 | (c >> i & 1)) & 1) << i;
  thread.set(operation->d, result);
  return operation + 1;
}

} // namespace

// Of the types with 16, 32 and 64 bits that have no sign.
template <typename Visit> static PtxHandler forBits(PtxType type, Visit visit) {
  switch (type) {
  case PtxType::kB16:
    return visit(PtxTypeTag<uint16_t>());
  case PtxType::kB32:
    return visit(PtxTypeTag<uint32_t>());
  case PtxType::kB64:
    return visit(PtxTypeTag<uint64_t>());
  default:
    return nullptr;
  }
}

static bool decodeLogic(PtxDecoder &decoder, PtxOpcode opcode, PtxType type) {
  auto of = [&](auto function) {
    using F = decltype(function);
    if (type == PtxType::kPred)
      return PtxHandler(binary<uint8_t, F>);
    return forBits(type,
                   [](auto tag) -> PtxHandler { return binary<typename decltype(tag)::Type, F>; });
  };
  if (opcode.is("and"))
    return emitSameTypes(decoder, of(And()), type, 2);
  if (opcode.is("or"))
    return emitSameTypes(decoder, of(Or()), type, 2);
  if (opcode.is("xor"))
    return emitSameTypes(decoder, of(Xor()), type, 2);
  if (type == PtxType::kPred)
    return emitSameTypes(decoder, unary<uint8_t, NotPredicate>, type, 1);
  return emitSameTypes(
      decoder,
      forBits(type,
              [](auto tag) -> PtxHandler { return unary<typename decltype(tag)::Type, Not>; }),
      type, 1);
}

static bool decodeShift(PtxDecoder &decoder, PtxType type, bool left) {
  PtxHandler handler = forIntegers(type, [&](auto tag) -> PtxHandler {
    using T = typename decltype(tag)::Type;
    if constexpr (sizeof(T) > 1)
      return left ? shiftLeft<T> : shiftRight<T>;
    return nullptr;
  });
  if (!handler || decoder.operandCount() != 3)
    return false;
  uint32_t d = decoder.target(0, type), a = decoder.source(1, type),
           b = decoder.source(2, PtxType::kU32);
  PtxOperation &one = decoder.emit(handler);
  one.d = d;
  one.a = a;
  one.b = b;
  return true;
}

// Four sources at most, the last ones of 32 bits.
static bool emitMixed(PtxDecoder &decoder, PtxHandler handler, PtxType type, size_t sources,
                      size_t narrowFrom) {
  if (!handler || decoder.operandCount() != sources + 1)
    return false;
  uint32_t d = decoder.target(0, type), slots[4] = {};
  for (size_t i = 0; i < sources; ++i)
    slots[i] = decoder.source(i + 1, i < narrowFrom ? type : PtxType::kU32);
  PtxOperation &one = decoder.emit(handler);
  one.d = d;
  one.a = slots[0];
  one.b = slots[1];
  one.c = slots[2];
  one.first = slots[3];
  return true;
}

static bool decodeFields(PtxDecoder &decoder, PtxOpcode opcode, PtxType type) {
  bool wide = type == PtxType::kB64;
  if (opcode.is("bfi"))
    return emitMixed(decoder,
                     type == PtxType::kB32 ? insert<uint32_t>
                     : wide                ? insert<uint64_t>
                                           : nullptr,
                     type, 4, 2);
  return emitMixed(decoder,
                   forIntegers(type,
                               [&](auto tag) -> PtxHandler {
                                 using T = typename decltype(tag)::Type;
                                 if constexpr (sizeof(T) >= 4)
                                   return extract<T>;
                                 return nullptr;
                               }),
                   type, 3, 1);
}

static bool decodeCounts(PtxDecoder &decoder, PtxOpcode opcode, PtxType type) {
  bool wide = type == PtxType::kB64;
  if ((type != PtxType::kB32 && !wide) || decoder.operandCount() != 2)
    return false;
  PtxHandler handler =
      opcode.is("popc") ? wide ? unary<uint64_t, CountOnes> : unary<uint32_t, CountOnes>
      : opcode.is("clz")
          ? wide ? unary<uint64_t, CountLeadingZeros> : unary<uint32_t, CountLeadingZeros>
      : wide ? unary<uint64_t, Reverse>
             : unary<uint32_t, Reverse>;
  uint32_t d = decoder.target(0, opcode.is("brev") ? type : PtxType::kU32);
  uint32_t a = decoder.source(1, type);
  PtxOperation &one = decoder.emit(handler);
  one.d = d;
  one.a = a;
  return true;
}

bool decodeBits(PtxDecoder &decoder, PtxOpcode opcode) {
  PtxType type = opcode.takeType();
  if (opcode.is("shf")) {
    bool left = opcode.take("l"), right = opcode.take("r"), wraps = opcode.take("wrap"),
         clamps = opcode.take("clamp");
    if (left == right || wraps == clamps || type != PtxType::kB32 || !opcode.isEmpty())
      return false;
    return emitMixed(decoder,
                     left    ? wraps ? funnel<true, true> : funnel<true, false>
                     : wraps ? funnel<false, true>
                             : funnel<false, false>,
                     type, 3, 2);
  }
  if (!opcode.isEmpty())
    return false;
  if (opcode.is("and") || opcode.is("or") || opcode.is("xor") || opcode.is("not"))
    return decodeLogic(decoder, opcode, type);
  if (opcode.is("shl") || opcode.is("shr"))
    return decodeShift(decoder, type, opcode.is("shl"));
  if (opcode.is("bfe") || opcode.is("bfi"))
    return decodeFields(decoder, opcode, type);
  if (opcode.is("popc") || opcode.is("clz") || opcode.is("brev"))
    return decodeCounts(decoder, opcode, type);
  if (opcode.is("prmt") && type == PtxType::kB32)
    return emitMixed(decoder, permute, type, 3, 2);
  if (opcode.is("lop3") && type == PtxType::kB32)
    return emitMixed(decoder, anyOfThree, type, 4, 3);
  return false;
}

} // namespace sluice::rt::sim
