// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Comparisons, and choices by their results.
#include "runtime/sim/ptx_dispatch.h"
#include "runtime/sim/ptx_float_values.h"

namespace sluice::rt::sim {

namespace {

template <typename T> bool isNan(T x) {
  if constexpr (std::is_floating_point_v<T>)
    return std::isnan(x);
  return false;
}

struct Equal {
  template <typename T> bool operator()(T a, T b) { return a == b; }
};
struct Less {
  template <typename T> bool operator()(T a, T b) { return a < b; }
};
struct LessOrEqual {
  template <typename T> bool operator()(T a, T b) { return a <= b; }
};
struct Greater {
  template <typename T> bool operator()(T a, T b) { return a > b; }
};
struct GreaterOrEqual {
  template <typename T> bool operator()(T a, T b) { return a >= b; }
};
// False with NaN, as all whose names do not end in u.
struct NotEqual {
  template <typename T> bool operator()(T a, T b) { return a != b && !isNan(a) && !isNan(b); }
};
struct AreNumbers {
  template <typename T> bool operator()(T a, T b) { return !isNan(a) && !isNan(b); }
};
template <typename F> struct OrUnordered {
  template <typename T> bool operator()(T a, T b) { return isNan(a) || isNan(b) || F()(a, b); }
};
struct AreUnordered {
  template <typename T> bool operator()(T a, T b) { return isNan(a) || isNan(b); }
};

template <typename F> struct Flushed {
  bool operator()(float a, float b) { return F()(flushed(a), flushed(b)); }
};

// How the result is joined with a third operand: in the low bits of `first`.
enum Join : uint32_t { kAlone, kAnd, kOr, kXor, kNegated = 4 };

bool joined(bool result, const PtxThread &thread, const PtxOperation *operation) {
  bool other = bool(thread.slots[operation->c]) != bool(operation->first & kNegated);
  switch (operation->first & 3) {
  case kAnd:
    return result && other;
  case kOr:
    return result || other;
  case kXor:
    return result != other;
  default:
    return result;
  }
}

// setp.p|q: the second target is the opposite.
template <typename T, typename F>
const PtxOperation *setPredicate(PtxThread &thread, const PtxOperation *operation) {
  bool result = F()(thread.get<T>(operation->a), thread.get<T>(operation->b));
  thread.slots[operation->count] = joined(!result, thread, operation);
  thread.slots[operation->d] = joined(result, thread, operation);
  return operation + 1;
}

template <typename T, typename F>
const PtxOperation *setPlain(PtxThread &thread, const PtxOperation *operation) {
  thread.slots[operation->d] = F()(thread.get<T>(operation->a), thread.get<T>(operation->b));
  return operation + 1;
}

const PtxOperation *select(PtxThread &thread, const PtxOperation *operation) {
  thread.slots[operation->d] =
      thread.slots[thread.slots[operation->c] ? operation->a : operation->b];
  return operation + 1;
}

struct Handlers {
  PtxHandler plain = nullptr, joining = nullptr;
};

template <typename T, typename F> Handlers of() { return {setPlain<T, F>, setPredicate<T, F>}; }

template <typename F> Handlers ofIntegers(PtxType type, bool flushes) {
  switch (type) {
  case PtxType::kB16:
  case PtxType::kU16:
    return of<uint16_t, F>();
  case PtxType::kS16:
    return of<int16_t, F>();
  case PtxType::kB32:
  case PtxType::kU32:
    return of<uint32_t, F>();
  case PtxType::kS32:
    return of<int32_t, F>();
  case PtxType::kB64:
  case PtxType::kU64:
    return of<uint64_t, F>();
  case PtxType::kS64:
    return of<int64_t, F>();
  default:
    return {};
  }
}

struct SmallValue {
  template <typename Small, typename F> struct Compare {
    bool operator()(Small a, Small b) { return F()(a.value(), b.value()); }
  };
};

template <typename F> Handlers ofFloats(PtxType type, bool flushes) {
  switch (type) {
  case PtxType::kF16:
    return of<F16, SmallValue::Compare<F16, F>>();
  case PtxType::kBF16:
    return of<BF16, SmallValue::Compare<BF16, F>>();
  case PtxType::kF32:
    return flushes ? of<float, Flushed<F>>() : of<float, F>();
  case PtxType::kF64:
    return of<double, F>();
  default:
    return {};
  }
}

template <typename F> Handlers ofAll(PtxType type, bool flushes) {
  Handlers handlers = ofIntegers<F>(type, flushes);
  return handlers.plain ? handlers : ofFloats<F>(type, flushes);
}

struct Known {
  std::string_view name;
  Handlers (*handlers)(PtxType, bool flushes);
};

constexpr Known kKnown[] = {
    {"eq", ofAll<Equal>},
    {"ne", ofAll<NotEqual>},
    {"lt", ofAll<Less>},
    {"le", ofAll<LessOrEqual>},
    {"gt", ofAll<Greater>},
    {"ge", ofAll<GreaterOrEqual>},
    {"lo", ofIntegers<Less>},
    {"ls", ofIntegers<LessOrEqual>},
    {"hi", ofIntegers<Greater>},
    {"hs", ofIntegers<GreaterOrEqual>},
    {"equ", ofFloats<OrUnordered<Equal>>},
    {"neu", ofFloats<OrUnordered<NotEqual>>},
    {"ltu", ofFloats<OrUnordered<Less>>},
    {"leu", ofFloats<OrUnordered<LessOrEqual>>},
    {"gtu", ofFloats<OrUnordered<Greater>>},
    {"geu", ofFloats<OrUnordered<GreaterOrEqual>>},
    {"num", ofFloats<AreNumbers>},
    {"nan", ofFloats<AreUnordered>},
};

} // namespace

static bool decodeSetPredicate(PtxDecoder &decoder, PtxOpcode opcode, PtxType type) {
  bool flushes = opcode.take("ftz");
  int join = opcode.takeOne({"and", "or", "xor"}) + 1;
  if (decoder.operandCount() != size_t(join ? 4 : 3))
    return false;
  Handlers handlers;
  for (const Known &known : kKnown)
    if (opcode.take(known.name)) {
      handlers = known.handlers(type, flushes);
      break;
    }
  if (!handlers.plain || !opcode.isEmpty())
    return false;
  const PtxOperand &targets = decoder.statement().operands[0];
  uint32_t d = decoder.target(0, PtxType::kPred), a = decoder.source(1, type),
           b = decoder.source(2, type), c = join ? decoder.source(3, PtxType::kPred) : 0;
  bool negated = join && decoder.statement().operands[3].negated;
  uint32_t second = targets.second.empty() ? decoder.scratch() : decoder.predicate(targets.second);
  PtxOperation &one =
      decoder.emit(join || !targets.second.empty() ? handlers.joining : handlers.plain);
  one.d = d;
  one.a = a;
  one.b = b;
  one.c = c;
  one.first = uint32_t(join) | (negated ? kNegated : 0);
  one.count = second;
  return true;
}

bool decodeComparisons(PtxDecoder &decoder, PtxOpcode opcode) {
  PtxType type = opcode.takeType();
  if (opcode.is("setp"))
    return decodeSetPredicate(decoder, opcode, type);
  if (!opcode.is("selp") || type == PtxType::kNone || !opcode.isEmpty() ||
      decoder.operandCount() != 4)
    return false;
  uint32_t d = decoder.target(0, type), a = decoder.source(1, type), b = decoder.source(2, type),
           c = decoder.source(3, PtxType::kPred);
  PtxOperation &one = decoder.emit(select);
  one.d = d;
  one.a = a;
  one.b = b;
  one.c = c;
  return true;
}

} // namespace sluice::rt::sim
