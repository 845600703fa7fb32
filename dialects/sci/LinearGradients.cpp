// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Derivatives of linear algebra: inverses, determinants, solutions of equations, triangular
// factors.
#include "dialects/sci/Matrices.h"
#include "dialects/sci/Sci.h"

using namespace mlir;
using namespace sluice;
using namespace sluice::sci;
using namespace sluice::nd::formula;

void CholeskyOp::buildGradient(Gradient &g) {
  Value l = getResult();
  Value one = identity(g, sizeOfAxis(g, l, -1), Gradient::elementOf(l));
  Value inverse =
      g.like<TriangularSolveOp>({l, one}, {g.flag("lower", true), g.flag("adjoint", false)});
  Value middle = lowerPart(g, withHalvedDiagonal(g, product(g, l, g.ofResult(), Side::kLeft)));
  Value half = product(g, product(g, inverse, middle, Side::kLeft), inverse);
  g.set(0, mul(g, add(g, half, adjoint(g, half)), numberLike(g, half, 0.5)));
}

void MatrixInverseOp::buildGradient(Gradient &g) {
  Value inverse = getResult(), dy = g.ofResult();
  g.set(0, neg(g, getAdjoint()
                      ? product(g, inverse, product(g, dy, inverse, Side::kLeft))
                      : product(g, inverse, product(g, dy, inverse, Side::kRight), Side::kLeft)));
}

// Those of matrices times one number for each.
static Value timesAdjointInverse(Gradient &g, Value input, Value numbers) {
  Value inverse = g.like<MatrixInverseOp>(input, g.flag("adjoint", true));
  return mul(g, asColumns(g, asColumns(g, numbers)), inverse);
}

void DeterminantOp::buildGradient(Gradient &g) {
  g.set(0, timesAdjointInverse(g, getInput(), mul(g, g.ofResult(), getResult())));
}

// The sign is constant almost everywhere; of complex numbers, too, as TensorFlow has it.
void LogDeterminantOp::buildGradient(Gradient &g) {
  if (g.ofResult(1))
    g.set(0, timesAdjointInverse(g, getInput(), g.ofResult(1)));
}

// ---- Linear equations ---------------------------------------------------------------------------

// Of the matrix, by that of the right side.
static Value ofMatrix(Gradient &g, Value ofRhs, Value solution, bool isAdjoint) {
  return neg(g, isAdjoint ? product(g, solution, ofRhs, Side::kRight)
                          : product(g, ofRhs, solution, Side::kRight));
}

void MatrixSolveOp::buildGradient(Gradient &g) {
  Value ofRhs =
      g.like<MatrixSolveOp>({getMatrix(), g.ofResult()}, g.flag("adjoint", !getAdjoint()));
  if (g.wants(0))
    g.set(0, ofMatrix(g, ofRhs, getResult(), getAdjoint()));
  if (g.wants(1))
    g.set(1, ofRhs);
}

void TriangularSolveOp::buildGradient(Gradient &g) {
  Value ofRhs = g.like<TriangularSolveOp>(
      {getMatrix(), g.ofResult()}, {g.flag("lower", getLower()), g.flag("adjoint", !getAdjoint())});
  if (g.wants(0)) {
    Value all = ofMatrix(g, ofRhs, getResult(), getAdjoint());
    all = getLower() ? lowerPart(g, all) : onlyWhere<nd::LessEqualOp>(g, all);
    g.set(0, g.sumTo(all, getMatrix()));
  }
  if (g.wants(1))
    g.set(1, g.sumTo(ofRhs, getRhs()));
}
