// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What kernels of a module want: parameters, a block, shared memory.
#include "compiler/codegen/sim/Retarget.h"

#include "llvm/ADT/SetVector.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"

using namespace llvm;

namespace sluice::codegen {

constexpr unsigned kSharedSpace = 3;

// Also through constants that are made of it.
static void addUsers(const Value *value, SmallPtrSetImpl<const Function *> &users) {
  for (const User *user : value->users())
    if (auto *instruction = dyn_cast<Instruction>(user))
      users.insert(instruction->getFunction());
    else if (isa<Constant>(user))
      addUsers(user, users);
}

static SetVector<const Function *> reachableFrom(const Function &kernel) {
  SetVector<const Function *> reached;
  reached.insert(&kernel);
  for (unsigned i = 0; i < reached.size(); ++i)
    for (const Instruction &instruction : instructions(*reached[i]))
      if (auto *call = dyn_cast<CallBase>(&instruction))
        if (const Function *callee = call->getCalledFunction())
          reached.insert(callee);
  return reached;
}

static uint32_t sharedBytesOf(const Function &kernel) {
  const Module &module = *kernel.getParent();
  SetVector<const Function *> reached = reachableFrom(kernel);
  uint64_t bytes = 0;
  for (const GlobalVariable &variable : module.globals()) {
    if (variable.getAddressSpace() != kSharedSpace)
      continue;
    SmallPtrSet<const Function *, 4> users;
    addUsers(&variable, users);
    if (any_of(users, [&](const Function *user) { return reached.contains(user); }))
      bytes += module.getDataLayout().getTypeAllocSize(variable.getValueType());
  }
  return bytes;
}

static bool flushes(const Function &kernel) {
  return kernel.getFnAttribute("denormal-fp-math-f32").getValueAsString().starts_with("preserve") ||
         kernel.getFnAttribute("denormal-fp-math").getValueAsString().starts_with("preserve");
}

// "128,1,1", where what is missing is 1.
static void readBlock(const Function &kernel, uint32_t (&block)[3]) {
  StringRef text = kernel.getFnAttribute("nvvm.reqntid").getValueAsString();
  if (text.empty())
    return;
  SmallVector<StringRef> parts;
  text.split(parts, ',');
  for (unsigned i = 0; i < 3; ++i)
    if (i >= parts.size() || parts[i].trim().getAsInteger(10, block[i]))
      block[i] = 1;
}

Expected<SmallVector<TwinKernel>> findKernels(Module &module) {
  SmallVector<TwinKernel> kernels;
  for (Function &function : module) {
    if (function.getCallingConv() != CallingConv::PTX_Kernel || function.isDeclaration())
      continue;
    TwinKernel kernel;
    kernel.function = &function;
    for (const Argument &argument : function.args()) {
      if (argument.hasByValAttr())
        return twinError("kernel '" + function.getName() + "' takes a structure by value");
      kernel.parameterBytes.push_back(module.getDataLayout().getTypeAllocSize(argument.getType()));
    }
    readBlock(function, kernel.block);
    kernel.sharedBytes = sharedBytesOf(function);
    kernel.flushesDenormals = flushes(function);
    kernels.push_back(kernel);
  }
  if (kernels.empty())
    return twinError("expected a kernel in the module");
  return kernels;
}

} // namespace sluice::codegen
