// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Words of the kernels of a loop on a card.
#include "compiler/codegen/gpu/LoopWords.h"

#include "compiler/codegen/plan/Held.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"

using namespace mlir;

namespace sluice::codegen {

// Where in a descriptor what the type leaves open stands: the address, an offset, sizes, strides.
static SmallVector<SmallVector<int64_t, 2>> openFields(MemRefType type) {
  auto [strides, offset] = type.getStridesAndOffset();
  SmallVector<SmallVector<int64_t, 2>> fields{{1}};
  if (ShapedType::isDynamic(offset))
    fields.push_back({2});
  for (auto [dim, size] : llvm::enumerate(type.getShape()))
    if (ShapedType::isDynamic(size))
      fields.push_back({3, static_cast<int64_t>(dim)});
  for (auto [dim, stride] : llvm::enumerate(strides))
    if (ShapedType::isDynamic(stride))
      fields.push_back({4, static_cast<int64_t>(dim)});
  return fields;
}

Value LoopWords::resolve(Value value) const {
  for (Value other = aliases_.lookup(value); other; other = aliases_.lookup(value))
    value = other;
  return value;
}

ArrayRef<unsigned> LoopWords::of(Value value) {
  value = resolve(value);
  auto [entry, isNew] = words_.try_emplace(value);
  if (isNew) {
    auto type = dyn_cast<MemRefType>(value.getType());
    for (size_t left = type ? openFields(type).size() : 1; left > 0; --left)
      entry->second.push_back(add());
  }
  return entry->second;
}

Value LoopWords::address(ImplicitLocOpBuilder &b, Value memory, unsigned word) {
  return LLVM::GEPOp::create(b, memory.getType(), b.getI64Type(), memory,
                             ArrayRef<LLVM::GEPArg>{static_cast<int32_t>(word)},
                             LLVM::GEPNoWrapFlags::inbounds);
}

Value LoopWords::loadWord(ImplicitLocOpBuilder &b, Value memory, unsigned word, Type type) {
  Type stored = type.isIndex() ? b.getI64Type() : type.isInteger(1) ? b.getI8Type() : type;
  Value value = LLVM::LoadOp::create(b, stored, address(b, memory, word));
  if (type.isIndex())
    return arith::IndexCastOp::create(b, type, value);
  return type.isInteger(1) ? arith::TruncIOp::create(b, type, value) : value;
}

void LoopWords::storeWord(ImplicitLocOpBuilder &b, Value memory, unsigned word, Value number) {
  if (number.getType().isIndex())
    number = arith::IndexCastOp::create(b, b.getI64Type(), number);
  else if (number.getType().isInteger(1))
    number = arith::ExtUIOp::create(b, b.getI8Type(), number);
  LLVM::StoreOp::create(b, number, address(b, memory, word));
}

Value LoopWords::load(ImplicitLocOpBuilder &b, Value memory, Value value) {
  value = resolve(value);
  ArrayRef<unsigned> words = of(value);
  auto type = dyn_cast<MemRefType>(value.getType());
  if (!type)
    return loadWord(b, memory, words.front(), value.getType());
  auto [strides, offset] = type.getStridesAndOffset();
  Value descriptor = LLVM::PoisonOp::create(b, descriptorTypeOf(type));
  auto set = [&](Value field, ArrayRef<int64_t> position) {
    descriptor = LLVM::InsertValueOp::create(b, descriptor, field, position);
  };
  auto setKnown = [&](int64_t number, ArrayRef<int64_t> position) {
    if (!ShapedType::isDynamic(number))
      set(arith::ConstantIntOp::create(b, number, 64), position);
  };
  setKnown(offset, {2});
  for (int64_t dim = 0; dim < type.getRank(); ++dim) {
    setKnown(type.getDimSize(static_cast<unsigned>(dim)), {3, dim});
    setKnown(strides[static_cast<size_t>(dim)], {4, dim});
  }
  Type pointer = LLVM::LLVMPointerType::get(b.getContext());
  for (auto [field, word] : llvm::zip_equal(openFields(type), words)) {
    bool isAddress = field[0] == 1;
    Value open = loadWord(b, memory, word, isAddress ? pointer : Type(b.getI64Type()));
    set(open, field);
    if (isAddress)
      set(open, {0});
  }
  return UnrealizedConversionCastOp::create(b, type, descriptor).getResult(0);
}

void LoopWords::store(ImplicitLocOpBuilder &b, Value memory, Value value, Value current) {
  ArrayRef<unsigned> words = of(value);
  auto type = dyn_cast<MemRefType>(resolve(value).getType());
  if (!type)
    return storeWord(b, memory, words.front(), current);
  Value descriptor =
      UnrealizedConversionCastOp::create(b, descriptorTypeOf(type), current).getResult(0);
  for (auto [field, word] : llvm::zip_equal(openFields(type), words))
    storeWord(b, memory, word, LLVM::ExtractValueOp::create(b, descriptor, field));
}

} // namespace sluice::codegen
