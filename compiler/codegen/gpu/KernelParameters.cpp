// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What a kernel takes of the code that launches it.
#include "compiler/codegen/gpu/KernelParameters.h"

#include "compiler/codegen/plan/Held.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/IR/Matchers.h"

using namespace mlir;

namespace sluice::codegen {

namespace {

Value toI64(ImplicitLocOpBuilder &b, Value index) {
  return arith::IndexCastOp::create(b, b.getI64Type(), index);
}

// The address, then the offset and the strides that the type leaves open.
void passMemref(ImplicitLocOpBuilder &b, Value memref, SmallVectorImpl<Value> &passed) {
  auto type = cast<MemRefType>(memref.getType());
  auto [strides, offset] = type.getStridesAndOffset();
  Value descriptor =
      UnrealizedConversionCastOp::create(b, descriptorTypeOf(type), memref).getResult(0);
  auto field = [&](ArrayRef<int64_t> position) {
    passed.push_back(LLVM::ExtractValueOp::create(b, descriptor, position));
  };
  field({1});
  if (ShapedType::isDynamic(offset))
    field({2});
  for (auto [dim, stride] : llvm::enumerate(strides))
    if (ShapedType::isDynamic(stride))
      field({4, static_cast<int64_t>(dim)});
}

// The descriptor without sizes.
Value receiveMemref(ImplicitLocOpBuilder &b, MemRefType type, ValueRange &arguments) {
  auto next = [&] {
    Value first = arguments.front();
    arguments = arguments.drop_front();
    return first;
  };
  auto [strides, offset] = type.getStridesAndOffset();
  Value descriptor = LLVM::PoisonOp::create(b, descriptorTypeOf(type));
  auto set = [&](Value value, ArrayRef<int64_t> position) {
    descriptor = LLVM::InsertValueOp::create(b, descriptor, value, position);
  };
  auto known = [&](int64_t value) -> Value { return arith::ConstantIntOp::create(b, value, 64); };
  Value address = next();
  set(address, {0});
  set(address, {1});
  set(ShapedType::isDynamic(offset) ? next() : known(offset), {2});
  for (auto [dim, stride] : llvm::enumerate(strides))
    set(ShapedType::isDynamic(stride) ? next() : known(stride), {4, static_cast<int64_t>(dim)});
  return UnrealizedConversionCastOp::create(b, type, descriptor).getResult(0);
}

} // namespace

bool KernelParameters::canTake(Type type) {
  return isa<MemRefType>(type) || type.isIntOrIndexOrFloat();
}

void KernelParameters::add(Value value) {
  (matchPattern(value, m_Constant()) ? constants_ : values_).insert(value);
}

SmallVector<Value> KernelParameters::pass(ImplicitLocOpBuilder &b) {
  SmallVector<Value> passed;
  for (Value value : values_) {
    if (isa<MemRefType>(value.getType()))
      passMemref(b, value, passed);
    else if (value.getType().isIndex())
      passed.push_back(toI64(b, value));
    else if (value.getType().isInteger(1)) // of a size that both sides agree on
      passed.push_back(arith::ExtUIOp::create(b, b.getI8Type(), value));
    else
      passed.push_back(value);
  }
  types_ = llvm::to_vector(ValueRange(passed).getTypes());
  return passed;
}

SmallVector<Type> KernelParameters::types() const { return types_; }

IRMapping KernelParameters::receive(ImplicitLocOpBuilder &b, ValueRange arguments) const {
  IRMapping inside;
  for (Value value : constants_)
    inside.map(value, b.clone(*value.getDefiningOp())->getResult(0));
  for (Value value : values_) {
    if (auto type = dyn_cast<MemRefType>(value.getType())) {
      inside.map(value, receiveMemref(b, type, arguments));
      continue;
    }
    Value argument = arguments.front();
    arguments = arguments.drop_front();
    if (value.getType().isIndex())
      argument = arith::IndexCastOp::create(b, b.getIndexType(), argument);
    else if (value.getType().isInteger(1))
      argument = arith::TruncIOp::create(b, b.getI1Type(), argument);
    inside.map(value, argument);
  }
  return inside;
}

} // namespace sluice::codegen
