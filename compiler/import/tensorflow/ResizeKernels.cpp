// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What elements of images count for, by how far they are away.
#include "compiler/import/tensorflow/ResizeKernels.h"

#include "compiler/import/tensorflow/Arithmetic.h"
#include "compiler/import/tensorflow/Texts.h"

#include <initializer_list>
#include <numbers>

using namespace mlir;

namespace sluice::import {

namespace {

Value times(Expansion &e, Value x, double y) { return mul(e, x, constantLike(e, x, y)); }

Value whereBelow(Expansion &e, Value x, double limit, Value value, Value otherwise) {
  return select(e, e.compare<nd::LessOp>(x, constantLike(e, x, limit)), value, otherwise);
}
Value whereBelow(Expansion &e, Value x, double limit, Value value) {
  return whereBelow(e, x, limit, value, constantLike(e, x, 0));
}

// Highest power first.
Value polynomial(Expansion &e, Value x, std::initializer_list<double> factors) {
  Value sum;
  for (double factor : factors)
    sum = sum ? add(e, mul(e, sum, x), constantLike(e, x, factor)) : constantLike(e, x, factor);
  return sum;
}

template <int radius> Value lanczos(Expansion &e, Value x) {
  constexpr double kNear = 1e-3, kPi = std::numbers::pi;
  auto sine = [&](Value y) { return e.like<nd::SinOp>(times(e, y, kPi)); };
  Value square = times(e, mul(e, x, x), kPi * kPi);
  Value product = times(e, mul(e, sine(x), sine(times(e, x, 1.0 / radius))), radius);
  Value isFar = e.compare<nd::GreaterOp>(x, constantLike(e, x, radius));
  Value isNear = e.compare<nd::LessEqualOp>(x, constantLike(e, x, kNear));
  Value one = constantLike(e, x, 1);
  Value found = div(e, product, select(e, isNear, one, square));
  return select(e, isNear, one, select(e, isFar, constantLike(e, x, 0), found));
}
constexpr double kGaussianRadius = 1.5;
Value gaussian(Expansion &e, Value x) {
  constexpr double kDeviation = kGaussianRadius / 3;
  Value power = times(e, mul(e, x, x), -1 / (2 * kDeviation * kDeviation));
  return whereBelow(e, x, kGaussianRadius, e.like<nd::ExpOp>(power));
}
Value box(Expansion &e, Value x) {
  Value isEdge = e.compare<nd::EqualOp>(x, constantLike(e, x, 0.5));
  Value edge = select(e, isEdge, constantLike(e, x, 0.5), constantLike(e, x, 0));
  return whereBelow(e, x, 0.5, constantLike(e, x, 1), edge);
}
Value triangle(Expansion &e, Value x) { return whereBelow(e, x, 1, polynomial(e, x, {-1, 1})); }

Value cubic(Expansion &e, Value x, std::initializer_list<double> near,
            std::initializer_list<double> far) {
  return whereBelow(e, x, 1, polynomial(e, x, near), whereBelow(e, x, 2, polynomial(e, x, far)));
}
Value keys(Expansion &e, Value x) { return cubic(e, x, {1.5, -2.5, 0, 1}, {-0.5, 2.5, -4, 2}); }
Value mitchell(Expansion &e, Value x) {
  return cubic(e, x, {7.0 / 6, -2, 0, 8.0 / 9}, {-7.0 / 18, 2, -10.0 / 3, 16.0 / 9});
}

constexpr ResizeKernel kKernels[] = {
    {"lanczos1", 1, lanczos<1>},
    {"lanczos3", 3, lanczos<3>},
    {"lanczos5", 5, lanczos<5>},
    {"gaussian", kGaussianRadius, gaussian},
    {"box", 1, box},
    {"triangle", 1, triangle},
    {"keyscubic", 2, keys},
    {"mitchellcubic", 2, mitchell},
};

} // namespace

const ResizeKernel *resizeKernel(Expansion &e) {
  const std::string name(e.stringAttr("kernel_type"));
  for (const ResizeKernel &kernel : kKernels)
    if (kernel.name == name)
      return &kernel;
  e.fail(ExitCode::kBadGraph, "attribute 'kernel_type': no kernel is called " + quoted(name));
  return nullptr;
}

} // namespace sluice::import
