// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A stack of tensors that lives for one call. Only the scheduler thread touches it.
#pragma once

#include "runtime/memory/object.h"
#include "runtime/memory/tensor.h"

#include <string>
#include <vector>

namespace sluice::rt {

class Stack : public Object {
public:
  static constexpr Kind kKind = Kind::kStack;
  // A negative maximum means none.
  Stack(std::string name, DType dtype, int64_t maxSize)
      : Object(kKind), name_(std::move(name)), dtype_(dtype), maxSize_(maxSize) {}

  DType dtype() const { return dtype_; }

  Status push(Tensor value);
  Result<Tensor> pop();
  // Frees the elements; every later use is an error.
  void close();

private:
  Status checkOpen() const;

  const std::string name_;
  const DType dtype_;
  const int64_t maxSize_;
  bool closed_ = false;
  std::vector<Tensor> elements_;
};

} // namespace sluice::rt
