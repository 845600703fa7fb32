// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Derivatives of functions of matrices, of eigenvalues, and of what is solved with three diagonals
// or by least squares.
#include "dialects/sci/Matrices.h"
#include "dialects/sci/Sci.h"

using namespace mlir;
using namespace sluice;
using namespace sluice::sci;
using namespace sluice::nd::formula;

// ---- Functions of matrices ----------------------------------------------------------------------

// Mathias, "A chain rule for matrix functions and applications": of a matrix that has A twice on
// its diagonal and E above it, the function has there what E changes of that of A.
void MatrixFunctionOp::buildGradient(Gradient &g) {
  Value turned = adjoint(g, getInput()), dy = g.ofResult(), side = sizeOfAxis(g, turned, -1);
  auto beside = [&](Value a, Value b, int64_t axis) {
    return g.like<nd::ConcatOp>({a, b, g.int64(axis)});
  };
  Value all = beside(beside(turned, dy, -1), beside(g.zerosLike(turned), turned, -1), -2);
  Value found =
      g.like<MatrixFunctionOp>(all, NamedAttribute(getFunctionAttrName(), getFunctionAttr()));
  auto half = [&](Value x, Value places, int64_t axis) {
    return g.like<nd::GatherOp>({x, places, g.int64(axis)}, g.number("batch_dims", 0));
  };
  Value numbers = nd::numbersBelow(g, side);
  Value right = half(found, g.like<nd::AddOp>({numbers, nd::scalarOf(g, side)}), -1);
  g.set(0, half(right, numbers, -2));
}

// ---- Eigenvalues --------------------------------------------------------------------------------

// Those of vectors are infinite where values are not unique.
void EigOp::buildGradient(Gradient &g) {
  Type element = Gradient::elementOf(getE());
  Value de = g.ofResult(0) ? g.ofResult(0) : g.zerosLike(getE());
  Value middle = asDiagonals(g, de), v = getV();
  if (!getComputeV()) {
    v = g.make<EigOp>({element, element}, getInput(), g.flag("compute_v", true)).getV();
  } else if (Value dv = g.ofResult(1)) {
    Value differences = sub(g, asRows(g, getE()), asColumns(g, getE()));
    Value square = add(g, mul(g, differences, differences), numberLike(g, getE(), 1e-20));
    Value inverse = mul(g, differences, reciprocal(g, square));
    Value factors = conjugate(g, onlyWhere<nd::NotEqualOp>(g, inverse));
    Value vdv = product(g, v, dv, Side::kLeft);
    Value real = g.one<nd::CastOp>(cast<ComplexType>(element).getElementType(), vdv);
    Value lengths = diagonalPart(g, g.one<nd::CastOp>(element, real));
    Value others = product(g, product(g, v, v, Side::kLeft), lengths);
    middle = add(g, middle, mul(g, factors, sub(g, vdv, others)));
  }
  Value turned = adjoint(g, v);
  Value all = g.like<MatrixSolveOp>({turned, product(g, middle, turned)}, g.flag("adjoint", false));
  Type of = Gradient::elementOf(getInput());
  g.set(0, of == element ? all : g.one<nd::CastOp>(of, all));
}

// ---- Three diagonals ----------------------------------------------------------------------------

// Each element is the one so many places on along the axis; what leaves it comes back at its begin.
static Value turnedAround(Gradient &g, Value x, int64_t axis, int64_t by) {
  Value size = sizeOfAxis(g, x, axis), numbers = nd::numbersBelow(g, size);
  Value places =
      g.like<nd::FloorModOp>({g.like<nd::AddOp>({numbers, g.int64(by)}), nd::scalarOf(g, size)});
  return g.like<nd::GatherOp>({x, places, g.int64(axis)}, g.number("batch_dims", 0));
}
static Value diagonalAt(Gradient &g, Value diagonals, int64_t row) {
  return g.like<nd::GatherOp>({diagonals, g.ints({row}), g.int64(-2)}, g.number("batch_dims", 0));
}
static Value stacked(Gradient &g, Value above, Value main, Value below) {
  return g.like<nd::ConcatOp>({above, main, below, g.int64(-2)});
}

