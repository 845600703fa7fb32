// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// ObjectSlot, and the kinds of objects that there are.
#include "runtime/state/object_slot.h"

#include <algorithm>

namespace sluice::rt {

// Of a kind that nothing in the program has ops for, nothing is linked, and its address is null.
#define SLUICE_WEAK_TYPE(Class) extern const ObjectType k##Class##Type [[gnu::weak]];
SLUICE_SHARED_OBJECTS(SLUICE_WEAK_TYPE)
#define SLUICE_ADDRESS(Class) &k##Class##Type,
static constexpr const ObjectType *kTypes[] = {SLUICE_SHARED_OBJECTS(SLUICE_ADDRESS)};

const ObjectType *ObjectSlot::typeOf(std::string_view kind) {
  auto found = std::ranges::find_if(
      kTypes, [&](const ObjectType *type) { return type && type->kind == kind; });
  return found == std::end(kTypes) ? nullptr : *found;
}

Ref<Object> ObjectSlot::object() const {
  std::lock_guard<std::mutex> lock(mutex_);
  return object_;
}

Result<std::vector<NamedTensor>> ObjectSlot::save() const {
  Ref<Object> saved = object();
  return saved ? type_->content(*saved) : std::vector<NamedTensor>();
}

Status ObjectSlot::restore(std::vector<NamedTensor> content) {
  Ref<Object> restored;
  if (!content.empty()) {
    if (!type_)
      return invalidArgument("expected nothing, since no op of the program can make the object");
    SLUICE_ASSIGN_OR_RETURN(restored, type_->ofContent(std::move(content)));
  }
  std::lock_guard<std::mutex> lock(mutex_);
  object_ = restored;
  return okStatus();
}

} // namespace sluice::rt
