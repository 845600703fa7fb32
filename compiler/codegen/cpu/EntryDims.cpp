// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Code for dims, once for each expression.
#include "compiler/codegen/cpu/EntryDims.h"

#include "compiler/codegen/cpu/CallLayout.h"

#include "mlir/Dialect/Arith/IR/Arith.h"

using namespace mlir;

namespace sluice::codegen {

EntryDims::EntryDims(ImplicitLocOpBuilder &b, const ShapeSymbols &shapes, Value inputs)
    : shapes_(shapes), entry_(b) {
  for (const ShapeSymbols::Symbol &symbol : shapes.symbols())
    symbols_.push_back(loadDim(b, inputs, symbol.input, symbol.dim));
  // Stays in front of what the other builder writes from now on.
  Value marker = arith::ConstantIndexOp::create(b, 0);
  entry_.setInsertionPoint(marker.getDefiningOp());
}

Value EntryDims::get(AffineExpr dim) {
  Value &known = known_[dim];
  if (!known)
    known = emitDim(entry_, dim, symbols_);
  return known;
}

SmallVector<Value> EntryDims::get(ArrayRef<AffineExpr> dims) {
  return llvm::map_to_vector(dims, [&](AffineExpr dim) { return get(dim); });
}

Value EntryDims::guardsHold() {
  Value all;
  for (const ShapeSymbols::Guard &guard : shapes_.guards()) {
    auto test = guard.isEquality ? arith::CmpIPredicate::eq : arith::CmpIPredicate::sge;
    Value zero = arith::ConstantIndexOp::create(entry_, 0);
    Value one = arith::CmpIOp::create(entry_, test, get(guard.value), zero);
    all = all ? Value(arith::AndIOp::create(entry_, all, one)) : one;
  }
  return all;
}

} // namespace sluice::codegen
