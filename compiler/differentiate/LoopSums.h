// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Sums that a mirror carries: of what its iterations give to the derivative of what the loop
// captures.
//
// A product onto a sum can be the next link of the chains that the sum is made of. Then all
// products of the loop are one, of the rows and columns of all iterations. What goes to a few rows
// of the sum, as the derivative of chosen rows does, is added there and not to all of them.
#pragma once

#include "compiler/differentiate/Mirror.h"

#include "dialects/nd/Nd.h"

namespace sluice::differentiate {

// Whether the product could go on with chains of others: those of 16-bit floats are rounded after
// each product, so they end there.
bool canBeLink(nd::MatmulOp product);

class LoopSums {
public:
  // `parts` are all that an iteration gives; one that is there twice is computed once.
  LoopSums(Products products, llvm::ArrayRef<mlir::Value> parts);

  // The sum and one of the parts.
  mlir::Value add(mlir::OpBuilder &b, mlir::Location loc, mlir::Value sum, mlir::Value part);
  // The products that became links of chains.
  llvm::ArrayRef<mlir::Value> joined() const { return joined_; }

private:
  bool goesOn(mlir::Value sum, mlir::Value part) const;
  bool isLink(mlir::Value part) const;
  bool isAlone(mlir::Value part) const;
  mlir::Value addRows(mlir::OpBuilder &b, mlir::Location loc, mlir::Value sum, mlir::Value part);

  Products products_;
  llvm::DenseMap<mlir::Value, unsigned> count_;
  llvm::SmallVector<mlir::Value> joined_;
};

} // namespace sluice::differentiate
