// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Loop nests with a builder that stays where it is.
#include "compiler/codegen/cpu/ElementPositions.h"

#include "compiler/codegen/plan/Held.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"

using namespace mlir;

namespace sluice::codegen {

Value toIndex(ImplicitLocOpBuilder &b, Value number, Type elementType) {
  if (isUnsigned(elementType))
    return arith::IndexCastUIOp::create(b, b.getIndexType(), number);
  return arith::IndexCastOp::create(b, b.getIndexType(), number);
}

// Negative ones are large as unsigned numbers.
Value isOutside(ImplicitLocOpBuilder &b, Value index, Value size) {
  return arith::CmpIOp::create(b, arith::CmpIPredicate::uge, index, size);
}

static scf::LoopNest
buildLoops(ImplicitLocOpBuilder &b, ValueRange sizes, ValueRange carried,
           function_ref<scf::ValueVector(ValueRange position, ValueRange carried)> body) {
  Value zero = arith::ConstantIndexOp::create(b, 0), one = arith::ConstantIndexOp::create(b, 1);
  SmallVector<Value> lower(sizes.size(), zero), steps(sizes.size(), one);
  return scf::buildLoopNest(
      b, b.getLoc(), lower, sizes, steps, carried,
      [&](OpBuilder &nested, Location, ValueRange position, ValueRange values) {
        OpBuilder::InsertionGuard guard(b);
        b.setInsertionPoint(nested.getInsertionBlock(), nested.getInsertionPoint());
        return body(position, values);
      });
}

void forEachPosition(ImplicitLocOpBuilder &b, ValueRange sizes,
                     function_ref<void(ValueRange position)> body) {
  buildLoops(b, sizes, {}, [&](ValueRange position, ValueRange) {
    body(position);
    return scf::ValueVector();
  });
}

Value anyElement(ImplicitLocOpBuilder &b, Value buffer, ValueRange sizes,
                 function_ref<Value(Value element)> test) {
  Value none = arith::ConstantIntOp::create(b, 0, 1);
  auto look = [&](ValueRange position, ValueRange found) -> scf::ValueVector {
    Value is = test(memref::LoadOp::create(b, buffer, position));
    return {arith::OrIOp::create(b, found.front(), is)};
  };
  return buildLoops(b, sizes, none, look).results.front();
}

} // namespace sluice::codegen
