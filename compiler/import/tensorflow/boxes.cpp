// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// TensorFlow ops of the family "boxes": parts of images, and which of them overlap.
#include "compiler/import/tensorflow/Arithmetic.h"
#include "compiler/import/tensorflow/SizeVectors.h"

#include "dialects/nn/Nn.h"

#include <limits>

using namespace mlir;

namespace sluice::import {

namespace {

struct Suppression {
  Value boxes, scores, count, overlap, least, sigma;
};

nn::SuppressOp suppressed(Expansion &e, const Suppression &given, bool areOverlaps = false) {
  Type i32 = e.builder().getI32Type(), element = e.elementOf(given.boxes);
  auto number = [&](Value x) { return x ? converted(e, x, element) : e.scalar(element, 0); };
  bool isPadded = e.attribute("pad_to_max_output_size") && e.boolAttr("pad_to_max_output_size");
  return e.make<nn::SuppressOp>({unrankedOf(i32), unrankedOf(element), unrankedOf(i32)},
                                {given.boxes, given.scores, given.count, number(given.overlap),
                                 number(given.least), number(given.sigma)},
                                {e.flag("given", areOverlaps), e.flag("padded", isPadded)});
}

// No score is left out.
Value lowest(Expansion &e, Value scores) {
  constexpr double kLowestHalf = -65504;
  return constantLike(e, scores,
                      e.elementOf(scores).isF16()
                          ? kLowestHalf
                          : -static_cast<double>(std::numeric_limits<float>::max()));
}

void suppressWithAttribute(Expansion &e) {
  auto in = e.afterAllInputs(e.inputs());
  Value overlap = constantLike(e, in[0], e.floatAttr("iou_threshold"));
  e.result(0, suppressed(e, {in[0], in[1], in[2], overlap, lowest(e, in[1]), {}}).getPlaces());
}
void suppressAll(Expansion &e) {
  auto in = e.afterAllInputs(e.inputs());
  e.result(0, suppressed(e, {in[0], in[1], in[2], in[3], lowest(e, in[1]), {}}).getPlaces());
}
template <bool areOverlaps = false> void suppress(Expansion &e) {
  auto in = e.afterAllInputs(e.inputs());
  auto op = suppressed(e, {in[0], in[1], in[2], in[3], in[4], {}}, areOverlaps);
  e.result(0, op.getPlaces());
  if (e.numResults() > 1)
    e.result(1, op.getTaken());
}
void suppressSoftly(Expansion &e) {
  auto in = e.afterAllInputs(e.inputs());
  auto op = suppressed(e, {in[0], in[1], in[2], in[3], in[4], in[5]});
  e.result(0, op.getPlaces());
  e.result(1, op.getSelected());
  e.result(2, op.getTaken());
}

void suppressClasses(Expansion &e) {
  Type f32 = e.builder().getF32Type(), i32 = e.builder().getI32Type();
  auto op = e.make<nn::SuppressClassesOp>(
      {unrankedOf(f32), unrankedOf(f32), unrankedOf(f32), unrankedOf(i32)},
      e.afterAllInputs(e.inputs()),
      {e.flag("padded_by_class", e.boolAttr("pad_per_class")),
       e.flag("clipped", e.boolAttr("clip_boxes"))});
  for (auto [slot, result] : llvm::enumerate(op->getResults()))
    e.result(static_cast<uint32_t>(slot), result);
}

void draw(Expansion &e) {
  auto in = e.afterAllInputs(e.inputs());
  Type f32 = e.builder().getF32Type();
  Value colors =
      in.size() > 2
          ? in[2]
          : Value(nd::ConstantOp::create(
                e.builder(), e.loc(), RankedTensorType::get({0, 4}, f32),
                DenseElementsAttr::get(RankedTensorType::get({0, 4}, f32), ArrayRef<float>())));
  e.result(0, e.like<nn::DrawBoxesOp>({in[0], in[1], colors}));
}

constexpr llvm::StringLiteral kPadded = "pad_to_max_output_size";

constexpr OpExpansion kOps[] = {
    {"CombinedNonMaxSuppression", suppressClasses, Style::kPure, "pad_per_class clip_boxes"},
    {"DrawBoundingBoxes", draw},
    {"DrawBoundingBoxesV2", draw},
    {"NonMaxSuppression", suppressWithAttribute, Style::kPure, "iou_threshold"},
    {"NonMaxSuppressionV2", suppressAll},
    {"NonMaxSuppressionV3", suppress<>},
    {"NonMaxSuppressionV4", suppress<>, Style::kPure, kPadded},
    {"NonMaxSuppressionV5", suppressSoftly, Style::kPure, kPadded},
    {"NonMaxSuppressionWithOverlaps", suppress<true>},
};

} // namespace

ArrayRef<OpExpansion> boxesOps() { return kOps; }

} // namespace sluice::import
