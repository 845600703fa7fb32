// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The dims of every value in a codelet, as expressions of the dims of its inputs.
//
// Each unknown dim of an input is a symbol. What an op needs of its operands' dims and what does
// not follow from the expressions becomes a guard, which is checked when the codelet starts:
// nothing in it runs unless all guards hold.
#pragma once

#include "dialects/flow/Flow.h"

#include "mlir/IR/AffineExpr.h"
#include "mlir/IR/ImplicitLocOpBuilder.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/MapVector.h"

namespace sluice::codegen {

using DimExprs = llvm::SmallVector<mlir::AffineExpr>;

// Of a branch, loop or codelet: which dims of its operands are equal, though code could not tell:
// the position of an operand, a dim of it, or of the rows of a list, and the number of a class, for
// each dim that is in one.
inline constexpr llvm::StringLiteral kSameDimsAttr = "codegen.same_dims";
struct ClassedDim {
  unsigned operand, dim;
  int64_t number;
};
llvm::SmallVector<ClassedDim> sameDims(mlir::Operation *op);
void setSameDims(mlir::Operation *op, llvm::ArrayRef<ClassedDim> dims);

class ShapeSymbols {
public:
  // Where a symbol's number is found.
  struct Symbol {
    unsigned input, dim;
  };
  // `value` must be 0, or at least 0.
  struct Guard {
    mlir::AffineExpr value;
    bool isEquality;
    bool operator==(const Guard &other) const = default;
  };

  // Fails when a dim is no expression of input dims, when sizes that are known rule out what an op
  // needs of them, or when there are guards in a codelet with branches or loops, which cannot be
  // left.
  static mlir::FailureOr<ShapeSymbols> of(flow::CodeletOp codelet);

  // What `of` stumbles over in a codelet with branches or loops: an op whose dims cannot be found
  // or only under guards, a branch whose two ways differ, or the argument for a value that a loop
  // carries, whose dims change. None if `of` succeeds.
  struct Culprit {
    mlir::Operation *op;
    mlir::Value argument;
  };
  static llvm::SmallVector<Culprit> culprits(flow::CodeletOp codelet);

  llvm::ArrayRef<mlir::AffineExpr> dims(mlir::Value value) const;
  bool areKnown(mlir::Value value) const { return dims_.contains(value); }
  bool haveSameDims(mlir::Value a, mlir::Value b) const { return dims(a) == dims(b); }
  // Of a row of the list in a cell; none where nothing is ever put there.
  llvm::ArrayRef<mlir::AffineExpr> rowDims(unsigned cell) const;
  llvm::ArrayRef<Symbol> symbols() const { return symbols_; }
  llvm::ArrayRef<Guard> guards() const { return guards_; }

private:
  friend class ShapeAnalysis;
  llvm::DenseMap<mlir::Value, DimExprs> dims_;
  llvm::DenseMap<unsigned, DimExprs> rows_; // by cell
  llvm::SmallVector<Symbol> symbols_;
  llvm::SmallVector<Guard> guards_;
};

// What the rules of ops see (DimRules.cpp).
class ShapeRuleContext {
public:
  virtual ~ShapeRuleContext() = default;
  virtual llvm::ArrayRef<mlir::AffineExpr> dims(mlir::Value value) const = 0;
  virtual void requireEqual(mlir::AffineExpr a, mlir::AffineExpr b) = 0;
  virtual void requireNotNegative(mlir::AffineExpr value) = 0;
};

// The dims of an op's results, one list for each; fails when they depend on more than dims.
mlir::FailureOr<llvm::SmallVector<DimExprs>> inferDims(mlir::Operation *op,
                                                       ShapeRuleContext &context);

// The value to whose shape an nd.fill asks for that of its result, and nothing else is known of it;
// null for others. The nd.shape has to be in the codelet, as it is in the region of a loop.
mlir::Value filledLike(mlir::Operation *op);

// Code for an expression; `symbols` are index values.
mlir::Value emitDim(mlir::ImplicitLocOpBuilder &b, mlir::AffineExpr dim, mlir::ValueRange symbols);

} // namespace sluice::codegen
