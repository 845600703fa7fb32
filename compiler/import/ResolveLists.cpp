// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Pass import-resolve-lists: what elements lists have of which a graph only says that they are
// variants.
#include "compiler/import/Passes.h"
#include "dialects/list/ListClasses.h"

using namespace mlir;

namespace sluice::import {

#define GEN_PASS_DEF_IMPORTRESOLVELISTS
#include "compiler/import/Passes.h.inc"

static bool isUnknown(Type type) {
  while (auto list = dyn_cast<list::OfType>(type))
    type = list.getElement();
  return isa<list::UnknownType>(type);
}

// Ops say what they know of elements; of lists, that is their type.
static void resolveElementShape(Operation *op) {
  auto attribute = op->getAttrOfType<TypeAttr>("element_shape");
  std::optional<list::ElementUse> use = list::elementUse(op);
  if (!attribute || !isUnknown(attribute.getValue()))
    return;
  Type list = use ? use->list.getType() : op->getResult(0).getType();
  op->setAttr("element_shape", TypeAttr::get(cast<list::OfType>(list).getElement()));
}

// Callers see what a function takes and gives.
static void resolveType(flow::FuncOp function) {
  SmallVector<Type> inputs(function.getFunctionType().getInputs());
  SmallVector<Type> results(function.getFunctionType().getResults());
  auto resolve = [](Type &type, Value value) {
    if (isa<list::OfType, list::UnknownType>(type))
      type = value.getType();
  };
  for (auto [type, argument] : llvm::zip(inputs, function.getArguments()))
    resolve(type, argument.getResult());
  for (auto [type, value] : llvm::zip(results, function.getReturn().getValues()))
    resolve(type, value);
  function.setFunctionType(FunctionType::get(function.getContext(), inputs, results));
}

uint64_t resolveLists(ModuleOp module) {
  list::ListClasses classes(module);
  uint64_t resolved = 0;
  for (Value value : classes.lists()) {
    Type type = classes.typeOf(classes.classOf(value));
    resolved += type != value.getType();
    value.setType(type);
  }
  module.walk(resolveElementShape);
  for (auto function : module.getOps<flow::FuncOp>())
    resolveType(function);
  return resolved;
}

namespace {

struct ResolveLists : impl::ImportResolveListsBase<ResolveLists> {
  void runOnOperation() override { numResolved += resolveLists(getOperation()); }
};

} // namespace
} // namespace sluice::import
