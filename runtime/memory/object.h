// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Reference-counted runtime objects that tensors of dtype kHandle point to.
#pragma once

#include <atomic>
#include <cstdint>
#include <utility>

namespace sluice::rt {

// Base of variables, arrays, stacks, lists and what calls share. The kind is a tag, not RTTI:
// handles come from graphs and may name an object of the wrong kind, which kernels report as
// INVALID_ARGUMENT.
class Object {
public:
  enum class Kind : uint8_t {
    kVariable,
    kGenerator,
    kTensorArray,
    kStack,
    kList,
    kMap,
    kTable,
    kQueue,
    kBarrier,
    kAccumulator,
    kStagingArea,
    kMutex,
    kReader,
    kLock,
    kHandles,
    kObjectSlot
  };

  explicit Object(Kind kind) : kind_(kind) {}
  virtual ~Object() = default;
  Object(const Object &) = delete;
  Object &operator=(const Object &) = delete;

  Kind kind() const { return kind_; }
  // Whoever holds the one reference may change what is a value.
  bool solelyOwned() const { return count_.load(std::memory_order_acquire) == 1; }
  void retain() { count_.fetch_add(1, std::memory_order_relaxed); }
  void release() {
    if (count_.fetch_sub(1, std::memory_order_acq_rel) == 1)
      delete this;
  }

private:
  std::atomic<uint32_t> count_{1};
  Kind kind_;
};

// Owning pointer to an object with retain() and release().
template <typename T> class Ref {
public:
  Ref() = default;
  // Takes over the count that the object was created with.
  static Ref adopt(T *object) {
    Ref r;
    r.object_ = object;
    return r;
  }
  static Ref share(T *object) {
    if (object)
      object->retain();
    return adopt(object);
  }
  Ref(const Ref &other) : object_(other.object_) {
    if (object_)
      object_->retain();
  }
  Ref(Ref &&other) noexcept : object_(std::exchange(other.object_, nullptr)) {}
  Ref &operator=(Ref other) noexcept {
    std::swap(object_, other.object_);
    return *this;
  }
  ~Ref() {
    if (object_)
      object_->release();
  }
  T *get() const { return object_; }
  T *operator->() const { return object_; }
  T &operator*() const { return *object_; }
  explicit operator bool() const { return object_ != nullptr; }
  T *take() { return std::exchange(object_, nullptr); }

private:
  T *object_ = nullptr;
};

} // namespace sluice::rt