void TridiagonalSolveOp::buildGradient(Gradient &g) {
  Value diagonals = conjugate(g, getDiagonals());
  Value adjoint =
      stacked(g, turnedAround(g, diagonalAt(g, diagonals, 2), -1, 1), diagonalAt(g, diagonals, 1),
              turnedAround(g, diagonalAt(g, diagonals, 0), -1, -1));
  Value ofRhs =
      g.like<TridiagonalSolveOp>({adjoint, g.ofResult()}, g.flag("pivoting", getPivoting()));
  if (g.wants(1))
    g.set(1, ofRhs);
  if (!g.wants(0))
    return;
  Value x = conjugate(g, getResult()), minus = neg(g, ofRhs);
  auto ofDiagonal = [&](Value elements) {
    Value sums = g.like<nd::ReduceSumOp>({mul(g, minus, elements), g.ints({-1})},
                                         g.flag("keep_dims", false));
    return asRows(g, sums);
  };
  // What is not looked at comes to nothing.
  Value size = sizeOfAxis(g, x, -2), numbers = nd::numbersBelow(g, size);
  auto except = [&](Value place, Value row) {
    return nd::whereHolds(g, g.one<nd::NotEqualOp>(g.builder().getI1Type(), {numbers, place}), row);
  };
  Value last = nd::scalarOf(g, nd::sum(g, size, g.ints({-1})));
  g.set(0, stacked(g, except(last, ofDiagonal(turnedAround(g, x, -2, 1))), ofDiagonal(x),
                   except(g.int64(0), ofDiagonal(turnedAround(g, x, -2, -1)))));
}

// ---- Least squares ------------------------------------------------------------------------------

// The matrix times its adjoint, or the other way around, and the weight on its diagonal.
static Value weighted(Gradient &g, Value square, Value weight) {
  Value one = identity(g, sizeOfAxis(g, square, -1), Gradient::elementOf(square));
  return add(g, square, mul(g, one, g.one<nd::CastOp>(Gradient::elementOf(square), weight)));
}

static void ofTall(Gradient &g, LeastSquaresOp op) {
  Value a = op.getMatrix(), x = op.getResult();
  Value square = weighted(g, product(g, a, a, Side::kLeft), op.getWeight());
  Value z = g.like<MatrixSolveOp>({square, g.ofResult()}, g.flag("adjoint", false));
  if (g.wants(0)) {
    Value both = product(g, x, z, Side::kRight);
    both = add(g, both, adjoint(g, both));
    g.set(0, sub(g, product(g, op.getRhs(), z, Side::kRight), product(g, a, both)));
  }
  if (g.wants(1))
    g.set(1, product(g, a, z));
}

static void ofWide(Gradient &g, LeastSquaresOp op) {
  Value a = op.getMatrix();
  Value square = weighted(g, product(g, a, a, Side::kRight), op.getWeight());
  auto solved = [&](Value rhs) {
    return g.like<MatrixSolveOp>({square, rhs}, g.flag("adjoint", false));
  };
  Value ofRhs = solved(product(g, a, g.ofResult()));
  if (g.wants(0)) {
    Value y = solved(op.getRhs());
    Value first = product(g, ofRhs, product(g, y, a, Side::kLeft));
    Value rest = sub(g, g.ofResult(), product(g, a, ofRhs, Side::kLeft));
    g.set(0, sub(g, product(g, y, rest, Side::kRight), first));
  }
  if (g.wants(1))
    g.set(1, ofRhs);
}

void LeastSquaresOp::buildGradient(Gradient &g) {
  auto rows = nd::constantInts(sizeOfAxis(g, getMatrix(), -2));
  auto columns = nd::constantInts(sizeOfAxis(g, getMatrix(), -1));
  if (rows && columns)
    return *rows >= *columns ? ofTall(g, *this) : ofWide(g, *this);
  mlir::emitError(g.loc(), "expected that the sizes of matrices are known whose least squares a "
                           "derivative goes through, but got ")
      << getMatrix().getType();
}
