// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Constants that are too large for registers: data of the object file.
#include "compiler/codegen/cpu/Lowerings.h"

#include "dialects/interfaces/KernelOps.h"
#include "dialects/nd/Nd.h"

#include "mlir/Dialect/LLVMIR/LLVMDialect.h"

using namespace mlir;

namespace sluice::codegen {

namespace {

// The elements as bytes, a type that every element type can be read from. Behind the functions,
// which are looked for by name.
LLVM::GlobalOp addData(ImplicitLocOpBuilder &b, ModuleOp module, StringRef name, StringRef bytes) {
  OpBuilder::InsertionGuard guard(b);
  b.setInsertionPointToEnd(module.getBody());
  auto type = LLVM::LLVMArrayType::get(b.getI8Type(), bytes.size());
  return LLVM::GlobalOp::create(b, type, /*isConstant=*/true, LLVM::Linkage::Private, name,
                                b.getStringAttr(bytes), /*alignment=*/64);
}

LogicalResult lowerConstant(Operation *op, Emitter &emitter) {
  ImplicitLocOpBuilder &b = emitter.builder();
  auto constant = cast<nd::ConstantOp>(op);
  auto type = cast<RankedTensorType>(constant.getType());
  rt::Result<rt::Tensor> tensor = tensorOf(constant.getValue());
  if (!tensor.ok())
    return op->emitError() << tensor.status().message();
  auto module = b.getInsertionBlock()->getParentOp()->getParentOfType<ModuleOp>();
  StringRef bytes(static_cast<const char *>(tensor->raw()), tensor->bytes());
  LLVM::GlobalOp data = addData(b, module, emitter.newDataName(), bytes);
  Value address = LLVM::AddressOfOp::create(b, data);
  emitter.define(constant.getResult(),
                 Held(type, emitter.memrefAt(address, bufferTypeOf(type),
                                             emitter.dims(constant.getResult()))));
  return success();
}

} // namespace

template <> LogicalResult lower(nd::ConstantOp op, Emitter &emitter) {
  return lowerConstant(op, emitter);
}

} // namespace sluice::codegen
