// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// TensorFlow ops of the family "linear": decompositions of matrices, and what is solved with them.
#include "compiler/import/tensorflow/Arithmetic.h"
#include "compiler/import/tensorflow/Checks.h"

#include "dialects/sci/Sci.h"

using namespace mlir;

namespace sluice::import {

namespace {

// Every result has the elements of the operands; attributes are flags of the same names.
template <typename OpT> void ofMatrices(Expansion &e, ArrayRef<StringRef> flags) {
  SmallVector<NamedAttribute> attributes;
  for (StringRef flag : flags)
    attributes.push_back(e.flag(flag, e.boolAttr(flag)));
  SmallVector<Type> types(e.numResults(), unrankedOf(e.elementOf(e.input(0))));
  OpT op = e.make<OpT>(types, e.inputs(), attributes);
  for (auto [slot, result] : llvm::enumerate(op->getResults()))
    e.result(static_cast<uint32_t>(slot), result);
}

template <typename OpT> void plain(Expansion &e) { ofMatrices<OpT>(e, {}); }
template <typename OpT> void orAdjoint(Expansion &e) { ofMatrices<OpT>(e, {"adjoint"}); }

void triangularSolve(Expansion &e) { ofMatrices<sci::TriangularSolveOp>(e, {"lower", "adjoint"}); }
void qr(Expansion &e) { ofMatrices<sci::QrOp>(e, {"full_matrices"}); }
void svd(Expansion &e) { ofMatrices<sci::SvdOp>(e, {"compute_uv", "full_matrices"}); }
void selfAdjointEig(Expansion &e) { ofMatrices<sci::SelfAdjointEigOp>(e, {"compute_v"}); }

constexpr llvm::StringLiteral kAdjoint = "adjoint";

// Of vectors of three numbers, which are the last dim.
void cross(Expansion &e) {
  auto inputs = e.afterAllInputs(e.inputs());
  Value a = inputs[0], b = inputs[1];
  Checks checks(e);
  checks.require(e.compare<nd::GreaterEqualOp>(rankOf(e, a), e.int32(1)),
                 "inputs must be at least 1-D", dimsOf(e, a));
  checks.require(e.compare<nd::EqualOp>(rankOf(e, a), rankOf(e, b)), "inputs must have equal dims",
                 dimsOf(e, b));
  a = checks.checked(a), b = checks.checked(b);
  checks.require(e.compare<nd::EqualOp>(dimsOf(e, a), dimsOf(e, b)), "inputs must have equal dims",
                 dimsOf(e, b));
  checks.require(e.compare<nd::EqualOp>(sizeFromEnd(e, dimsOf(e, a), -1), e.int32(3)),
                 "cross-products are of 3 numbers", dimsOf(e, a));
  auto next = [&](Value x) {
    return gathered(e, checks.checked(x), e.ints({1, 2, 0}), e.int32(-1));
  };
  auto last = [&](Value x) {
    return gathered(e, checks.checked(x), e.ints({2, 0, 1}), e.int32(-1));
  };
  e.result(0, sub(e, mul(e, next(a), last(b)), mul(e, last(a), next(b))));
}

void lu(Expansion &e) {
  Type element = e.elementOf(e.input(0)), index = e.typeAttr("output_idx_type");
  if (!index)
    return;
  auto op = e.make<sci::LuOp>({unrankedOf(element), unrankedOf(index)}, e.inputs());
  e.result(0, op.getLu());
  e.result(1, op.getOrder());
}

template <const char *function> void matrixFunction(Expansion &e) {
  e.result(0, e.like<sci::MatrixFunctionOp>(e.inputs(), e.text("function", function)));
}
constexpr char kSqrt[] = "sqrt", kExp[] = "exp", kLog[] = "log";

void eig(Expansion &e) {
  Type element = e.resultElement(0);
  if (e.failed())
    return;
  auto given = dyn_cast<ComplexType>(e.elementOf(e.input(0)));
  Type part = given ? given.getElementType() : e.elementOf(e.input(0));
  if (part != cast<ComplexType>(element).getElementType())
    return e.unsupported("attribute 'Tout': expected numbers as wide as the operand's");
  auto op = e.make<sci::EigOp>({unrankedOf(element), unrankedOf(element)}, e.inputs(),
                               e.flag("compute_v", e.boolAttr("compute_v")));
  e.result(0, op.getE());
  e.result(1, op.getV());
}

void tridiagonalSolve(Expansion &e) {
  e.result(0, e.like<sci::TridiagonalSolveOp>(e.inputs(),
                                              e.flag("pivoting", e.boolAttr("partial_pivoting"))));
}

// Three diagonals, each a row, times a matrix: its rows, the next ones and those before.
void tridiagonalProduct(Expansion &e) {
  auto inputs = e.afterAllInputs(e.inputs());
  Value rhs = inputs[3], size = sizeFromEnd(e, dimsOf(e, rhs), -2);
  Value numbers = numbersBelow(e, size);
  auto term = [&](Value diagonal, int64_t by) {
    Value column =
        e.like<nd::ExpandDimsOp>({gathered(e, diagonal, e.int32(0), e.int32(-2)), e.int32(-1)});
    Value places = add(e, numbers, e.int32(by));
    Value isThere = e.like<nd::LogicalAndOp>(
        {e.compare<nd::GreaterEqualOp>(places, e.int32(0)), e.compare<nd::LessOp>(places, size)});
    Value rows = gathered(e, rhs, e.like<nd::FloorModOp>({places, size}), e.int32(-2));
    Value all = mul(e, column, rows);
    return select(e, reshaped(e, isThere, e.ints({-1, 1})), all, constantLike(e, all, 0));
  };
  e.result(0, add(e, add(e, term(inputs[1], 0), term(inputs[0], 1)), term(inputs[2], -1)));
}

void leastSquares(Expansion &e) {
  e.result(0, e.like<sci::LeastSquaresOp>(e.inputs(), e.flag("fast", e.boolAttr("fast"))));
}

// With a diagonal in each row of `bands`, which ends, or with `lower` begins, with the main one.
void bandedSolve(Expansion &e) {
  auto inputs = e.afterAllInputs(e.inputs());
  Value bands = inputs[0];
  Checks checks(e);
  checks.require(e.compare<nd::GreaterEqualOp>(rankOf(e, bands), e.int32(2)),
                 "bands must be at least 2-D", dimsOf(e, bands));
  Value dims = dimsOf(e, checks.checked(bands));
  Value count = sizeFromEnd(e, dims, -2), side = sizeFromEnd(e, dims, -1);
  checks.require(e.compare<nd::GreaterEqualOp>(count, e.int32(1)),
                 "bands must have at least one row", dims);
  checks.require(e.compare<nd::GreaterEqualOp>(side, e.int32(1)),
                 "bands must have at least one column", dims);
  bands = checks.checked(bands);
  const bool isLower = e.boolAttr("lower");
  Value main = gathered(e, bands, isLower ? e.int32(0) : sub(e, count, e.int32(1)), e.int32(-2));
  checks.require(e.compare<nd::NotEqualOp>(main, constantLike(e, main, 0)),
                 "the matrix is not invertible", dims);
  bands = checks.checked(bands);
  Value numbers = numbersBelow(e, side), rows = reshaped(e, numbers, e.ints({-1, 1}));
  Value band = sub(e, rows, numbers);
  if (!isLower)
    band = add(e, band, sub(e, count, e.int32(1)));
  Value isThere = e.like<nd::LogicalAndOp>(
      {e.compare<nd::GreaterEqualOp>(band, e.int32(0)), e.compare<nd::LessOp>(band, count)});
  Value places = add(e, mul(e, select(e, isThere, band, constantLike(e, band, 0)), side), rows);
  Value before = part(e, dimsOf(e, bands), e.int32(0), sub(e, rankOf(e, bands), e.int32(2)));
  Value row = reshaped(e, bands, joined(e, {before, e.ints({-1})}));
  Value all = gathered(e, row, places, e.int32(-1));
  Value matrix = select(e, isThere, all, constantLike(e, all, 0));
  e.result(0, e.like<sci::TriangularSolveOp>(
                  {matrix, inputs[1]},
                  {e.flag("lower", isLower), e.flag("adjoint", e.boolAttr("adjoint"))}));
}

// What flows back through a decomposition, of which only the lower triangles are looked at.
void choleskyGradient(Expansion &e) {
  auto inputs = e.afterAllInputs(e.inputs());
  Checks checks(e);
  checks.require(e.compare<nd::EqualOp>(dimsOf(e, inputs[0]), dimsOf(e, inputs[1])),
                 "l and grad must have one shape", dimsOf(e, inputs[1]));
  inputs[0] = checks.checked(inputs[0]);
  Value l = inputs[0], side = sizeFromEnd(e, dimsOf(e, l), -1);
  auto product = [&](Value a, Value b, bool isTurned) {
    return e.like<nd::MatmulOp>({a, b},
                                {e.flag("transpose_lhs", isTurned), e.flag("transpose_rhs", false),
                                 e.flag("adjoint_lhs", false), e.flag("adjoint_rhs", false)});
  };
  Value numbers = numbersBelow(e, side), rows = reshaped(e, numbers, e.ints({-1, 1}));
  auto lower = [&](Value x) {
    return select(e, e.compare<nd::GreaterEqualOp>(rows, numbers), x, constantLike(e, x, 0));
  };
  Value isMain = e.compare<nd::EqualOp>(rows, numbers);
  l = lower(l);
  Value one = select(e, isMain, constantLike(e, l, 1), constantLike(e, l, 0));
  Value inverse =
      e.like<sci::TriangularSolveOp>({l, one}, {e.flag("lower", true), e.flag("adjoint", false)});
  Value middle = lower(product(l, lower(inputs[1]), true));
  middle = select(e, isMain, mul(e, middle, constantLike(e, middle, 0.5)), middle);
  Value half = product(product(inverse, middle, true), inverse, false);
  Value rank = rankOf(e, half);
  Value order = joined(e, {numbersBelow(e, sub(e, rank, e.int32(2))),
                           flat(e, sub(e, rank, e.int32(1))), flat(e, sub(e, rank, e.int32(2)))});
  Value both = add(e, half, transposed(e, half, order));
  e.result(0, mul(e, both, constantLike(e, both, 0.5)));
}

constexpr OpExpansion kOps[] = {
    {"BandedTriangularSolve", bandedSolve, Style::kPure, "lower adjoint"},
    {"CholeskyGrad", choleskyGradient},
    {"Eig", eig, Style::kPure, "compute_v"},
    {"Lu", lu},
    {"MatrixExponential", matrixFunction<kExp>},
    {"MatrixLogarithm", matrixFunction<kLog>},
    {"MatrixSolveLs", leastSquares, Style::kPure, "fast"},
    {"MatrixSquareRoot", matrixFunction<kSqrt>},
    {"TridiagonalMatMul", tridiagonalProduct},
    {"TridiagonalSolve", tridiagonalSolve, Style::kPure, "partial_pivoting"},
    {"Cross", cross},
    {"Cholesky", plain<sci::CholeskyOp>},
    {"MatrixInverse", orAdjoint<sci::MatrixInverseOp>, Style::kPure, kAdjoint},
    {"MatrixDeterminant", plain<sci::DeterminantOp>},
    {"LogMatrixDeterminant", plain<sci::LogDeterminantOp>},
    {"MatrixSolve", orAdjoint<sci::MatrixSolveOp>, Style::kPure, kAdjoint},
    {"MatrixTriangularSolve", triangularSolve, Style::kPure, "lower adjoint"},
    {"Qr", qr, Style::kPure, "full_matrices"},
    {"Svd", svd, Style::kPure, "compute_uv full_matrices"},
    {"SelfAdjointEigV2", selfAdjointEig, Style::kPure, "compute_v"},
};

} // namespace

ArrayRef<OpExpansion> linearOps() { return kOps; }

} // namespace sluice::import
