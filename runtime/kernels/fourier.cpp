// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Fourier transforms by factors of the length, after Stockham, and for lengths with large prime
// factors as a convolution, after Bluestein.
#include "runtime/kernels/fourier.h"

#include "runtime/base/cancellation.h"
#include "runtime/base/pieces.h"

#include <bit>
#include <cmath>

namespace sluice::rt {

namespace {

using Number = FourierPlan::Number;

constexpr double kPi = 3.14159265358979323846;

// The product as it stands in books: that of the C++ library looks for infinities.
Number product(Number a, Number b) {
  return {a.real() * b.real() - a.imag() * b.imag(), a.real() * b.imag() + a.imag() * b.real()};
}
Number timesMinusI(Number x) { return {x.imag(), -x.real()}; }

// exp(-2 pi i k / n)
Number root(int64_t k, int64_t n) {
  const double angle = -2 * kPi * static_cast<double>(k) / static_cast<double>(n);
  return {std::cos(angle), std::sin(angle)};
}
std::vector<Number> rootsOf(int64_t n) {
  std::vector<Number> roots(static_cast<size_t>(n));
  for (int64_t k = 0; k < n; ++k)
    roots[static_cast<size_t>(k)] = root(k, n);
  return roots;
}

// Nothing if one of them is too large.
std::vector<int64_t> factorsOf(int64_t n) {
  std::vector<int64_t> factors;
  if (n <= 1)
    return factors;
  for (int64_t factor : {4, 2, 3, 5, 7, 11, 13})
    for (; n % factor == 0; n /= factor)
      factors.push_back(factor);
  return n == 1 ? factors : std::vector<int64_t>();
}

// One step: transforms of `radix` elements each, `apart` elements from each other. `stride` lines
// lie side by side; those of the result are shorter, and there are more of them.
struct Step {
  int64_t radix, apart, stride;
  const Number *roots;
  int64_t length;
  const Number *from;
  Number *to;

  Number in(int64_t t, int64_t k, int64_t j) const { return from[t + stride * (k + apart * j)]; }
  void out(int64_t t, int64_t k, int64_t r, Number x) const {
    to[t + stride * (radix * k + r)] = r == 0 ? x : product(x, roots[k * r * stride]);
  }

  void two(int64_t t, int64_t k) const {
    const Number a = in(t, k, 0), b = in(t, k, 1);
    out(t, k, 0, a + b);
    out(t, k, 1, a - b);
  }
  void four(int64_t t, int64_t k) const {
    const Number a = in(t, k, 0), b = in(t, k, 1), c = in(t, k, 2), d = in(t, k, 3);
    const Number even = a + c, other = a - c, odd = b + d, turned = timesMinusI(b - d);
    out(t, k, 0, even + odd);
    out(t, k, 1, other + turned);
    out(t, k, 2, even - odd);
    out(t, k, 3, other - turned);
  }
  void any(int64_t t, int64_t k) const {
    const int64_t part = length / radix; // the roots of order `radix` are so far from each other
    for (int64_t r = 0; r < radix; ++r) {
      Number sum = in(t, k, 0);
      for (int64_t j = 1; j < radix; ++j)
        sum += product(in(t, k, j), roots[j * r % radix * part]);
      out(t, k, r, sum);
    }
  }
  void run() const {
    for (int64_t k = 0; k < apart; ++k)
      for (int64_t t = 0; t < stride; ++t)
        if (radix == 2)
          two(t, k);
        else if (radix == 4)
          four(t, k);
        else
          any(t, k);
  }
};

} // namespace

FourierPlan::FourierPlan(int64_t length)
    : length_(length), scratchSize_(static_cast<size_t>(length)), factors_(factorsOf(length)) {
  if (length <= 1)
    return;
  if (!factors_.empty()) {
    roots_ = rootsOf(length);
    return;
  }
  const auto size = std::bit_ceil(static_cast<uint64_t>(2 * length - 1));
  longer_ = std::make_unique<FourierPlan>(static_cast<int64_t>(size));
  scratchSize_ = size;
  roots_.resize(static_cast<size_t>(length));
  filter_.assign(size, Number(0));
  // The squares modulo twice the length, which is all that counts, one after the other.
  const int64_t twice = 2 * length;
  for (int64_t k = 0, square = 0; k < length; ++k) {
    const Number chirp = root(square, twice);
    roots_[static_cast<size_t>(k)] = chirp;
    filter_[static_cast<size_t>(k)] = std::conj(chirp);
    if (k > 0)
      filter_[size - static_cast<size_t>(k)] = std::conj(chirp);
    square = (square + 2 * k + 1) % twice;
  }
  std::vector<Number> scratch(size);
  longer_->transform(filter_.data(), scratch.data());
}

int64_t FourierPlan::cost() const {
  constexpr int64_t kCostOfStep = 12;
  if (longer_)
    return 2 * longer_->cost() + costOfAll(length_, kCostOfStep);
  int64_t steps = 1;
  for (int64_t factor : factors_)
    steps += factor;
  return costOfAll(length_, kCostOfStep * steps);
}

void FourierPlan::transform(Number *line, Number *scratch) const {
  if (longer_)
    transformByConvolution(line, scratch);
  else if (length_ > 1)
    transformByFactors(line, scratch);
}

void FourierPlan::transformByFactors(Number *line, Number *scratch) const {
  Number *from = line, *to = scratch;
  int64_t stride = 1;
  for (int64_t factor : factors_) {
    if (Cancellation::requestedHere())
      return;
    Step{factor, length_ / stride / factor, stride, roots_.data(), length_, from, to}.run();
    std::swap(from, to);
    stride *= factor;
  }
  if (from != line)
    std::copy(from, from + length_, line);
}

void FourierPlan::transformByConvolution(Number *line, Number *scratch) const {
  const auto length = static_cast<size_t>(length_);
  for (size_t k = 0; k < length; ++k)
    line[k] = product(line[k], roots_[k]);
  std::fill(line + length, line + scratchSize_, Number(0));
  longer_->transform(line, scratch);
  // Back again: the inverse is the transform of what has its parts swapped.
  const double scale = 1.0 / static_cast<double>(scratchSize_);
  for (size_t k = 0; k < scratchSize_; ++k) {
    const Number x = product(line[k], filter_[k]);
    line[k] = {x.imag() * scale, x.real() * scale};
  }
  longer_->transform(line, scratch);
  for (size_t k = 0; k < length; ++k)
    line[k] = product(Number(line[k].imag(), line[k].real()), roots_[k]);
}

} // namespace sluice::rt
