// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Arithmetic of integers, which wraps.
#include "runtime/sim/ptx_dispatch.h"

#include <algorithm>

namespace sluice::rt::sim {

namespace {

template <typename T> using Unsigned = std::make_unsigned_t<T>;
template <typename T>
using Twice = std::conditional_t<
    sizeof(T) == 2, std::conditional_t<std::is_signed_v<T>, int32_t, uint32_t>,
    std::conditional_t<sizeof(T) == 4, std::conditional_t<std::is_signed_v<T>, int64_t, uint64_t>,
                       std::conditional_t<std::is_signed_v<T>, __int128, unsigned __int128>>>;

struct Add {
  template <typename T> T operator()(T a, T b) { return T(Unsigned<T>(a) + Unsigned<T>(b)); }
};
struct Subtract {
  template <typename T> T operator()(T a, T b) { return T(Unsigned<T>(a) - Unsigned<T>(b)); }
};
struct MultiplyLow {
  template <typename T> T operator()(T a, T b) { return T(uint64_t(a) * uint64_t(b)); }
};
struct MultiplyHigh {
  template <typename T> T operator()(T a, T b) {
    return T((Twice<T>(a) * Twice<T>(b)) >> 8 * sizeof(T));
  }
};
struct MultiplyAddLow {
  template <typename T> T operator()(T a, T b, T c) {
    return T(uint64_t(a) * uint64_t(b) + uint64_t(c));
  }
};
struct MultiplyAddHigh {
  template <typename T> T operator()(T a, T b, T c) { return Add()(MultiplyHigh()(a, b), c); }
};
// A card gives all ones for a division by zero, and no error; the smallest number by -1 wraps.
struct Divide {
  template <typename T> T operator()(T a, T b) {
    if (b == 0)
      return T(-1);
    if (std::is_signed_v<T> && b == T(-1))
      return Subtract()(T(0), a);
    return T(a / b);
  }
};
struct Remainder {
  template <typename T> T operator()(T a, T b) {
    if (b == 0)
      return a;
    if (std::is_signed_v<T> && b == T(-1))
      return 0;
    return T(a % b);
  }
};
struct Minimum {
  template <typename T> T operator()(T a, T b) { return std::min(a, b); }
};
struct Maximum {
  template <typename T> T operator()(T a, T b) { return std::max(a, b); }
};
struct Absolute {
  template <typename T> T operator()(T a) { return a < 0 ? Subtract()(T(0), a) : a; }
};
struct Negate {
  template <typename T> T operator()(T a) { return Subtract()(T(0), a); }
};

template <typename T>
const PtxOperation *multiplyWide(PtxThread &thread, const PtxOperation *operation) {
  using Wide = Twice<T>;
  thread.set(operation->d,
             Wide(Wide(thread.get<T>(operation->a)) * Wide(thread.get<T>(operation->b))));
  return operation + 1;
}

template <typename T>
const PtxOperation *multiplyAddWide(PtxThread &thread, const PtxOperation *operation) {
  using Wide = Twice<T>;
  Wide product = Wide(thread.get<T>(operation->a)) * Wide(thread.get<T>(operation->b));
  thread.set(operation->d, Add()(product, thread.get<Wide>(operation->c)));
  return operation + 1;
}

} // namespace

template <typename F> static PtxHandler unaryOf(PtxType type) {
  return forIntegers(type,
                     [](auto tag) -> PtxHandler { return unary<typename decltype(tag)::Type, F>; });
}
template <typename F> static PtxHandler binaryOf(PtxType type) {
  return forIntegers(type, [](auto tag) -> PtxHandler {
    using T = typename decltype(tag)::Type;
    if constexpr (sizeof(T) > 1)
      return binary<T, F>;
    return nullptr;
  });
}
template <typename F> static PtxHandler ternaryOf(PtxType type) {
  return forIntegers(type, [](auto tag) -> PtxHandler {
    using T = typename decltype(tag)::Type;
    if constexpr (sizeof(T) > 1)
      return ternary<T, F>;
    return nullptr;
  });
}

static PtxType wideType(PtxType type) {
  switch (type) {
  case PtxType::kU16:
    return PtxType::kU32;
  case PtxType::kS16:
    return PtxType::kS32;
  case PtxType::kU32:
    return PtxType::kU64;
  case PtxType::kS32:
    return PtxType::kS64;
  default:
    return PtxType::kNone;
  }
}

static bool decodeWide(PtxDecoder &decoder, PtxType type, bool adds) {
  PtxType wide = wideType(type);
  if (wide == PtxType::kNone || decoder.operandCount() != (adds ? 4 : 3))
    return false;
  uint32_t d = decoder.target(0, wide), a = decoder.source(1, type), b = decoder.source(2, type);
  uint32_t c = adds ? decoder.source(3, wide) : 0;
  PtxOperation &one = decoder.emit(forIntegers(type, [&](auto tag) -> PtxHandler {
    using T = typename decltype(tag)::Type;
    if constexpr (sizeof(T) == 2 || sizeof(T) == 4)
      return adds ? multiplyAddWide<T> : multiplyWide<T>;
    return nullptr;
  }));
  one.d = d;
  one.a = a;
  one.b = b;
  one.c = c;
  return true;
}

static bool decodeProduct(PtxDecoder &decoder, PtxOpcode opcode, PtxType type) {
  bool adds = opcode.is("mad");
  int part = opcode.takeOne({"lo", "hi", "wide"});
  if (part < 0 || !opcode.isEmpty())
    return false;
  if (part == 2)
    return decodeWide(decoder, type, adds);
  if (adds)
    return emitSameTypes(decoder,
                         part ? ternaryOf<MultiplyAddHigh>(type) : ternaryOf<MultiplyAddLow>(type),
                         type, 3);
  return emitSameTypes(decoder, part ? binaryOf<MultiplyHigh>(type) : binaryOf<MultiplyLow>(type),
                       type, 2);
}

bool decodeIntegers(PtxDecoder &decoder, PtxOpcode opcode) {
  PtxType type = opcode.takeType();
  if (opcode.is("mul") || opcode.is("mad"))
    return decodeProduct(decoder, opcode, type);
  if (!opcode.isEmpty())
    return false;
  struct Known {
    std::string_view name;
    PtxHandler (*handler)(PtxType);
    size_t sources;
  };
  static constexpr Known kKnown[] = {
      {"add", binaryOf<Add>, 2},     {"sub", binaryOf<Subtract>, 2},
      {"div", binaryOf<Divide>, 2},  {"rem", binaryOf<Remainder>, 2},
      {"min", binaryOf<Minimum>, 2}, {"max", binaryOf<Maximum>, 2},
      {"abs", unaryOf<Absolute>, 1}, {"neg", unaryOf<Negate>, 1},
  };
  for (const Known &known : kKnown)
    if (opcode.is(known.name))
      return emitSameTypes(decoder, known.handler(type), type, known.sources);
  return false;
}

} // namespace sluice::rt::sim
