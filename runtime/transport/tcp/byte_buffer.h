// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Bytes that grow at the end and keep their memory, which counts as held. Nothing is set to zero
// first.
#pragma once

#include "runtime/base/held_memory.h"

#include <cstddef>
#include <cstdlib>
#include <cstring>
#include <memory>
#include <utility>

namespace sluice::rt {

class ByteBuffer {
public:
  char *data() { return data_.get(); } // aligned for any scalar
  const char *data() const { return data_.get(); }
  size_t size() const { return size_; }
  bool empty() const { return size_ == 0; }

  // At least so much in all. False when memory is exhausted; nothing has changed then.
  [[nodiscard]] bool reserve(size_t capacity) {
    if (capacity <= capacity_)
      return true;
    if (!hold_.resize(capacity))
      return false;
    auto *grown = static_cast<char *>(std::realloc(data_.get(), capacity));
    if (!grown) {
      (void)hold_.resize(capacity_);
      return false;
    }
    (void)data_.release();
    data_.reset(grown);
    capacity_ = capacity;
    return true;
  }

  // Room for `count` more bytes, which the caller writes. Null when memory is exhausted.
  [[nodiscard]] char *extend(size_t count) {
    if (count > capacity_ - size_ && !reserve((size_ + count) * 2) && !reserve(size_ + count))
      return nullptr;
    return data_.get() + std::exchange(size_, size_ + count);
  }

  void dropFront(size_t count) {
    size_ -= count;
    std::memmove(data_.get(), data_.get() + count, size_);
  }

  // What once was very large is given back.
  void clear() {
    size_ = 0;
    if (capacity_ > kMostKept) {
      data_.reset();
      capacity_ = 0;
      (void)hold_.resize(0);
    }
  }

private:
  static constexpr size_t kMostKept = 32 << 20;
  struct Free {
    void operator()(char *bytes) const { std::free(bytes); }
  };
  MemoryHold hold_; // of the capacity
  std::unique_ptr<char, Free> data_;
  size_t size_ = 0, capacity_ = 0;
};

} // namespace sluice::rt
