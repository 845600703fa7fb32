// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Takes the tensors of an object's saved content by their names, in their order. They come from a
// file.
#pragma once

#include "runtime/memory/named_tensor.h"

#include <string_view>
#include <vector>

namespace sluice::rt {

class ContentReader {
public:
  // `what` is the kind of the object, for messages.
  ContentReader(std::string_view what, std::vector<NamedTensor> content)
      : what_(what), content_(std::move(content)) {}

  // Invalid, and from then on failed, unless the next one has this name, type and rank.
  Tensor take(std::string_view name, DType dtype, int rank);
  Tensor takeAny(std::string_view name);
  template <typename T> T scalar(std::string_view name) {
    Tensor tensor = take(name, DTypeOf<T>::value, 0);
    return tensor.valid() ? *tensor.data<T>() : T{};
  }
  std::string text(std::string_view name);
  // How many elements the next one has; -1 if there is none.
  int64_t nextElements() const {
    return at_ < content_.size() && content_[at_].second.valid() ? content_[at_].second.elements()
                                                                 : -1;
  }
  bool failed() const { return !missing_.empty(); }
  // That there is nothing else.
  Status status() const;
  // INVALID_ARGUMENT: "the content of a queue has …".
  Status refuse(std::string_view why) const;

private:
  void fail(std::string_view name) {
    if (missing_.empty())
      missing_ = name;
  }

  std::string_view what_;
  std::vector<NamedTensor> content_;
  size_t at_ = 0;
  std::string missing_;
};

} // namespace sluice::rt
