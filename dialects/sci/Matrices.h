// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What derivatives of ops on matrices are made of. Matrices are the last two dims of values, also
// where the rank is not known.
#pragma once

#include "dialects/nd/Formulas.h"
#include "dialects/nd/SizeArithmetic.h"

namespace sluice::sci {

using mlir::Value;

// The size of an axis, which is counted from the end: -1 is the last one.
inline Value sizeOfAxis(Gradient &g, Value x, int64_t axis) {
  return nd::part(g, g.shapeOf(x), nd::sum(g, nd::rankOf(g, x), g.ints({axis})), g.ints({1}));
}

// ---- Products -----------------------------------------------------------------------------------

enum class Side : uint8_t { kNeither, kLeft, kRight };

// One of the factors may be turned around, and conjugated.
inline Value product(Gradient &g, Value a, Value b, Side adjoint = Side::kNeither) {
  const bool isComplex = llvm::isa<mlir::ComplexType>(Gradient::elementOf(a));
  const bool left = adjoint == Side::kLeft, right = adjoint == Side::kRight;
  return g.like<nd::MatmulOp>({a, b}, {g.flag("transpose_lhs", left && !isComplex),
                                       g.flag("transpose_rhs", right && !isComplex),
                                       g.flag("adjoint_lhs", left && isComplex),
                                       g.flag("adjoint_rhs", right && isComplex)});
}

inline Value adjoint(Gradient &g, Value x) {
  Value order;
  if (auto type = llvm::dyn_cast<mlir::RankedTensorType>(x.getType())) {
    nd::Ints axes = llvm::to_vector(llvm::seq<int64_t>(0, type.getRank()));
    if (axes.size() >= 2) // else the op itself fails
      std::swap(axes[axes.size() - 1], axes[axes.size() - 2]);
    order = g.ints(axes);
  } else {
    Value rank = nd::rankOf(g, x);
    order = nd::joined(g, {nd::numbersBelow(g, nd::sum(g, rank, g.ints({-2}))),
                           nd::sum(g, rank, g.ints({-1})), nd::sum(g, rank, g.ints({-2}))});
  }
  return g.like<nd::TransposeOp>({x, order}, g.flag("conjugate", true));
}

// ---- Triangles and diagonals --------------------------------------------------------------------

// Where the row's number and the column's compare so.
template <typename CompareOp> Value isWhere(Gradient &g, Value rows, Value columns) {
  Value row = g.like<nd::ExpandDimsOp>({nd::numbersBelow(g, rows), g.int64(-1)});
  return g.one<CompareOp>(g.builder().getI1Type(), {row, nd::numbersBelow(g, columns)});
}
template <typename CompareOp> Value whereOf(Gradient &g, Value x) {
  return isWhere<CompareOp>(g, sizeOfAxis(g, x, -2), sizeOfAxis(g, x, -1));
}
// Those elements, and elsewhere zeros.
template <typename CompareOp> Value onlyWhere(Gradient &g, Value x) {
  return nd::whereHolds(g, whereOf<CompareOp>(g, x), x);
}
inline Value lowerPart(Gradient &g, Value x) { return onlyWhere<nd::GreaterEqualOp>(g, x); }
inline Value diagonalPart(Gradient &g, Value x) { return onlyWhere<nd::EqualOp>(g, x); }

inline Value withHalvedDiagonal(Gradient &g, Value x) {
  return nd::formula::select(g, whereOf<nd::EqualOp>(g, x),
                             nd::formula::mul(g, nd::formula::numberLike(g, x, 0.5), x), x);
}
// A row for each vector, and a column.
inline Value asRows(Gradient &g, Value x) { return g.like<nd::ExpandDimsOp>({x, g.int64(-2)}); }
inline Value asColumns(Gradient &g, Value x) { return g.like<nd::ExpandDimsOp>({x, g.int64(-1)}); }
// Vectors as diagonals of square matrices.
inline Value asDiagonals(Gradient &g, Value x) {
  Value size = sizeOfAxis(g, x, -1);
  return nd::whereHolds(g, isWhere<nd::EqualOp>(g, size, size), asRows(g, x));
}
// Of so many rows and columns.
inline Value identity(Gradient &g, Value size, mlir::Type element) {
  return nd::formula::select(g, isWhere<nd::EqualOp>(g, size, size), g.scalar(element, 1),
                             g.scalar(element, 0));
}

} // namespace sluice::sci
