// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Arrays of a fixed but late known size, on the stack when they are short.
#pragma once

#include <cstddef>
#include <memory>
#include <new>
#include <span>

namespace sluice::rt {

// Keeps up to N elements inside the object; more go to the heap.
template <typename T, size_t N> class SmallArray {
public:
  explicit SmallArray(size_t size) : size_(size) {
    if (size > N)
      heap_.reset(new T[size]);
    else
      for (size_t i = 0; i < size; ++i)
        new (inlineAt(i)) T();
  }
  SmallArray(const SmallArray &) = delete;
  SmallArray &operator=(const SmallArray &) = delete;
  ~SmallArray() {
    if (!heap_)
      for (size_t i = 0; i < size_; ++i)
        inlineAt(i)->~T();
  }
  T &operator[](size_t i) { return heap_ ? heap_[i] : *inlineAt(i); }
  std::span<T> span() { return {heap_ ? heap_.get() : inlineAt(0), size_}; }

private:
  T *inlineAt(size_t i) { return reinterpret_cast<T *>(storage_) + i; }
  size_t size_;
  std::unique_ptr<T[]> heap_;
  alignas(T) unsigned char storage_[sizeof(T) * N];
};

} // namespace sluice::rt
