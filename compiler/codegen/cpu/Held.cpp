// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The class of a value, and its types in registers and in memory.
#include "compiler/codegen/cpu/Held.h"

#include "compiler/codegen/cpu/SmallFloats.h"

using namespace mlir;

namespace sluice::codegen {

// About eight vector registers, and no more lanes than LLVM takes apart quickly.
static constexpr int64_t kMostBytes = 256;
static constexpr int64_t kMostLanes = 64;

Type registerElementType(Type elementType) {
  if (isSmallFloat(elementType))
    return IntegerType::get(elementType.getContext(), 16);
  auto integer = dyn_cast<IntegerType>(elementType);
  return integer ? IntegerType::get(integer.getContext(), integer.getWidth()) : elementType;
}

Type memoryElementType(Type elementType) {
  Type type = registerElementType(elementType);
  return type.isInteger(1) ? IntegerType::get(type.getContext(), 8) : type;
}

bool isUnsigned(Type elementType) {
  return elementType.isUnsignedInteger() || elementType.isInteger(1);
}

unsigned bytesOf(Type elementType) {
  return (memoryElementType(elementType).getIntOrFloatBitWidth() + 7) / 8;
}

HeldKind heldKindOf(RankedTensorType type) {
  if (!type.hasStaticShape() || !type.getElementType().isIntOrFloat())
    return HeldKind::kBuffer;
  int64_t lanes = type.getNumElements();
  if (lanes == 1)
    return HeldKind::kScalar;
  int64_t bytes = lanes * bytesOf(type.getElementType());
  bool few = lanes > 1 && lanes <= kMostLanes && bytes <= kMostBytes;
  return few ? HeldKind::kVector : HeldKind::kBuffer;
}

Type registerTypeOf(RankedTensorType type) {
  Type element = registerElementType(type.getElementType());
  if (heldKindOf(type) == HeldKind::kScalar)
    return element;
  return VectorType::get({type.getNumElements()}, element);
}

MemRefType bufferTypeOf(RankedTensorType type) {
  return MemRefType::get(type.getShape(), memoryElementType(type.getElementType()));
}

LLVM::LLVMStructType descriptorTypeOf(MemRefType type) {
  MLIRContext *context = type.getContext();
  Type pointer = LLVM::LLVMPointerType::get(context), i64 = IntegerType::get(context, 64);
  SmallVector<Type> fields{pointer, pointer, i64};
  if (type.getRank() > 0)
    fields.append(2, LLVM::LLVMArrayType::get(i64, static_cast<uint64_t>(type.getRank())));
  return LLVM::LLVMStructType::getLiteral(context, fields);
}

} // namespace sluice::codegen
