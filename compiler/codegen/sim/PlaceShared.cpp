// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Lays out the shared variables of a module.
#include "compiler/codegen/sim/Retarget.h"

#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/ReplaceConstant.h"
#include "llvm/Support/MathExtras.h"

using namespace llvm;

namespace sluice::codegen {

constexpr unsigned kSharedSpace = 3;
constexpr uint64_t kRedZone = 256; // between variables
constexpr uint64_t kMostAlignment = 1024;

static bool isDynamic(const GlobalVariable &variable) {
  return variable.isDeclaration() ||
         variable.getDataLayout().getTypeAllocSize(variable.getValueType()) == 0;
}

// The launch decides where it is, so each use asks.
static void replaceDynamic(GlobalVariable &variable, GlobalVariable *dynamicShared) {
  convertUsersOfConstantsToInstructions({&variable});
  for (Use &use : make_early_inc_range(variable.uses())) {
    auto *user = cast<Instruction>(use.getUser());
    if (auto *phi = dyn_cast<PHINode>(user))
      user = phi->getIncomingBlock(use)->getTerminator();
    IRBuilder<> builder(user);
    Value *address = builder.CreateLoad(builder.getPtrTy(), dynamicShared);
    use.set(builder.CreateAddrSpaceCast(address, variable.getType()));
  }
}

// At an odd multiple of its alignment, so that code that hopes for more is found.
static uint64_t placeBehind(uint64_t end, uint64_t alignment) {
  uint64_t place = alignTo(end + kRedZone, 2 * alignment) + alignment;
  return alignment >= kMostAlignment ? alignTo(end + kRedZone, alignment) : place;
}

Expected<SmallVector<SharedVariable>> placeShared(Module &module, GlobalVariable *dynamicShared) {
  const DataLayout &layout = module.getDataLayout();
  SmallVector<std::pair<GlobalVariable *, uint64_t>> places;
  uint64_t end = 0;
  for (GlobalVariable &variable : module.globals()) {
    if (variable.getAddressSpace() != kSharedSpace || isDynamic(variable))
      continue;
    // LLVM would assume more than it tells ptxas, which packs variables.
    if (!variable.getAlign())
      return twinError("expected an explicit alignment of the shared variable '" +
                       variable.getName() + "'");
    uint64_t place = placeBehind(end, variable.getAlign()->value());
    places.push_back({&variable, place});
    end = place + layout.getTypeAllocSize(variable.getValueType());
  }
  LLVMContext &context = module.getContext();
  auto *bytes = ArrayType::get(Type::getInt8Ty(context), end + kRedZone);
  auto *array = new GlobalVariable(module, bytes, false, GlobalValue::InternalLinkage,
                                   ConstantAggregateZero::get(bytes), "sluice_sim_shared");
  array->setAlignment(Align(4096));
  SmallVector<SharedVariable> shared;
  for (auto [variable, place] : places) {
    auto *address = ConstantExpr::getInBoundsGetElementPtr(
        Type::getInt8Ty(context), array, ConstantInt::get(Type::getInt64Ty(context), place));
    shared.push_back({variable->getName().str(), layout.getTypeAllocSize(variable->getValueType()),
                      variable->getAlign()->value(), address});
    variable->replaceAllUsesWith(ConstantExpr::getAddrSpaceCast(address, variable->getType()));
  }
  for (GlobalVariable &variable : make_early_inc_range(module.globals()))
    if (variable.getAddressSpace() == kSharedSpace) {
      if (isDynamic(variable))
        replaceDynamic(variable, dynamicShared);
      variable.eraseFromParent();
    }
  return shared;
}

} // namespace sluice::codegen
