// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Functions of the math library: the polynomials of the runtime, repeated here, for the four that
// matter most; calls of the runtime for the others, an element at a time.
#include "compiler/codegen/cpu/ElementArithmetic.h"
#include "compiler/codegen/cpu/Emitter.h"
#include "compiler/codegen/cpu/MathFunctions.h"
#include "dialects/nd/Nd.h"

#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;

namespace sluice::codegen {

static bool isFloat(Operation *op) {
  return isa<FloatType>(cast<ShapedType>(op->getOperand(0).getType()).getElementType());
}

bool isMathFunction(Operation *op) {
  return isa<nd::ExpOp, nd::Expm1Op, nd::LogOp, nd::Log1pOp, nd::TanhOp, nd::SigmoidOp, nd::SinOp,
             nd::CosOp>(op) ||
         (isa<nd::PowOp, nd::FloorModOp, nd::TruncModOp>(op) && isFloat(op));
}

bool canEmitMathFunction(Operation *op) { return isFloat(op); }

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

Value Emitter::call(StringRef function, ValueRange arguments, Type result) {
  auto callee = declare(builder_, function, arguments, result);
  auto call = LLVM::CallOp::create(builder_, callee, arguments);
  return result ? call.getResult() : Value();
}

Value callPure(ImplicitLocOpBuilder &b, StringRef function, ValueRange arguments, Type result) {
  auto callee = declare(b, function, arguments, result);
  auto none = LLVM::ModRefInfo::NoModRef;
  callee.setMemoryEffectsAttr(
      LLVM::MemoryEffectsAttr::get(b.getContext(), {none, none, none, none, none, none}));
  callee.setNoUnwind(true);
  callee.setWillReturn(true);
  return LLVM::CallOp::create(b, callee, arguments).getResult();
}

Value emitMathFunction(ImplicitLocOpBuilder &b, Operation *op, ValueRange operands) {
  if (Value result = emitMath(b, op, operands[0]))
    return result;
  Type element = getElementTypeOrSelf(operands[0].getType());
  std::string function =
      "sluice_math_" + op->getName().stripDialect().str() + (element.isF32() ? "_f32" : "_f64");
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
