// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Parts of images, brought to one size: `CropAndResize` and what flows back through it.
#include "compiler/import/tensorflow/Crops.h"

#include "compiler/import/tensorflow/Arithmetic.h"
#include "compiler/import/tensorflow/Checks.h"

using namespace mlir;

namespace sluice::import {

namespace {

Value sizeAt(Expansion &e, Value dims, int64_t i) {
  return single(e, part(e, dims, e.int32(i), e.int32(1)));
}

// Of each box the places along one dim of the images, as f32.
struct Places {
  Value at;       // [boxes, places]
  Value isInside; // the same
  Value last;     // of the images, as f32
  Value share;    // of each place: how much of it follows the second corner
};

// Crops of boxes, [boxes, rows, columns].
class Crops {
public:
  Crops(Expansion &e, Value boxes, Value boxImages, Value dims, Value sizes)
      : e_(e), dims_(converted(e, dims, e.builder().getI64Type())), boxImages_(boxImages) {
    rows_ = placesAlong(0, boxes, sizes);
    columns_ = placesAlong(1, boxes, sizes);
    isInside_ = e.like<nd::LogicalAndOp>({asRows(rows_.isInside), asColumns(columns_.isInside)});
  }

  Value isInside() const { return isInside_; }
  // From the first place of two to the one in question.
  Value distance(bool isRow) const {
    Value at = isRow ? rows_.at : columns_.at;
    Value found = sub(e_, at, e_.like<nd::FloorOp>(at));
    return isRow ? asRows(found) : asColumns(found);
  }
  // The places, in images whose places are one dim, of neighbours; zero for what is outside.
  Value neighbours(bool isBelow, bool isRight) const {
    return placeOf(isBelow ? e_.like<nd::CeilOp>(rows_.at) : e_.like<nd::FloorOp>(rows_.at),
                   isRight ? e_.like<nd::CeilOp>(columns_.at) : e_.like<nd::FloorOp>(columns_.at));
  }
  // Halves go up.
  Value nearest() const {
    auto rounded = [&](Value x) {
      return e_.like<nd::FloorOp>(add(e_, x, constantLike(e_, x, 0.5)));
    };
    return placeOf(rounded(rows_.at), rounded(columns_.at));
  }
  const Places &along(bool isRow) const { return isRow ? rows_ : columns_; }
  Value shareOf(bool isRow) const {
    return reshaped(e_, along(isRow).share, isRow ? e_.ints({1, -1, 1}) : e_.ints({1, 1, -1}));
  }

private:
  Value asRows(Value x) const { return e_.like<nd::ExpandDimsOp>({x, e_.int32(2)}); }
  Value asColumns(Value x) const { return e_.like<nd::ExpandDimsOp>({x, e_.int32(1)}); }

  Places placesAlong(int64_t dim, Value boxes, Value sizes) const {
    Type f32 = e_.builder().getF32Type();
    Value count = sizeAt(e_, sizes, dim), one = e_.scalar(f32, 1);
    Value last = sub(e_, converted(e_, sizeAt(e_, dims_, dim + 1), f32), one);
    auto corner = [&](int64_t i) { return gathered(e_, boxes, e_.ints({i}), e_.int32(1)); };
    Value first = corner(dim), second = corner(dim + 2);
    Value isSingle = e_.compare<nd::LessEqualOp>(count, e_.int32(1));
    Value others = sub(e_, converted(e_, count, f32), one);
    Value numbers = converted(e_, numbersBelow(e_, count), f32);
    Value divisor = select(e_, isSingle, one, others);
    Value scale = div(e_, mul(e_, sub(e_, second, first), last), divisor);
    Value along = add(e_, mul(e_, first, last), mul(e_, numbers, scale));
    Value middle = mul(e_, mul(e_, constantLike(e_, first, 0.5), add(e_, first, second)), last);
    Value at = select(e_, isSingle, middle, along);
    Value isInside =
        e_.like<nd::LogicalAndOp>({e_.compare<nd::GreaterEqualOp>(at, constantLike(e_, at, 0)),
                                   e_.compare<nd::LessEqualOp>(at, last)});
    Value share = select(e_, isSingle, constantLike(e_, last, 0.5), div(e_, numbers, divisor));
    return {at, isInside, last, share};
  }

