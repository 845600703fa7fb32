// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Tensors under other dims, as ops along one axis see them, and their elements in kernels.
#include "compiler/codegen/gpu/FlatBuffers.h"

#include "compiler/codegen/cpu/BufferGenerics.h"
#include "compiler/codegen/cpu/BufferViews.h"
#include "compiler/codegen/elements/ElementTypes.h"
#include "compiler/codegen/elements/SmallFloats.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"

using namespace mlir;

namespace sluice::codegen {

AffineExpr productOf(ArrayRef<AffineExpr> dims, MLIRContext *context) {
  AffineExpr product = getAffineConstantExpr(1, context);
  for (AffineExpr dim : dims)
    product = product * dim;
  return product;
}

AxisDims dimsAround(ArrayRef<AffineExpr> dims, size_t axis, MLIRContext *context) {
  return {productOf(dims.take_front(axis), context), dims[axis],
          productOf(dims.drop_front(axis + 1), context)};
}

static Value flat(Emitter &emitter, Value pointer, ArrayRef<AffineExpr> dims, Type element) {
  SmallVector<int64_t> unknown(dims.size(), ShapedType::kDynamic);
  SmallVector<Value> sizes =
      llvm::map_to_vector(dims, [&](AffineExpr dim) { return emitter.dim(dim); });
  return emitter.memrefAt(pointer, MemRefType::get(unknown, element), sizes);
}

Value flatOperand(Emitter &emitter, Value operand, ArrayRef<AffineExpr> dims) {
  Value pointer = emitter.pointerTo(contiguousBuffer(emitter, operand));
  return flat(emitter, pointer, dims, memoryElementType(elementTypeOf(operand)));
}

Value flatResult(Emitter &emitter, Value result, ArrayRef<AffineExpr> dims) {
  Value pointer = emitter.pointerTo(emitter.destination(result));
  return flat(emitter, pointer, dims, memoryElementType(elementTypeOf(result)));
}

Value flatScratch(Emitter &emitter, ArrayRef<AffineExpr> dims, Type element) {
  AffineExpr bytes =
      productOf(dims, element.getContext()) * int64_t(element.getIntOrFloatBitWidth() / 8);
  return flat(emitter, emitter.allocateBytes(bytes), dims, element);
}

Value loadNumber(ImplicitLocOpBuilder &b, Value buffer, ValueRange position, Type element) {
  Value stored = memref::LoadOp::create(b, buffer, position);
  return toComputeType(b, toRegisterForm(b, stored, element), element);
}

void storeNumber(ImplicitLocOpBuilder &b, Value number, Value buffer, ValueRange position,
                 Type element) {
  Value stored = toMemoryForm(b, fromComputeType(b, number, element));
  memref::StoreOp::create(b, stored, buffer, position);
}

Value loadUnless(ImplicitLocOpBuilder &b, Value isOutside, Value buffer, ValueRange position) {
  Type stored = cast<MemRefType>(buffer.getType()).getElementType();
  auto read = scf::IfOp::create(b, stored, isOutside, /*withElseRegion=*/true);
  OpBuilder::InsertionGuard guard(b);
  b.setInsertionPointToStart(read.thenBlock());
  scf::YieldOp::create(b, arith::ConstantOp::create(b, b.getZeroAttr(stored)).getResult());
  b.setInsertionPointToStart(read.elseBlock());
  scf::YieldOp::create(b, memref::LoadOp::create(b, buffer, position).getResult());
  return read.getResult(0);
}

Type elementTypeOf(Value tensor) { return cast<ShapedType>(tensor.getType()).getElementType(); }

} // namespace sluice::codegen
