// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Kernels on bits of integers, neighbours of floats, and numbers seen as others.
#include "runtime/base/pieces.h"
#include "runtime/kernels/arguments.h"
#include "runtime/kernels/declare.h"
#include "runtime/kernels/elementwise.h"
#include "runtime/memory/denormals.h"

#include <bit>
#include <cmath>
#include <limits>

namespace sluice::rt {
namespace element {
namespace {

struct BitAnd {
  template <typename T> static T apply(T x, T y) { return static_cast<T>(x & y); }
};
struct BitOr {
  template <typename T> static T apply(T x, T y) { return static_cast<T>(x | y); }
};
struct BitXor {
  template <typename T> static T apply(T x, T y) { return static_cast<T>(x ^ y); }
};

// Places from 0 to one less than there are bits.
template <typename T> int placesOf(T y) {
  constexpr T kMost = sizeof(T) * 8 - 1;
  if constexpr (std::is_signed_v<T>)
    if (y < 0)
      return 0;
  return static_cast<int>(y < kMost ? y : kMost);
}
struct ShiftLeft {
  template <typename T> static T apply(T x, T y) {
    return static_cast<T>(static_cast<uint64_t>(x) << placesOf(y));
  }
};
struct ShiftRight {
  template <typename T> static T apply(T x, T y) { return static_cast<T>(x >> placesOf(y)); }
};
struct PopulationCount {
  template <typename T> static uint8_t apply(T x) {
    return static_cast<uint8_t>(std::popcount(static_cast<std::make_unsigned_t<T>>(x)));
  }
};
// There are no denormals: the neighbours of zero are the least normal numbers. The C library finds
// neighbours with integers, whatever the mode of the processor.
struct NextAfter {
  template <typename T> static T apply(T x, T y) {
    constexpr T kLeast = std::numeric_limits<T>::min();
    const T next = std::nextafter(x, y);
    if (!(std::abs(next) < kLeast) || x == y)
      return next;
    return std::copysign(std::abs(x) < kLeast ? kLeast : T(0), next);
  }
};

} // namespace
} // namespace element

SLUICE_BINARY_KERNELS(sci_bit_and, INT, BitAnd)
SLUICE_BINARY_KERNELS(sci_bit_or, INT, BitOr)
SLUICE_BINARY_KERNELS(sci_bit_xor, INT, BitXor)
SLUICE_BINARY_KERNELS(sci_shift_left, INT, ShiftLeft)
SLUICE_BINARY_KERNELS(sci_shift_right, INT, ShiftRight)
SLUICE_BINARY_KERNELS(sci_next_after, LONG_FLOAT, NextAfter)

template <typename T> static constexpr Kernel sci_population_count_kernel() {
  return UnaryKernel<element::PopulationCount, T, uint8_t>::kernel();
}
SLUICE_DEFINE_KERNELS(sci_population_count, INT)

// ---- bitcast

namespace {

// `input` is that of elements of so many bytes.
Status bitcastShape(ShapeCall &call, int64_t before) {
  const Shape &input = call.input(0);
  const auto after = static_cast<int64_t>(sizeOf(call.outputType(0)));
  Shape &result = call.output(0);
  result = input;
  if (before == after || !input.hasRank())
    return okStatus();
  if (before > after) {
    SLUICE_RETURN_IF_ERROR(checkRank(int64_t{input.rank()} + 1));
    result.append(before / after);
    return okStatus();
  }
  const int64_t needed = after / before;
  const int last = input.rank() - 1;
  if (last < 0 || (Sizes::isKnown(input.dim(last)) && input.dim(last) != needed))
    return invalidArgument(format("expected a last dim of %lld but got the shape %s",
                                  static_cast<long long>(needed), input.toString().c_str()));
  call.sizes().requireEqual(input.dim(last), needed);
  result.resize(last);
  return okStatus();
}

Status bitcastRun(KernelCall &call) {
  const Tensor &input = call.input(0);
  copyInPieces(call.output(0).raw(), input.raw(), input.bytes());
  return flushDenormals(call.output(0));
}

template <typename T> constexpr Kernel sci_bitcast_kernel() {
  return {[](ShapeCall &call) { return bitcastShape(call, sizeof(T)); }, bitcastRun};
}

} // namespace

SLUICE_DEFINE_KERNELS(sci_bitcast, NUMBER)

} // namespace sluice::rt