  Value placeOf(Value row, Value column) const {
    Type i64 = e_.builder().getI64Type();
    auto number = [&](const Places &places, Value x) {
      return converted(e_, select(e_, places.isInside, x, constantLike(e_, x, 0)), i64);
    };
    Value images = converted(e_, reshaped(e_, boxImages_, e_.ints({-1, 1, 1})), i64);
    Value place = add(e_, mul(e_, images, sizeAt(e_, dims_, 1)), asRows(number(rows_, row)));
    return add(e_, mul(e_, place, sizeAt(e_, dims_, 2)), asColumns(number(columns_, column)));
  }

  Expansion &e_;
  Value dims_, boxImages_;
  Places rows_, columns_;
  Value isInside_;
};

// What all of these ops ask of images with the dims `dims`, of boxes and of what they are cut to.
void requireBoxes(Expansion &e, Checks &checks, Value &boxes, Value &boxImages, Value dims,
                  Value sizes) {
  auto require = [&](Value condition, StringRef text, Value data) {
    checks.require(condition, text, data);
  };
  require(e.compare<nd::EqualOp>(sizeOf(e, dims), e.int32(4)), "images must be 4-D", dims);
  require(e.compare<nd::GreaterOp>(part(e, checks.checked(dims), e.int32(1), e.int32(2)),
                                   constantLike(e, dims, 0)),
          "image dimensions must be positive", dims);
  require(e.compare<nd::EqualOp>(sizeOf(e, sizes), e.int32(2)), "crops must have two sizes", sizes);
  require(e.compare<nd::GreaterOp>(sizes, constantLike(e, sizes, 0)),
          "crop dimensions must be positive", sizes);
  require(e.compare<nd::EqualOp>(rankOf(e, boxes), e.int32(2)), "boxes must be 2-D",
          dimsOf(e, boxes));
  require(e.compare<nd::EqualOp>(dimsOf(e, checks.checked(boxes)),
                                 joined(e, {flat(e, sizeOf(e, boxImages)), e.ints({4})})),
          "boxes must have 4 columns, and an image each", dimsOf(e, boxes));
  Value images = converted(e, sizeAt(e, checks.checked(dims), 0), e.elementOf(boxImages));
  require(e.like<nd::LogicalAndOp>(
              {e.compare<nd::GreaterEqualOp>(boxImages, constantLike(e, boxImages, 0)),
               e.compare<nd::LessOp>(boxImages, images)}),
          "box_index has values outside [0, batch_size)", boxImages);
  boxes = checks.checked(boxes), boxImages = checks.checked(boxImages);
}

Value pixelsOf(Expansion &e, Value images) {
  Value channels = part(e, dimsOf(e, images), e.int32(3), e.int32(1));
  Value pixels = product(e, part(e, dimsOf(e, images), e.int32(0), e.int32(3)));
  return reshaped(e, images, joined(e, {flat(e, pixels), channels}));
}
Value withChannels(Expansion &e, Value x) { return e.like<nd::ExpandDimsOp>({x, e.int32(-1)}); }
bool isNearest(Expansion &e) { return e.stringAttr("method") == "nearest"; }

} // namespace

void cropAndResize(Expansion &e) {
  auto in = e.afterAllInputs(e.inputs());
  Value images = in[0], boxes = in[1], boxImages = in[2], sizes = in[3];
  Checks checks(e);
  requireBoxes(e, checks, boxes, boxImages, dimsOf(e, images), sizes);
  checks.require(e.tensor<nd::IsFiniteOp>(e.builder().getI1Type(), boxes),
                 "Boxes contains at least one element that is not finite", boxes);
  images = checks.checked(images), sizes = checks.checked(sizes);
  boxes = checks.checked(boxes), boxImages = checks.checked(boxImages);
  Crops crops(e, boxes, boxImages, dimsOf(e, images), sizes);
  Value pixels = pixelsOf(e, images);
  auto at = [&](Value places) {
    return converted(e, gathered(e, pixels, places, e.int32(0)), e.builder().getF32Type());
  };
  Value found;
  if (isNearest(e)) {
    found = at(crops.nearest());
  } else {
    auto between = [&](Value a, Value b, bool isRow) {
      return add(e, a, mul(e, sub(e, b, a), withChannels(e, crops.distance(isRow))));
    };
    auto row = [&](bool isBelow) {
      return between(at(crops.neighbours(isBelow, false)), at(crops.neighbours(isBelow, true)),
                     /*isRow=*/false);
    };
    found = between(row(false), row(true), /*isRow=*/true);
  }
  e.result(0, select(e, withChannels(e, crops.isInside()), found,
                     constantLike(e, found, e.floatAttr("extrapolation_value"))));
}

// What flows back to images of the dims that are the last input.
void cropImageGradient(Expansion &e) {
  auto in = e.afterAllInputs(e.inputs());
  Value grads = in[0], boxes = in[1], boxImages = in[2], dims = in[3];
  Checks checks(e);
  Value sizes = part(e, dimsOf(e, grads), e.int32(1), e.int32(2));
  requireBoxes(e, checks, boxes, boxImages, dims, sizes);
  grads = checks.checked(grads), dims = checks.checked(dims);
  Crops crops(e, boxes, boxImages, dims, sizes);
  Type element = e.resultElement(0), f32 = e.builder().getF32Type();
  grads = select(e, withChannels(e, crops.isInside()), grads, constantLike(e, grads, 0));
  Value count = product(e, part(e, dims, e.int32(0), e.int32(3)));
  Type sumType = element.isF64() ? element : f32;
  auto sums = [&](Value places, Value parts) {
    return e.like<nd::UnsortedSegmentSumOp>({converted(e, parts, sumType), places, count});
  };
  Value total;
  if (isNearest(e)) {
    total = sums(crops.nearest(), grads);
  } else {
    Value one = e.scalar(f32, 1);
    auto weight = [&](bool isRow, bool isUpper) {
      Value distance = withChannels(e, crops.distance(isRow));
      return isUpper ? distance : sub(e, one, distance);
    };
    for (bool below : {false, true})
      for (bool right : {false, true}) {
        Value parts = mul(e, mul(e, grads, weight(true, below)), weight(false, right));
        Value sum = sums(crops.neighbours(below, right), parts);
        total = total ? add(e, total, sum) : sum;
      }
  }
  e.result(0, converted(e, reshaped(e, total, dims), element));
}

// What flows back to the corners of boxes.
void cropBoxGradient(Expansion &e) {
  auto in = e.afterAllInputs(e.inputs());
  Value grads = in[0], images = in[1], boxes = in[2], boxImages = in[3];
  Checks checks(e);
  Value sizes = part(e, dimsOf(e, grads), e.int32(1), e.int32(2));
  requireBoxes(e, checks, boxes, boxImages, dimsOf(e, images), sizes);
  grads = checks.checked(grads), images = checks.checked(images);
  Crops crops(e, boxes, boxImages, dimsOf(e, images), sizes);
  grads = select(e, withChannels(e, crops.isInside()), grads, constantLike(e, grads, 0));
  Value pixels = pixelsOf(e, images), one = e.scalar(e.builder().getF32Type(), 1);
  auto at = [&](bool below, bool right) {
    return converted(e, gathered(e, pixels, crops.neighbours(below, right), e.int32(0)),
                     e.builder().getF32Type());
  };
  SmallVector<Value> firsts, seconds;
  for (bool isRow : {true, false}) {
    // How steep images are along the dim, between the two lines of the other one.
    Value distance = withChannels(e, crops.distance(!isRow));
    auto steep = [&](bool isSecond) {
      return isRow ? sub(e, at(true, isSecond), at(false, isSecond))
                   : sub(e, at(isSecond, true), at(isSecond, false));
    };
    Value slope =
        add(e, mul(e, sub(e, one, distance), steep(false)), mul(e, distance, steep(true)));
    Value flows =
        e.like<nd::ReduceSumOp>({mul(e, slope, grads), e.ints({3})}, e.flag("keep_dims", false));
    flows = mul(e, flows, crops.along(isRow).last);
    auto sum = [&](Value share) {
      return e.like<nd::ReduceSumOp>({mul(e, flows, share), e.ints({1, 2})},
                                     e.flag("keep_dims", false));
    };
    firsts.push_back(sum(sub(e, one, crops.shareOf(isRow))));
    seconds.push_back(sum(crops.shareOf(isRow)));
  }
  e.result(0,
           e.like<nd::PackOp>({firsts[0], firsts[1], seconds[0], seconds[1]}, e.number("axis", 1)));
}

} // namespace sluice::import
