// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A dense row-major tensor value: dtype, shape and elements. Plain values of up to 16 bytes live
// inside the object, so scalars travel through the executor without touching memory elsewhere.
#pragma once

#include "runtime/base/dtype.h"
#include "runtime/base/hot_inline.h"
#include "runtime/base/status.h"
#include "runtime/memory/buffer.h"
#include "runtime/memory/object.h"
#include "runtime/memory/shape.h"

#include <cstring>
#include <span>

namespace sluice::rt {

class Tensor {
public:
  static constexpr size_t kInlineBytes = 16;

  // Holds nothing: dtype kInvalid.
  Tensor() = default;
  SLUICE_HOT_INLINE Tensor(const Tensor &other) { copyFrom(other); }
  SLUICE_HOT_INLINE Tensor(Tensor &&other) noexcept { moveFrom(other); }
  SLUICE_HOT_INLINE Tensor &operator=(const Tensor &other) {
    if (bothAreSmall(other)) {
      copySmall(other);
    } else if (this != &other) {
      reset();
      copyFrom(other);
    }
    return *this;
  }
  SLUICE_HOT_INLINE Tensor &operator=(Tensor &&other) noexcept {
    if (bothAreSmall(other)) {
      copySmall(other);
      if (this != &other)
        other.dtype_ = DType::kInvalid;
    } else if (this != &other) {
      reset();
      moveFrom(other);
    }
    return *this;
  }
  SLUICE_HOT_INLINE ~Tensor() { reset(); }

  // Uninitialised elements (strings: empty). RESOURCE_EXHAUSTED when memory does not suffice,
  // INVALID_ARGUMENT when the shape is not complete or its size overflows.
  static Result<Tensor> allocate(DType dtype, const Shape &shape);
  template <typename T> static Tensor scalar(T value);
  // A scalar of a plain dtype, to be written through `raw`.
  static Tensor uninitializedScalar(DType dtype) {
    Tensor t;
    t.dtype_ = dtype;
    return t;
  }
  // A copy of up to `kInlineBytes` bytes, all of which can be read: plain dtypes only.
  static Tensor inlineValue(DType dtype, const Shape &shape, const void *bytes) {
    Tensor t;
    t.dtype_ = dtype;
    std::memcpy(t.inline_, bytes, kInlineBytes);
    t.shape_ = shape;
    return t;
  }
  // A 1-D tensor of few or many elements; aborts the process only if memory is exhausted.
  template <typename T> static Tensor vector(std::span<const T> values);
  static Tensor string(std::string value);
  // Takes over one reference.
  static Tensor handle(Ref<Object> object);
  // All elements are the one at `element`; not for strings. They can only be read, and much of it
  // takes little memory. Errors as of `allocate`.
  static Result<Tensor> repeated(DType dtype, const Shape &shape, const void *element);
  // Elements stay where they are and must outlive every copy.
  static Result<Tensor> view(DType dtype, const Shape &shape, const void *data);
  // Plain elements at the begin of a buffer, which lives as long as somebody sees them.
  static Tensor over(DType dtype, const Shape &shape, Buffer *buffer);

  // Elements in memory that is not the host's (Buffer::refer). Takes over one reference.
  static Tensor foreign(DType dtype, const Shape &shape, Buffer *buffer);
  // Who holds them; null for elements of the host.
  Buffer::Foreign *holder() const {
    return storage_ == Storage::kBuffer ? buffer_->foreign() : nullptr;
  }

  // Plain elements of a complete shape in the pages of a file, as of Buffer::mapFile.
  // RESOURCE_EXHAUSTED when the system refuses.
  static Result<Tensor> mapped(DType dtype, const Shape &shape, int descriptor, uint64_t offset);

  bool valid() const { return dtype_ != DType::kInvalid; }
  DType dtype() const { return dtype_; }
  const Shape &shape() const { return shape_; }
  int rank() const { return shape_.rank(); }
  int64_t dim(int i) const { return shape_.dim(i); }
  int64_t elements() const { return shape_.elements(); }
  size_t bytes() const { return static_cast<size_t>(elements()) * sizeOf(dtype_); }

