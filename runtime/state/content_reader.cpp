// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// ContentReader.
#include "runtime/state/content_reader.h"

namespace sluice::rt {

Tensor ContentReader::take(std::string_view name, DType dtype, int rank) {
  Tensor tensor = takeAny(name);
  if (tensor.valid() && (tensor.dtype() != dtype || tensor.rank() != rank))
    fail(name);
  return failed() ? Tensor() : tensor;
}

Tensor ContentReader::takeAny(std::string_view name) {
  if (failed() || at_ == content_.size() || content_[at_].first != name) {
    fail(name);
    return {};
  }
  return std::move(content_[at_++].second);
}

std::string ContentReader::text(std::string_view name) {
  Tensor tensor = take(name, DType::kString, 0);
  return tensor.valid() ? *tensor.data<std::string>() : std::string();
}

Status ContentReader::status() const {
  if (failed())
    return refuse("no '" + missing_ + "' where one is expected");
  if (at_ != content_.size())
    return refuse("'" + content_[at_].first + "' behind its end");
  return okStatus();
}

Status ContentReader::refuse(std::string_view why) const {
  return invalidArgument("the content of a " + std::string(what_) + " has " + std::string(why));
}

} // namespace sluice::rt
