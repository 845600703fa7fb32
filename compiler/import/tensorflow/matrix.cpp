// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// TensorFlow ops of the family "matrix": diagonals of matrices, and the bands around them. Of
// several diagonals at once there is none.
#include "compiler/import/tensorflow/Checks.h"

using namespace mlir;

namespace sluice::import {

namespace {

Value add(Expansion &e, Value a, Value b) { return e.like<nd::AddOp>({a, b}); }
Value subtract(Expansion &e, Value a, Value b) { return e.like<nd::SubOp>({a, b}); }
Value larger(Expansion &e, Value a, Value b) { return e.like<nd::MaximumOp>({a, b}); }
Value smaller(Expansion &e, Value a, Value b) { return e.like<nd::MinimumOp>({a, b}); }

// The column of each element less its row: 0 on the main diagonal, more above it.
Value columnLessRow(Expansion &e, Value rows, Value columns) {
  return subtract(e, numbersBelow(e, columns), reshaped(e, numbersBelow(e, rows), e.ints({-1, 1})));
}

struct Matrices {
  Matrices(Expansion &e, Value x)
      : dims(dimsOf(e, x)),
        leading(part(e, dims, e.int32(0), subtract(e, rankOf(e, x), e.int32(2)))),
        rows(sizeFromEnd(e, dims, -2)), columns(sizeFromEnd(e, dims, -1)) {}
  // How long the diagonal is.
  Value lengthOf(Expansion &e, int64_t k) const {
    return smaller(e, add(e, rows, e.int32(std::min<int64_t>(k, 0))),
                   subtract(e, columns, e.int32(std::max<int64_t>(k, 0))));
  }

