// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Constants and elementwise ops in registers: operands are brought to the result's shape by
// shuffles, then the arithmetic is that of one element.
#include "compiler/codegen/cpu/Lowerings.h"
#include "compiler/codegen/cpu/RegisterMoves.h"
#include "compiler/codegen/elements/ElementCode.h"
#include "dialects/interfaces/KernelOps.h"
#include "dialects/nd/Nd.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Interfaces/FunctionInterfaces.h"

using namespace mlir;

namespace sluice::codegen {

// Position in a row-major tensor of shape `from` that lands at each position of `to`.
static SmallVector<int64_t> broadcastPositions(ArrayRef<int64_t> from, ArrayRef<int64_t> to) {
  SmallVector<int64_t> positions(static_cast<size_t>(ShapedType::getNumElements(to)));
  for (size_t i = 0; i < positions.size(); ++i) {
    int64_t rest = static_cast<int64_t>(i), stride = 1;
    for (size_t d = to.size(), left = from.size(); d-- > 0 && left > 0;) {
      int64_t size = from[--left], index = rest % to[d];
      positions[i] += size == 1 ? 0 : index * stride;
      rest /= to[d];
      stride *= size;
    }
  }
  return positions;
}

// The shape with which an operand takes part in broadcasting.
static SmallVector<int64_t> broadcastShape(OpOperand &operand, RankedTensorType result) {
  SmallVector<int64_t> shape(cast<RankedTensorType>(operand.get().getType()).getShape());
  if (choosesRows(operand))
    shape.resize(static_cast<size_t>(result.getRank()), 1);
  return shape;
}

LogicalResult lowerElementsInRegisters(Operation *op, Emitter &emitter) {
  ImplicitLocOpBuilder &b = emitter.builder();
  auto result = cast<RankedTensorType>(op->getResult(0).getType());
  SmallVector<Value> operands;
  for (OpOperand &operand : op->getOpOperands()) {
    Value value = emitter.inRegister(operand.get());
    SmallVector<int64_t> shape = broadcastShape(operand, result);
    operands.push_back(moveLanes(b, value, broadcastPositions(shape, result.getShape())));
  }
  if (elementCanFail(op))
    emitter.failIf(elementFault(b, op, operands[1]), failureOf(op), op);
  emitter.define(op->getResult(0), emitElement(b, op, operands));
  return success();
}

// Whether an op may have nothing but constants as operands, as far as MLIR sees: inside of a loop
// or branch a constant from outside is one.
static bool meetsOnlyConstants(Operation *user) {
  return user->getNumRegions() > 0 || llvm::all_of(user->getOperands(), [](Value operand) {
           return static_cast<bool>(operand.getDefiningOp<nd::ConstantOp>());
         });
}

// MLIR would do arithmetic on constants itself, and keep denormals. LLVM, which sees through
// memory, knows the mode.
static Value hidden(ImplicitLocOpBuilder &b, RankedTensorType type, TypedAttr attribute) {
  Operation *function = b.getInsertionBlock()->getParentOp();
  while (!isa<FunctionOpInterface>(function))
    function = function->getParentOp();
  Value memory;
  {
    OpBuilder::InsertionGuard guard(b); // memory of an iteration would add up
    b.setInsertionPointToStart(&function->getRegion(0).front());
    Value one = LLVM::ConstantOp::create(b, b.getI64Type(), b.getI64IntegerAttr(1));
    memory = LLVM::AllocaOp::create(b, LLVM::LLVMPointerType::get(b.getContext()),
                                    attribute.getType(), one, 0);
    storeRegister(b, type, arith::ConstantOp::create(b, attribute), memory);
  }
  return loadRegister(b, type, memory);
}

LogicalResult lowerConstantInRegister(Operation *op, Emitter &emitter) {
  auto constant = cast<nd::ConstantOp>(op);
  auto type = cast<RankedTensorType>(constant.getType());
  Type element = registerElementType(type.getElementType());
  rt::Result<rt::Tensor> tensor = tensorOf(constant.getValue());
  if (!tensor.ok())
    return op->emitError() << tensor.status().message();
  auto values = cast<DenseElementsAttr>(attributeOf(op->getContext(), *tensor));
  // The same bits, as elements without sign, in a flat vector.
  if (isa<IntegerType>(element))
    values = values.bitcast(element);
  TypedAttr attribute;
  if (auto vector = dyn_cast<VectorType>(registerTypeOf(type)))
    attribute = values.reshape(vector);
  else
    attribute = cast<TypedAttr>(*values.value_begin<Attribute>());
  ImplicitLocOpBuilder &b = emitter.builder();
  bool isHidden =
      isa<FloatType>(type.getElementType()) && llvm::any_of(op->getUsers(), meetsOnlyConstants);
  emitter.define(op->getResult(0), isHidden ? hidden(b, type, attribute)
                                            : Value(arith::ConstantOp::create(b, attribute)));
  return success();
}

} // namespace sluice::codegen
