// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Writes the table of runtime/sim/twin.h.
#include "compiler/codegen/sim/Retarget.h"

#include "runtime/sim/twin.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/IR/IRBuilder.h"

using namespace llvm;

namespace sluice::codegen {

namespace {

// Structures are written field by field, in the order of the header, with LLVM's padding, which is
// C's.
class TableWriter {
public:
  explicit TableWriter(Module &module) : module_(module), builder_(module.getContext()) {}

  Constant *number(uint64_t value) { return builder_.getInt32(value); }
  Constant *wideNumber(uint64_t value) { return builder_.getInt64(value); }
  Constant *text(StringRef value) {
    return constant(ConstantDataArray::getString(module_.getContext(), value));
  }
  Constant *structure(ArrayRef<Constant *> fields) { return ConstantStruct::getAnon(fields); }
  // Null if there are none.
  Constant *list(ArrayRef<Constant *> elements) {
    if (elements.empty())
      return ConstantPointerNull::get(builder_.getPtrTy());
    return constant(
        ConstantArray::get(ArrayType::get(elements[0]->getType(), elements.size()), elements));
  }
  Constant *variable(StringRef name, Constant *address, uint64_t bytes, uint64_t alignment) {
    return structure({text(name), address, wideNumber(bytes), number(alignment), number(0)});
  }

  // void entry(void **parameters)
  Constant *entry(Function *kernel) {
    auto *type = FunctionType::get(builder_.getVoidTy(), {builder_.getPtrTy()}, false);
    Function *function =
        Function::Create(type, GlobalValue::InternalLinkage, kernel->getName() + ".entry", module_);
    builder_.SetInsertPoint(BasicBlock::Create(module_.getContext(), "", function));
    SmallVector<Value *> values;
    for (auto [i, parameter] : enumerate(kernel->args())) {
      Value *place = builder_.CreateConstGEP1_64(builder_.getPtrTy(), function->getArg(0), i);
      Value *address = builder_.CreateLoad(builder_.getPtrTy(), place);
      values.push_back(builder_.CreateAlignedLoad(parameter.getType(), address, Align(1)));
    }
    builder_.CreateCall(kernel, values);
    builder_.CreateRetVoid();
    return function;
  }

private:
  Constant *constant(Constant *value) {
    return new GlobalVariable(module_, value->getType(), true, GlobalValue::PrivateLinkage, value);
  }

  Module &module_;
  IRBuilder<> builder_;
};

} // namespace

static Constant *writeKernel(TableWriter &writer, const TwinKernel &kernel) {
  SmallVector<Constant *> bytes;
  for (uint32_t size : kernel.parameterBytes)
    bytes.push_back(writer.number(size));
  return writer.structure(
      {writer.text(kernel.function->getName()), writer.entry(kernel.function),
       writer.number(bytes.size()), writer.list(bytes), writer.number(kernel.block[0]),
       writer.number(kernel.block[1]), writer.number(kernel.block[2]),
       writer.number(kernel.sharedBytes),
       writer.number(kernel.flushesDenormals ? SLUICE_SIM_FLUSHES_DENORMALS : 0)});
}

// Variables and constants that kernels may use beside allocations.
static SmallVector<Constant *> writeGlobals(Module &module, TableWriter &writer,
                                            const GlobalVariable *dynamicShared) {
  SmallVector<GlobalVariable *> variables;
  for (GlobalVariable &variable : module.globals())
    if (!variable.hasPrivateLinkage() || variable.getAddressSpace())
      if (variable.hasInitializer() && &variable != dynamicShared &&
          variable.getName() != "sluice_sim_shared")
        variables.push_back(&variable);
  SmallVector<Constant *> list;
  for (GlobalVariable *variable : variables)
    list.push_back(
        writer.variable(variable->getName(),
                        ConstantExpr::getPointerBitCastOrAddrSpaceCast(
                            variable, PointerType::get(module.getContext(), 0)),
                        module.getDataLayout().getTypeAllocSize(variable->getValueType()),
                        variable->getAlign().valueOrOne().value()));
  return list;
}

void emitTable(Module &module, StringRef symbol, uint64_t imageHash, uint32_t architecture,
               ArrayRef<TwinKernel> kernels, ArrayRef<SharedVariable> shared,
               GlobalVariable *dynamicShared) {
  TableWriter writer(module);
  SmallVector<Constant *> globals = writeGlobals(module, writer, dynamicShared);
  SmallVector<Constant *> kernelList, sharedList;
  for (const TwinKernel &kernel : kernels)
    kernelList.push_back(writeKernel(writer, kernel));
  for (const SharedVariable &variable : shared)
    sharedList.push_back(
        writer.variable(variable.name, variable.address, variable.bytes, variable.alignment));
  Constant *table = writer.structure(
      {writer.number(SLUICE_SIM_TWIN_VERSION), writer.number(architecture),
       writer.wideNumber(imageHash), writer.list(kernelList), writer.number(kernelList.size()),
       writer.number(sharedList.size()), writer.list(sharedList), writer.list(globals),
       writer.number(globals.size()), writer.number(0), dynamicShared});
  new GlobalVariable(module, table->getType(), true, GlobalValue::ExternalLinkage, table, symbol);
}

} // namespace sluice::codegen
