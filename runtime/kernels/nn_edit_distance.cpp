// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Kernel of nn.edit_distance, after Levenshtein.
#include "runtime/base/pieces.h"
#include "runtime/kernels/attributes/nn.h"
#include "runtime/kernels/declare.h"

#include <numeric>
#include <vector>

namespace sluice::rt {

namespace {

enum Operand : size_t { kPairs, kLabels, kOtherPairs, kOtherLabels, kCount };

Status distanceShape(ShapeCall &call) {
  for (size_t i : {kPairs, kOtherPairs}) {
    const Shape &pairs = call.input(i), &labels = call.input(i + 1);
    for (const Shape *each : {&pairs, &labels})
      if (each->hasRank() && each->rank() != 1)
        return invalidArgument("expected vectors of pairs and labels but got shape " +
                               each->toString());
    if (pairs.hasRank() && labels.hasRank() && pairs.dim(0) >= 0 && labels.dim(0) >= 0 &&
        pairs.dim(0) != labels.dim(0))
      return invalidArgument("expected a pair for each label but got shapes " + pairs.toString() +
                             " and " + labels.toString());
  }
  if (call.input(kCount).hasRank() && call.input(kCount).rank() != 0)
    return invalidArgument("expected a scalar as the number of pairs but got shape " +
                           call.input(kCount).toString());
  int64_t count = Shape::kUnknown;
  if (const Tensor *value = call.value(kCount)) {
    count = value->asInt();
    if (count < 0)
      return invalidArgument("expected a number of pairs but got " + std::to_string(count));
  }
  call.output(0) = Shape{count};
  return okStatus();
}

// Labels, one pair after the other.
class Sequences {
public:
  // `isInside`: becomes false if a pair is not one of so many.
  Sequences(const Tensor &pairs, const Tensor &labels, int64_t count, bool &isInside)
      : begins_(static_cast<size_t>(count) + 1), labels_(static_cast<size_t>(labels.elements())) {
    for (int64_t pair : pairs.values<int64_t>()) {
      isInside &= pair >= 0 && pair < count;
      if (!isInside)
        return;
      ++begins_[static_cast<size_t>(pair) + 1];
    }
    std::partial_sum(begins_.begin(), begins_.end(), begins_.begin());
    std::vector<size_t> next(begins_.begin(), begins_.end() - 1);
    for (int64_t i = 0; i < labels.elements(); ++i)
      labels_[next[static_cast<size_t>(pairs.data<int64_t>()[i])]++] = labels.data<int64_t>()[i];
  }

  std::span<const int64_t> operator[](int64_t pair) const {
    const size_t begin = begins_[static_cast<size_t>(pair)];
    return {labels_.data() + begin, begins_[static_cast<size_t>(pair) + 1] - begin};
  }

private:
  std::vector<size_t> begins_;
  std::vector<int64_t> labels_;
};

// Row by row of the table of distances between what the sequences begin with.
int64_t distance(std::span<const int64_t> from, std::span<const int64_t> to) {
  std::vector<int64_t> row(to.size() + 1);
  std::iota(row.begin(), row.end(), 0);
  TurnsOfCall turns(static_cast<int64_t>(4 * row.size()));
  for (size_t i = 0; i < from.size() && !turns.end(); ++i) {
    int64_t diagonal = row[0]++;
    for (size_t k = 0; k < to.size(); ++k) {
      const int64_t replaced = diagonal + (from[i] == to[k] ? 0 : 1);
      diagonal = row[k + 1];
      row[k + 1] = std::min({replaced, row[k] + 1, diagonal + 1});
    }
  }
  return row.back();
}

Status distanceRun(KernelCall &call) {
  const bool isNormalized = attributes::nn::EditDistance(call).normalized();
  const int64_t count = call.output(0).elements();
  bool isInside = true;
  const Sequences from(call.input(kPairs), call.input(kLabels), count, isInside);
  const Sequences to(call.input(kOtherPairs), call.input(kOtherLabels), count, isInside);
  if (!isInside)
    return invalidArgument("expected pairs below " + std::to_string(count));
  const int64_t cost = (call.input(kLabels).elements() / std::max<int64_t>(1, count) + 1) *
                       (call.input(kOtherLabels).elements() / std::max<int64_t>(1, count) + 1);
  forPieces(count, costOfAll(cost, 4), [&](int64_t begin, int64_t end) {
    for (int64_t i = begin; i < end && !Cancellation::requestedHere(); ++i) {
      auto all = static_cast<float>(distance(from[i], to[i]));
      if (isNormalized && all > 0)
        all /= static_cast<float>(to[i].size());
      call.output(0).data<float>()[i] = all;
    }
  });
  return Cancellation::requestedHere() ? cancelledWork() : okStatus();
}

// As if all pairs had as many labels.
uint64_t distanceWork(const KernelCall &call) {
  const auto from = static_cast<uint64_t>(call.input(kLabels).elements()),
             to = static_cast<uint64_t>(call.input(kOtherLabels).elements());
  const uint64_t count =
      call.input(kCount).elements() == 1
          ? static_cast<uint64_t>(std::max<int64_t>(1, *call.input(kCount).data<int64_t>()))
          : 1;
  constexpr uint64_t kPerLabel = 8;
  return kPerLabel * (from + to) + from * (to / count + 1);
}

} // namespace

SLUICE_DEFINE_KERNEL(nn_edit_distance,
                     {distanceShape, distanceRun, Kernel::kNone, nullptr, distanceWork})

} // namespace sluice::rt
