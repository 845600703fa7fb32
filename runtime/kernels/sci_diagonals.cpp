// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Kernels on diagonals of matrices: taken out as rows of equal length, and put in.
#include "runtime/base/pieces.h"
#include "runtime/kernels/arguments.h"
#include "runtime/kernels/attributes/sci.h"
#include "runtime/kernels/declare.h"
#include "runtime/kernels/movement.h"
#include "runtime/kernels/shape_rules.h"

#include <algorithm>

namespace sluice::rt {
namespace {

struct Range {
  int64_t lowest, highest;
};

Status checkRangeShape(const Shape &k) {
  bool isWrong = k.hasRank() && k.rank() > 1;
  if (k.isComplete() && k.rank() == 1)
    isWrong = k.dim(0) != 1 && k.dim(0) != 2;
  return isWrong ? invalidArgument("k must be a scalar, or a vector of one or two elements, got "
                                   "shape " +
                                   k.toString())
                 : okStatus();
}

Result<Range> rangeOf(const Tensor &k) {
  SLUICE_RETURN_IF_ERROR(checkRangeShape(k.shape()));
  Range range{k.asInt(0), k.asInt(k.elements() - 1)};
  if (range.lowest <= range.highest)
    return range;
  return invalidArgument(format("k must not fall, got [%lld, %lld]",
                                static_cast<long long>(range.lowest),
                                static_cast<long long>(range.highest)));
}

Status checkInside(int64_t diagonal, int64_t rows, int64_t columns) {
  if (diagonal == 0 || (-rows < diagonal && diagonal < columns))
    return okStatus();
  return invalidArgument(format("k is out of bound: %lld is no diagonal of a matrix of %lld x %lld",
                                static_cast<long long>(diagonal), static_cast<long long>(rows),
                                static_cast<long long>(columns)));
}

int64_t lengthOf(int64_t diagonal, int64_t rows, int64_t columns) {
  return std::min(rows + std::min<int64_t>(diagonal, 0), columns - std::max<int64_t>(diagonal, 0));
}

// The diagonals of matrices of a known size.
struct Diagonals {
  int64_t rows, columns, length; // of the longest
  Range range;

