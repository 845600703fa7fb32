// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Discrete Fourier transforms of single lines, in 64 bits and in about n log n steps for any
// length.
#pragma once

#include <complex>
#include <cstdint>
#include <memory>
#include <vector>

namespace sluice::rt {

// What transforms of one length share. Any number of threads may use one.
class FourierPlan {
public:
  using Number = std::complex<double>;

  explicit FourierPlan(int64_t length);

  int64_t length() const { return length_; }
  // About so many quarters of a nanosecond for a line.
  int64_t cost() const;
  // How many numbers `line` and `scratch` have to hold: the length, and more for some lengths.
  size_t scratchSize() const { return scratchSize_; }
  // Element k of `line` becomes the sum of line[j] exp(-2 pi i j k / length). What is left in it
  // when the call ends meanwhile has no meaning.
  void transform(Number *line, Number *scratch) const;

private:
  void transformByFactors(Number *line, Number *scratch) const;
  void transformByConvolution(Number *line, Number *scratch) const;

  int64_t length_;
  size_t scratchSize_;
  std::vector<int64_t> factors_; // none of a length that is transformed by convolution
  std::vector<Number> roots_;    // exp(-2 pi i k / length); of those by convolution, the chirp
  // Of a length with a large prime factor: that of a power of two, and what is convolved with.
  std::unique_ptr<FourierPlan> longer_;
  std::vector<Number> filter_;
};

} // namespace sluice::rt