  Value dims, leading, rows, columns; // numbers are scalars
};

Value withRank(Expansion &e, Checks &checks, Value x, int64_t least) {
  checks.require(e.compare<nd::GreaterEqualOp>(rankOf(e, x), e.int32(least)),
                 least == 1 ? "diagonal must be at least 1-dim" : "input must be at least 2-dim",
                 dimsOf(e, x));
  return checks.checked(x);
}

// Which diagonal an operand chooses, as a constant. Nothing, after a diagnostic, if it is none or
// names several.
std::optional<int64_t> chosenDiagonal(Expansion &e, size_t input) {
  auto numbers = constantOf(e.input(input));
  if (numbers && (numbers->size() == 1 || (numbers->size() == 2 && (*numbers)[0] == (*numbers)[1])))
    return numbers->front();
  e.unsupported("operand 'k': expected a constant that names one diagonal");
  return std::nullopt;
}

// With one more element at the end of each row: a row without any could give none.
Value lengthened(Expansion &e, Value x) {
  Value others = subtract(e, add(e, rankOf(e, x), rankOf(e, x)), e.int32(1));
  Value borders = joined(e, {filled(e, flat(e, others), e.int32(0)), e.ints({1})});
  Value zero = e.scalar(e.elementOf(x), 0);
  return e.like<nd::PadOp>({x, reshaped(e, borders, e.ints({-1, 2})), zero});
}

// `chosen` on the diagonal `k` of matrices with so many columns, elsewhere `other`. The matrices
// have the leading dims of `chosen`.
Value onDiagonal(Expansion &e, Value chosen, int64_t k, Value rows, Value columns, Value other) {
  Value end = sizeFromEnd(e, dimsOf(e, chosen), -1);
  Value places = subtract(e, numbersBelow(e, columns), e.int32(std::max<int64_t>(k, 0)));
  Value inside = larger(e, smaller(e, places, end), e.int32(0));
  Value spread = gathered(e, lengthened(e, chosen), inside, e.int32(-1));
  Value asRow = e.like<nd::ExpandDimsOp>({spread, e.int32(-2)});
  Value is = e.compare<nd::EqualOp>(columnLessRow(e, rows, columns), e.int32(k));
  return selected(e, is, asRow, other);
}

void makeMatrices(Expansion &e, int64_t k, Value padding) {
  constexpr int64_t kFurthest = int64_t{1} << 24; // a matrix has the square of it
  if (std::abs(k) > kFurthest)
    return e.fail(ExitCode::kBadGraph, "operand 'k': expected a diagonal of a matrix that fits in "
                                       "memory but got " +
                                           std::to_string(k));
  Checks checks(e);
  Value diagonal = withRank(e, checks, e.afterAllInputs(e.inputs())[0], 1);
  Value size = add(e, sizeFromEnd(e, dimsOf(e, diagonal), -1), e.int32(std::abs(k)));
  e.result(0, onDiagonal(e, diagonal, k, size, size, padding));
}

void matrixDiag(Expansion &e) { makeMatrices(e, 0, e.scalar(e.elementOf(e.input(0)), 0)); }

// Rows and columns: -1 is as many as the diagonal needs.
void matrixDiagOf(Expansion &e) {
  auto k = chosenDiagonal(e, 1);
  if (!k)
    return;
  for (size_t input : {2, 3})
    if (constantOf(e.input(input)) != SmallVector<int64_t>{-1})
      return e.unsupported("operands 'num_rows' and 'num_cols': expected the constant -1");
  makeMatrices(e, *k, e.input(4));
}

// The main one is there also if it is empty.
void requireDiagonal(Expansion &e, Checks &checks, int64_t k, const Matrices &matrices) {
  Value most = k < 0 ? matrices.rows : matrices.columns;
  if (k != 0)
    checks.require(e.compare<nd::LessOp>(e.int32(std::abs(k)), most),
                   "k is out of bound: it must be less than the number of rows or columns", most);
}

void takeDiagonal(Expansion &e, int64_t k) {
  Checks checks(e);
  Value x = withRank(e, checks, e.afterAllInputs(e.inputs())[0], 2);
  Matrices matrices(e, x);
  requireDiagonal(e, checks, k, matrices);
  x = checks.checked(x);
  Value step = add(e, matrices.columns, e.int32(1));
  Value start = k >= 0 ? e.int32(k) : e.like<nd::MulOp>({matrices.columns, e.int32(-k)});
  Value at = add(e, e.like<nd::MulOp>({numbersBelow(e, matrices.lengthOf(e, k)), step}), start);
  Value all = e.like<nd::MulOp>({matrices.rows, matrices.columns});
  Value inOneDim = reshaped(e, x, joined(e, {matrices.leading, flat(e, all)}));
  e.result(0, gathered(e, inOneDim, at, e.int32(-1)));
}

void matrixDiagPart(Expansion &e) { takeDiagonal(e, 0); }

void matrixDiagPartOf(Expansion &e) {
  if (auto k = chosenDiagonal(e, 1))
    takeDiagonal(e, *k);
}

void placeDiagonal(Expansion &e, int64_t k) {
  auto inputs = e.afterAllInputs(e.inputs());
  Checks checks(e);
  Value x = withRank(e, checks, inputs[0], 2), diagonal = inputs[1];
  Matrices matrices(e, x);
  requireDiagonal(e, checks, k, matrices);
  checks.require(e.compare<nd::EqualOp>(add(e, rankOf(e, diagonal), e.int32(1)), rankOf(e, x)),
                 "diagonal must have one dim less than input", dimsOf(e, diagonal));
  diagonal = checks.checked(diagonal);
  Value expected = joined(e, {matrices.leading, flat(e, matrices.lengthOf(e, k))});
  checks.require(e.compare<nd::EqualOp>(dimsOf(e, diagonal), expected),
                 "diagonal must have the leading dims of input, and the length of the diagonal",
                 expected);
  e.result(0, onDiagonal(e, checks.checked(diagonal), k, matrices.rows, matrices.columns,
                         checks.checked(x)));
}

void matrixSetDiag(Expansion &e) { placeDiagonal(e, 0); }

void matrixSetDiagOf(Expansion &e) {
  if (auto k = chosenDiagonal(e, 2))
    placeDiagonal(e, *k);
}

// A width beyond the matrix is an error, which a constant of 0 or less cannot be.
void checkWidth(Expansion &e, Checks &checks, Value given, Value width, Value size, StringRef name,
                StringRef most) {
  auto known = constantOf(given);
  auto type = dyn_cast<RankedTensorType>(given.getType());
  if (!type || type.getRank() != 0)
    checks.require(e.compare<nd::EqualOp>(rankOf(e, width), e.int32(0)),
                   (name + " must be a scalar").str(), dimsOf(e, width));
  if (!known || known->empty() || known->front() > 0)
    checks.require(e.compare<nd::LessEqualOp>(checks.checked(width), size),
                   (name + " must be at most the number of " + most).str(), width);
}

// Whether elements are inside on one side of the diagonal: all are if the width is negative.
Value isWithin(Expansion &e, Value distance, Value width) {
  return e.like<nd::LogicalOrOp>({e.compare<nd::LessOp>(width, e.scalar(e.elementOf(width), 0)),
                                  e.compare<nd::LessEqualOp>(distance, width)});
}

void matrixBandPart(Expansion &e) {
  auto inputs = e.afterAllInputs(e.inputs());
  Checks checks(e);
  Value x = withRank(e, checks, inputs[0], 2), lower = inputs[1], upper = inputs[2];
  Type type = e.elementOf(lower);
  Matrices matrices(e, x);
  Value rows = converted(e, matrices.rows, type), columns = converted(e, matrices.columns, type);
  checkWidth(e, checks, e.input(1), lower, rows, "num_lower", "rows");
  checkWidth(e, checks, e.input(2), upper, columns, "num_upper", "columns");
  Value above = columnLessRow(e, rows, columns), below = subtract(e, e.scalar(type, 0), above);
  Value inside = e.like<nd::LogicalAndOp>({isWithin(e, below, lower), isWithin(e, above, upper)});
  e.result(0, selected(e, inside, checks.checked(x), e.scalar(e.elementOf(x), 0)));
}

// Where diagonals of several lengths lie in their rows: of one nothing depends on it.
constexpr llvm::StringLiteral kAlign = "align";

constexpr OpExpansion kOps[] = {
    {"MatrixDiag", matrixDiag},
    {"MatrixDiagV2", matrixDiagOf},
    {"MatrixDiagV3", matrixDiagOf, Style::kPure, kAlign},
    {"MatrixDiagPart", matrixDiagPart},
    {"MatrixDiagPartV2", matrixDiagPartOf},
    {"MatrixDiagPartV3", matrixDiagPartOf, Style::kPure, kAlign},
    {"MatrixSetDiag", matrixSetDiag},
    {"MatrixSetDiagV2", matrixSetDiagOf},
    {"MatrixSetDiagV3", matrixSetDiagOf, Style::kPure, kAlign},
    {"MatrixBandPart", matrixBandPart},
};

} // namespace

ArrayRef<OpExpansion> matrixOps() { return kOps; }

} // namespace sluice::import
