// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Random choices: rows in another order, and classes by how likely they are. TensorFlow's choices.
#include "runtime/base/arithmetic.h"
#include "runtime/kernels/declare.h"
#include "runtime/kernels/movement.h"
#include "runtime/kernels/random_stream.h"

#include <algorithm>

namespace sluice::rt {

namespace {

Status checkPosition(const Shape &position) {
  if (position.hasRank() && !position.compatibleWith(Shape{kNumbersOfPosition}))
    return invalidArgument("expected a position of shape [3] but got " + position.toString());
  return okStatus();
}

// ---- Rows in another order ----------------------------------------------------------------------

Status shuffleShape(ShapeCall &call) {
  call.output(0) = call.input(1);
  return checkPosition(call.input(0));
}

// Each place gets one of the rows that are left.
Status shuffleRun(KernelCall &call) {
  constexpr int64_t kCostOfPlace = 40;
  const Tensor &input = call.input(1);
  const int64_t rows = input.shape().rank() > 0 ? input.shape().dim(0) : 1;
  if (input.elements() == 0)
    return okStatus();
  SLUICE_ASSIGN_OR_RETURN(Tensor order, Tensor::allocate(DType::kI64, Shape{rows}));
  auto *rowAt = order.data<int64_t>();
  for (int64_t i = 0; i < rows; ++i)
    rowAt[i] = i;
  Singles numbers(positionOf(call).philox());
  const int64_t size = input.elements() / rows;
  TurnsOfCall turns(kCostOfPlace + costOfAll(size, 8));
  for (int64_t i = 0; i < rows; ++i) {
    if (turns.end())
      return cancelledWork();
    if (i + 1 < rows)
      std::swap(rowAt[i], rowAt[i + numbers.next() % static_cast<uint32_t>(rows - i)]);
    SLUICE_RETURN_IF_ERROR(copyElements(input, rowAt[i] * size, call.output(0), i * size, size));
  }
  return okStatus();
}

// ---- Classes ------------------------------------------------------------------------------------

constexpr int64_t kCostOfClass = 60, kCostOfSample = 100;

Status choicesShape(ShapeCall &call) {
  SLUICE_RETURN_IF_ERROR(checkPosition(call.input(0)));
  const Shape &logits = call.input(1), &count = call.input(2);
  if (logits.hasRank() && logits.rank() != 2)
    return invalidArgument("logits should be a matrix, got shape " + logits.toString());
  if (count.hasRank() && count.rank() != 0)
    return invalidArgument("num_samples should be a scalar, got shape " + count.toString());
  int64_t samples = Shape::kUnknown;
  if (const Tensor *value = call.value(2)) {
    samples = value->asInt();
    if (samples < 0)
      return invalidArgument("num_samples should be non-negative, got " + std::to_string(samples));
  }
  const bool isKnown = logits.hasRank();
  if (isKnown && logits.dim(1) == 0)
    return invalidArgument("num_classes should be positive, got 0");
  call.output(0) = Shape{isKnown ? logits.dim(0) : Shape::kUnknown, samples};
  return okStatus();
}

// Sums of how likely the classes up to each are, beside the most likely one. Infinite logits and
// NaN are as good as none.
template <typename T> double sumLikelihoods(const T *logits, int64_t classes, double *sums) {
  double most = static_cast<double>(std::numeric_limits<float>::lowest());
  if constexpr (std::is_same_v<T, double>)
    most = std::numeric_limits<double>::lowest();
  auto at = [&](int64_t i) { return static_cast<double>(static_cast<Compute<T>>(logits[i])); };
  for (int64_t i = 0; i < classes; ++i)
    if (std::isfinite(at(i)))
      most = std::max(most, at(i));
  double sum = 0;
  for (int64_t i = 0; i < classes; ++i) {
    if (std::isfinite(at(i)))
      sum += std::exp(at(i) - most);
    sums[i] = sum;
  }
  return sum;
}

// A sample takes two numbers of the stream, and rows follow each other there.
template <typename T> Status choicesRun(KernelCall &call) {
  const Tensor &logits = call.input(1);
  Tensor *chosen = &call.output(0);
  const int64_t rows = chosen->shape().dim(0), samples = chosen->shape().dim(1);
  const int64_t classes = logits.shape().dim(1);
  if (chosen->elements() == 0)
    return okStatus();
  SLUICE_ASSIGN_OR_RETURN(Tensor sums, Tensor::allocate(DType::kF64, logits.shape()));
  const T *from = logits.data<T>();
  auto *sumsOfRows = sums.data<double>();
  const StreamPosition position = positionOf(call);
  const int64_t cost = costOfAll(classes, kCostOfClass) + costOfAll(samples, kCostOfSample);
  forPieces(rows, cost, [=](int64_t begin, int64_t end) {
    for (int64_t row = begin; row < end; ++row) {
      double *first = sumsOfRows + row * classes;
      const double all = sumLikelihoods(from + row * classes, classes, first);
      Philox philox = position.philox();
      philox.skip(static_cast<uint64_t>(row * samples) / 2);
      Singles numbers(philox);
      if (row * samples % 2 == 1) {
        numbers.next();
        numbers.next();
      }
      for (int64_t i = 0; i < samples; ++i) {
        const uint32_t bits[2] = {numbers.next(), numbers.next()};
        const double limit = toUniform<double>(bits) * all;
        putInt(*chosen, row * samples + i, std::upper_bound(first, first + classes, limit) - first);
      }
    }
  });
  return okStatus();
}
template <typename T> constexpr Kernel sci_random_choices_kernel() {
  return {choicesShape, choicesRun<T>};
}

} // namespace

SLUICE_DEFINE_KERNEL(sci_random_shuffle, {shuffleShape, shuffleRun})
SLUICE_DEFINE_KERNELS(sci_random_choices, FLOAT)

} // namespace sluice::rt
