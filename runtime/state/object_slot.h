// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What the program declares of an object that calls share: a table, a queue, a barrier. The object
// itself is made when an op first says what it is to be.
#pragma once

#include "runtime/state/lasting_object.h"
#include "runtime/state/object_type.h"

#include <mutex>
#include <string_view>

namespace sluice::rt {

class ObjectSlot final : public LastingObject {
public:
  static constexpr Kind kKind = Kind::kObjectSlot;

  // Null if there is no such kind, or none of its code is linked.
  static const ObjectType *typeOf(std::string_view kind);

  // Null: no op can make the object.
  explicit ObjectSlot(const ObjectType *type) : LastingObject(kKind), type_(type) {}

  const ObjectType *type() const { return type_; }
  // Null as long as nobody has said what it is to be.
  Ref<Object> object() const;
  // The object, which must have these options; made of them if there is none. From any thread. T is
  // of the slot's type.
  template <typename T> Result<Ref<T>> get(typename T::Options options) {
    std::lock_guard<std::mutex> lock(mutex_);
    if (object_) {
      auto *object = static_cast<T *>(object_.get());
      SLUICE_RETURN_IF_ERROR(object->check(options));
      return Ref<T>::share(object);
    }
    SLUICE_ASSIGN_OR_RETURN(Ref<T> made, T::make(std::move(options)));
    object_ = Ref<Object>::share(made.get());
    return made;
  }

  // Nothing as long as there is no object.
  Result<std::vector<NamedTensor>> save() const override;
  Status restore(std::vector<NamedTensor> content) override;

private:
  const ObjectType *type_;
  mutable std::mutex mutex_;
  Ref<Object> object_;
};

} // namespace sluice::rt
