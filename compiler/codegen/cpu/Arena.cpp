// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Offsets of slots.
#include "compiler/codegen/cpu/Arena.h"

#include "compiler/codegen/cpu/EntryDims.h"
#include "compiler/codegen/plan/Held.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;

namespace sluice::codegen {

static constexpr uint64_t kSlotAlignment = 64;

static Value constantI64(ImplicitLocOpBuilder &b, int64_t value) {
  return arith::ConstantIntOp::create(b, value, 64);
}
static Value addressAt(ImplicitLocOpBuilder &b, Value base, LLVM::GEPArg offset) {
  return LLVM::GEPOp::create(b, base.getType(), b.getI8Type(), base, ArrayRef<LLVM::GEPArg>{offset},
                             LLVM::GEPNoWrapFlags::inbounds);
}

Arena::Arena(EntryDims &dims, Value base) : dims_(dims), base_(base) {}

// Rounded up to whole alignments.
Value Arena::bytesOf(ImplicitLocOpBuilder &b, const Slot &slot, EntryDims &dims) {
  Value bytes = constantI64(b, slot.elementBytes);
  for (AffineExpr dim : slot.dims)
    bytes = arith::MulIOp::create(b, bytes,
                                  arith::IndexCastOp::create(b, b.getI64Type(), dims.get(dim)));
  auto mask = static_cast<int64_t>(kSlotAlignment - 1);
  Value above = arith::AddIOp::create(b, bytes, constantI64(b, mask));
  return arith::AndIOp::create(b, above, constantI64(b, ~mask));
}

// The first gap that is large enough, else behind all.
int64_t Arena::allocateStatic(int64_t bytes, size_t lastUse, bool fresh) {
  llvm::erase_if(static_, [&](const StaticSlot &slot) { return slot.lastUse < now_; });
  int64_t begin = fresh ? staticBytes_ : 0;
  auto place = static_.begin();
  for (; place != static_.end() && (fresh || place->begin < begin + bytes); ++place)
    begin = std::max(begin, place->end);
  static_.insert(place, {begin, begin + bytes, lastUse});
  staticBytes_ = std::max(staticBytes_, begin + bytes);
  return begin;
}

Value Arena::allocate(ImplicitLocOpBuilder &b, MemRefType type, ArrayRef<AffineExpr> dims,
                      size_t lastUse, bool fresh) {
  unsigned elementBytes = codegen::bytesOf(type.getElementType());
  if (type.hasStaticShape()) {
    uint64_t bytes = static_cast<uint64_t>(type.getNumElements()) * elementBytes;
    auto aligned = static_cast<int64_t>(llvm::alignTo(bytes, kSlotAlignment));
    return addressAt(b, base_, constantI64(b, allocateStatic(aligned, lastUse, fresh)));
  }
  for (Slot &slot : dynamic_)
    if (!fresh && slot.lastUse < now_ && slot.elementBytes == elementBytes &&
        ArrayRef(slot.dims) == dims) {
      slot.lastUse = lastUse;
      return slot.address;
    }
  // All of it at the entry: the slot may be asked for in a branch, and the next one elsewhere.
  Slot slot{SmallVector<AffineExpr>(dims), elementBytes, lastUse, Value()};
  dims_.get(dims);
  ImplicitLocOpBuilder &entry = dims_.entry();
  if (!firstOffset_)
    firstOffset_ = dynamicOffset_ = constantI64(entry, 0);
  slot.address = addressAt(entry, base_, dynamicOffset_);
  dynamicOffset_ = arith::AddIOp::create(entry, dynamicOffset_, bytesOf(entry, slot, dims_));
  dynamic_.push_back(slot);
  return slot.address;
}

void Arena::finish() {
  if (auto first = firstOffset_ ? firstOffset_.getDefiningOp<arith::ConstantOp>() : nullptr)
    first.setValueAttr(IntegerAttr::get(first.getType(), staticBytes_));
}

Value Arena::bytes(ImplicitLocOpBuilder &b, EntryDims &dims) const {
  Value sum = constantI64(b, staticBytes_);
  for (const Slot &slot : dynamic_)
    sum = arith::AddIOp::create(b, sum, bytesOf(b, slot, dims));
  return sum;
}

} // namespace sluice::codegen
