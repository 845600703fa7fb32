// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Images of another size whose elements are weighted sums of neighbours: `ResizeBicubic`,
// `ResizeArea`, `ScaleAndTranslate`, and what flows back through them. Rows and columns are summed
// one after the other.
#include "compiler/import/tensorflow/Resizes.h"

#include "compiler/import/tensorflow/Arithmetic.h"
#include "compiler/import/tensorflow/Checks.h"
#include "compiler/import/tensorflow/ResizeKernels.h"

#include <cmath>
#include <limits>

using namespace mlir;

namespace sluice::import {

// ---- Sizes --------------------------------------------------------------------------------------

Value sizeOfImages(Expansion &e, Value images, int64_t dim) {
  return single(e, part(e, dimsOf(e, images), e.int32(dim), e.int32(1)));
}
Value sizeAmong(Expansion &e, Value sizes, int64_t dim) {
  return single(e, part(e, sizes, e.int32(dim - 1), e.int32(1)));
}

static Value asF32(Expansion &e, Value x) { return converted(e, x, e.builder().getF32Type()); }

Value ratioOf(Expansion &e, Value given, Value count) {
  Value ratio = div(e, asF32(e, given), asF32(e, count));
  if (!e.boolAttr("align_corners"))
    return ratio;
  Value one = e.scalar(e.builder().getF32Type(), 1);
  Value isOne = e.compare<nd::EqualOp>(count, constantLike(e, count, 1));
  Value fewer = sub(e, asF32(e, count), one);
  return select(e, isOne, ratio,
                div(e, sub(e, asF32(e, given), one), select(e, isOne, one, fewer)));
}

static Value isPair(Expansion &e, Value x) {
  return e.like<nd::LogicalAndOp>({e.compare<nd::EqualOp>(rankOf(e, x), e.int32(1)),
                                   e.compare<nd::EqualOp>(sizeOf(e, x), e.int32(2))});
}

SmallVector<Value> checkedImages(Expansion &e, size_t count) {
  auto in = e.afterAllInputs(e.inputs());
  Checks checks(e);
  for (Value image : ArrayRef(in).take_front(count))
    checks.require(e.compare<nd::EqualOp>(rankOf(e, image), e.int32(4)), "images must be 4-D",
                   dimsOf(e, image));
  if (count == 1) {
    checks.require(isPair(e, in[1]), "size must have two elements", dimsOf(e, in[1]));
    checks.require(e.compare<nd::GreaterOp>(in[1], e.int32(0)), "size must be positive", in[1]);
  }
  for (Value &each : in)
    each = checks.checked(each);
  return in;
}

// Exchanging a dim with the first one is its own inverse.
Value summedAlong(Expansion &e, Value x, Value places, Value count, int64_t dim) {
  Value order = dim == 1 ? e.ints({1, 0, 2, 3}) : e.ints({2, 1, 0, 3});
  Value sums = e.like<nd::UnsortedSegmentSumOp>({transposed(e, x, order), places, count});
  return transposed(e, sums, order);
}

namespace {

// ---- Weighted sums

// Of each place of the result along one dim what it is a sum of, [count, n].
struct Terms {
  Value places;  // of elements, as i32
  Value weights; // f32
  Value counts;  // whether it does; not there if each does
};

Value column(Expansion &e, Value x) { return reshaped(e, x, e.ints({-1, 1})); }

// For images of which the dim has become two.
Value alongDim(Expansion &e, Value terms, int64_t dim) {
  return reshaped(e, terms, joined(e, {dimsOf(e, terms), dim == 1 ? e.ints({1, 1}) : e.ints({1})}));
}

Value summed(Expansion &e, Value x, const Terms &terms, int64_t dim) {
  Value all = gathered(e, x, terms.places, e.int32(dim));
  all = mul(e, all, alongDim(e, terms.weights, dim));
  if (terms.counts)
    all = select(e, alongDim(e, terms.counts, dim), all, constantLike(e, all, 0));
  return e.like<nd::ReduceSumOp>({all, e.ints({dim + 1})}, e.flag("keep_dims", false));
}

// What flows back to `count` places of the dim.
Value spread(Expansion &e, Value dy, const Terms &terms, Value count, int64_t dim) {
  Value all =
      mul(e, e.like<nd::ExpandDimsOp>({dy, e.int32(dim + 1)}), alongDim(e, terms.weights, dim));
  Value places = terms.places;
  if (terms.counts) // elsewhere nothing is added
    places = select(e, terms.counts, places, constantLike(e, places, -1));
  all = transposed(e, all, dim == 1 ? e.ints({1, 2, 0, 3, 4}) : e.ints({2, 3, 0, 1, 4}));
  Value sums = e.like<nd::UnsortedSegmentSumOp>({all, places, count});
  return transposed(e, sums, dim == 1 ? e.ints({1, 0, 2, 3}) : e.ints({1, 2, 0, 3}));
}

// Weights whose sum is 1, if it can become that.
Value ofSumOne(Expansion &e, Value weights, Value otherwise) {
  constexpr double kLeast = 1000.0 * static_cast<double>(std::numeric_limits<float>::min());
  Value sum = e.like<nd::ReduceSumOp>({weights, e.ints({1})}, e.flag("keep_dims", true));
  Value isSome =
      e.compare<nd::GreaterEqualOp>(e.like<nd::AbsOp>(sum), constantLike(e, sum, kLeast));
  Value one = constantLike(e, sum, 1);
  return mul(e, weights, select(e, isSome, div(e, one, select(e, isSome, sum, one)), otherwise));
}

Value within(Expansion &e, Value places, Value given) {
  Value last = sub(e, given, e.int32(1));
  return e.like<nd::MinimumOp>({e.like<nd::MaximumOp>({places, e.int32(0)}), last});
}

// ---- Cubic splines

// Of two elements before and two behind each place; distances are multiples of 1/1024. With
// half_pixel_centers, what is outside does not count.
Terms cubicTerms(Expansion &e, Value given, Value count) {
  constexpr double kSteps = 1024;
  const bool isHalf = e.boolAttr("half_pixel_centers");
  auto plus = [&](Value x, double y) { return add(e, x, constantLike(e, x, y)); };
  auto times = [&](Value x, double y) { return mul(e, x, constantLike(e, x, y)); };
  Value at = asF32(e, numbersBelow(e, count));
  at = mul(e, isHalf ? plus(at, 0.5) : at, ratioOf(e, given, count));
  at = column(e, isHalf ? plus(at, -0.5) : at);
  Value floor = e.like<nd::FloorOp>(at);
  Value step = e.like<nd::RoundOp>(times(sub(e, at, floor), kSteps));
  Value x = times(converted(e, step, e.builder().getF64Type()), 1 / kSteps);
  const double a = isHalf ? -0.5 : -0.75;
  auto near = [&](Value x) {
    return plus(mul(e, mul(e, plus(times(x, a + 2), -(a + 3)), x), x), 1);
  };
  auto far = [&](Value x) {
    Value y = plus(x, 1);
    return plus(mul(e, plus(mul(e, plus(times(y, a), -5 * a), y), 8 * a), y), -4 * a);
  };
  Value rest = sub(e, constantLike(e, x, 1), x);
  Value weights =
      asF32(e, e.like<nd::ConcatOp>({far(x), near(x), near(rest), far(rest), e.int32(1)}));
  Value places = add(e, converted(e, floor, e.builder().getI32Type()), e.ints({-1, 0, 1, 2}));
  Value inside = within(e, places, given);
  if (isHalf) {
    Value isInside = e.compare<nd::EqualOp>(places, inside);
    weights = select(e, isInside, weights, constantLike(e, weights, 0));
    weights = ofSumOne(e, weights, constantLike(e, weights, 1));
  }
  return {inside, weights, {}};
}

// ---- Areas

// What elements have of the area of a place, in elements of the given images.
Terms areaTerms(Expansion &e, Value given, Value count, Value ratio) {
  Type f32 = e.builder().getF32Type(), i32 = e.builder().getI32Type();
  Value numbers = column(e, asF32(e, numbersBelow(e, count))), one = e.scalar(f32, 1);
  Value first = mul(e, numbers, ratio), last = mul(e, add(e, numbers, one), ratio);
  Value begin = e.like<nd::FloorOp>(first), end = e.like<nd::CeilOp>(last);
  Value sizes = converted(e, sub(e, end, begin), i32);
  Value most = e.like<nd::ReduceMaxOp>({joined(e, {e.ints({0}), flat(e, sizes)}), e.ints({0})},
                                       e.flag("keep_dims", false));
  Value at = add(e, begin, asF32(e, numbersBelow(e, most))), next = add(e, at, one);
  Value isLast = e.compare<nd::GreaterOp>(next, last);
  Value isFirst = e.compare<nd::LessOp>(at, first);
  Value weights = select(e, isFirst, select(e, isLast, ratio, sub(e, next, first)),
                         select(e, isLast, sub(e, last, at), one));
  return {within(e, converted(e, at, i32), given), weights, e.compare<nd::LessOp>(at, end)};
}

// ---- Any scale and translation

// Elements as far away as the kernel reaches, of places that are inside.
Terms translatedTerms(Expansion &e, const ResizeKernel &kernel, Value given, Value count,
                      Value scale, Value translation) {
  Type f32 = e.builder().getF32Type(), i32 = e.builder().getI32Type();
  Value one = e.scalar(f32, 1), half = e.scalar(f32, 0.5), zero = e.scalar(f32, 0);
  Value inverse = div(e, one, scale), moved = mul(e, neg(e, inverse), translation);
  Value size = asF32(e, given), reach = e.scalar(f32, kernel.radius), width;
  Value most = e.scalar(f32, 2 * std::ceil(kernel.radius) + 1);
  if (e.boolAttr("antialias")) {
    width = e.like<nd::MaximumOp>({inverse, one});
    reach = mul(e, reach, width);
    most = add(e, mul(e, e.like<nd::CeilOp>(reach), e.scalar(f32, 2)), one);
  }
  most = converted(e, e.like<nd::MinimumOp>({most, size}), i32);
  Value middle = add(e, column(e, asF32(e, numbersBelow(e, count))), half);
  Value sample = add(e, mul(e, middle, inverse), moved), last = sub(e, size, one);
  auto bounded = [&](Value x) {
    return e.like<nd::MinimumOp>({e.like<nd::MaximumOp>({x, zero}), last});
  };
  Value begin = bounded(e.like<nd::CeilOp>(sub(e, sub(e, sample, reach), half)));
  Value end = bounded(e.like<nd::FloorOp>(sub(e, add(e, sample, reach), half)));
  Value at = add(e, begin, asF32(e, numbersBelow(e, most)));
  Value isInside = e.like<nd::LogicalAndOp>(
      {e.compare<nd::GreaterEqualOp>(sample, zero), e.compare<nd::LessEqualOp>(sample, size)});
  Value counts = e.like<nd::LogicalAndOp>({e.compare<nd::LessEqualOp>(at, end), isInside});
  Value away = e.like<nd::AbsOp>(sub(e, add(e, at, half), sample));
  Value weights = kernel.weight(e, width ? div(e, away, width) : away);
  weights = ofSumOne(e, select(e, counts, weights, constantLike(e, weights, 0)), zero);
  return {within(e, converted(e, at, i32), given), weights, counts};
}

// Of rows or columns; `scales` and `translations` have a number for each.
Terms translatedTerms(Expansion &e, const ResizeKernel &kernel, Value given, Value count,
                      Value scales, Value translations, int64_t dim) {
  return translatedTerms(e, kernel, given, count, sizeAmong(e, scales, dim),
                         sizeAmong(e, translations, dim));
}

// Two of each, and nothing becomes smaller than nothing.
void checkOperands(Expansion &e, Value &scales, Value &translations) {
  Checks checks(e);
  for (Value each : {scales, translations})
    checks.require(isPair(e, each), "scale and translation must have two elements each",
                   dimsOf(e, each));
  checks.require(e.compare<nd::GreaterOp>(scales, constantLike(e, scales, 0)),
                 "scale must be greater than zero", scales);
  scales = checks.checked(scales), translations = checks.checked(translations);
}

} // namespace

void bicubic(Expansion &e) {
  auto in = checkedImages(e, 1);
  Value x = asF32(e, in[0]);
  for (int64_t dim : {1, 2})
    x = summed(e, x, cubicTerms(e, sizeOfImages(e, in[0], dim), sizeAmong(e, in[1], dim)), dim);
  e.result(0, x);
}

void bicubicGradient(Expansion &e) {
  auto in = checkedImages(e, 2);
  Value dy = converted(e, in[0], e.resultElement(0));
  for (int64_t dim : {1, 2}) {
    Value given = sizeOfImages(e, in[1], dim);
    Terms terms = cubicTerms(e, given, sizeOfImages(e, in[0], dim));
    terms.weights = converted(e, terms.weights, e.elementOf(dy));
    dy = spread(e, dy, terms, given, dim);
  }
  e.result(0, dy);
}

void area(Expansion &e) {
  auto in = checkedImages(e, 1);
  Value x = asF32(e, in[0]), scale = e.scalar(e.builder().getF32Type(), 1);
  for (int64_t dim : {2, 1}) {
    Value given = sizeOfImages(e, in[0], dim), count = sizeAmong(e, in[1], dim);
    Value ratio = ratioOf(e, given, count);
    // All places of a single element are in it.
    Value isNone = e.compare<nd::EqualOp>(ratio, constantLike(e, ratio, 0));
    ratio = select(e, isNone, div(e, asF32(e, given), asF32(e, count)), ratio);
    x = summed(e, x, areaTerms(e, given, count, ratio), dim);
    scale = mul(e, scale, ratio);
  }
  e.result(0, mul(e, x, div(e, constantLike(e, scale, 1), scale)));
}

void scaleAndTranslate(Expansion &e) {
  const ResizeKernel *kernel = resizeKernel(e);
  if (!kernel)
    return;
  auto in = checkedImages(e, 1);
  checkOperands(e, in[2], in[3]);
  Value x = asF32(e, in[0]);
  for (int64_t dim : {1, 2})
    x = summed(e, x,
               translatedTerms(e, *kernel, sizeOfImages(e, in[0], dim), sizeAmong(e, in[1], dim),
                               in[2], in[3], dim),
               dim);
  e.result(0, x);
}

void scaleAndTranslateGradient(Expansion &e) {
  const ResizeKernel *kernel = resizeKernel(e);
  if (!kernel)
    return;
  auto in = checkedImages(e, 2);
  checkOperands(e, in[2], in[3]);
  Value dy = in[0];
  for (int64_t dim : {1, 2}) {
    Value given = sizeOfImages(e, in[1], dim);
    dy = spread(e, dy,
                translatedTerms(e, *kernel, given, sizeOfImages(e, in[0], dim), in[2], in[3], dim),
                given, dim);
  }
  e.result(0, dy);
}

} // namespace sluice::import
