// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What kernels of connectionist temporal classification share: logits, and sums of probabilities
// whose logarithms are known.
#pragma once

#include "runtime/kernels/kernel.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace sluice::rt {

template <typename T> constexpr T kImpossible = -std::numeric_limits<T>::infinity();

template <typename T> T logOfSum(T a, T b) {
  if (a == kImpossible<T>)
    return b;
  if (b == kImpossible<T>)
    return a;
  return a > b ? a + std::log1p(std::exp(b - a)) : b + std::log1p(std::exp(a - b));
}

// Times, sequences and classes.
struct CtcSizes {
  int64_t times, batch, classes;
  explicit CtcSizes(const Shape &shape)
      : times(shape.dim(0)), batch(shape.dim(1)), classes(shape.dim(2)) {}
};

inline Status checkLogits(const Shape &logits, const Shape &lengths) {
  if (logits.hasRank() && logits.rank() != 3)
    return invalidArgument("inputs is not a 3-Tensor, but has shape " + logits.toString());
  if (lengths.hasRank() && lengths.rank() != 1)
    return invalidArgument("sequence_length is not a vector, but has shape " + lengths.toString());
  if (!logits.hasRank() || !lengths.hasRank())
    return okStatus();
  int64_t batch = logits.dim(1), count = lengths.dim(0);
  if (batch >= 0 && count >= 0 && batch != count)
    return invalidArgument("len(sequence_length) != batch_size. len(sequence_length): " +
                           std::to_string(count) + " batch_size: " + std::to_string(batch));
  return okStatus();
}

inline Status checkLengths(const Tensor &lengths, int64_t times) {
  for (int32_t length : lengths.values<int32_t>())
    if (length < 0 || length > times)
      return invalidArgument("expected sequence lengths from 0 to " + std::to_string(times) +
                             " but got " + std::to_string(length));
  return okStatus();
}

} // namespace sluice::rt
