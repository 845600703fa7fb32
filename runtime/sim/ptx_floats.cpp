// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Arithmetic of f32 and f64: each instruction rounds once, and none is joined with another.
#include "runtime/sim/ptx_dispatch.h"
#include "runtime/sim/ptx_float_values.h"

namespace sluice::rt::sim {

namespace {

struct Add {
  template <typename T> T operator()(T a, T b) { return a + b; }
};
struct Subtract {
  template <typename T> T operator()(T a, T b) { return a - b; }
};
struct Multiply {
  template <typename T> T operator()(T a, T b) { return a * b; }
};
struct Divide {
  template <typename T> T operator()(T a, T b) { return a / b; }
};
struct MultiplyAdd {
  template <typename T> T operator()(T a, T b, T c) { return std::fma(a, b, c); }
};
// Of a number and NaN the number; of zeros, the negative one is less.
struct Minimum {
  template <typename T> T operator()(T a, T b) {
    if (std::isnan(a) || std::isnan(b))
      return std::isnan(a) ? b : a;
    return a < b || (a == b && std::signbit(a)) ? a : b;
  }
};
struct Maximum {
  template <typename T> T operator()(T a, T b) {
    if (std::isnan(a) || std::isnan(b))
      return std::isnan(a) ? b : a;
    return a > b || (a == b && std::signbit(b)) ? a : b;
  }
};
template <typename Base> struct OrNan {
  template <typename T> T operator()(T a, T b) {
    return std::isnan(a) || std::isnan(b) ? T(NAN) : Base()(a, b);
  }
};
struct SquareRoot {
  template <typename T> T operator()(T a) { return std::sqrt(a); }
};
struct Reciprocal {
  template <typename T> T operator()(T a) { return 1 / a; }
};
struct Absolute {
  template <typename T> T operator()(T a) { return std::fabs(a); }
};
struct Negate {
  template <typename T> T operator()(T a) { return -a; }
};

// ---- Approximations: a card's have other bits, which nobody has written down --------------------

struct ReciprocalSquareRoot {
  template <typename T> T operator()(T a) { return T(1 / std::sqrt(double(a))); }
};
struct Exponential {
  template <typename T> T operator()(T a) { return T(std::exp2(double(a))); }
};
struct Logarithm {
  template <typename T> T operator()(T a) { return T(std::log2(double(a))); }
};
struct Sine {
  template <typename T> T operator()(T a) { return T(std::sin(double(a))); }
};
struct Cosine {
  template <typename T> T operator()(T a) { return T(std::cos(double(a))); }
};
struct HyperbolicTangent {
  template <typename T> T operator()(T a) { return T(std::tanh(double(a))); }
};

// What modifiers ask for, around the computation itself.
template <typename F, bool flushes, bool saturates> struct Modified {
  template <typename T> static T in(T x) {
    if constexpr (flushes && sizeof(T) == 4)
      return flushed(x);
    return x;
  }
  template <typename... T> auto operator()(T... values) {
    auto result = in(F()(in(values)...));
    if (saturates)
      result = result > 0 ? result < 1 ? result : 1 : 0; // NaN becomes 0
    return settled(result);
  }
};

template <typename F, size_t sources>
PtxHandler handlerOf(PtxType type, bool flushes, bool clamps) {
  auto of = [&](auto tag, auto function) -> PtxHandler {
    using T = typename decltype(tag)::Type;
    using G = decltype(function);
    if constexpr (sources == 1)
      return unary<T, G>;
    else if constexpr (sources == 2)
      return binary<T, G>;
    else
      return ternary<T, G>;
  };
  if (type == PtxType::kF64)
    return flushes || clamps ? nullptr : of(PtxTypeTag<double>(), Modified<F, false, false>());
  if (type != PtxType::kF32)
    return nullptr;
  PtxTypeTag<float> tag;
  if (flushes)
    return clamps ? of(tag, Modified<F, true, true>()) : of(tag, Modified<F, true, false>());
  return clamps ? of(tag, Modified<F, false, true>()) : of(tag, Modified<F, false, false>());
}

struct Known {
  std::string_view name;
  std::string_view modifier; // that it must have
  PtxHandler (*handler)(PtxType, bool, bool);
  size_t sources;
};

constexpr Known kKnown[] = {
    {"add", "rn", handlerOf<Add, 2>, 2},
    {"sub", "rn", handlerOf<Subtract, 2>, 2},
    {"mul", "rn", handlerOf<Multiply, 2>, 2},
    {"div", "rn", handlerOf<Divide, 2>, 2},
    {"div", "full", handlerOf<Divide, 2>, 2},
    {"div", "approx", handlerOf<Divide, 2>, 2},
    {"fma", "rn", handlerOf<MultiplyAdd, 3>, 3},
    {"sqrt", "rn", handlerOf<SquareRoot, 1>, 1},
    {"sqrt", "approx", handlerOf<SquareRoot, 1>, 1},
    {"rcp", "rn", handlerOf<Reciprocal, 1>, 1},
    {"rcp", "approx", handlerOf<Reciprocal, 1>, 1},
    {"rsqrt", "approx", handlerOf<ReciprocalSquareRoot, 1>, 1},
    {"ex2", "approx", handlerOf<Exponential, 1>, 1},
    {"lg2", "approx", handlerOf<Logarithm, 1>, 1},
    {"sin", "approx", handlerOf<Sine, 1>, 1},
    {"cos", "approx", handlerOf<Cosine, 1>, 1},
    {"tanh", "approx", handlerOf<HyperbolicTangent, 1>, 1},
    {"min", "NaN", handlerOf<OrNan<Minimum>, 2>, 2},
    {"max", "NaN", handlerOf<OrNan<Maximum>, 2>, 2},
    {"min", "", handlerOf<Minimum, 2>, 2},
    {"max", "", handlerOf<Maximum, 2>, 2},
    {"abs", "", handlerOf<Absolute, 1>, 1},
    {"neg", "", handlerOf<Negate, 1>, 1},
};

// The sign of a and the rest of b; nothing is flushed, and NaN stays as it is.
template <typename U> struct CopySign {
  U operator()(U a, U b) {
    constexpr U kSign = U(1) << (8 * sizeof(U) - 1);
    return (a & kSign) | (b & ~kSign);
  }
};

} // namespace

bool decodeFloats(PtxDecoder &decoder, PtxOpcode opcode) {
  PtxType type = opcode.takeType();
  if (opcode.is("copysign") && opcode.isEmpty())
    return emitSameTypes(decoder,
                         type == PtxType::kF32   ? binary<uint32_t, CopySign<uint32_t>>
                         : type == PtxType::kF64 ? binary<uint64_t, CopySign<uint64_t>>
                                                 : nullptr,
                         type, 2);
  if (type != PtxType::kF32 && type != PtxType::kF64)
    return false;
  bool flushes = opcode.take("ftz"), saturates = opcode.take("sat");
  for (const Known &known : kKnown) {
    PtxOpcode rest = opcode;
    if (!opcode.is(known.name) || (!known.modifier.empty() && !rest.take(known.modifier)) ||
        !rest.isEmpty())
      continue;
    return emitSameTypes(decoder, known.handler(type, flushes, saturates), type, known.sources);
  }
  return false;
}

} // namespace sluice::rt::sim