  static Result<Diagonals> make(const Shape &matrices, const Tensor &k) {
    SLUICE_ASSIGN_OR_RETURN(Range range, rangeOf(k));
    const int64_t rows = matrices.dim(matrices.rank() - 2);
    const int64_t columns = matrices.dim(matrices.rank() - 1);
    SLUICE_RETURN_IF_ERROR(checkInside(range.lowest, rows, columns));
    SLUICE_RETURN_IF_ERROR(checkInside(range.highest, rows, columns));
    const int64_t length = std::min(rows + std::min<int64_t>(range.highest, 0),
                                    columns - std::max<int64_t>(range.lowest, 0));
    return Diagonals{rows, columns, length, range};
  }
  int64_t count() const { return range.highest - range.lowest + 1; }
};

Status checkMatrices(const Shape &input) {
  return input.hasRank() && input.rank() < 2
             ? invalidArgument("input must be at least 2-dim, got shape " + input.toString())
             : okStatus();
}

// Of what comes out of matrices; of unknown rank if k may name one diagonal or several.
Result<Shape> diagonalsShapeOf(const Shape &input, const Shape &kShape, const Tensor *k) {
  SLUICE_RETURN_IF_ERROR(checkMatrices(input));
  SLUICE_RETURN_IF_ERROR(checkRangeShape(kShape));
  const bool isSingle = kShape.isComplete() && kShape.elements() == 1;
  if (!input.hasRank() || (!k && !isSingle))
    return Shape::unknownRank();
  if (!k) {
    Shape result = input;
    result.resize(input.rank() - 2);
    result.append(Shape::kUnknown);
    return result;
  }
  SLUICE_ASSIGN_OR_RETURN(Range range, rangeOf(*k));
  const int leading = input.rank() - 2;
  Shape result = input;
  result.resize(leading);
  if (range.lowest != range.highest)
    result.append(range.highest - range.lowest + 1);
  if (Sizes::isKnown(input.dim(leading)) && Sizes::isKnown(input.dim(leading + 1))) {
    SLUICE_ASSIGN_OR_RETURN(Diagonals diagonals, Diagonals::make(input, *k));
    result.append(diagonals.length);
  } else {
    result.append(Shape::kUnknown);
  }
  return result;
}

Status diagonalsShape(ShapeCall &call) {
  const Shape &padding = call.input(2);
  if (padding.hasRank() && padding.rank() != 0)
    return invalidArgument("padding must be a scalar, got shape " + padding.toString());
  SLUICE_ASSIGN_OR_RETURN(call.output(0),
                          diagonalsShapeOf(call.input(0), call.input(1), call.value(1)));
  return okStatus();
}

Status setDiagonalsShape(ShapeCall &call) {
  call.output(0) = call.input(0);
  SLUICE_ASSIGN_OR_RETURN(Shape expected,
                          diagonalsShapeOf(call.input(0), call.input(2), call.value(2)));
  Shape merged;
  if (mergeShapes(expected, call.input(1), merged, call.sizes()))
    return okStatus();
  return invalidArgument(format("diagonals must have the shape %s, got %s",
                                expected.toString().c_str(), call.input(1).toString().c_str()));
}

constexpr int64_t kCostOfElement = 32;

// Calls `move(place in the matrices, place among the diagonals)` for every element of diagonals.
template <typename Move>
void forElements(const Diagonals &of, int64_t matrices, bool rightAbove, bool rightBelow,
                 const Move &move) {
  forPieces(matrices * of.count(), costOfAll(of.length, kCostOfElement),
            [=](int64_t begin, int64_t end) {
              for (int64_t i = begin; i < end; ++i) {
                const int64_t matrix = i / of.count();
                const int64_t diagonal = of.range.highest - i % of.count();
                const int64_t length = lengthOf(diagonal, of.rows, of.columns);
                // The main one is on the left if one of both sides is.
                const bool isRight = (diagonal < 0 || rightAbove) && (diagonal > 0 || rightBelow);
                const int64_t to = i * of.length + (isRight ? of.length - length : 0);
                const int64_t from = matrix * of.rows * of.columns +
                                     std::max<int64_t>(-diagonal, 0) * of.columns +
                                     std::max<int64_t>(diagonal, 0);
                for (int64_t n = 0; n < length; ++n)
                  move(from + n * (of.columns + 1), to + n);
              }
            });
}

Status diagonalsRun(KernelCall &call) {
  const Tensor &input = call.input(0);
  Tensor &result = call.output(0);
  SLUICE_ASSIGN_OR_RETURN(Diagonals of, Diagonals::make(input.shape(), call.input(1)));
  SLUICE_RETURN_IF_ERROR(fillElements(call.input(2), result));
  if (result.elements() == 0 || input.elements() == 0)
    return okStatus();
  attributes::sci::Diagonals attributes(call);
  forElements(of, input.elements() / (of.rows * of.columns), attributes.rightAbove(),
              attributes.rightBelow(), [&](int64_t from, int64_t to) {
                (void)copyElements(input, from, result, to, 1).ok(); // no handles
              });
  return okStatus();
}

Status setDiagonalsRun(KernelCall &call) {
  const Tensor &input = call.input(0), &diagonals = call.input(1);
  Tensor &result = call.output(0);
  SLUICE_ASSIGN_OR_RETURN(Diagonals of, Diagonals::make(input.shape(), call.input(2)));
  SLUICE_RETURN_IF_ERROR(copyElements(input, 0, result, 0, input.elements()));
  if (input.elements() == 0)
    return okStatus();
  attributes::sci::SetDiagonals attributes(call);
  forElements(of, input.elements() / (of.rows * of.columns), attributes.rightAbove(),
              attributes.rightBelow(), [&](int64_t to, int64_t from) {
                (void)copyElements(diagonals, from, result, to, 1).ok(); // no handles
              });
  return okStatus();
}

} // namespace

SLUICE_DEFINE_KERNEL(sci_diagonals, {diagonalsShape, diagonalsRun})
SLUICE_DEFINE_KERNEL(sci_set_diagonals, {setDiagonalsShape, setDiagonalsRun})

} // namespace sluice::rt
