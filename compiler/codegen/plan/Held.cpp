// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The class of a value, and the types of values in registers and in memory.
#include "compiler/codegen/plan/Held.h"

#include "dialects/wire/Memory.h"

using namespace mlir;

namespace sluice::codegen {

// About eight vector registers, and no more lanes than LLVM takes apart quickly.
static constexpr int64_t kMostBytes = 256;
static constexpr int64_t kMostLanes = 64;

HeldKind heldKindOf(RankedTensorType type) {
  if (!type.hasStaticShape() || !type.getElementType().isIntOrFloat() || wire::cardOf(type))
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
