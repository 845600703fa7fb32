// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Stack: push, pop, close.
#include "runtime/state/stack.h"

namespace sluice::rt {

Status Stack::checkOpen() const {
  if (closed_)
    return invalidArgument("Stack[" + name_ + "] has already been closed.");
  return okStatus();
}

Status Stack::push(Tensor value) {
  SLUICE_RETURN_IF_ERROR(checkOpen());
  if (value.dtype() != dtype_)
    return invalidArgument(format("Must have type %s but got %s",
                                  std::string(dtypeName(dtype_)).c_str(),
                                  std::string(dtypeName(value.dtype())).c_str()));
  if (maxSize_ >= 0 && static_cast<int64_t>(elements_.size()) >= maxSize_)
    return invalidArgument(format("Stack[%s] overflowed its max_size (%lld)", name_.c_str(),
                                  static_cast<long long>(maxSize_)));
  elements_.push_back(std::move(value));
  return okStatus();
}

Result<Tensor> Stack::pop() {
  SLUICE_RETURN_IF_ERROR(checkOpen());
  if (elements_.empty())
    return invalidArgument("Stack[" + name_ + "] is empty when calling Pop().");
  Tensor top = std::move(elements_.back());
  elements_.pop_back();
  return top;
}

void Stack::close() {
  closed_ = true;
  elements_ = {};
}

} // namespace sluice::rt
