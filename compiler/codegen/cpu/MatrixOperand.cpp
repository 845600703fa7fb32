// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Transposed matrices and parts of larger ones are taken where they lie.
#include "compiler/codegen/cpu/MatrixOperand.h"

#include "compiler/codegen/cpu/BufferViews.h"

#include "mlir/Dialect/Arith/IR/Arith.h"

using namespace mlir;

namespace sluice::codegen {

Value toI64(ImplicitLocOpBuilder &b, Value index) {
  return arith::IndexCastOp::create(b, b.getI64Type(), index);
}

MatrixOperand matrixOf(Emitter &emitter, Value value, bool transposed, AffineExpr rows,
                       AffineExpr columns) {
  Value buffer = emitter.buffer(value);
  auto type = cast<MemRefType>(buffer.getType());
  auto [strides, offset] = type.getStridesAndOffset();
  auto known = [&](int64_t stride) {
    return arith::ConstantIndexOp::create(emitter.builder(), stride);
  };
  if (type.getRank() == 2 && strides[1] == 1 && !ShapedType::isDynamic(strides[0]))
    return {buffer, known(strides[0]), transposed};
  if (type.getRank() == 2 && strides[0] == 1 && !ShapedType::isDynamic(strides[1]))
    return {buffer, known(strides[1]), !transposed};
  Value leading = emitter.dim(transposed ? rows : columns);
  return {contiguousBuffer(emitter, value), leading, transposed};
}

} // namespace sluice::codegen
