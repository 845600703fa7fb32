// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// TensorFlow ops of the family "image": images of other sizes, orders of dims, and whether classes
// are among the likeliest.
#include "compiler/import/tensorflow/Arithmetic.h"
#include "compiler/import/tensorflow/Checks.h"
#include "compiler/import/tensorflow/Crops.h"
#include "compiler/import/tensorflow/Resizes.h"
#include "compiler/import/tensorflow/SizeVectors.h"

using namespace mlir;

namespace sluice::import {

namespace {

// ---- Other sizes, along the dims 1 and 2

// Places of an axis of the larger or smaller image, as f32, in that of the given one.
struct Axis {
  Value count;  // of the result, a scalar of i32
  Value last;   // place of the last element of the given images
  Value places; // of each element of the result
};

Axis axisOf(Expansion &e, Value given, Value count) {
  Value places = converted(e, numbersBelow(e, count), e.builder().getF32Type());
  bool isHalf = e.boolAttr("half_pixel_centers");
  if (isHalf)
    places = add(e, places, constantLike(e, places, 0.5));
  return {count, sub(e, given, constantLike(e, given, 1)),
          mul(e, places, ratioOf(e, given, count))};
}
Axis axisOf(Expansion &e, Value images, Value sizes, int64_t axis) {
  return axisOf(e, sizeOfImages(e, images, axis + 1), sizeAmong(e, sizes, axis + 1));
}

Value withinAxis(Expansion &e, const Axis &axis, Value places) {
  Value ints = converted(e, places, e.elementOf(axis.last));
  return e.like<nd::MinimumOp>(
      {e.like<nd::MaximumOp>({ints, constantLike(e, ints, 0)}), axis.last});
}

// Halves go away from zero.
Value nearestPlaces(Expansion &e, const Axis &axis) {
  Value places = axis.places;
  if (e.boolAttr("align_corners"))
    places = add(e, places, constantLike(e, places, 0.5));
  return withinAxis(e, axis, e.like<nd::FloorOp>(places));
}

void nearest(Expansion &e) {
  auto inputs = e.afterAllInputs(e.inputs());
  Value x = inputs[0];
  for (int64_t i = 0; i < 2; ++i)
    x = gathered(e, x, nearestPlaces(e, axisOf(e, inputs[0], inputs[1], i)), e.int32(i + 1));
  e.result(0, x);
}

// The places below and above, and how far it is from the first to the second.
struct Neighbours {
  Value lower, upper, distance;
};
Neighbours neighboursOf(Expansion &e, const Axis &axis, int64_t dim) {
  Value places = axis.places;
  if (e.boolAttr("half_pixel_centers"))
    places = sub(e, places, constantLike(e, places, 0.5));
  Value floor = e.like<nd::FloorOp>(places);
  Value distance = sub(e, places, floor);
  return {withinAxis(e, axis, floor), withinAxis(e, axis, e.like<nd::CeilOp>(places)),
          reshaped(e, distance, dim == 1 ? e.ints({-1, 1, 1}) : e.ints({-1, 1}))};
}

void bilinear(Expansion &e) {
  auto inputs = e.afterAllInputs(e.inputs());
  Value x = converted(e, inputs[0], e.builder().getF32Type());
  for (int64_t dim : {2, 1}) {
    Neighbours at = neighboursOf(e, axisOf(e, inputs[0], inputs[1], dim - 1), dim);
    Value lower = gathered(e, x, at.lower, e.int32(dim)),
          upper = gathered(e, x, at.upper, e.int32(dim));
    x = add(e, lower, mul(e, sub(e, upper, lower), at.distance));
  }
  e.result(0, x);
}

// ---- What flows back to the given images

void nearestGradient(Expansion &e) {
  auto inputs = checkedImages(e, 1);
  Value x = inputs[0];
  for (int64_t dim : {1, 2}) {
    Value count = sizeAmong(e, inputs[1], dim);
    Axis axis = axisOf(e, count, sizeOfImages(e, inputs[0], dim));
    x = summedAlong(e, x, nearestPlaces(e, axis), count, dim);
  }
  e.result(0, x);
}

Value sizesOf(Expansion &e, Value images) {
  return part(e, dimsOf(e, images), e.int32(1), e.int32(2));
}

// Each of four neighbours gets a part, which is a product of f32 whatever the images are.
void bilinearGradient(Expansion &e) {
  auto inputs = e.afterAllInputs(e.inputs());
  Value sizes = sizesOf(e, inputs[0]), one = e.scalar(e.builder().getF32Type(), 1);
  Type element = e.resultElement(0);
  Type sumType = element.isF64() ? element : e.builder().getF32Type();
  Axis rows = axisOf(e, inputs[1], sizes, 0), columns = axisOf(e, inputs[1], sizes, 1);
  Neighbours vertical = neighboursOf(e, rows, 1), across = neighboursOf(e, columns, 2);
  auto countOf = [&](const Axis &axis) { return add(e, axis.last, constantLike(e, axis.last, 1)); };
  auto weight = [&](const Neighbours &at, bool isUpper) {
    return isUpper ? at.distance : sub(e, one, at.distance);
  };
  Value total;
  for (bool below : {false, true})
    for (bool right : {false, true}) {
      Value part = mul(e, mul(e, inputs[0], weight(vertical, below)), weight(across, right));
      part = summedAlong(e, converted(e, part, sumType), below ? vertical.upper : vertical.lower,
                         countOf(rows), 1);
      part = summedAlong(e, part, right ? across.upper : across.lower, countOf(columns), 2);
      total = total ? add(e, total, part) : part;
    }
  e.result(0, converted(e, total, element));
}

// ---- Orders of dims, such as NHWC

// Of each dim of the second order, its place in the first one; false after a diagnostic.
bool placesOfDims(Expansion &e, StringRef from, StringRef to, SmallVectorImpl<int64_t> &places,
                  SmallVectorImpl<int64_t> &spatial) {
  bool fits = from.size() == to.size() && from.size() > 2;
  SmallVector<int64_t> ranks(from.size());
  int64_t rank = 0;
  for (auto [i, dim] : llvm::enumerate(from)) {
    fits &= from.count(dim) == 1;
    ranks[i] = rank;
    rank += dim != 'N' && dim != 'C';
  }
  for (char dim : to) {
    size_t at = from.find(dim);
    fits &= at != StringRef::npos && to.count(dim) == 1;
    if (!fits)
      break;
    places.push_back(static_cast<int64_t>(at));
    if (dim != 'N' && dim != 'C')
      spatial.push_back(ranks[at]);
  }
  if (!fits)
    e.fail(ExitCode::kBadGraph,
           "expected 'src_format' and 'dst_format' to have the same dims, each "
           "once, but got " +
               quoted(from) + " and " + quoted(to));
  return fits;
}

// A vector, or the rows of a matrix, of all dims or of the spatial ones.
void permuteDims(Expansion &e) {
  SmallVector<int64_t> all, spatial;
  if (!placesOfDims(e, e.stringAttr("src_format"), e.stringAttr("dst_format"), all, spatial))
    return;
  Value x = e.afterAllInputs(e.inputs())[0];
  Value count = part(e, dimsOf(e, x), e.int32(0), e.int32(1));
  auto size = static_cast<int64_t>(all.size());
  all.append(spatial);
  Value isAll = e.compare<nd::EqualOp>(count, e.ints({size}));
  Value begin = select(e, isAll, e.ints({0}), e.ints({size}));
  e.result(0, gathered(e, x, e.like<nd::SliceOp>({e.ints(all), begin, count}), e.int32(0)));
}

// Numbers of dims, which may be counted from the end.
void mapDims(Expansion &e) {
  SmallVector<int64_t> places, spatial;
  if (!placesOfDims(e, e.stringAttr("dst_format"), e.stringAttr("src_format"), places, spatial))
    return;
  Value x = e.afterAllInputs(e.inputs())[0];
  Value isNegative = e.compare<nd::LessOp>(x, constantLike(e, x, 0));
  Value dims = constantLike(e, x, static_cast<double>(places.size()));
  Value table = e.ints(places, e.elementOf(x));
  e.result(0, gathered(e, table, select(e, isNegative, add(e, x, dims), x), e.int32(0)));
}

// ---- Classes

// Predictions of each class, the class that is looked for, and how many may be likelier.
Value isInTop(Expansion &e, Value predictions, Value targets, Value k) {
  Checks checks(e);
  checks.require(e.compare<nd::EqualOp>(rankOf(e, predictions), e.int32(2)),
                 "predictions must be 2-dimensional", dimsOf(e, predictions));
  checks.require(e.compare<nd::EqualOp>(rankOf(e, targets), e.int32(1)),
                 "targets must be 1-dimensional", dimsOf(e, targets));
  predictions = checks.checked(predictions);
  checks.requirePrefix(predictions, checks.checked(targets),
                       "the first dim of predictions must be that of targets");
  predictions = checks.checked(predictions);
  targets = checks.checked(targets);
  Value classes = sizeFromEnd(e, dimsOf(e, predictions), -1);
  Value count = converted(e, classes, e.elementOf(targets));
  Value isClass =
      e.like<nd::LogicalAndOp>({e.compare<nd::GreaterEqualOp>(targets, constantLike(e, targets, 0)),
                                e.compare<nd::LessOp>(targets, count)});
  Value one = e.tensor<nd::OneHotOp>(e.builder().getI1Type(),
                                     {targets, classes, e.scalar(e.builder().getI1Type(), 1),
                                      e.scalar(e.builder().getI1Type(), 0)},
                                     e.number("axis", -1));
  Value zeros = sub(e, predictions, predictions);
  Value target = e.like<nd::ReduceSumOp>({select(e, one, predictions, zeros), e.ints({1})},
                                         e.flag("keep_dims", true));
  Value isFinite = e.tensor<nd::ReduceAllOp>(
      e.builder().getI1Type(),
      {e.tensor<nd::IsFiniteOp>(e.builder().getI1Type(), predictions), e.ints({1})},
      e.flag("keep_dims", false));
  Value likelier = e.like<nd::ReduceSumOp>(
      {converted(e, e.compare<nd::GreaterOp>(predictions, target), e.elementOf(k)), e.ints({1})},
      e.flag("keep_dims", false));
  Value isEarly = e.compare<nd::LessOp>(likelier, k);
  return e.like<nd::LogicalAndOp>({e.like<nd::LogicalAndOp>({isClass, isFinite}), isEarly});
}
void inTopV2(Expansion &e) {
  auto inputs = e.afterAllInputs(e.inputs());
  e.result(0, isInTop(e, inputs[0], inputs[1], inputs[2]));
}
void inTop(Expansion &e) {
  auto inputs = e.afterAllInputs(e.inputs());
  e.result(0, isInTop(e, inputs[0], inputs[1], e.ints({e.intAttr("k")}, e.builder().getI64Type())));
}

constexpr llvm::StringLiteral kResize = "align_corners half_pixel_centers";
constexpr llvm::StringLiteral kTranslate = "kernel_type antialias";
constexpr llvm::StringLiteral kPatches = "ksizes strides rates padding";

constexpr OpExpansion kOps[] = {
    {"CropAndResize", cropAndResize, Style::kPure, "method extrapolation_value"},
    {"CropAndResizeGradBoxes", cropBoxGradient},
    {"CropAndResizeGradImage", cropImageGradient, Style::kPure, "method"},
    {"DataFormatDimMap", mapDims, Style::kPure, "src_format dst_format"},
    {"DataFormatVecPermute", permuteDims, Style::kPure, "src_format dst_format"},
    {"ExtractImagePatches", extractPatches, Style::kPure, kPatches},
    {"ExtractVolumePatches", extractPatches, Style::kPure, "ksizes strides padding"},
    {"InTopK", inTop, Style::kPure, "k"},
    {"InTopKV2", inTopV2},
    {"ResizeArea", area, Style::kPure, "align_corners"},
    {"ResizeBicubic", bicubic, Style::kPure, kResize},
    {"ResizeBicubicGrad", bicubicGradient, Style::kPure, kResize},
    {"ResizeBilinear", bilinear, Style::kPure, kResize},
    {"ResizeBilinearGrad", bilinearGradient, Style::kPure, kResize},
    {"ResizeNearestNeighbor", nearest, Style::kPure, kResize},
    {"ResizeNearestNeighborGrad", nearestGradient, Style::kPure, kResize},
    {"ScaleAndTranslate", scaleAndTranslate, Style::kPure, kTranslate},
    {"ScaleAndTranslateGrad", scaleAndTranslateGradient, Style::kPure, kTranslate},
};

} // namespace

ArrayRef<OpExpansion> imageOps() { return kOps; }

} // namespace sluice::import
