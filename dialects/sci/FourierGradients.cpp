// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Derivatives of Fourier transforms: transforms in the other direction.
#include "dialects/sci/Matrices.h"
#include "dialects/sci/Sci.h"

using namespace mlir;
using namespace sluice;
using namespace sluice::sci;
using namespace sluice::nd::formula;

// A size as a scalar number of the type.
static Value asNumber(Gradient &g, Value size, Type element) {
  return g.one<nd::CastOp>(element, nd::scalarOf(g, size));
}

static Value transform(Gradient &g, Value x, int64_t dims, bool inverse) {
  return g.like<FftOp>(x, {g.number("dims", dims), g.flag("inverse", inverse)});
}

// The dims that are not transformed, and those that are.
static Value firstDims(Gradient &g, Value x, int64_t dims) {
  return nd::part(g, g.shapeOf(x), g.ints({0}), nd::sum(g, nd::rankOf(g, x), g.ints({-dims})));
}
static Value lastDims(Gradient &g, Value x, int64_t dims) {
  return nd::part(g, g.shapeOf(x), nd::sum(g, nd::rankOf(g, x), g.ints({-dims})), g.ints({-1}));
}

void FftOp::buildGradient(Gradient &g) {
  Value dy = g.ofResult();
  Value size = nd::product(g, lastDims(g, dy, static_cast<int64_t>(getDims())));
  Type element = Gradient::elementOf(dy);
  Value turned = transform(g, dy, static_cast<int64_t>(getDims()), !getInverse());
  if (!getInverse())
    return g.set(0, mul(g, turned, asNumber(g, size, element)));
  Type real = cast<ComplexType>(element).getElementType();
  Value one = g.scalar(real, 1);
  g.set(0, mul(g, turned, g.one<nd::CastOp>(element, div(g, one, asNumber(g, size, real)))));
}

// Zeros behind the elements up to these dims.
static Value filledTo(Gradient &g, Value x, Value dims) {
  Value behind = nd::difference(g, dims, g.shapeOf(x));
  Value none = nd::difference(g, behind, behind);
  return g.like<nd::PadOp>({x, nd::columns(g, none, behind), g.scalar(Gradient::elementOf(x), 0)});
}

// The half that the transform has not is zero: so it is the real part that comes back.
void RfftOp::buildGradient(Gradient &g) {
  if (!g.wants(0))
    return;
  const auto dims = static_cast<int64_t>(getDims());
  Value dy = g.ofResult(), length = nd::sizes(g, getLength());
  Value whole = filledTo(g, dy, nd::joined(g, {firstDims(g, dy, dims), length}));
  Value back = g.one<nd::CastOp>(Gradient::elementOf(getInput()), transform(g, whole, dims, true));
  Value size = asNumber(g, nd::product(g, length), Gradient::elementOf(back));
  g.set(0, filledTo(g, mul(g, back, size), g.shapeOf(getInput())));
}

// Elements that stand for their conjugates as well count twice: all but the first of a line and, if
// there is one, the middle.
void IrfftOp::buildGradient(Gradient &g) {
  if (!g.wants(0))
    return;
  const auto dims = static_cast<int64_t>(getDims());
  Value dy = g.ofResult(), length = nd::sizes(g, getLength());
  Type complex = Gradient::elementOf(getInput()), real = Gradient::elementOf(dy);
  Value half = g.one<RfftOp>(complex, {dy, length}, g.number("dims", dims));
  Value last = nd::part(g, length, g.ints({dims - 1}), g.ints({1}));
  Value number = nd::numbersBelow(g, sizeOfAxis(g, half, -1)), none = g.int64(0);
  Type flag = g.builder().getI1Type();
  Value isInside =
      g.like<nd::LogicalAndOp>({g.one<nd::NotEqualOp>(flag, {number, none}),
                                g.one<nd::NotEqualOp>(flag, {nd::sum(g, number, number), last})});
  Value count = asNumber(g, nd::product(g, length), real);
  Value once = div(g, g.scalar(real, 1), count), twice = div(g, g.scalar(real, 2), count);
  Value weights = g.one<nd::CastOp>(complex, select(g, isInside, twice, once));
  g.set(0, filledTo(g, mul(g, half, weights), g.shapeOf(getInput())));
}
