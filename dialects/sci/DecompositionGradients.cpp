// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Derivatives of decompositions with orthonormal columns. Those of vectors are infinite where
// values are not unique.
#include "dialects/sci/Matrices.h"
#include "dialects/sci/Sci.h"

using namespace mlir;
using namespace sluice;
using namespace sluice::sci;
using namespace sluice::nd::formula;

// Zeros for a result on which nothing depends.
static Value orZeros(Gradient &g, unsigned result) {
  Value known = g.ofResult(result);
  return known ? known : g.zerosLike(g.op()->getResult(result));
}

static bool isComplex(Value x) { return isa<ComplexType>(Gradient::elementOf(x)); }

// ---- QR -----------------------------------------------------------------------------------------

namespace {
struct Factors {
  Value q, r, dq, dr;
};
} // namespace

// x times the adjoint of the inverse of r.
static Value timesAdjointInverse(Gradient &g, Value x, Value r) {
  return adjoint(g, g.like<TriangularSolveOp>({r, adjoint(g, x)},
                                              {g.flag("lower", false), g.flag("adjoint", false)}));
}

static Value lessAdjoint(Gradient &g, Value x) { return sub(g, x, adjoint(g, x)); }

// Real numbers of the diagonal are gone.
static Value imaginaryDiagonal(Gradient &g, Value x) {
  Value diagonal = diagonalPart(g, x);
  Type element = Gradient::elementOf(x);
  Value real = g.one<nd::CastOp>(cast<ComplexType>(element).getElementType(), diagonal);
  return sub(g, diagonal, g.one<nd::CastOp>(element, real));
}

// Where r is square.
static Value ofSquare(Gradient &g, const Factors &f) {
  Value qdq = product(g, f.q, f.dq, Side::kLeft), rdr = product(g, f.r, f.dr, Side::kRight);
  Value lower = lowerPart(g, add(g, lessAdjoint(g, qdq), lessAdjoint(g, rdr)));
  Value a = product(g, f.q, add(g, f.dr, timesAdjointInverse(g, lower, f.r)));
  Value b = timesAdjointInverse(g, sub(g, f.dq, product(g, f.q, qdq)), f.r);
  Value all = add(g, a, b);
  if (!isComplex(f.q))
    return all;
  Value correction = imaginaryDiagonal(g, sub(g, rdr, adjoint(g, qdq)));
  return add(g, all, timesAdjointInverse(g, product(g, f.q, correction, Side::kRight), f.r));
}

namespace {
// The columns of matrices before a number, and from there on.
struct Columns {
  Columns(Gradient &g, Value x, Value number) {
    Value shape = g.shapeOf(x), none = nd::difference(g, shape, shape);
    Value others = nd::sum(g, nd::rankOf(g, x), g.ints({-1}));
    auto withLast = [&](Value sizes, Value last) {
      return nd::joined(g, {nd::part(g, sizes, g.ints({0}), others), last});
    };
    first = g.like<nd::SliceOp>({x, none, withLast(shape, number)});
    rest = g.like<nd::SliceOp>({x, withLast(none, number), withLast(shape, g.ints({-1}))});
  }
  Value first, rest;
};
} // namespace

static Value shorterOf(Gradient &g, Value a, Value b) {
  return nd::combined<nd::MinimumOp>(g, a, b, [](int64_t x, int64_t y) { return std::min(x, y); });
}

// Of columns behind a square the derivative is that of a product; there may be none of them.
void QrOp::buildGradient(Gradient &g) {
  Factors f{getQ(), getR(), orZeros(g, 0), orZeros(g, 1)};
  Value rows = sizeOfAxis(g, getInput(), -2), columns = sizeOfAxis(g, getInput(), -1);
  auto known = nd::constantInts(rows), other = nd::constantInts(columns);
  if (known && other && *known >= *other)
    return g.set(0, ofSquare(g, f));
  Value square = shorterOf(g, rows, columns);
  Columns r(g, f.r, square), dr(g, f.dr, square);
  Value behind = Columns(g, getInput(), square).rest;
  Value dq = add(g, f.dq, product(g, behind, dr.rest, Side::kRight));
  Value first = ofSquare(g, {f.q, r.first, dq, dr.first});
  g.set(0, g.like<nd::ConcatOp>({first, product(g, f.q, dr.rest), g.int64(-1)}));
}

