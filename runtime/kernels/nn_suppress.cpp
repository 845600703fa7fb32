// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Kernel of nn.suppress: the best boxes that do not overlap.
#include "runtime/kernels/nn_suppress.h"
#include "runtime/base/pieces.h"
#include "runtime/kernels/attributes/nn.h"
#include "runtime/kernels/declare.h"

#include <cmath>
#include <queue>
#include <vector>

namespace sluice::rt {

namespace {

constexpr int64_t kCostOfPair = 40;
constexpr size_t kOperands = 6;

// `shapeOf` gives the operands' shapes.
template <typename ShapeOf> Status checkOperands(bool areGiven, const ShapeOf &shapeOf) {
  const Shape &boxes = shapeOf(0), &scores = shapeOf(1);
  const char *what = areGiven ? "overlaps" : "boxes";
  if (boxes.hasRank() && boxes.rank() != 2)
    return invalidArgument(std::string(what) + " must be 2-D, but has shape " + boxes.toString());
  if (scores.hasRank() && scores.rank() != 1)
    return invalidArgument("scores must be 1-D, but has shape " + scores.toString());
  const int64_t rows = boxes.hasRank() ? boxes.dim(0) : Shape::kUnknown;
  const int64_t columns = boxes.hasRank() ? boxes.dim(1) : Shape::kUnknown;
  const int64_t wanted = areGiven ? rows : 4;
  if (columns >= 0 && wanted >= 0 && columns != wanted)
    return invalidArgument(std::string(what) + " must have " + std::to_string(wanted) +
                           " columns, but has shape " + boxes.toString());
  if (scores.hasRank() && rows >= 0 && scores.dim(0) >= 0 && scores.dim(0) != rows)
    return invalidArgument("scores has incompatible shape " + scores.toString() + " for " +
                           std::to_string(rows) + " boxes");
  for (size_t i = 2; i < kOperands; ++i)
    if (const Shape &scalar = shapeOf(i); scalar.hasRank() && scalar.rank() != 0)
      return invalidArgument("expected scalars as number and thresholds but got shape " +
                             scalar.toString());
  return okStatus();
}

Status suppressShape(ShapeCall &call) {
  call.output(0) = call.output(1) = Shape{Shape::kUnknown};
  call.output(2) = Shape{};
  return checkOperands(attributes::nn::Suppress(call).given(),
                       [&](size_t i) -> const Shape & { return call.input(i); });
}

struct Candidate {
  int64_t box;
  float score;
  size_t compared; // with so many of the boxes that were taken

  // Of the queue, which gives the greatest first.
  bool operator<(const Candidate &other) const {
    return score == other.score ? box > other.box : score < other.score;
  }
};

template <typename T> class Selection {
public:
  explicit Selection(KernelCall &call)
      : overlaps_(call.input(0).data<T>()), columns_(call.input(0).shape().dim(1)),
        areGiven_(attributes::nn::Suppress(call).given()), most_(numberAt(call, 3)),
        least_(numberAt(call, 4)), sigma_(numberAt(call, 5)), box_(overlaps_, columns_) {
    for (int64_t i = 0, n = call.input(1).elements(); i < n; ++i)
      if (auto score = static_cast<float>(call.input(1).data<T>()[i]); score > least_)
        waiting_.push({i, score, 0});
  }

  // False if the call is to end.
  bool take(size_t count) {
    TurnsOfCall turns(kCostOfPair);
    while (taken.size() < count && !waiting_.empty()) {
      Candidate next = waiting_.top();
      waiting_.pop();
      const float before = next.score;
      bool isOut = false;
      for (size_t i = taken.size(); i-- > next.compared && !isOut && next.score > least_;) {
        if (turns.end())
          return false;
        isOut = !compare(next, taken[i].box);
      }
      next.compared = taken.size();
      if (isOut)
        continue;
      if (next.score == before)
        taken.push_back(next);
      else if (next.score > least_)
        waiting_.push(next);
    }
    return true;
  }

  std::vector<Candidate> taken;

private:
  static float numberAt(KernelCall &call, size_t i) {
    return static_cast<float>(*call.input(i).data<T>());
  }
  static float rounded(float x) { return static_cast<float>(static_cast<T>(x)); }
  // False if the candidate is out.
  bool compare(Candidate &next, int64_t box) const {
    const float overlap =
        areGiven_ ? static_cast<float>(overlaps_[next.box * columns_ + box]) : box_(next.box, box);
    if (!(sigma_ > 0)) {
      if (!(overlap <= most_))
        next.score *= 0; // of what is no number
      return !(overlap > most_);
    }
    const float scale = rounded(-0.5f / sigma_);
    const float weight = rounded(std::exp(rounded(rounded(scale * overlap) * overlap)));
    next.score = rounded(next.score * weight);
    return true;
  }

  const T *overlaps_;
  int64_t columns_;
  bool areGiven_;
  float most_, least_, sigma_;
  BoxOverlap<T> box_;
  std::priority_queue<Candidate> waiting_;
};

template <typename T> Status suppressRun(KernelCall &call) {
  const attributes::nn::Suppress attributes(call);
  SLUICE_RETURN_IF_ERROR(checkOperands(
      attributes.given(), [&](size_t i) -> const Shape & { return call.input(i).shape(); }));
  const int64_t count = *call.input(2).data<int32_t>();
  const auto most = static_cast<float>(*call.input(3).data<T>());
  if (count < 0)
    return invalidArgument("output size must be non-negative, but is " + std::to_string(count));
  if (!attributes.given() && !(most >= 0 && most <= 1))
    return invalidArgument("iou_threshold must be in [0, 1], but is " + std::to_string(most));
  Selection<T> selection(call);
  if (!selection.take(static_cast<size_t>(count)))
    return cancelledWork();
  const auto taken = static_cast<int64_t>(selection.taken.size());
  const int64_t room = attributes.padded() ? count : taken;
  SLUICE_ASSIGN_OR_RETURN(call.output(0), Tensor::allocate(DType::kI32, Shape{room}));
  SLUICE_ASSIGN_OR_RETURN(call.output(1), Tensor::allocate(call.outputType(1), Shape{room}));
  SLUICE_ASSIGN_OR_RETURN(call.output(2), Tensor::allocate(DType::kI32, Shape{}));
  clearInPieces(call.output(0).raw(), call.output(0).bytes());
  clearInPieces(call.output(1).raw(), call.output(1).bytes());
  *call.output(2).data<int32_t>() = static_cast<int32_t>(taken);
  for (int64_t i = 0; i < taken; ++i) {
    const Candidate &each = selection.taken[static_cast<size_t>(i)];
    call.output(0).data<int32_t>()[i] = static_cast<int32_t>(each.box);
    call.output(1).data<T>()[i] = static_cast<T>(each.score);
  }
  return okStatus();
}

uint64_t suppressWork(const KernelCall &call) {
  constexpr uint64_t kPerPair = 8;
  const auto boxes = static_cast<uint64_t>(call.input(1).elements());
  const int32_t count = call.input(2).elements() == 1 ? *call.input(2).data<int32_t>() : 0;
  return kPerPair * boxes * (1 + std::min(boxes, static_cast<uint64_t>(std::max(count, 0))));
}
template <typename T> constexpr Kernel nn_suppress_kernel() {
  return {suppressShape, suppressRun<T>, Kernel::kAllocates, nullptr, suppressWork};
}

} // namespace

SLUICE_DEFINE_KERNELS(nn_suppress, FLOAT)

} // namespace sluice::rt
