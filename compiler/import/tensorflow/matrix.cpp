// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// TensorFlow ops of the family "matrix": diagonals of matrices, and the bands around them. A single
// diagonal that is known is elements chosen by their places; for others there are ops.
#include "compiler/import/tensorflow/Arithmetic.h"
#include "compiler/import/tensorflow/Checks.h"

#include "dialects/sci/Sci.h"

using namespace mlir;

namespace sluice::import {

namespace {

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

// Which diagonal an operand chooses, as a constant. Nothing if it is none or names several.
std::optional<int64_t> chosenDiagonal(Expansion &e, size_t input) {
  auto numbers = constantOf(e.input(input));
  if (numbers && (numbers->size() == 1 || (numbers->size() == 2 && (*numbers)[0] == (*numbers)[1])))
    return numbers->front();
  return std::nullopt;
}

// Where diagonals of several lengths lie in their rows: those above the main one, and those below.
SmallVector<NamedAttribute> placesOf(Expansion &e) {
  std::string align = e.attribute("align") ? e.stringAttr("align") : "LEFT_LEFT";
  return {e.flag("right_above", StringRef(align).starts_with("RIGHT")),
          e.flag("right_below", StringRef(align).ends_with("RIGHT"))};
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

Value isMinusOne(Expansion &e, Value x) { return e.compare<nd::EqualOp>(x, e.int32(-1)); }

// As many as are given, or as are needed where -1 is; a square if both are -1.
SmallVector<Value, 2> sizesOf(Expansion &e, Checks &checks, Value rows, Value columns,
                              Value leastRows, Value leastColumns) {
  Value more = larger(e, leastRows, leastColumns);
  Value squareRows = selected(e, isMinusOne(e, columns), more, leastRows);
  Value squareColumns = selected(e, isMinusOne(e, rows), more, leastColumns);
  rows = selected(e, isMinusOne(e, rows), squareRows, rows);
  columns = selected(e, isMinusOne(e, columns), squareColumns, columns);
  Value enoughRows = e.compare<nd::GreaterEqualOp>(rows, leastRows);
  Value enoughColumns = e.compare<nd::GreaterEqualOp>(columns, leastColumns);
  checks.require(e.like<nd::LogicalAndOp>({enoughRows, enoughColumns}),
                 "expected rows and columns for all of the diagonals",
                 joined(e, {flat(e, rows), flat(e, columns)}));
  Value isFull = e.like<nd::LogicalOrOp>(
      {e.compare<nd::EqualOp>(rows, leastRows), e.compare<nd::EqualOp>(columns, leastColumns)});
  checks.require(isFull, "expected no more of both rows and columns than the diagonals need",
                 joined(e, {flat(e, rows), flat(e, columns)}));
  return {checks.checked(rows), checks.checked(columns)};
}

// Inputs: diagonals, k, rows, columns, padding. What fills up is no part of a derivative.
void makeMatricesOfMany(Expansion &e) {
  auto inputs = e.afterAllInputs(e.inputs());
  Checks checks(e);
  for (size_t i : {2, 3, 4})
    checks.require(e.compare<nd::EqualOp>(rankOf(e, inputs[i]), e.int32(0)),
                   "num_rows, num_cols and padding_value must be scalars", dimsOf(e, inputs[i]));
  Value diagonals = withRank(e, checks, inputs[0], 1), k = flat(e, inputs[1]);
  Value lowest = single(e, part(e, k, e.int32(0), e.int32(1)));
  Value highest = sizeFromEnd(e, k, -1); // an element from the end
  Value many = e.compare<nd::LessOp>(lowest, highest);
  Value dims = dimsOf(e, diagonals), length = sizeFromEnd(e, dims, -1);
  Value others = selected(e, many, e.int32(2), e.int32(1));
  checks.require(e.compare<nd::GreaterEqualOp>(rankOf(e, diagonals), others),
                 "several diagonals must be at least 2-dim", dims);
  Value leading =
      part(e, dims, e.int32(0), checks.checked(subtract(e, rankOf(e, diagonals), others)));
  auto sizes = sizesOf(e, checks, checks.checked(inputs[2]), checks.checked(inputs[3]),
                       subtract(e, length, smaller(e, highest, e.int32(0))),
                       add(e, length, larger(e, lowest, e.int32(0))));
  Value padding = e.like<nd::StopGradientOp>(checks.checked(inputs[4]));
  Value all = joined(e, {leading, flat(e, sizes[0]), flat(e, sizes[1])});
  e.result(
      0, e.like<sci::SetDiagonalsOp>({filled(e, all, padding), diagonals, inputs[1]}, placesOf(e)));
}

void matrixDiagOf(Expansion &e) {
  auto k = chosenDiagonal(e, 1);
  SmallVector<int64_t> asNeeded{-1};
  if (k && constantOf(e.input(2)) == asNeeded && constantOf(e.input(3)) == asNeeded)
    return makeMatrices(e, *k, e.input(4));
  makeMatricesOfMany(e);
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
    return takeDiagonal(e, *k);
  e.result(0, e.like<sci::DiagonalsOp>(e.inputs(), placesOf(e)));
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
    return placeDiagonal(e, *k);
  e.result(0, e.like<sci::SetDiagonalsOp>(e.inputs(), placesOf(e)));
}

// ---- Of tensors whose dims are some dims twice

void tensorDiagonal(Expansion &e) {
  Checks checks(e);
  Value x = withRank(e, checks, e.afterAllInputs(e.inputs())[0], 1);
  Value dims = dimsOf(e, x), size = sizeOf(e, x);
  Value matrix = onDiagonal(e, flat(e, x), 0, size, size, e.scalar(e.elementOf(x), 0));
  e.result(0, reshaped(e, matrix, joined(e, {dims, dims})));
}

void tensorDiagonalPart(Expansion &e) {
  Checks checks(e);
  Value x = withRank(e, checks, e.afterAllInputs(e.inputs())[0], 2);
  Value dims = dimsOf(e, x), half = e.like<nd::FloorDivOp>({rankOf(e, x), e.int32(2)});
  checks.require(e.compare<nd::EqualOp>(add(e, half, half), rankOf(e, x)),
                 "input must have an even number of dims", dims);
  half = checks.checked(half);
  Value first = part(e, dims, e.int32(0), half), second = from(e, dims, half);
  checks.require(e.compare<nd::EqualOp>(first, second),
                 "the second half of the dims must equal the first", dims);
  Value size = product(e, checks.checked(first));
  Value at = e.like<nd::MulOp>({numbersBelow(e, size), add(e, size, e.int32(1))});
  e.result(0, reshaped(e, gathered(e, flat(e, x), at, e.int32(0)), first));
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

constexpr llvm::StringLiteral kAlign = "align";

constexpr OpExpansion kOps[] = {
    {"Diag", tensorDiagonal},
    {"DiagPart", tensorDiagonalPart},
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