// ---- Singular values and eigenvalues ------------------------------------------------------------

// Of 0 it is 0.
static Value safeReciprocal(Gradient &g, Value x) {
  Value square = add(g, mul(g, x, x), numberLike(g, x, 1e-20));
  return mul(g, x, reciprocal(g, square));
}

// One over the differences of all pairs: that of column and row, beside the diagonal.
static Value inverseDifferences(Gradient &g, Value x) {
  Value inverse = safeReciprocal(g, sub(g, asRows(g, x), asColumns(g, x)));
  return onlyWhere<nd::NotEqualOp>(g, inverse);
}

static Value plusAdjoint(Gradient &g, Value x) { return add(g, x, adjoint(g, x)); }

// What of the derivative of orthonormal columns is not in the space that they span.
static Value outside(Gradient &g, Value columns, Value derivative) {
  return sub(g, derivative, product(g, columns, product(g, columns, derivative, Side::kLeft)));
}

// Of U and V that are as wide as there are singular values. What lies outside of the columns is 0
// for the shorter side.
static Value ofVectors(Gradient &g, Value s, Value u, Value v, Value ds, Value du, Value dv) {
  Value factors = inverseDifferences(g, mul(g, s, s));
  Value ofV = product(g, v, dv, Side::kLeft);
  Value left = plusAdjoint(g, mul(g, factors, product(g, u, du, Side::kLeft)));
  Value right = plusAdjoint(g, mul(g, factors, ofV));
  Value inner = add(g, add(g, asDiagonals(g, ds), mul(g, left, asRows(g, s))),
                    mul(g, asColumns(g, s), right));
  Value inverse = safeReciprocal(g, s);
  if (isComplex(s)) {
    Value diagonal = diagonalPart(g, ofV);
    Value turned = mul(g, asColumns(g, inverse), sub(g, adjoint(g, diagonal), diagonal));
    inner = add(g, inner, mul(g, numberLike(g, s, 0.5), turned));
  }
  Value all = product(g, u, product(g, inner, v, Side::kRight));
  Value outsideOfV = mul(g, asRows(g, inverse), outside(g, v, dv));
  Value outsideOfU = mul(g, asRows(g, inverse), outside(g, u, du));
  all = add(g, all, product(g, u, outsideOfV, Side::kRight));
  return add(g, all, product(g, outsideOfU, v, Side::kRight));
}

void SvdOp::buildGradient(Gradient &g) {
  Value ds = orZeros(g, 0);
  if (getComputeUv())
    return g.set(0, ofVectors(g, getS(), getU(), getV(), ds, orZeros(g, 1), orZeros(g, 2)));
  Type element = Gradient::elementOf(getInput());
  auto svd = g.make<SvdOp>({element, element, element}, getInput(),
                           {g.flag("compute_uv", true), g.flag("full_matrices", false)});
  g.set(0, product(g, svd.getU(), mul(g, asColumns(g, ds), adjoint(g, svd.getV()))));
}

void SelfAdjointEigOp::buildGradient(Gradient &g) {
  Value inner = asDiagonals(g, orZeros(g, 0)), v = getV();
  if (!getComputeV()) {
    Type element = Gradient::elementOf(getInput());
    v = g.make<SelfAdjointEigOp>({element, element}, getInput(), g.flag("compute_v", true)).getV();
  } else if (Value dv = g.ofResult(1)) {
    Value factors = inverseDifferences(g, getE());
    inner = add(g, inner, mul(g, factors, product(g, v, dv, Side::kLeft)));
  }
  Value all = product(g, v, product(g, inner, v, Side::kRight));
  // Only the lower part has been looked at.
  g.set(0, withHalvedDiagonal(g, lowerPart(g, plusAdjoint(g, all))));
}
