// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Tensor: allocation, sharing, views.
#include "runtime/memory/tensor.h"

#include "runtime/base/pieces.h"
#include "runtime/memory/guard_pages.h"
#include "runtime/memory/repeated_pages.h"

namespace sluice::rt {

static constexpr int64_t kCostOfString = 128;

Result<Tensor> Tensor::allocate(DType dtype, const Shape &shape) {
  SLUICE_ASSIGN_OR_RETURN(int64_t count, shape.checkedElements());
  size_t bytes;
  if (__builtin_mul_overflow(static_cast<size_t>(count), sizeOf(dtype), &bytes))
    return invalidArgument("byte size of shape " + shape.toString() + " overflows 64 bits");
  Tensor t;
  t.dtype_ = dtype;
  t.shape_ = shape;
  if (isPlain(dtype) && bytes <= kInlineBytes && !buffersAreGuarded())
    return t;
  Buffer *buffer = dtype == DType::kString ? Buffer::allocateStrings(static_cast<size_t>(count))
                                           : Buffer::allocate(bytes);
  if (!buffer) {
    t.dtype_ = DType::kInvalid;
    return resourceExhausted(format("cannot allocate %zu bytes for a %s tensor of shape %s", bytes,
                                    std::string(dtypeName(dtype)).c_str(),
                                    shape.toString().c_str()));
  }
  t.storage_ = Storage::kBuffer;
  t.buffer_ = buffer;
  t.pointer_ = buffer->data();
  return t;
}

Tensor Tensor::string(std::string value) {
  Result<Tensor> t = allocate(DType::kString, Shape{});
  if (!t.ok())
    __builtin_trap();
  *t->data<std::string>() = std::move(value);
  return std::move(*t);
}

Tensor Tensor::handle(Ref<Object> object) {
  Tensor t;
  t.dtype_ = DType::kHandle;
  t.storage_ = Storage::kObject;
  t.object_ = object.take();
  return t;
}

Result<Tensor> Tensor::repeated(DType dtype, const Shape &shape, const void *element) {
  constexpr size_t kFewBytes = 1 << 20; // less is had without a system call
  SLUICE_ASSIGN_OR_RETURN(int64_t count, shape.checkedElements());
  const size_t size = sizeOf(dtype);
  size_t bytes;
  bool isMany = !__builtin_mul_overflow(static_cast<size_t>(count), size, &bytes) &&
                bytes > kFewBytes && !buffersAreGuarded();
  Buffer *buffer = isMany ? Buffer::repeat(element, size, bytes) : nullptr;
  if (!buffer) {
    SLUICE_ASSIGN_OR_RETURN(Tensor t, allocate(dtype, shape));
    fillWith(element, size, t.raw(), bytes);
    if (t.storage_ == Storage::kBuffer)
      t.buffer_->makeReadOnly();
    return t;
  }
  Tensor t;
  t.dtype_ = dtype;
  t.shape_ = shape;
  t.storage_ = Storage::kBuffer;
  t.buffer_ = buffer;
  t.pointer_ = buffer->data();
  return t;
}

Result<Tensor> Tensor::view(DType dtype, const Shape &shape, const void *data) {
  SLUICE_ASSIGN_OR_RETURN(int64_t count, shape.checkedElements());
  size_t bytes = static_cast<size_t>(count) * sizeOf(dtype);
  Tensor t;
  t.dtype_ = dtype;
  t.shape_ = shape;
  if (bytes <= kInlineBytes) {
    std::memcpy(t.inline_, data, bytes);
    return t;
  }
  Buffer *buffer = Buffer::wrapImmortal(data);
  if (!buffer) {
    t.dtype_ = DType::kInvalid;
    return resourceExhausted("cannot allocate a tensor header");
  }
  t.storage_ = Storage::kBuffer;
  t.buffer_ = buffer;
  t.pointer_ = buffer->data();
  return t;
}

int64_t Tensor::asInt(int64_t index) const {
  switch (dtype_) {
#define SLUICE_CASE(E, T, N)                                                                       \
  case DType::E:                                                                                   \
    return static_cast<int64_t>(data<T>()[index]);
    SLUICE_INT_DTYPES(SLUICE_CASE)
#undef SLUICE_CASE
  default:
    return 0;
  }
}

Result<Tensor> Tensor::mapped(DType dtype, const Shape &shape, int descriptor, uint64_t offset) {
  Tensor t;
  t.dtype_ = dtype;
  t.shape_ = shape;
  Buffer *buffer = Buffer::mapFile(descriptor, offset, t.bytes());
  if (!buffer)
    return resourceExhausted("no memory for " + std::to_string(t.bytes()) + " bytes of a file");
  t.storage_ = Storage::kBuffer;
  t.pointer_ = buffer->data();
  t.buffer_ = buffer;
  return t;
}

Tensor Tensor::foreign(DType dtype, const Shape &shape, Buffer *buffer) {
  Tensor t;
  t.dtype_ = dtype;
  t.shape_ = shape;
  t.storage_ = Storage::kBuffer;
  t.pointer_ = buffer->data();
  t.buffer_ = buffer;
  return t;
}

Tensor Tensor::over(DType dtype, const Shape &shape, Buffer *buffer) {
  Tensor t;
  t.dtype_ = dtype;
  t.shape_ = shape;
  if (t.bytes() <= kInlineBytes) {
    std::memcpy(t.inline_, buffer->data(), t.bytes());
    return t;
  }
  buffer->retain();
  t.storage_ = Storage::kBuffer;
  t.pointer_ = buffer->data();
  t.buffer_ = buffer;
  return t;
}

Tensor Tensor::reshaped(const Shape &shape) const {
  Tensor t(*this);
  t.shape_ = shape;
  return t;
}

Result<Tensor> Tensor::clone() const {
  if (dtype_ == DType::kHandle || storage_ == Storage::kInline)
    return *this;
  SLUICE_ASSIGN_OR_RETURN(Tensor copy, allocate(dtype_, shape_));
  if (dtype_ == DType::kString) {
    const auto *from = data<std::string>();
    auto *to = copy.data<std::string>();
    forPieces(elements(), kCostOfString, [&](int64_t begin, int64_t end) {
      for (int64_t i = begin; i < end; ++i)
        to[i] = from[i];
    });
  } else {
    copyInPieces(copy.raw(), raw(), bytes());
  }
  if (Cancellation::requestedHere()) // then it may be incomplete
    return cancelledWork();
  return copy;
}

} // namespace sluice::rt
