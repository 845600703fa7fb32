// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// ObjectSlot, and the kinds of objects that there are.
#include "runtime/state/object_slot.h"

#include "runtime/state/accumulator.h"
#include "runtime/state/barrier.h"
#include "runtime/state/mutex.h"
#include "runtime/state/queue.h"
#include "runtime/state/reader.h"
#include "runtime/state/staging_area.h"
#include "runtime/state/table.h"

#include <algorithm>

namespace sluice::rt {

template <typename T> static constexpr ObjectSlot::Type typeFor(std::string_view kind) {
  return {kind, T::kKind,
          [](const Object &object) { return static_cast<const T &>(object).content(); },
          [](std::vector<NamedTensor> content) -> Result<Ref<Object>> {
            SLUICE_ASSIGN_OR_RETURN(Ref<T> object, T::ofContent(std::move(content)));
            return Ref<Object>::adopt(object.take());
          }};
}

static constexpr ObjectSlot::Type kTypes[] = {
    typeFor<Table>("table"),       typeFor<Queue>("queue"),
    typeFor<Barrier>("barrier"),   typeFor<Accumulator>("accumulator"),
    typeFor<StagingArea>("stage"), typeFor<Mutex>("mutex"),
    typeFor<Reader>("reader"),
};

std::span<const ObjectSlot::Type> ObjectSlot::types() { return kTypes; }

const ObjectSlot::Type *ObjectSlot::typeOf(std::string_view kind) {
  auto found = std::ranges::find(kTypes, kind, &Type::kind);
  return found == std::end(kTypes) ? nullptr : found;
}

Ref<Object> ObjectSlot::object() const {
  std::lock_guard<std::mutex> lock(mutex_);
  return object_;
}

Result<std::vector<NamedTensor>> ObjectSlot::save() const {
  Ref<Object> saved = object();
  return saved ? type_.content(*saved) : std::vector<NamedTensor>();
}

Status ObjectSlot::restore(std::vector<NamedTensor> content) {
  Ref<Object> restored;
  if (!content.empty()) {
    SLUICE_ASSIGN_OR_RETURN(restored, type_.ofContent(std::move(content)));
  }
  std::lock_guard<std::mutex> lock(mutex_);
  object_ = restored;
  return okStatus();
}

} // namespace sluice::rt
