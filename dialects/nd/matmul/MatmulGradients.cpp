// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The derivative of a matrix product: two more of them.
#include "dialects/nd/Formulas.h"
#include "dialects/nd/Nd.h"

using namespace mlir;

namespace sluice::nd {

namespace {

enum class Form : uint8_t { kPlain, kTransposed, kAdjoint };

// A matrix, or many of them, as a product takes it.
struct Factor {
  Value value;
  Form form;
};

Form formOf(bool isTransposed, bool isAdjoint) {
  return isAdjoint ? Form::kAdjoint : isTransposed ? Form::kTransposed : Form::kPlain;
}

// The adjoint of real numbers is asked for as what it is, the transposed.
Value product(Gradient &g, Factor a, Factor b) {
  bool isComplex = isa<ComplexType>(Gradient::elementOf(a.value));
  auto adjoint = [&](Factor f) { return isComplex && f.form == Form::kAdjoint; };
  auto transposed = [&](Factor f) { return f.form != Form::kPlain && !adjoint(f); };
  return g.like<MatmulOp>({a.value, b.value},
                          {g.flag("transpose_lhs", transposed(a)),
                           g.flag("transpose_rhs", transposed(b)),
                           g.flag("adjoint_lhs", adjoint(a)), g.flag("adjoint_rhs", adjoint(b))});
}

Factor conjugated(Gradient &g, Factor f) {
  switch (f.form) {
  case Form::kPlain:
    return {formula::conjugate(g, f.value), Form::kPlain};
  case Form::kTransposed:
    return {f.value, Form::kAdjoint};
  case Form::kAdjoint:
    return {f.value, Form::kTransposed};
  }
}

Factor adjoint(Gradient &g, Factor f) {
  switch (f.form) {
  case Form::kPlain:
    return {f.value, Form::kAdjoint};
  case Form::kTransposed:
    return {formula::conjugate(g, f.value), Form::kPlain};
  case Form::kAdjoint:
    return {f.value, Form::kPlain};
  }
}

// With D for the derivative of the product A B, that of A is D B*, and if A is the transposed or
// the adjoint of an operand, the operand's is the transposed or the adjoint of this.
Value ofLeft(Gradient &g, Factor left, Factor right) {
  Value dy = g.ofResult();
  switch (left.form) {
  case Form::kPlain:
    return product(g, {dy, Form::kPlain}, adjoint(g, right));
  case Form::kTransposed:
    return product(g, conjugated(g, right), {dy, Form::kTransposed});
  case Form::kAdjoint:
    return product(g, right, {dy, Form::kAdjoint});
  }
}

// The same with A* D for B.
Value ofRight(Gradient &g, Factor left, Factor right) {
  Value dy = g.ofResult();
  switch (right.form) {
  case Form::kPlain:
    return product(g, adjoint(g, left), {dy, Form::kPlain});
  case Form::kTransposed:
    return product(g, {dy, Form::kTransposed}, conjugated(g, left));
  case Form::kAdjoint:
    return product(g, {dy, Form::kAdjoint}, left);
  }
}

// Undoes the broadcast of the dims before the matrices. Of two matrices, and of operands whose dims
// are known to be the same, there was none.
Value summed(Gradient &g, Value derivative, Value operand, Value other) {
  auto of = dyn_cast<RankedTensorType>(operand.getType());
  auto with = dyn_cast<RankedTensorType>(other.getType());
  if (of && with && of.getRank() == with.getRank() && of.getRank() >= 2) {
    ArrayRef<int64_t> batch = of.getShape().drop_back(2);
    if (!ShapedType::isDynamicShape(batch) && batch == with.getShape().drop_back(2))
      return derivative;
  }
  return g.sumTo(derivative, operand);
}

} // namespace

void MatmulOp::buildGradient(Gradient &g) {
  Factor left{getLhs(), formOf(getTransposeLhs(), getAdjointLhs())};
  Factor right{getRhs(), formOf(getTransposeRhs(), getAdjointRhs())};
  if (g.wants(0))
    g.set(0, summed(g, ofLeft(g, left, right), left.value, right.value));
  if (g.wants(1))
    g.set(1, summed(g, ofRight(g, left, right), right.value, left.value));
}

void MatmulOntoOp::buildGradient(Gradient &g) {
  Factor left{getLhs(), formOf(getTransposeLhs(), false)};
  Factor right{getRhs(), formOf(getTransposeRhs(), false)};
  if (g.wants(0))
    g.set(0, g.ofResult());
  if (g.wants(1))
    g.set(1, ofLeft(g, left, right));
  if (g.wants(2))
    g.set(2, ofRight(g, left, right));
}

} // namespace sluice::nd
