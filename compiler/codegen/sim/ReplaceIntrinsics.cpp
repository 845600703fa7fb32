// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Intrinsics become functions; the simulator's list of them says which there are.
#include "compiler/codegen/sim/Retarget.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringSet.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/Intrinsics.h"

using namespace llvm;

namespace sluice::codegen {

static const StringSet<> &simulated() {
  static const StringSet<> names = {
#define INTRINSIC(name) #name,
#include "runtime/sim/intrinsics.def"
#undef INTRINSIC
  };
  return names;
}

// llvm.nvvm.shfl.sync.idx.i32 is shfl_sync_idx_i32.
static std::string plainName(StringRef name) {
  name.consume_front("llvm.nvvm.");
  std::string plain = name.str();
  std::replace(plain.begin(), plain.end(), '.', '_');
  return plain;
}

// Calls of it must stay where they are, as others wait for them there.
static FunctionCallee declare(Module &module, StringRef name, FunctionType *type) {
  FunctionCallee callee = module.getOrInsertFunction(name, type);
  auto *function = cast<Function>(callee.getCallee());
  function->addFnAttr(Attribute::Convergent);
  function->addFnAttr(Attribute::NoUnwind);
  for (auto [i, parameter] : enumerate(type->params()))
    if (parameter->isIntegerTy(1))
      function->addParamAttr(i, Attribute::ZExt); // as C passes bool
  return callee;
}

static CallInst *callInstead(CallInst &call, StringRef name, Type *result) {
  IRBuilder<> builder(&call);
  SmallVector<Value *> operands(call.args());
  SmallVector<Type *> types = to_vector(map_range(operands, [](Value *v) { return v->getType(); }));
  FunctionCallee callee = declare(*call.getModule(), ("sluice_sim_" + name).str(),
                                  FunctionType::get(result, types, false));
  CallInst *replacement = builder.CreateCall(callee, operands);
  replacement->setAttributes(cast<Function>(callee.getCallee())->getAttributes());
  return replacement;
}

// A shuffle that also tells whether the other lane was there: no function of C returns both.
static void replaceShuffle(CallInst &call, StringRef name) {
  auto *type = cast<StructType>(call.getType());
  CallInst *value = callInstead(call, name, type->getElementType(0));
  IRBuilder<> builder(&call);
  FunctionCallee inRange = declare(*call.getModule(), "sluice_sim_in_range",
                                   FunctionType::get(builder.getInt1Ty(), false));
  Value *both = builder.CreateInsertValue(PoisonValue::get(type), value, 0);
  call.replaceAllUsesWith(builder.CreateInsertValue(both, builder.CreateCall(inRange), 1));
  call.eraseFromParent();
}

// A product of matrices that the warp holds: the lane's sums are in an array, and pairs of factors
// in words.
static void replaceProduct(CallInst &call, StringRef name) {
  auto *type = cast<StructType>(call.getType());
  unsigned count = type->getNumElements(), factors = call.arg_size() - count;
  Function &function = *call.getFunction();
  IRBuilder<> entry(&function.getEntryBlock(), function.getEntryBlock().begin());
  IRBuilder<> builder(&call);
  Type *element = type->getElementType(0);
  Value *sums = entry.CreateAlloca(ArrayType::get(element, count));
  SmallVector<Value *> operands;
  for (unsigned i = 0; i < factors; ++i)
    operands.push_back(builder.CreateBitCast(call.getArgOperand(i), builder.getInt32Ty()));
  auto place = [&](unsigned i) { return builder.CreateConstGEP1_32(element, sums, i); };
  for (unsigned i = 0; i < count; ++i)
    builder.CreateStore(call.getArgOperand(factors + i), place(i));
  operands.push_back(builder.CreateAddrSpaceCast(sums, builder.getPtrTy()));
  SmallVector<Type *> types = to_vector(map_range(operands, [](Value *v) { return v->getType(); }));
  builder.CreateCall(declare(*call.getModule(), ("sluice_sim_" + name).str(),
                             FunctionType::get(builder.getVoidTy(), types, false)),
                     operands);
  Value *all = PoisonValue::get(type);
  for (unsigned i = 0; i < count; ++i)
    all = builder.CreateInsertValue(all, builder.CreateLoad(element, place(i)), i);
  call.replaceAllUsesWith(all);
  call.eraseFromParent();
}

static Error replaceNvvm(CallInst &call) {
  std::string name = plainName(call.getCalledFunction()->getName());
  if (StringRef(name).starts_with("mma_") && simulated().contains(name)) {
    replaceProduct(call, name);
    return Error::success();
  }
  if (simulated().contains(name)) {
    CallInst *replacement = callInstead(call, name, call.getType());
    call.replaceAllUsesWith(replacement);
    call.eraseFromParent();
    return Error::success();
  }
  StringRef base = StringRef(name).drop_back();
  if (base.starts_with("shfl_sync_") && name.back() == 'p' && simulated().contains(base)) {
    replaceShuffle(call, base);
    return Error::success();
  }
  return twinError("the simulator does not have '" + call.getCalledFunction()->getName() + "'");
}

static bool isTrap(Intrinsic::ID id) {
  return id == Intrinsic::trap || id == Intrinsic::ubsantrap || id == Intrinsic::debugtrap;
}

static Error replaceCall(CallInst &call) {
  if (call.isInlineAsm())
    return twinError("'" + call.getFunction()->getName() + "' holds assembly");
  Function *callee = call.getCalledFunction();
  if (!callee)
    return twinError("'" + call.getFunction()->getName() + "' calls through a pointer");
  if (callee->getName().starts_with("llvm.nvvm."))
    return replaceNvvm(call);
  if (isTrap(callee->getIntrinsicID())) {
    IRBuilder<> builder(&call);
    builder.CreateCall(declare(*call.getModule(), "sluice_sim_trap",
                               FunctionType::get(builder.getVoidTy(), false)));
    call.eraseFromParent();
    return Error::success();
  }
  if (callee->getName() == "cudaGraphSetConditional") {
    callInstead(call, "set_conditional", call.getType());
    call.eraseFromParent();
    return Error::success();
  }
  if (callee->isDeclaration() && !callee->isIntrinsic() &&
      !callee->getName().starts_with("sluice_sim_"))
    return twinError("the simulator does not have '" + callee->getName() + "'");
  return Error::success();
}

Error replaceIntrinsics(Module &module) {
  for (Function &function : module)
    for (Instruction &instruction : make_early_inc_range(instructions(function)))
      if (auto *call = dyn_cast<CallInst>(&instruction))
        if (Error error = replaceCall(*call))
          return error;
  for (Function &function : make_early_inc_range(module))
    if (function.isDeclaration() && function.use_empty())
      function.eraseFromParent();
  return Error::success();
}

} // namespace sluice::codegen
