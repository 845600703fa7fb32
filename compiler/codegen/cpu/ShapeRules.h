// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// How the dims of an op's results follow from those of its operands: what rules are made of.
//
// A rule says what the op's shape rule in the runtime says, with expressions for dims that are not
// known. What the op would refuse, or what would need another expression (a dim of 1 that repeats),
// the rule excludes by a guard.
#pragma once

#include "compiler/codegen/cpu/ShapeSymbols.h"

#include "llvm/ADT/StringMap.h"

namespace sluice::codegen {

using ShapeRuleResults = mlir::FailureOr<llvm::SmallVector<DimExprs>>;
using ShapeRule = ShapeRuleResults (*)(mlir::Operation *, ShapeRuleContext &);
using ShapeRuleTable = llvm::StringMap<ShapeRule>;

// Of ops that only move elements.
void addMoveShapeRules(ShapeRuleTable &table);

inline void addShapeRule(ShapeRuleTable &table, ShapeRule rule,
                         std::initializer_list<llvm::StringRef> names) {
  for (llvm::StringRef name : names)
    table.insert({("nd." + name).str(), rule});
}

inline mlir::AffineExpr constantDim(mlir::Operation *op, int64_t size) {
  return mlir::getAffineConstantExpr(size, op->getContext());
}
inline bool isOne(mlir::AffineExpr dim) { return dim == 1; }
inline DimExprs copyOf(llvm::ArrayRef<mlir::AffineExpr> dims) {
  return DimExprs(dims.begin(), dims.end());
}
inline ShapeRuleResults one(DimExprs dims) { return llvm::SmallVector<DimExprs>{std::move(dims)}; }
inline void requireSameDims(mlir::Value a, mlir::Value b, ShapeRuleContext &context) {
  for (auto [x, y] : llvm::zip_equal(context.dims(a), context.dims(b)))
    context.requireEqual(x, y);
}

} // namespace sluice::codegen
