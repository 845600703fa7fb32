// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// How kernels make random numbers: places in Philox streams, and groups of elements from there on.
#pragma once

#include "runtime/base/philox.h"
#include "runtime/base/pieces.h"
#include "runtime/kernels/arguments.h"

#include <bit>
#include <cmath>

namespace sluice::rt {

// Where numbers begin: the seed is the key, and the counter has an upper and a lower half.
struct StreamPosition {
  uint64_t key, upper, lower;
  Philox philox() const { return {key, upper, lower}; }
};
inline constexpr int64_t kNumbersOfPosition = 3;

// Of a kernel whose first operand is a position.
inline StreamPosition positionOf(const KernelCall &call) {
  auto *numbers = call.input(0).data<int64_t>();
  return {static_cast<uint64_t>(numbers[0]), static_cast<uint64_t>(numbers[1]),
          static_cast<uint64_t>(numbers[2])};
}

// Of kernels with the operands (position, shape, …): output 0 has that shape.
inline Status shapeOfDrawn(ShapeCall &call) {
  const Shape &position = call.input(0);
  if (position.hasRank() && !position.compatibleWith(Shape{kNumbersOfPosition}))
    return invalidArgument("expected a position of shape [3] but got " + position.toString());
  return shapeFromOperand(call, 1, "shape", call.output(0));
}

// The operands (position, shape, parameters, …): there is a distribution for each element of the
// parameters, and what comes before their dims in `shape` says how many numbers each has.
inline Status shapeOfSamples(ShapeCall &call) {
  SLUICE_RETURN_IF_ERROR(shapeOfDrawn(call));
  const Shape &whole = call.output(0);
  for (size_t i = 2; i < call.numInputs(); ++i) {
    const Shape &part = call.input(i);
    if (!whole.hasRank() || !part.hasRank())
      continue;
    bool fits = part.rank() <= whole.rank();
    for (int k = 1; fits && k <= part.rank(); ++k) {
      const int64_t a = whole.dim(whole.rank() - k), b = part.dim(part.rank() - k);
      fits = a < 0 || b < 0 || a == b;
    }
    if (!fits)
      return invalidArgument("expected a shape that ends with that of the parameters, " +
                             part.toString() + ", but got " + whole.toString());
  }
  return okStatus();
}

// Random bits become the mantissa of a number in [1, 2); subtracting 1 is exact.
template <typename T> T toUniform(const uint32_t *bits);
template <> inline float toUniform<float>(const uint32_t *bits) {
  return std::bit_cast<float>(0x3f800000u | (*bits & 0x7fffffu)) - 1.0f;
}
template <> inline double toUniform<double>(const uint32_t *bits) {
  uint64_t mantissa = uint64_t{bits[0] & 0xfffffu} << 32 | bits[1];
  return std::bit_cast<double>(uint64_t{1023} << 52 | mantissa) - 1.0;
}
template <> inline Half toUniform<Half>(const uint32_t *bits) {
  Half number;
  number.bits = static_cast<uint16_t>(15 << 10 | (*bits & 0x3ffu));
  return Half(float(number) - 1.0f);
}
template <> inline BFloat16 toUniform<BFloat16>(const uint32_t *bits) {
  BFloat16 number;
  number.bits = static_cast<uint16_t>(127 << 7 | (*bits & 0x7fu));
  return BFloat16(float(number) - 1.0f);
}

// The 32-bit numbers of a stream, one by one.
class Singles {
public:
  explicit Singles(const Philox &philox) : philox_(philox) {}
  uint32_t next() {
    if (at_ == numbers_.size()) {
      numbers_ = philox_.next();
      at_ = 0;
    }
    return numbers_[at_++];
  }

  // Of two, the first one is the lower half.
  uint64_t nextLong() {
    const uint64_t lower = next();
    return uint64_t{next()} << 32 | lower;
  }

private:
  Philox philox_;
  Philox::Numbers numbers_{};
  size_t at_ = numbers_.size();
};

// Two uniform numbers, of a group's first bits and others, become two normal ones, by the transform
// of Box and Muller.
template <typename F> void makeNormals(const uint32_t *bits, F *to) {
  constexpr int64_t kBits = sizeof(F) / 4;
  constexpr double kTwoPi = 6.283185307179586476925;
  const F radius = std::sqrt(F(-2) * std::log(std::max(toUniform<F>(bits), F(1e-7))));
  const auto angle = static_cast<F>(kTwoPi * toUniform<F>(bits + kBits));
  to[0] = std::sin(angle) * radius;
  to[1] = std::cos(angle) * radius;
}

// How many elements one group of four numbers makes.
template <typename T> inline constexpr int64_t kElementsOfGroup = sizeof(T) == 8 ? 2 : 4;
// Each execution skips this many groups for each element, used or not.
inline constexpr uint64_t kGroupsPerElement = 256;

// Fills the output by groups: make(philox, to) writes kElementsOfGroup elements. A group begins
// `step` groups of the stream after the one before it.
template <typename T, typename Make>
void fillGroups(const StreamPosition &position, Tensor &output, int64_t costOfGroup, uint64_t step,
                const Make &make) {
  constexpr int64_t kSize = kElementsOfGroup<T>;
  const Philox philox = position.philox();
  const int64_t elements = output.elements();
  T *to = output.data<T>();
  forPieces(elements / kSize + 1, costOfGroup, [=](int64_t begin, int64_t end) {
    for (int64_t group = begin; group < end; ++group) {
      Philox own = philox;
      own.skip(static_cast<uint64_t>(group) * step);
      T made[kSize];
      make(own, made);
      for (int64_t k = 0; k < kSize && group * kSize + k < elements; ++k)
        to[group * kSize + k] = made[k];
    }
  });
}

} // namespace sluice::rt
