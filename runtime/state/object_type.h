// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// How objects that calls share are saved, and made again: one type for each kind of them.
//
// A type stands in the file that says what the content of its objects is, and only kernels name it.
// So a program that has no op for queues has no code of queues either.
#pragma once

#include "runtime/base/status.h"
#include "runtime/memory/named_tensor.h"
#include "runtime/memory/object.h"

#include <string_view>
#include <vector>

namespace sluice::rt {

struct ObjectType {
  std::string_view kind; // "queue"
  // As of LastingObject::save, and the object of such a content.
  Result<std::vector<NamedTensor>> (*content)(const Object &object);
  Result<Ref<Object>> (*ofContent)(std::vector<NamedTensor> content);
};

template <typename T> constexpr ObjectType objectTypeOf(std::string_view kind) {
  return {kind, [](const Object &object) { return static_cast<const T &>(object).content(); },
          [](std::vector<NamedTensor> content) -> Result<Ref<Object>> {
            SLUICE_ASSIGN_OR_RETURN(Ref<T> object, T::ofContent(std::move(content)));
            return Ref<Object>::adopt(object.take());
          }};
}

// X(kind) for the class of each kind.
#define SLUICE_SHARED_OBJECTS(X)                                                                   \
  X(Table) X(Queue) X(Barrier) X(Accumulator) X(StagingArea) X(Mutex) X(Reader)

#define SLUICE_DECLARE_TYPE(Class) extern const ObjectType k##Class##Type;
SLUICE_SHARED_OBJECTS(SLUICE_DECLARE_TYPE)
#undef SLUICE_DECLARE_TYPE

} // namespace sluice::rt
