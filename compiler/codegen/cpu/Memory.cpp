// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Between registers, pointers and memrefs.
#include "compiler/codegen/cpu/Emitter.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"

using namespace mlir;

namespace sluice::codegen {

// A scalar or vector type with another element type.
static Type withElement(Type type, Type element) {
  auto vector = dyn_cast<VectorType>(type);
  return vector ? VectorType::get(vector.getShape(), element) : element;
}

static Type memoryRegisterType(RankedTensorType type) {
  return withElement(registerTypeOf(type), memoryElementType(type.getElementType()));
}

// Memory of the runtime and slots of loops are aligned to their elements.
Value loadRegister(ImplicitLocOpBuilder &b, RankedTensorType type, Value pointer) {
  Type stored = memoryRegisterType(type);
  Value value = LLVM::LoadOp::create(b, stored, pointer, bytesOf(type.getElementType()));
  if (!type.getElementType().isInteger(1))
    return value;
  Value zero = arith::ConstantOp::create(b, b.getZeroAttr(stored));
  return arith::CmpIOp::create(b, arith::CmpIPredicate::ne, value, zero);
}

void storeRegister(ImplicitLocOpBuilder &b, RankedTensorType type, Value value, Value pointer) {
  if (type.getElementType().isInteger(1))
    value = arith::ExtUIOp::create(b, memoryRegisterType(type), value);
  LLVM::StoreOp::create(b, value, pointer, bytesOf(type.getElementType()));
}

static Value toI64(ImplicitLocOpBuilder &b, Value index) {
  return arith::IndexCastOp::create(b, b.getI64Type(), index);
}
static Value constantI64(ImplicitLocOpBuilder &b, int64_t value) {
  return arith::ConstantIntOp::create(b, value, 64);
}

Value Emitter::memrefAt(Value pointer, MemRefType type, ValueRange dims) {
  ImplicitLocOpBuilder &b = builder_;
  Value result = LLVM::PoisonOp::create(b, descriptorTypeOf(type));
  auto set = [&](Value value, ArrayRef<int64_t> position) {
    result = LLVM::InsertValueOp::create(b, result, value, position);
  };
  set(pointer, {0});
  set(pointer, {1});
  set(constantI64(b, 0), {2});
  Value stride = constantI64(b, 1);
  for (int64_t dim = type.getRank() - 1; dim >= 0; --dim) {
    Value size = type.isDynamicDim(static_cast<unsigned>(dim))
                     ? toI64(b, dims[static_cast<size_t>(dim)])
                     : constantI64(b, type.getDimSize(static_cast<unsigned>(dim)));
    set(size, {3, dim});
    set(stride, {4, dim});
    if (dim > 0)
      stride = b.createOrFold<arith::MulIOp>(stride, size);
  }
  return UnrealizedConversionCastOp::create(b, type, result).getResult(0);
}

Value Emitter::pointerTo(Value memref) {
  ImplicitLocOpBuilder &b = builder_;
  auto type = cast<MemRefType>(memref.getType());
  Value descriptor =
      UnrealizedConversionCastOp::create(b, descriptorTypeOf(type), memref).getResult(0);
  Value pointer = LLVM::ExtractValueOp::create(b, descriptor, ArrayRef<int64_t>{1});
  if (type.getLayout().isIdentity())
    return pointer;
  Value offset = LLVM::ExtractValueOp::create(b, descriptor, ArrayRef<int64_t>{2});
  return LLVM::GEPOp::create(b, pointer.getType(), type.getElementType(), pointer,
                             ArrayRef<LLVM::GEPArg>{offset}, LLVM::GEPNoWrapFlags::inbounds);
}

} // namespace sluice::codegen
