// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Look-up of functions by body and argument types.
#include "compiler/import/functions/FunctionTable.h"

#include "compiler/import/MlirTypes.h"

#include "dialects/state/State.h"

using namespace mlir;

namespace sluice::import {

Type typeAsArgument(Type type) {
  if (auto reference = dyn_cast<state::RefType>(type)) // it is read where the call is
    type = reference.getValue();
  if (auto tensor = dyn_cast<TensorType>(type))
    return unrankedOf(tensor.getElementType());
  return type;
}

Function &FunctionTable::get(const FunctionBody &body, llvm::ArrayRef<Type> arguments,
                             bool &isNew) {
  Key key{&body, {}};
  for (Type type : arguments)
    key.second.push_back(type.getAsOpaquePointer());
  std::unique_ptr<Function> &function = functions_[key];
  isNew = !function;
  if (isNew)
    function = std::make_unique<Function>(Function{&body, SmallVector<Type>(arguments), {}, {}});
  return *function;
}

} // namespace sluice::import
