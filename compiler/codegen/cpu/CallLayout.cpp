// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The structures of the codelet interface as types of the llvm dialect.
#include "compiler/codegen/cpu/CallLayout.h"

#include "mlir/Dialect/Arith/IR/Arith.h"

using namespace mlir;

namespace sluice::codegen {

static Type pointerType(OpBuilder &b) { return LLVM::LLVMPointerType::get(b.getContext()); }

static LLVM::LLVMStructType callType(OpBuilder &b) {
  Type pointer = pointerType(b), i64 = b.getI64Type();
  return LLVM::LLVMStructType::getLiteral(
      b.getContext(),
      {pointer, pointer, pointer, i64, i64, b.getI32Type(), pointer, pointer, pointer, pointer});
}
// Of both SluiceTensorRef and SluiceOutputRef: data, dims.
static LLVM::LLVMStructType tensorType(OpBuilder &b) {
  return LLVM::LLVMStructType::getLiteral(b.getContext(), {pointerType(b), pointerType(b)});
}

static LLVM::LLVMStructType listType(OpBuilder &b) {
  Type pointer = pointerType(b), i64 = b.getI64Type();
  return LLVM::LLVMStructType::getLiteral(b.getContext(),
                                          {pointer, pointer, i64, i64, i64, i64, pointer, pointer});
}

static Value addressOf(ImplicitLocOpBuilder &b, Type type, Value base, int32_t index,
                       int32_t field) {
  return LLVM::GEPOp::create(b, pointerType(b), type, base, ArrayRef<LLVM::GEPArg>{index, field},
                             LLVM::GEPNoWrapFlags::inbounds);
}
static Value addressOf(ImplicitLocOpBuilder &b, Value call, CallField field) {
  return addressOf(b, callType(b), call, 0, static_cast<int32_t>(field));
}

Value loadCallField(ImplicitLocOpBuilder &b, Value call, CallField field) {
  Type type = callType(b).getBody()[static_cast<size_t>(field)];
  return LLVM::LoadOp::create(b, type, addressOf(b, call, field));
}

void storeCallField(ImplicitLocOpBuilder &b, Value call, CallField field, Value value) {
  LLVM::StoreOp::create(b, value, addressOf(b, call, field));
}

Value isCancelled(ImplicitLocOpBuilder &b, Value cancel) {
  Value word =
      LLVM::LoadOp::create(b, b.getI32Type(), cancel, /*alignment=*/4, /*isVolatile=*/false,
                           /*isNonTemporal=*/false, /*isInvariant=*/false,
                           /*isInvariantGroup=*/false, LLVM::AtomicOrdering::monotonic);
  return arith::CmpIOp::create(b, arith::CmpIPredicate::ne, word,
                               arith::ConstantIntOp::create(b, 0, 32));
}

Value loadData(ImplicitLocOpBuilder &b, Value tensors, unsigned position) {
  Value address = addressOf(b, tensorType(b), tensors, static_cast<int32_t>(position), 0);
  return LLVM::LoadOp::create(b, pointerType(b), address);
}

static Value dimAddress(ImplicitLocOpBuilder &b, Value tensors, unsigned position, unsigned dim) {
  Value address = addressOf(b, tensorType(b), tensors, static_cast<int32_t>(position), 1);
  Value dims = LLVM::LoadOp::create(b, pointerType(b), address);
  return LLVM::GEPOp::create(b, pointerType(b), b.getI64Type(), dims,
                             ArrayRef<LLVM::GEPArg>{static_cast<int32_t>(dim)},
                             LLVM::GEPNoWrapFlags::inbounds);
}

Value loadDim(ImplicitLocOpBuilder &b, Value tensors, unsigned position, unsigned dim) {
  Value size = LLVM::LoadOp::create(b, b.getI64Type(), dimAddress(b, tensors, position, dim));
  return arith::IndexCastOp::create(b, b.getIndexType(), size);
}

void storeDim(ImplicitLocOpBuilder &b, Value outputs, unsigned position, unsigned dim, Value size) {
  Value wide = arith::IndexCastOp::create(b, b.getI64Type(), size);
  LLVM::StoreOp::create(b, wide, dimAddress(b, outputs, position, dim));
}

// ---- Lists --------------------------------------------------------------------------------------

Value listAt(ImplicitLocOpBuilder &b, Value lists, unsigned position) {
  return LLVM::GEPOp::create(b, pointerType(b), listType(b), lists,
                             ArrayRef<LLVM::GEPArg>{static_cast<int32_t>(position)},
                             LLVM::GEPNoWrapFlags::inbounds);
}

static Value addressOf(ImplicitLocOpBuilder &b, Value list, ListField field) {
  return addressOf(b, listType(b), list, 0, static_cast<int32_t>(field));
}

Value loadListField(ImplicitLocOpBuilder &b, Value list, ListField field) {
  Type type = listType(b).getBody()[static_cast<size_t>(field)];
  return LLVM::LoadOp::create(b, type, addressOf(b, list, field));
}

void storeRowDim(ImplicitLocOpBuilder &b, Value list, unsigned dim, Value size) {
  Value dims = loadListField(b, list, ListField::kDims);
  Value address = LLVM::GEPOp::create(b, pointerType(b), b.getI64Type(), dims,
                                      ArrayRef<LLVM::GEPArg>{static_cast<int32_t>(dim)},
                                      LLVM::GEPNoWrapFlags::inbounds);
  LLVM::StoreOp::create(b, arith::IndexCastOp::create(b, b.getI64Type(), size), address);
}

void storeListField(ImplicitLocOpBuilder &b, Value list, ListField field, Value value) {
  LLVM::StoreOp::create(b, value, addressOf(b, list, field));
}

} // namespace sluice::codegen
