// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Kernel of nn.suppress_classes: the best boxes of each class, and of all classes together.
#include "runtime/base/pieces.h"
#include "runtime/kernels/attributes/nn.h"
#include "runtime/kernels/declare.h"
#include "runtime/kernels/nn_suppress.h"

#include <vector>

namespace sluice::rt {

namespace {

constexpr int64_t kCostOfPair = 40;

enum Operand : size_t { kBoxes, kScores, kEach, kTotal, kOverlap, kLeast };

// Boxes are [images, boxes, 1 or classes, 4], scores [images, boxes, classes].
Status checkOperands(const Shape &boxes, const Shape &scores) {
  if (boxes.hasRank() && (boxes.rank() != 4 || (boxes.dim(3) >= 0 && boxes.dim(3) != 4)))
    return invalidArgument("boxes must be 4-D with 4 columns, but has shape " + boxes.toString());
  if (scores.hasRank() && scores.rank() != 3)
    return invalidArgument("scores must be 3-D, but has shape " + scores.toString());
  if (!boxes.hasRank() || !scores.hasRank())
    return okStatus();
  auto differ = [](int64_t a, int64_t b) { return a >= 0 && b >= 0 && a != b; };
  if (differ(boxes.dim(0), scores.dim(0)) || differ(boxes.dim(1), scores.dim(1)) ||
      (boxes.dim(2) != 1 && differ(boxes.dim(2), scores.dim(2))))
    return invalidArgument("scores has incompatible shape " + scores.toString() +
                           " for boxes of shape " + boxes.toString());
  return okStatus();
}

// How many results of an image there is room for, or an error.
Result<int64_t> roomOf(int64_t each, int64_t total, int64_t classes, bool byClass) {
  if (each <= 0)
    return invalidArgument("max_size_per_class must be positive, but is " + std::to_string(each));
  if (total <= 0)
    return invalidArgument("max_total_size must be > 0, but is " + std::to_string(total));
  return byClass ? std::min(total, each * classes) : total;
}

Status classesShape(ShapeCall &call) {
  const Shape &boxes = call.input(kBoxes), &scores = call.input(kScores);
  SLUICE_RETURN_IF_ERROR(checkOperands(boxes, scores));
  for (size_t i = kEach; i <= kLeast; ++i)
    if (call.input(i).hasRank() && call.input(i).rank() != 0)
      return invalidArgument("expected scalars as numbers and thresholds but got shape " +
                             call.input(i).toString());
  int64_t images = boxes.hasRank() ? boxes.dim(0) : Shape::kUnknown;
  if (images < 0 && scores.hasRank())
    images = scores.dim(0);
  const int64_t classes = scores.hasRank() ? scores.dim(2) : Shape::kUnknown;
  int64_t room = Shape::kUnknown;
  const bool byClass = attributes::nn::SuppressClasses(call).paddedByClass();
  if (const Tensor *each = call.value(kEach), *total = call.value(kTotal);
      each && total && each->elements() == 1 && total->elements() == 1 &&
      (classes >= 0 || !byClass)) {
    SLUICE_ASSIGN_OR_RETURN(
        room, roomOf(*each->data<int32_t>(), *total->data<int32_t>(), classes, byClass));
  }
  call.output(0) = Shape{images, room, 4};
  call.output(1) = call.output(2) = Shape{images, room};
  call.output(3) = Shape{images};
  return okStatus();
}

struct Found {
  const float *box;
  float score;
  int64_t classNumber;
};

class Image {
public:
  Image(KernelCall &call, int64_t number)
      : boxes_(call.input(kBoxes).shape().dim(1)), kinds_(call.input(kBoxes).shape().dim(2)),
        classes_(call.input(kScores).shape().dim(2)), most_(*call.input(kOverlap).data<float>()),
        least_(*call.input(kLeast).data<float>()),
        corners_(call.input(kBoxes).data<float>() + number * boxes_ * kinds_ * 4),
        scores_(call.input(kScores).data<float>() + number * boxes_ * classes_) {}

