// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Arithmetic of f16 and bf16, one or two in a register: computed in double and rounded once.
#include "runtime/sim/ptx_dispatch.h"
#include "runtime/sim/ptx_float_values.h"

namespace sluice::rt::sim {

namespace {

// Sums and products of two small floats and their quotients are rounded to odd, or are exact; so
// is what has three operands.
struct Add {
  double operator()(double a, double b) { return multiplyAddToOdd(a, 1, b); }
};
struct Subtract {
  double operator()(double a, double b) { return multiplyAddToOdd(a, 1, -b); }
};
struct Multiply {
  double operator()(double a, double b) { return a * b; }
};
struct MultiplyAdd {
  double operator()(double a, double b, double c) { return multiplyAddToOdd(a, b, c); }
};
struct Minimum {
  double operator()(double a, double b) {
    if (std::isnan(a) || std::isnan(b))
      return std::isnan(a) ? b : a;
    return a < b || (a == b && std::signbit(a)) ? a : b;
  }
};
struct Maximum {
  double operator()(double a, double b) {
    if (std::isnan(a) || std::isnan(b))
      return std::isnan(a) ? b : a;
    return a > b || (a == b && std::signbit(b)) ? a : b;
  }
};
template <typename Base> struct OrNan {
  double operator()(double a, double b) {
    return std::isnan(a) || std::isnan(b) ? NAN : Base()(a, b);
  }
};
struct Negate {
  double operator()(double a) { return -a; }
};
struct Absolute {
  double operator()(double a) { return std::fabs(a); }
};

template <typename Small, typename F> struct OfSmall {
  template <typename... T> Small operator()(T... values) {
    return Small::of(F()(values.value()...));
  }
};

template <typename Small> struct Pair {
  Small low, high;
};

template <typename Small, typename F> struct OfPair {
  template <typename... T> Pair<Small> operator()(T... values) {
    return {OfSmall<Small, F>()(values.low...), OfSmall<Small, F>()(values.high...)};
  }
};

template <typename F, size_t sources> PtxHandler handlerOf(PtxType type) {
  auto of = [](auto value, auto function) -> PtxHandler {
    using T = decltype(value);
    using G = decltype(function);
    if constexpr (sources == 1)
      return unary<T, G>;
    else if constexpr (sources == 2)
      return binary<T, G>;
    else
      return ternary<T, G>;
  };
  switch (type) {
  case PtxType::kF16:
    return of(F16(), OfSmall<F16, F>());
  case PtxType::kBF16:
    return of(BF16(), OfSmall<BF16, F>());
  case PtxType::kF16x2:
    return of(Pair<F16>(), OfPair<F16, F>());
  case PtxType::kBF16x2:
    return of(Pair<BF16>(), OfPair<BF16, F>());
  default:
    return nullptr;
  }
}

struct Known {
  std::string_view name, modifier;
  PtxHandler (*handler)(PtxType);
  size_t sources;
};

constexpr Known kKnown[] = {
    {"add", "rn", handlerOf<Add, 2>, 2},
    {"sub", "rn", handlerOf<Subtract, 2>, 2},
    {"mul", "rn", handlerOf<Multiply, 2>, 2},
    {"fma", "rn", handlerOf<MultiplyAdd, 3>, 3},
    {"min", "NaN", handlerOf<OrNan<Minimum>, 2>, 2},
    {"max", "NaN", handlerOf<OrNan<Maximum>, 2>, 2},
    {"min", "", handlerOf<Minimum, 2>, 2},
    {"max", "", handlerOf<Maximum, 2>, 2},
    {"neg", "", handlerOf<Negate, 1>, 1},
    {"abs", "", handlerOf<Absolute, 1>, 1},
};

} // namespace

bool decodeHalves(PtxDecoder &decoder, PtxOpcode opcode) {
  PtxType type = opcode.takeType();
  for (const Known &known : kKnown) {
    PtxOpcode rest = opcode;
    if (!opcode.is(known.name))
      continue;
    if (known.modifier == "rn")
      rest.take("rn"); // which is so without a word as well
    else if (!known.modifier.empty() && !rest.take(known.modifier))
      continue;
    if (rest.isEmpty())
      return emitSameTypes(decoder, known.handler(type), type, known.sources);
  }
  return false;
}

} // namespace sluice::rt::sim
