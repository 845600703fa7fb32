// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Checks of handles.
#include "runtime/state/handle.h"

namespace sluice::rt {

static const char *kindName(Object::Kind kind) {
  switch (kind) {
  case Object::Kind::kVariable:
    return "variable";
  case Object::Kind::kGenerator:
    return "random generator";
  case Object::Kind::kTensorArray:
    return "TensorArray";
  case Object::Kind::kStack:
    return "stack";
  case Object::Kind::kList:
    return "list";
  case Object::Kind::kMap:
    return "map";
  case Object::Kind::kTable:
    return "table";
  case Object::Kind::kQueue:
    return "queue";
  case Object::Kind::kBarrier:
    return "barrier";
  case Object::Kind::kAccumulator:
    return "accumulator";
  case Object::Kind::kStagingArea:
    return "staging area";
  case Object::Kind::kMutex:
    return "mutex";
  case Object::Kind::kReader:
    return "reader";
  case Object::Kind::kLock:
    return "lock";
  case Object::Kind::kHandles:
    return "list of handles";
  case Object::Kind::kObjectSlot:
    return "declaration of an object";
  }
  return "object";
}

Result<Object *> objectOf(const Tensor &handle, Object::Kind kind) {
  if (handle.dtype() != DType::kHandle)
    return invalidArgument(format("expected a handle to a %s but got a tensor of type %s",
                                  kindName(kind), std::string(dtypeName(handle.dtype())).c_str()));
  if (handle.object()->kind() != kind)
    return invalidArgument(format("expected a handle to a %s but got one to a %s", kindName(kind),
                                  kindName(handle.object()->kind())));
  return handle.object();
}

} // namespace sluice::rt
