// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// One firing of a kernel: operands gathered from cells and constants, outputs sized and allocated.
#pragma once

#include "runtime/device/device.h"
#include "runtime/executor/frame.h"

#include <memory>

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

class KernelFiring final : public Device::Work {
public:
  // Takes references to the operands in the iteration's cells; they stay there until `releaseInputs`.
  KernelFiring(const Node &node, Iteration &iteration, Environment *environment);

  const Node &node() const { return node_; }
  Iteration &iteration() const { return iteration_; }
  // Runs the shape rule and makes the outputs.
  Status prepare();
  uint64_t work();
  Status run() override;
  void releaseInputs();
  std::span<Tensor> outputs() { return outputs_.span(); }

private:
  bool shapesAgree();
  bool reuseInput(const Shape &shape);

  const Node &node_;
  Iteration &iteration_;
  Environment *environment_;
  SmallArray<const Tensor *, 8> inputs_;
  SmallArray<Tensor, 2> outputs_;
};

} // namespace sluice::rt