  void *raw() { return storage_ == Storage::kInline ? inline_ : pointer_; }
  const void *raw() const { return storage_ == Storage::kInline ? inline_ : pointer_; }
  template <typename T> T *data() { return static_cast<T *>(raw()); }
  template <typename T> const T *data() const { return static_cast<const T *>(raw()); }
  template <typename T> std::span<const T> values() const {
    return {data<T>(), static_cast<size_t>(elements())};
  }
  // First element, widened; only for integer dtypes.
  int64_t asInt(int64_t index = 0) const;
  // Only for dtype kHandle; never null.
  Object *object() const { return object_; }

  // The buffer at whose begin the elements are, if there is one.
  Buffer *buffer() const {
    return storage_ == Storage::kBuffer && pointer_ == buffer_->data() ? buffer_ : nullptr;
  }

  // The same elements under another shape of equal element count.
  Tensor reshaped(const Shape &shape) const;
  // Nobody else sees these elements, so a kernel may overwrite them.
  bool solelyOwned() const {
    return storage_ == Storage::kInline || (storage_ == Storage::kBuffer && buffer_->solelyOwned());
  }
  // Known to hold the same element everywhere, and large.
  bool isRepeated() const { return storage_ == Storage::kBuffer && buffer_->isRepeated(); }
  // A tensor with elements of its own.
  Result<Tensor> clone() const;

  SLUICE_HOT_INLINE void reset() {
    if (storage_ >= Storage::kBuffer)
      releaseStorage();
    storage_ = Storage::kInline;
    dtype_ = DType::kInvalid;
  }

private:
  enum class Storage : uint8_t { kInline, kBuffer, kObject };

  // Scalars in the object itself, or nothing: most tokens. There is nothing to release or to share.
  SLUICE_HOT_INLINE bool bothAreSmall(const Tensor &other) const {
    return (static_cast<int>(storage_) | static_cast<int>(other.storage_) | shape_.rank() |
            other.shape_.rank()) == 0;
  }
  SLUICE_HOT_INLINE void copySmall(const Tensor &other) {
    dtype_ = other.dtype_;
    std::memmove(inline_, other.inline_, kInlineBytes);
  }
  SLUICE_HOT_INLINE void copyFrom(const Tensor &other) {
    dtype_ = other.dtype_;
    storage_ = other.storage_;
    std::memcpy(inline_, other.inline_, kInlineBytes);
    if (storage_ >= Storage::kBuffer)
      retainStorage();
    shape_ = other.shape_;
  }
  SLUICE_HOT_INLINE void moveFrom(Tensor &other) {
    dtype_ = other.dtype_;
    storage_ = other.storage_;
    std::memcpy(inline_, other.inline_, kInlineBytes);
    shape_ = std::move(other.shape_);
    other.storage_ = Storage::kInline;
    other.dtype_ = DType::kInvalid;
  }
  void retainStorage() {
    if (storage_ == Storage::kBuffer)
      buffer_->retain();
    else
      object_->retain();
  }
  void releaseStorage() {
    if (storage_ == Storage::kBuffer)
      buffer_->release();
    else
      object_->release();
  }

  DType dtype_ = DType::kInvalid;
  Storage storage_ = Storage::kInline;
  union {
    alignas(16) unsigned char inline_[kInlineBytes] = {};
    struct {
      void *pointer_;
      Buffer *buffer_;
    };
    Object *object_;
  };
  Shape shape_;
};

template <typename T> Tensor Tensor::scalar(T value) {
  static_assert(sizeof(T) <= kInlineBytes);
  Tensor t;
  t.dtype_ = DTypeOf<T>::value;
  std::memcpy(t.inline_, &value, sizeof(T));
  return t;
}

template <typename T> Tensor Tensor::vector(std::span<const T> values) {
  Result<Tensor> t = allocate(DTypeOf<T>::value, Shape{static_cast<int64_t>(values.size())});
  if (!t.ok())
    __builtin_trap();
  if (!values.empty())
    std::memcpy(t->raw(), values.data(), values.size_bytes());
  return std::move(*t);
}

} // namespace sluice::rt
