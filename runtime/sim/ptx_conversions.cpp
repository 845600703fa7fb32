// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// cvt: between all types of numbers.
//
// A source becomes an integer of 64 bits or a double, which holds each of them exactly; that is
// made into the target's type with the rounding that the instruction names.
#include "runtime/sim/ptx_dispatch.h"
#include "runtime/sim/ptx_float_values.h"

#include <algorithm>
#include <limits>
#include <utility>

namespace sluice::rt::sim {

namespace {

// Where the flags of an operation are: in `first`.
enum Flags : uint32_t { kRounding = 3, kToIntegral = 4, kSaturates = 8, kFlushes = 16 };

template <typename T> constexpr bool kIsInteger = std::is_integral_v<T>;
template <typename T> constexpr bool kIsSmall = std::is_same_v<T, F16> || std::is_same_v<T, BF16>;

double integral(double x, Rounding rounding) {
  switch (rounding) {
  case Rounding::kNearest:
    return std::nearbyint(x);
  case Rounding::kZero:
    return std::trunc(x);
  case Rounding::kDown:
    return std::floor(x);
  default:
    return std::ceil(x);
  }
}

// The nearest number that the type has. NaN is 0, or of 64 bits the one with the highest bit only.
template <typename D> D integerOf(double x, bool wide) {
  using Limits = std::numeric_limits<D>;
  if (std::isnan(x))
    return wide ? D(uint64_t(1) << (8 * sizeof(D) - 1)) : D(0);
  // The upper limits of 64 bits are none of double; the next number is.
  if (x >= std::ldexp(1.0, std::is_signed_v<D> ? 8 * sizeof(D) - 1 : 8 * sizeof(D)))
    return Limits::max();
  if (x < double(Limits::min()))
    return Limits::min();
  return D(x);
}

template <typename D, typename S> D clampedTo(S x) {
  using Limits = std::numeric_limits<D>;
  if (std::cmp_less(x, Limits::min()))
    return Limits::min();
  return std::cmp_greater(x, Limits::max()) ? Limits::max() : D(x);
}

template <typename D, typename S> D fromInteger(S x, uint32_t flags) {
  if constexpr (kIsInteger<D>)
    return flags & kSaturates ? clampedTo<D>(x) : D(x);
  else if constexpr (kIsSmall<D>)
    return D::of(integerToOdd(std::conditional_t<std::is_signed_v<S>, int64_t, uint64_t>(x)));
  else
    return D(x); // to the nearest
}

template <typename D> D fromDouble(double x, uint32_t flags, bool wide) {
  auto rounding = Rounding(flags & kRounding);
  if constexpr (kIsInteger<D>)
    return integerOf<D>(integral(x, rounding), wide);
  if (flags & kToIntegral) {
    x = integral(x, rounding);
    rounding = Rounding::kNearest;
  }
  if (flags & kSaturates)
    x = x > 0 ? x < 1 ? x : 1 : 0;
  if constexpr (kIsSmall<D>) {
    return D::of(x);
  } else if constexpr (std::is_same_v<D, float>) {
    float result = settled(narrowed(x, rounding));
    return flags & kFlushes ? flushed(result) : result;
  } else {
    return settled(x);
  }
}

template <typename S> double doubleOf(S x, uint32_t flags) {
  if constexpr (kIsSmall<S>)
    return x.value();
  else if constexpr (std::is_same_v<S, float>)
    return flags & kFlushes ? flushed(x) : x;
  else
    return x;
}

template <typename D, typename S>
const PtxOperation *convert(PtxThread &thread, const PtxOperation *operation) {
  S value = thread.get<S>(operation->a);
  uint32_t flags = operation->first;
  D result;
  if constexpr (kIsInteger<S>)
    result = fromInteger<D>(value, flags);
  else
    result = fromDouble<D>(doubleOf(value, flags), flags, sizeof(S) == 8 || sizeof(D) == 8);
  if constexpr (kIsInteger<D>) // a wider register gets the sign
    thread.slots[operation->d] = uint64_t(result) & operation->mask;
  else
    thread.set(operation->d, result);
  return operation + 1;
}

template <typename Small>
const PtxOperation *convertTwo(PtxThread &thread, const PtxOperation *operation) {
  Small high = Small::of(double(thread.get<float>(operation->a)));
  Small low = Small::of(double(thread.get<float>(operation->b)));
  thread.set(operation->d, uint32_t(high.bits) << 16 | low.bits);
  return operation + 1;
}

template <typename Visit> PtxHandler forNumbers(PtxType type, Visit visit) {
  switch (type) {
  case PtxType::kF16:
    return visit(PtxTypeTag<F16>());
  case PtxType::kBF16:
    return visit(PtxTypeTag<BF16>());
  case PtxType::kF32:
    return visit(PtxTypeTag<float>());
  case PtxType::kF64:
    return visit(PtxTypeTag<double>());
  default:
    return forIntegers(type, visit);
  }
}

PtxHandler handlerOf(PtxType to, PtxType from) {
  return forNumbers(to, [&](auto target) {
    using D = typename decltype(target)::Type;
    return forNumbers(from, [](auto source) -> PtxHandler {
      return convert<D, typename decltype(source)::Type>;
    });
  });
}

bool isFloat(PtxType type) {
  return type == PtxType::kF16 || type == PtxType::kBF16 || type == PtxType::kF32 ||
         type == PtxType::kF64;
}

} // namespace

static bool decodePair(PtxDecoder &decoder, PtxOpcode opcode, PtxType to, PtxType from) {
  if (from != PtxType::kF32 || !opcode.take("rn") || !opcode.isEmpty() ||
      decoder.operandCount() != 3)
    return false;
  uint32_t d = decoder.target(0, to), a = decoder.source(1, from), b = decoder.source(2, from);
  PtxOperation &one = decoder.emit(to == PtxType::kF16x2 ? convertTwo<F16> : convertTwo<BF16>);
  one.d = d;
  one.a = a;
  one.b = b;
  return true;
}

// Whether the rounding is one that these types have and that is simulated.
static bool isPossible(PtxType to, PtxType from, int rounding, int integral, bool saturates) {
  if (isFloat(from) && !isFloat(to))
    return integral >= 0 && rounding < 0;
  if (!isFloat(from) && isFloat(to))
    return rounding == 0 && integral < 0 && !saturates;
  if (!isFloat(to))
    return rounding < 0 && integral < 0;
  bool small = to == PtxType::kF16 || to == PtxType::kBF16;
  bool narrows = bytesOf(to) < bytesOf(from) || (small && from != to);
  if (!narrows)
    return rounding < 0;
  return integral < 0 && (small ? rounding == 0 && bytesOf(from) >= 4 : rounding >= 0);
}

bool decodeConversions(PtxDecoder &decoder, PtxOpcode opcode) {
  if (!opcode.is("cvt"))
    return false;
  PtxType to = opcode.takeType(), from = opcode.takeType();
  if (to == PtxType::kF16x2 || to == PtxType::kBF16x2)
    return decodePair(decoder, opcode, to, from);
  int rounding = opcode.takeOne({"rn", "rz", "rm", "rp"});
  int integral = opcode.takeOne({"rni", "rzi", "rmi", "rpi"});
  bool saturates = opcode.take("sat"), flushes = opcode.take("ftz");
  PtxHandler handler = handlerOf(to, from);
  if (!handler || !opcode.isEmpty() || decoder.operandCount() != 2 ||
      !isPossible(to, from, rounding, integral, saturates))
    return false;
  uint32_t d = decoder.target(0, to, true), a = decoder.source(1, from, true);
  PtxOperation &one = decoder.emit(handler);
  one.d = d;
  one.a = a;
  one.mask = decoder.maskOf(d);
  one.first = uint32_t(std::max({rounding, integral, 0})) | (integral >= 0 ? kToIntegral : 0) |
              (saturates ? kSaturates : 0) | (flushes ? kFlushes : 0);
  return true;
}

} // namespace sluice::rt::sim
