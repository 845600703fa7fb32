// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Kernel of nn.ctc_loss. Between the labels of a sequence, and around them, stand blanks: a path
// goes along these symbols, from time to time to the same symbol, the next one, or beyond a blank.
#include "runtime/base/pieces.h"
#include "runtime/kernels/attributes/nn.h"
#include "runtime/kernels/declare.h"
#include "runtime/kernels/nn_ctc.h"

#include <optional>
#include <vector>

namespace sluice::rt {

namespace {

constexpr int64_t kCostOfStep = 64;

Status lossShape(ShapeCall &call) {
  const Shape &logits = call.input(0), &indices = call.input(1), &labels = call.input(2);
  SLUICE_RETURN_IF_ERROR(checkLogits(logits, call.input(3)));
  if (indices.hasRank() && indices.rank() != 2)
    return invalidArgument("labels_indices is not a matrix, but has shape " + indices.toString());
  if (labels.hasRank() && labels.rank() != 1)
    return invalidArgument("labels_values is not a vector, but has shape " + labels.toString());
  if (indices.hasRank() && labels.hasRank() && indices.dim(0) >= 0 && labels.dim(0) >= 0 &&
      indices.dim(0) != labels.dim(0))
    return invalidArgument("labels_indices and labels_values must contain the same number of rows, "
                           "but got shapes " +
                           indices.toString() + " and " + labels.toString());
  if (indices.hasRank() && indices.dim(1) >= 0 && indices.dim(1) != 2)
    return invalidArgument("labels_indices must have 2 columns, but has shape " +
                           indices.toString());
  call.output(0) = Shape{logits.hasRank() ? logits.dim(1) : Shape::kUnknown};
  call.output(1) = logits;
  if (logits.hasRank() && logits.dim(1) == 0)
    return invalidArgument("batch_size must not be 0");
  if (logits.hasRank() && logits.dim(2) == 0)
    return invalidArgument("num_classes must not be 0");
  return okStatus();
}

using Labels = std::vector<int32_t>;

std::string of(const char *what, size_t sequence, int64_t number) {
  return std::string(what) + std::to_string(number) + " of sequence " + std::to_string(sequence);
}

// What counts of the labels of a sequence.
Result<Labels> counting(const Labels &given, size_t sequence, int32_t blank, bool collapses) {
  Labels labels;
  bool isOver = false;
  for (size_t i = 0; i < given.size(); ++i) {
    if (i > 0 && collapses && given[i] == given[i - 1])
      continue;
    if (given[i] < 0)
      return invalidArgument(
          of("All labels must be nonnegative integers, but got ", sequence, given[i]));
    if (given[i] >= blank)
      isOver = true;
    else if (isOver)
      return invalidArgument(of("Saw a non-null label (index >= num_classes - 1) following a null "
                                "label: ",
                                sequence, given[i]));
    else
      labels.push_back(given[i]);
  }
  return labels;
}

// Of each sequence that has times enough for all labels that are given.
using WantedLabels = std::vector<std::optional<Labels>>;

Result<WantedLabels> labelsOf(KernelCall &call, const CtcSizes &sizes) {
  const attributes::nn::CtcLoss attributes(call);
  const Tensor &indices = call.input(1), &values = call.input(2);
  std::vector<Labels> given(static_cast<size_t>(sizes.batch));
  const int64_t rank = indices.shape().dim(1);
  for (int64_t i = 0, n = values.elements(); i < n; ++i) {
    const int64_t *row = indices.data<int64_t>() + i * rank, sequence = row[0];
    if (sequence < 0 || sequence >= sizes.batch)
      return invalidArgument("labels batch index must be between 0 and " +
                             std::to_string(sizes.batch) + " but saw: " + std::to_string(sequence));
    if (i > 0 && !std::lexicographical_compare(row - rank, row, row, row + rank))
      return invalidArgument("labels_indices must be in order, but row " + std::to_string(i) +
                             " is not behind the one before it");
    given[static_cast<size_t>(sequence)].push_back(values.data<int32_t>()[i]);
  }
  WantedLabels wanted(given.size());
  for (size_t i = 0; i < given.size(); ++i) {
    if (given[i].empty())
      return invalidArgument("Labels length is zero in batch " + std::to_string(i));
    const auto needed = static_cast<int64_t>(given[i].size());
    const int64_t available = call.input(3).data<int32_t>()[i];
    SLUICE_ASSIGN_OR_RETURN(Labels labels,
                            counting(given[i], i, static_cast<int32_t>(sizes.classes - 1),
                                     attributes.collapseRepeated()));
    if (needed <= available)
      wanted[i] = std::move(labels);
    else if (!attributes.ignoreLonger())
      return invalidArgument(
          of("Not enough time for target transition sequence (required: ", i, needed) +
          ", available: " + std::to_string(available) + ")");
  }
  return wanted;
}

// A table with a row for each time.
template <typename T> class Table {
public:
  Table(int64_t rows, size_t columns, T value)
      : columns_(columns), values_(static_cast<size_t>(rows) * columns, value) {}
  T *operator[](int64_t row) { return values_.data() + static_cast<size_t>(row) * columns_; }

private:
  size_t columns_;
  std::vector<T> values_;
};

template <typename T> class Paths {
public:
  Paths(KernelCall &call, const CtcSizes &sizes, const Labels &labels, int64_t sequence)
      : sizes_(sizes), sequence_(sequence), length_(call.input(3).data<int32_t>()[sequence]),
        merges_(attributes::nn::CtcLoss(call).mergeRepeated()),
        symbols_(2 * labels.size() + 1, static_cast<int32_t>(sizes.classes - 1)),
        y_(length_, static_cast<size_t>(sizes.classes), T(0)),
        before_(length_, symbols_.size(), kImpossible<T>),
        after_(length_, symbols_.size(), kImpossible<T>) {
    for (size_t i = 0; i < labels.size(); ++i)
      symbols_[2 * i + 1] = labels[i];
    for (int64_t time = 0; time < length_; ++time)
      softmax(call.input(0).data<T>() + place(time), y_[time]);
  }

  // Stores the derivative and gives the loss.
  T run(Tensor &gradient) {
    goOn();
    goBack();
    T all = kImpossible<T>;
    for (size_t i = 0; i < symbols_.size(); ++i)
      all = logOfSum(all, before_[0][i] + after_[0][i]);
    for (int64_t time = 0; time < length_; ++time)
      store(time, all, gradient.data<T>() + place(time));
    return -all;
  }

private:
  int64_t place(int64_t time) const { return (time * sizes_.batch + sequence_) * sizes_.classes; }
  void softmax(const T *logits, T *y) const {
    const T most = *std::max_element(logits, logits + sizes_.classes);
    T sum = 0;
    for (int64_t i = 0; i < sizes_.classes; ++i)
      sum += y[i] = std::exp(logits[i] - most);
    for (int64_t i = 0; i < sizes_.classes; ++i)
      y[i] /= sum;
  }

  bool isBlank(size_t i) const { return i % 2 == 0; }
  bool stays(size_t i) const { return merges_ || isBlank(i); }
  // Whether a path may go from one symbol over a blank to the one with number i.
  bool jumpsTo(size_t i) const {
    return i > 1 && !isBlank(i) && !(merges_ && symbols_[i] == symbols_[i - 2]);
  }
  T logOf(int64_t time, size_t i) { return std::log(y_[time][symbols_[i]]); }
  // Symbols that a path can have reached, and from which the rest can be reached in time.
  std::pair<size_t, size_t> within(int64_t time) const {
    const auto left = 2 * static_cast<size_t>(length_ - time), all = symbols_.size();
    return {all > left ? all - left : 0, std::min(all, 2 * static_cast<size_t>(time + 1))};
  }

  void goOn() {
    for (size_t i = 0; i < std::min<size_t>(2, symbols_.size()); ++i)
      before_[0][i] = logOf(0, i);
    for (int64_t time = 1; time < length_; ++time) {
      const T *last = before_[time - 1];
      auto [begin, end] = within(time);
      for (size_t i = begin; i < end; ++i) {
        T sum = stays(i) ? last[i] : kImpossible<T>;
        if (i > 0)
          sum = logOfSum(sum, last[i - 1]);
        if (jumpsTo(i))
          sum = logOfSum(sum, last[i - 2]);
        before_[time][i] = logOf(time, i) + sum;
      }
    }
  }
  void goBack() {
    const size_t all = symbols_.size();
    for (size_t i = all > 1 ? all - 2 : 0; i < all; ++i)
      after_[length_ - 1][i] = 0;
    for (int64_t time = length_ - 1; time-- > 0;) {
      const T *next = after_[time + 1];
      auto [begin, end] = within(time);
      for (size_t i = begin; i < end; ++i) {
        T sum = stays(i) ? next[i] + logOf(time + 1, i) : kImpossible<T>;
        if (i + 1 < all)
          sum = logOfSum(sum, next[i + 1] + logOf(time + 1, i + 1));
        if (i + 2 < all && jumpsTo(i + 2))
          sum = logOfSum(sum, next[i + 2] + logOf(time + 1, i + 2));
        after_[time][i] = sum;
      }
    }
  }

  void store(int64_t time, T all, T *gradient) {
    const T *y = y_[time];
    std::copy(y, y + sizes_.classes, gradient);
    if (all == kImpossible<T>)
      return;
    std::vector<T> sums(static_cast<size_t>(sizes_.classes), kImpossible<T>);
    for (size_t i = 0; i < symbols_.size(); ++i) {
      T &sum = sums[static_cast<size_t>(symbols_[i])];
      sum = logOfSum(sum, before_[time][i] + after_[time][i]);
    }
    for (size_t i = 0; i < sums.size(); ++i)
      gradient[i] -= std::exp(sums[i] - all);
  }

  const CtcSizes sizes_;
  int64_t sequence_, length_;
  bool merges_;
  std::vector<int32_t> symbols_;
  // Probabilities of classes, and logarithms of those of all ways to a symbol and from it on.
  Table<T> y_, before_, after_;
};

template <typename T> Status lossRun(KernelCall &call) {
  const CtcSizes sizes(call.input(0).shape());
  SLUICE_RETURN_IF_ERROR(checkLengths(call.input(3), sizes.times));
  SLUICE_ASSIGN_OR_RETURN(const WantedLabels labels, labelsOf(call, sizes));
  clearInPieces(call.output(0).raw(), call.output(0).bytes());
  clearInPieces(call.output(1).raw(), call.output(1).bytes());
  const int64_t perTime = sizes.classes + 4 * (call.input(2).elements() / sizes.batch + 1);
  forPieces(sizes.batch, costOfAll(sizes.times, costOfAll(perTime, kCostOfStep)),
            [&](int64_t begin, int64_t end) {
              for (int64_t i = begin; i < end && !Cancellation::requestedHere(); ++i) {
                const std::optional<Labels> &wanted = labels[static_cast<size_t>(i)];
                if (wanted && call.input(3).data<int32_t>()[i] > 0)
                  call.output(0).data<T>()[i] =
                      Paths<T>(call, sizes, *wanted, i).run(call.output(1));
              }
            });
  return Cancellation::requestedHere() ? cancelledWork() : okStatus();
}

uint64_t lossWork(const KernelCall &call) {
  constexpr uint64_t kPerElement = 40;
  const Shape &logits = call.input(0).shape();
  if (logits.rank() != 3)
    return 0;
  return kPerElement * static_cast<uint64_t>(call.input(0).elements() +
                                             4 * logits.dim(0) * call.input(2).elements());
}
template <typename T> constexpr Kernel nn_ctc_loss_kernel() {
  return {lossShape, lossRun<T>, Kernel::kNone, nullptr, lossWork};
}

} // namespace

SLUICE_DEFINE_KERNELS(nn_ctc_loss, LONG_FLOAT)

} // namespace sluice::rt
