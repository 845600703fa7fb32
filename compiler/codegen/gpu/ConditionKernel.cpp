// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// sluice_set_condition(address of a word, handle of a condition).
#include "compiler/codegen/gpu/ConditionKernel.h"

#include "compiler/codegen/gpu/LoopWords.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"

using namespace mlir;

namespace sluice::codegen {

void addConditionKernel(ModuleOp code) {
  ImplicitLocOpBuilder b(code.getLoc(), code.getContext());
  b.setInsertionPointToEnd(code.getBody());
  code->setAttr(gpu::GPUDialect::getContainerModuleAttrName(), b.getUnitAttr());
  auto module = gpu::GPUModuleOp::create(b, kConditionsModule);
  b.setInsertionPointToEnd(module.getBody());
  Type i64 = b.getI64Type(), i32 = b.getI32Type(),
       pointer = LLVM::LLVMPointerType::get(b.getContext());
  Type nothing = LLVM::LLVMVoidType::get(b.getContext());
  // Of the driver, which resolves it when the module is loaded.
  auto set = LLVM::LLVMFuncOp::create(b, "cudaGraphSetConditional",
                                      LLVM::LLVMFunctionType::get(nothing, {i64, i32}));
  auto kernel =
      gpu::GPUFuncOp::create(b, "sluice_set_condition", b.getFunctionType({pointer, i64}, {}));
  kernel->setAttr(gpu::GPUDialect::getKernelFuncAttrName(), b.getUnitAttr());
  kernel.setKnownBlockSizeAttr(b.getDenseI32ArrayAttr({1, 1, 1}));
  b.setInsertionPointToStart(&kernel.getBody().front());
  Value one = LoopWords::loadWord(b, kernel.getArgument(0), 0, b.getI1Type());
  LLVM::CallOp::create(b, set,
                       ValueRange{kernel.getArgument(1), arith::ExtUIOp::create(b, i32, one)});
  gpu::ReturnOp::create(b);
}

} // namespace sluice::codegen
