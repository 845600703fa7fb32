// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// TensorFlow ops of the family "color": colors of images as others, and with other contrast, hue
// and saturation. The last dim has a color's three numbers.
#include "compiler/import/tensorflow/Arithmetic.h"
#include "compiler/import/tensorflow/Checks.h"

using namespace mlir;

namespace sluice::import {

namespace {

// Red, green and blue, or hue, saturation and value.
struct Color {
  Value first, second, third;
};

Value channel(Expansion &e, Value images, int64_t i) {
  return gathered(e, images, e.ints({i}), e.int32(-1));
}
Color colorOf(Expansion &e, Value images) {
  return {channel(e, images, 0), channel(e, images, 1), channel(e, images, 2)};
}
Value joinedColor(Expansion &e, const Color &color) {
  return e.like<nd::ConcatOp>({color.first, color.second, color.third, e.int32(-1)});
}
Value larger(Expansion &e, Value a, Value b) { return e.like<nd::MaximumOp>({a, b}); }
Value smaller(Expansion &e, Value a, Value b) { return e.like<nd::MinimumOp>({a, b}); }
Value number(Expansion &e, Value like, double value) { return constantLike(e, like, value); }
Value withinOne(Expansion &e, Value x) {
  return smaller(e, larger(e, x, number(e, x, 0)), number(e, x, 1));
}

// The hue is where in a circle of six parts the color lies between the two that it has most of.
Color hueOf(Expansion &e, const Color &c) {
  Value most = larger(e, larger(e, c.first, c.second), c.third);
  Value least = smaller(e, smaller(e, c.first, c.second), c.third);
  Value range = sub(e, most, least), zero = number(e, most, 0);
  Value saturation = select(e, e.compare<nd::GreaterOp>(most, zero), div(e, range, most), zero);
  Value scale = div(e, number(e, range, 1), mul(e, range, number(e, range, 6)));
  auto between = [&](Value a, Value b, double sixths) {
    return add(e, mul(e, scale, sub(e, a, b)), number(e, range, sixths / 6));
  };
  Value hue = select(e, e.compare<nd::EqualOp>(c.second, most), between(c.third, c.first, 2),
                     between(c.first, c.second, 4));
  hue = select(e, e.compare<nd::EqualOp>(c.first, most), between(c.second, c.third, 0), hue);
  hue = select(e, e.compare<nd::GreaterOp>(range, zero), hue, zero);
  hue = select(e, e.compare<nd::LessOp>(hue, zero), add(e, hue, number(e, hue, 1)), hue);
  return {hue, saturation, most};
}

Color ofHue(Expansion &e, const Color &c) {
  Value sixths = mul(e, c.first, number(e, c.first, 6));
  auto distance = [&](double from) {
    return e.like<nd::AbsOp>(sub(e, sixths, number(e, sixths, from)));
  };
  auto shade = [&](Value part) {
    Value rest = sub(e, number(e, c.second, 1), c.second);
    return mul(e, add(e, rest, mul(e, c.second, withinOne(e, part))), c.third);
  };
  Value two = number(e, sixths, 2);
  return {shade(sub(e, distance(3), number(e, sixths, 1))), shade(sub(e, two, distance(2))),
          shade(sub(e, two, distance(4)))};
}

// What TensorFlow asks of images.
Value checkedImages(Expansion &e, Checks &checks, Value images, int64_t rank) {
  checks.require(e.compare<nd::GreaterEqualOp>(rankOf(e, images), e.int32(rank)),
                 "input must be at least " + std::to_string(rank) + "-D", dimsOf(e, images));
  images = checks.checked(images);
  checks.require(e.compare<nd::EqualOp>(sizeFromEnd(e, dimsOf(e, images), -1), e.int32(3)),
                 "input must have 3 channels", dimsOf(e, images));
  return checks.checked(images);
}

template <Color (*convert)(Expansion &, const Color &)> void converted(Expansion &e) {
  Checks checks(e);
  Value images = checkedImages(e, checks, e.afterAllInputs(e.inputs())[0], 1);
  e.result(0, joinedColor(e, convert(e, colorOf(e, images))));
}

Color moreSaturated(Expansion &e, Color color, Value scale) {
  color.second = withinOne(e, mul(e, color.second, scale));
  return color;
}
Color turned(Expansion &e, Color color, Value delta) {
  Value hue = add(e, color.first, delta);
  color.first = sub(e, hue, e.like<nd::FloorOp>(hue));
  return color;
}

template <Color (*change)(Expansion &, Color, Value)> void adjusted(Expansion &e) {
  Checks checks(e);
  auto inputs = e.afterAllInputs(e.inputs());
  Value images = checkedImages(e, checks, inputs[0], 3);
  Type element = e.elementOf(images), f32 = e.builder().getF32Type();
  Value wide = import::converted(e, images, f32);
  Color color = change(e, hueOf(e, colorOf(e, wide)), inputs[1]);
  e.result(0, import::converted(e, joinedColor(e, ofHue(e, color)), element));
}

// Farther from the mean of each channel of each image, or nearer to it.
void contrast(Expansion &e) {
  Checks checks(e);
  auto inputs = e.afterAllInputs(e.inputs());
  Value images = inputs[0];
  checks.require(e.compare<nd::GreaterEqualOp>(rankOf(e, images), e.int32(3)),
                 "input must be at least 3-D", dimsOf(e, images));
  images = checks.checked(images);
  Type element = e.elementOf(images), f32 = e.builder().getF32Type();
  Value wide = import::converted(e, images, f32);
  Value mean = e.like<nd::ReduceMeanOp>({wide, e.ints({-3, -2})}, e.flag("keep_dims", true));
  Value result = add(e, mul(e, sub(e, wide, mean), inputs[1]), mean);
  e.result(0, import::converted(e, result, element));
}

constexpr OpExpansion kOps[] = {
    {"RGBToHSV", converted<hueOf>},
    {"HSVToRGB", converted<ofHue>},
    {"AdjustSaturation", adjusted<moreSaturated>},
    {"AdjustHue", adjusted<turned>},
    {"AdjustContrastv2", contrast},
};

} // namespace

ArrayRef<OpExpansion> colorOps() { return kOps; }

} // namespace sluice::import
