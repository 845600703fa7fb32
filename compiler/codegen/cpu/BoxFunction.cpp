// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A linalg.generic as a function that runs it within a box of its loops. What it uses travels in a
// structure on the stack of the caller, who waits.
#include "compiler/codegen/cpu/BoxFunction.h"

#include "compiler/codegen/elements/RuntimeCalls.h"
#include "compiler/codegen/plan/Held.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/IR/IRMapping.h"
#include "mlir/IR/Matchers.h"
#include "mlir/Transforms/RegionUtils.h"
#include "llvm/ADT/SetVector.h"

using namespace mlir;

namespace sluice::codegen {

namespace {

// As a field of a structure; null for what cannot be one.
Type fieldTypeOf(Type type) {
  if (auto memref = dyn_cast<MemRefType>(type))
    return descriptorTypeOf(memref);
  if (type.isIndex())
    return IntegerType::get(type.getContext(), 64);
  return LLVM::isCompatibleType(type) ? type : Type();
}

Value toField(ImplicitLocOpBuilder &b, Value value) {
  Type field = fieldTypeOf(value.getType());
  if (isa<MemRefType>(value.getType()))
    return UnrealizedConversionCastOp::create(b, field, value).getResult(0);
  return value.getType().isIndex() ? arith::IndexCastOp::create(b, field, value) : value;
}

Value fromField(ImplicitLocOpBuilder &b, Value field, Type type) {
  if (isa<MemRefType>(type))
    return UnrealizedConversionCastOp::create(b, type, field).getResult(0);
  return type.isIndex() ? arith::IndexCastOp::create(b, type, field) : field;
}

llvm::SetVector<Value> usedInBody(linalg::GenericOp op) {
  llvm::SetVector<Value> used;
  getUsedValuesDefinedAbove(op->getRegions(), used);
  return used;
}

class BoxFunction {
public:
  BoxFunction(ImplicitLocOpBuilder &b, linalg::GenericOp op, const IterationSpace &space,
              ArrayRef<int64_t> cut, SymbolTable &symbols)
      : b_(b), op_(op), space_(space), cut_(cut), symbols_(symbols),
        caller_(op->getParentOfType<func::FuncOp>()),
        pointer_(LLVM::LLVMPointerType::get(b.getContext())) {
    for (const Access &access : accesses())
      capture(access.buffer);
    for (Value value : usedInBody(op))
      capture(value);
    SmallVector<Type> fields =
        llvm::map_to_vector(captured_, [](Value value) { return fieldTypeOf(value.getType()); });
    context_ = LLVM::LLVMStructType::getLiteral(b.getContext(), fields);
  }

  void call(int64_t operations) {
    Value sizes = onStack(LLVM::LLVMArrayType::get(b_.getI64Type(), cut_.size()));
    for (auto [i, loop] : llvm::enumerate(cut_))
      LLVM::StoreOp::create(b_, toField(b_, space_.size(b_, loop)), wordAt(sizes, i));
    Value context = onStack(context_);
    for (auto [i, value] : llvm::enumerate(captured_))
      LLVM::StoreOp::create(b_, toField(b_, value), fieldAt(context, i));
    func::FuncOp function = build();
    Value address = func::ConstantOp::create(b_, function.getFunctionType(), function.getName());
    callRuntime(b_, "sluice_run_boxes",
                {constant(static_cast<int64_t>(cut_.size())), sizes, constant(operations),
                 UnrealizedConversionCastOp::create(b_, pointer_, address).getResult(0), context},
                Type());
  }

private:
  SmallVector<Access> accesses() const {
    SmallVector<Access> all(space_.inputs());
    llvm::append_range(all, space_.outputs());
    return all;
  }
  void capture(Value value) {
    if (!matchPattern(value, m_Constant()))
      captured_.insert(value);
  }
  Value constant(int64_t value) { return arith::ConstantIntOp::create(b_, value, 64); }

  // Not in a loop, where each iteration would take more of the stack.
  Value onStack(Type type) {
    OpBuilder::InsertionGuard guard(b_);
    b_.setInsertionPointToStart(&caller_.getBody().front());
    return LLVM::AllocaOp::create(b_, pointer_, type, constant(1), 8);
  }
  Value fieldAt(Value context, size_t i) {
    return LLVM::GEPOp::create(b_, pointer_, context_, context,
                               ArrayRef<LLVM::GEPArg>{0, static_cast<int32_t>(i)},
                               LLVM::GEPNoWrapFlags::inbounds);
  }
  Value wordAt(Value words, size_t i) {
    return LLVM::GEPOp::create(b_, pointer_, b_.getI64Type(), words,
                               ArrayRef<LLVM::GEPArg>{static_cast<int32_t>(i)},
                               LLVM::GEPNoWrapFlags::inbounds);
  }

  // ---- The function ---------------------------------------------------------------------------

