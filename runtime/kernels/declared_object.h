// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// For the kernels of handles: the object that the program declares.
#pragma once

#include "runtime/kernels/environment.h"
#include "runtime/kernels/kernel.h"
#include "runtime/state/object_slot.h"

namespace sluice::rt {

// Output 0 becomes a handle of the object `index` of the program, which must have these options.
template <typename T>
Status giveDeclared(KernelCall &call, size_t index, typename T::Options options) {
  const Environment *environment = call.environment();
  Object *resource = environment && index < environment->resources.size()
                         ? environment->resources[index]
                         : nullptr;
  auto *slot = resource && resource->kind() == Object::Kind::kObjectSlot
                   ? static_cast<ObjectSlot *>(resource)
                   : nullptr;
  if (!slot || slot->type() != &T::type())
    return internalError(format("no object of the kind that is wanted has the index %zu", index));
  SLUICE_ASSIGN_OR_RETURN(Ref<T> object, slot->get<T>(std::move(options)));
  call.output(0) = Tensor::handle(Ref<Object>::adopt(object.take()));
  return okStatus();
}

} // namespace sluice::rt
