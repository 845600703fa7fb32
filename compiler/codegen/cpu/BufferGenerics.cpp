// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Builds linalg.generic ops between buffers of codelets.
#include "compiler/codegen/cpu/BufferGenerics.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/IR/TypeUtilities.h"

using namespace mlir;

namespace sluice::codegen {

void buildGeneric(ImplicitLocOpBuilder &b, unsigned loops, ArrayRef<GenericOperand> inputs,
                  ArrayRef<GenericOperand> outputs,
                  function_ref<SmallVector<Value>(ValueRange)> body) {
  SmallVector<Value> ins, outs;
  SmallVector<AffineMap> maps;
  for (const GenericOperand &input : inputs) {
    ins.push_back(input.buffer);
    maps.push_back(input.map);
  }
  for (const GenericOperand &output : outputs) {
    outs.push_back(output.buffer);
    maps.push_back(output.map);
  }
  SmallVector<utils::IteratorType> iterators(loops, utils::IteratorType::parallel);
  auto op = linalg::GenericOp::create(b, ins, outs, maps, iterators);
  // The op stands in its function before its body is made, so that the body can declare functions.
  OpBuilder::InsertionGuard guard(b);
  SmallVector<Type> types;
  for (Value operand : op->getOperands())
    types.push_back(getElementTypeOrSelf(operand.getType()));
  SmallVector<Location> locations(types.size(), op.getLoc());
  Block *block = b.createBlock(&op.getRegion(), op.getRegion().end(), types, locations);
  linalg::YieldOp::create(b, body(block->getArguments().take_front(ins.size())));
}

static bool isIdentity(Value buffer) {
  return cast<MemRefType>(buffer.getType()).getLayout().isIdentity();
}

void copyBuffer(ImplicitLocOpBuilder &b, Value from, Value to) {
  if (isIdentity(from) && isIdentity(to)) {
    memref::CopyOp::create(b, from, to);
    return;
  }
  unsigned rank = static_cast<unsigned>(cast<MemRefType>(to.getType()).getRank());
  AffineMap map = b.getMultiDimIdentityMap(rank);
  buildGeneric(b, rank, {{from, map}}, {{to, map}},
               [](ValueRange elements) { return SmallVector<Value>(elements); });
}

void fillBuffer(ImplicitLocOpBuilder &b, Value scalar, Value to) {
  unsigned rank = static_cast<unsigned>(cast<MemRefType>(to.getType()).getRank());
  AffineMap none = AffineMap::get(rank, 0, b.getContext());
  buildGeneric(b, rank, {{scalar, none}}, {{to, b.getMultiDimIdentityMap(rank)}},
               [](ValueRange elements) { return SmallVector<Value>(elements); });
}

Value toRegisterForm(ImplicitLocOpBuilder &b, Value inMemory, Type elementType) {
  if (!elementType.isInteger(1) || inMemory.getType().isInteger(1))
    return inMemory;
  Value zero = arith::ConstantOp::create(b, b.getZeroAttr(inMemory.getType()));
  return arith::CmpIOp::create(b, arith::CmpIPredicate::ne, inMemory, zero);
}

Value toMemoryForm(ImplicitLocOpBuilder &b, Value inRegister) {
  if (!inRegister.getType().isInteger(1))
    return inRegister;
  return arith::ExtUIOp::create(b, b.getI8Type(), inRegister);
}

} // namespace sluice::codegen