  func::FuncOp build() {
    OpBuilder::InsertionGuard guard(b_);
    b_.setInsertionPointAfter(caller_);
    auto function = func::FuncOp::create(b_, (caller_.getName() + "_boxes").str(),
                                         b_.getFunctionType({pointer_, pointer_}, {}));
    symbols_.insert(function); // gives it a name of its own
    function.setPrivate();
    function->setAttr("llvm.linkage",
                      LLVM::LinkageAttr::get(b_.getContext(), LLVM::Linkage::Internal));
    b_.setInsertionPointToStart(function.addEntryBlock());
    loadCaptured(function.getArgument(0));
    loadRanges(function.getArgument(1));
    emitGeneric();
    func::ReturnOp::create(b_);
    return function;
  }

  void loadCaptured(Value context) {
    for (auto [i, value] : llvm::enumerate(captured_)) {
      Value field = LLVM::LoadOp::create(b_, context_.getBody()[i], fieldAt(context, i));
      inside_.map(value, fromField(b_, field, value.getType()));
    }
    auto copyConstant = [&](Value value) {
      if (!inside_.contains(value))
        inside_.map(value, b_.clone(*value.getDefiningOp())->getResult(0));
    };
    for (const Access &access : accesses())
      copyConstant(access.buffer);
    llvm::for_each(usedInBody(op_), copyConstant);
  }

  void loadRanges(Value ranges) {
    auto load = [&](size_t i) {
      Value word = LLVM::LoadOp::create(b_, b_.getI64Type(), wordAt(ranges, i));
      return fromField(b_, word, b_.getIndexType());
    };
    begins_.resize(space_.rank());
    lengths_.resize(space_.rank());
    for (auto [i, loop] : llvm::enumerate(cut_)) {
      begins_[loop] = load(2 * i);
      lengths_[loop] = load(2 * i + 1);
    }
  }

  // What an operand has of the box.
  Value within(const Access &access) {
    Value buffer = inside_.lookup(access.buffer);
    if (!access.isBuffer() || llvm::none_of(cut_, [&](int64_t l) { return access.uses(l); }))
      return buffer;
    auto type = cast<MemRefType>(buffer.getType());
    SmallVector<OpFoldResult> offsets, sizes;
    for (auto [position, loop] : llvm::enumerate(access.dims)) {
      bool isCut = loop >= 0 && begins_[loop];
      offsets.push_back(isCut ? OpFoldResult(begins_[loop]) : b_.getIndexAttr(0));
      if (isCut)
        sizes.push_back(lengths_[loop]);
      else if (type.isDynamicDim(position))
        sizes.push_back(b_.createOrFold<memref::DimOp>(buffer, position));
      else
        sizes.push_back(b_.getIndexAttr(type.getDimSize(position)));
    }
    SmallVector<OpFoldResult> strides(offsets.size(), b_.getIndexAttr(1));
    return memref::SubViewOp::create(b_, buffer, offsets, sizes, strides);
  }

  AffineMap mapOf(const Access &access) {
    SmallVector<AffineExpr> results = llvm::map_to_vector(access.dims, [&](int64_t loop) {
      return loop < 0 ? b_.getAffineConstantExpr(0) : b_.getAffineDimExpr(loop);
    });
    return AffineMap::get(space_.rank(), 0, results, b_.getContext());
  }

  void emitGeneric() {
    SmallVector<Value> ins, outs;
    for (const Access &access : space_.inputs())
      ins.push_back(within(access));
    for (const Access &access : space_.outputs())
      outs.push_back(within(access));
    SmallVector<AffineMap> maps =
        llvm::map_to_vector(accesses(), [&](const Access &access) { return mapOf(access); });
    SmallVector<utils::IteratorType> iterators(space_.rank(), utils::IteratorType::parallel);
    auto generic = linalg::GenericOp::create(b_, ins, outs, maps, iterators);
    op_.getRegion().cloneInto(&generic.getRegion(), inside_);
    generic.walk([&](linalg::IndexOp index) { moveIndex(index); });
  }

  // Of a box to that of all loops.
  void moveIndex(linalg::IndexOp index) {
    Value begin = begins_[index.getDim()];
    if (!begin)
      return;
    OpBuilder::InsertionGuard guard(b_);
    b_.setInsertionPointAfter(index);
    auto moved = arith::AddIOp::create(b_, index, begin);
    index.getResult().replaceAllUsesExcept(moved, moved);
  }

  ImplicitLocOpBuilder &b_;
  linalg::GenericOp op_;
  const IterationSpace &space_;
  ArrayRef<int64_t> cut_;
  SymbolTable &symbols_;
  func::FuncOp caller_;
  Type pointer_;
  LLVM::LLVMStructType context_;
  llvm::SetVector<Value> captured_;
  IRMapping inside_;                    // what is used, as the function has it
  SmallVector<Value> begins_, lengths_; // by loop; null for loops that are not cut
};

} // namespace

bool canBecomeBoxFunction(linalg::GenericOp op) {
  auto isField = [](Value value) { return static_cast<bool>(fieldTypeOf(value.getType())); };
  return op->getParentOfType<func::FuncOp>() && llvm::all_of(op->getOperands(), isField) &&
         llvm::all_of(usedInBody(op), isField);
}

void callBoxes(ImplicitLocOpBuilder &b, linalg::GenericOp op, const IterationSpace &space,
               ArrayRef<int64_t> cut, int64_t operations, SymbolTable &symbols) {
  BoxFunction(b, op, space, cut, symbols).call(operations);
}

} // namespace sluice::codegen