  // Best score first.
  std::vector<Found> take(int64_t each) const {
    std::vector<Found> all;
    for (int64_t i = 0; i < classes_ && !Cancellation::requestedHere(); ++i)
      takeOfClass(i, each, all);
    std::sort(all.begin(), all.end(), [](const Found &a, const Found &b) {
      if (a.score != b.score)
        return a.score > b.score;
      return a.classNumber != b.classNumber ? a.classNumber < b.classNumber : a.box < b.box;
    });
    return all;
  }

private:
  void takeOfClass(int64_t number, int64_t each, std::vector<Found> &all) const {
    const float *corners = corners_ + (kinds_ > 1 ? number * 4 : 0);
    const BoxOverlap<float> overlap(corners, kinds_ * 4);
    auto scoreOf = [&](int64_t box) { return scores_[box * classes_ + number]; };
    std::vector<int64_t> order, taken;
    for (int64_t box = 0; box < boxes_; ++box)
      if (scoreOf(box) > least_)
        order.push_back(box);
    std::sort(order.begin(), order.end(), [&](int64_t a, int64_t b) {
      return scoreOf(a) != scoreOf(b) ? scoreOf(a) > scoreOf(b) : a < b;
    });
    TurnsOfCall turns(kCostOfPair * (each + 1));
    for (int64_t box : order) {
      if (static_cast<int64_t>(taken.size()) >= each || turns.end())
        return;
      if (std::any_of(taken.rbegin(), taken.rend(),
                      [&](int64_t other) { return overlap(box, other) > most_; }))
        continue;
      taken.push_back(box);
      all.push_back({corners + box * kinds_ * 4, scoreOf(box), number});
    }
  }

  int64_t boxes_, kinds_, classes_;
  float most_, least_;
  const float *corners_, *scores_;
};

void store(KernelCall &call, int64_t image, int64_t room, const std::vector<Found> &all) {
  const bool isClipped = attributes::nn::SuppressClasses(call).clipped();
  const int64_t count = std::min(room, static_cast<int64_t>(all.size()));
  call.output(3).data<int32_t>()[image] = static_cast<int32_t>(count);
  for (int64_t i = 0; i < count; ++i) {
    const Found &each = all[static_cast<size_t>(i)];
    const int64_t at = image * room + i;
    for (int64_t k = 0; k < 4; ++k)
      call.output(0).data<float>()[at * 4 + k] =
          isClipped ? std::max(std::min(each.box[k], 1.0f), 0.0f) : each.box[k];
    call.output(1).data<float>()[at] = each.score;
    call.output(2).data<float>()[at] = static_cast<float>(each.classNumber);
  }
}

Status classesRun(KernelCall &call) {
  const Shape &scores = call.input(kScores).shape();
  const int64_t each = *call.input(kEach).data<int32_t>(), images = scores.dim(0);
  const float most = *call.input(kOverlap).data<float>();
  if (!(most >= 0 && most <= 1))
    return invalidArgument("iou_threshold must be in [0, 1], but is " + std::to_string(most));
  const int64_t room = call.output(1).shape().dim(1);
  for (size_t i = 0; i < 4; ++i)
    clearInPieces(call.output(i).raw(), call.output(i).bytes());
  const int64_t cost =
      costOfAll(scores.dim(1) * scores.dim(2), kCostOfPair * (1 + std::min(each, scores.dim(1))));
  forPieces(images, cost, [&](int64_t begin, int64_t end) {
    for (int64_t i = begin; i < end && !Cancellation::requestedHere(); ++i)
      store(call, i, room, Image(call, i).take(each));
  });
  return Cancellation::requestedHere() ? cancelledWork() : okStatus();
}

uint64_t classesWork(const KernelCall &call) {
  constexpr uint64_t kPerPair = 8;
  const Shape &scores = call.input(kScores).shape();
  if (scores.rank() != 3)
    return 0;
  return kPerPair * static_cast<uint64_t>(call.input(kScores).elements()) *
         static_cast<uint64_t>(1 + scores.dim(1));
}

} // namespace

SLUICE_DEFINE_KERNEL(nn_suppress_classes,
                     {classesShape, classesRun, Kernel::kNone, nullptr, classesWork})

} // namespace sluice::rt
