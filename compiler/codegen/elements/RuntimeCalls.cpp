// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Calls of the runtime's functions from emitted code.
#include "compiler/codegen/elements/RuntimeCalls.h"

#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/TypeUtilities.h"

using namespace mlir;

namespace sluice::codegen {

static LLVM::LLVMFuncOp declare(ImplicitLocOpBuilder &b, StringRef name, ValueRange arguments,
                                Type result) {
  auto module = b.getInsertionBlock()->getParentOp()->getParentOfType<ModuleOp>();
  if (auto known = module.lookupSymbol<LLVM::LLVMFuncOp>(name))
    return known;
  OpBuilder::InsertionGuard guard(b);
  b.setInsertionPointToStart(module.getBody());
  Type type = result ? result : LLVM::LLVMVoidType::get(b.getContext());
  auto parameters = llvm::to_vector(arguments.getTypes());
  return LLVM::LLVMFuncOp::create(b, name, LLVM::LLVMFunctionType::get(type, parameters));
}

Value callRuntime(ImplicitLocOpBuilder &b, StringRef function, ValueRange arguments, Type result) {
  auto callee = declare(b, function, arguments, result);
  auto call = LLVM::CallOp::create(b, callee, arguments);
  return result ? call.getResult() : Value();
}

static Value callPure(ImplicitLocOpBuilder &b, StringRef function, ValueRange arguments,
                      Type result) {
  auto callee = declare(b, function, arguments, result);
  auto none = LLVM::ModRefInfo::NoModRef;
  callee.setMemoryEffectsAttr(
      LLVM::MemoryEffectsAttr::get(b.getContext(), {none, none, none, none, none, none}));
  callee.setNoUnwind(true);
  callee.setWillReturn(true);
  return LLVM::CallOp::create(b, callee, arguments).getResult();
}

Value callElementFunction(ImplicitLocOpBuilder &b, StringRef op, ValueRange operands) {
  Type element = getElementTypeOrSelf(operands[0].getType());
  std::string function = ("sluice_nd_" + op + (element.isF32() ? "_f32" : "_f64")).str();
  auto type = dyn_cast<VectorType>(operands[0].getType());
  if (!type)
    return callPure(b, function, operands, element);
  SmallVector<Value> lanes;
  for (int64_t lane = 0; lane < type.getNumElements(); ++lane) {
    SmallVector<Value> arguments;
    for (Value operand : operands)
      arguments.push_back(vector::ExtractOp::create(b, operand, lane));
    lanes.push_back(callPure(b, function, arguments, element));
  }
  return vector::FromElementsOp::create(b, type, lanes);
}

} // namespace sluice::codegen
