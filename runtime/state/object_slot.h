// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What the program declares of an object that calls share: a table, a queue, a barrier. The object
// itself is made when an op first says what it is to be.
#pragma once

#include "runtime/state/lasting_object.h"

#include <mutex>
#include <span>
#include <string_view>

namespace sluice::rt {

class ObjectSlot final : public LastingObject {
public:
  static constexpr Kind kKind = Kind::kObjectSlot;

  // How objects of one kind are saved, as of LastingObject::save, and made again.
  struct Type {
    std::string_view kind; // "queue"
    Object::Kind object;
    Result<std::vector<NamedTensor>> (*content)(const Object &object);
    Result<Ref<Object>> (*ofContent)(std::vector<NamedTensor> content);
  };
  static std::span<const Type> types();
  // Null if there is no such kind.
  static const Type *typeOf(std::string_view kind);

  explicit ObjectSlot(const Type &type) : LastingObject(kKind), type_(type) {}

  const Type &type() const { return type_; }
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
  const Type &type_;
  mutable std::mutex mutex_;
  Ref<Object> object_;
};

} // namespace sluice::rt
