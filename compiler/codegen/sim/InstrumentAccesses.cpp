// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Tells the simulator of each access before it happens.
//
// Not LLVM's instrumentation for ThreadSanitizer: that says nothing of alignment, which hosts do
// not care for and GPUs insist on, and leaves out reads before writes.
#include "compiler/codegen/sim/Retarget.h"

#include "llvm/ADT/bit.h"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/IntrinsicInst.h"

using namespace llvm;

namespace sluice::codegen {

namespace {

class Instrumenter {
public:
  explicit Instrumenter(Module &module) : layout_(module.getDataLayout()) {
    IRBuilder<> builder(module.getContext());
    auto *type =
        FunctionType::get(builder.getVoidTy(),
                          {builder.getPtrTy(), builder.getInt64Ty(), builder.getInt64Ty()}, false);
    for (auto [callee, name] : {std::pair(&read_, "sluice_sim_read"),
                                {&write_, "sluice_sim_write"},
                                {&atomic_, "sluice_sim_atomic"}}) {
      *callee = module.getOrInsertFunction(name, type);
      cast<Function>(callee->getCallee())->addFnAttr(Attribute::NoUnwind);
    }
  }

  void visit(Instruction &instruction) {
    if (auto *load = dyn_cast<LoadInst>(&instruction))
      tell(read_, *load, load->getPointerOperand(), load->getType(), load->getAlign());
    else if (auto *store = dyn_cast<StoreInst>(&instruction))
      tell(write_, *store, store->getPointerOperand(), store->getValueOperand()->getType(),
           store->getAlign());
    else if (auto *update = dyn_cast<AtomicRMWInst>(&instruction))
      tell(atomic_, *update, update->getPointerOperand(), update->getType(), update->getAlign());
    else if (auto *exchange = dyn_cast<AtomicCmpXchgInst>(&instruction))
      tell(atomic_, *exchange, exchange->getPointerOperand(),
           exchange->getCompareOperand()->getType(), exchange->getAlign());
    else if (auto *copy = dyn_cast<MemTransferInst>(&instruction))
      tellRange(read_, *copy, copy->getRawSource(), copy->getLength());
    if (auto *fill = dyn_cast<MemIntrinsic>(&instruction))
      tellRange(write_, *fill, fill->getRawDest(), fill->getLength());
  }

private:
  static bool isOwn(const Value *pointer) { return isa<AllocaInst>(getUnderlyingObject(pointer)); }

  // What is less aligned than it is large is cut into pieces for the GPU.
  void tell(FunctionCallee callee, Instruction &before, Value *pointer, Type *type, Align align) {
    uint64_t bytes = layout_.getTypeStoreSize(type);
    uint64_t alignment = bit_floor(std::min<uint64_t>(bytes, align.value()));
    call(callee, before, pointer, ConstantInt::get(Type::getInt64Ty(type->getContext()), bytes),
         alignment);
  }

  void tellRange(FunctionCallee callee, Instruction &before, Value *pointer, Value *length) {
    IRBuilder<> builder(&before);
    call(callee, before, pointer, builder.CreateZExtOrTrunc(length, builder.getInt64Ty()), 1);
  }

  void call(FunctionCallee callee, Instruction &before, Value *pointer, Value *bytes,
            uint64_t alignment) {
    if (isOwn(pointer))
      return;
    IRBuilder<> builder(&before);
    builder.CreateCall(callee, {builder.CreateAddrSpaceCast(pointer, builder.getPtrTy()), bytes,
                                builder.getInt64(alignment)});
  }

  const DataLayout &layout_;
  FunctionCallee read_, write_, atomic_;
};

} // namespace

void instrumentAccesses(Module &module) {
  Instrumenter instrumenter(module);
  for (Function &function : module)
    for (Instruction &instruction : make_early_inc_range(instructions(function)))
      instrumenter.visit(instruction);
}

} // namespace sluice::codegen
