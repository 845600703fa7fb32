// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Which values a variable takes, and what of variables and generators is saved.
#include "runtime/state/variable.h"

namespace sluice::rt {

Status Variable::accepts(const Tensor &other) const {
  if (other.dtype() == dtype && other.shape().compatibleWith(shape))
    return {};
  return invalidArgument(format("variable '%s': expected %s%s but got %s%s", name.c_str(),
                                std::string(dtypeName(dtype)).c_str(), shape.toString().c_str(),
                                std::string(dtypeName(other.dtype())).c_str(),
                                other.shape().toString().c_str()));
}

Status Variable::moveTo(VariableMemory &memory) {
  memory_ = &memory;
  return set(std::move(value));
}

Result<Tensor> Variable::fetch() const {
  return value.holder() ? memory_->fetch(value, name) : Result<Tensor>(value);
}

Status Variable::set(Tensor onHost) {
  if (memory_ && onHost.valid()) {
    SLUICE_ASSIGN_OR_RETURN(value, memory_->bring(onHost, name));
  } else {
    value = std::move(onHost);
  }
  return okStatus();
}

Result<std::vector<NamedTensor>> Variable::save() const {
  std::vector<NamedTensor> content;
  if (!initialized())
    return content;
  if (!isShown())
    return unimplemented("variable '" + name + "' holds a list: only tensors can be saved");
  SLUICE_ASSIGN_OR_RETURN(Tensor onHost, fetch());
  content.emplace_back("value", std::move(onHost));
  return content;
}

Status Variable::restore(std::vector<NamedTensor> content) {
  if (content.empty())
    return set(Tensor());
  if (content.size() != 1 || content[0].first != "value")
    return invalidArgument("variable '" + name + "': expected one tensor 'value'");
  SLUICE_RETURN_IF_ERROR(accepts(content[0].second));
  return set(std::move(content[0].second));
}

Result<std::vector<NamedTensor>> Generator::save() const {
  std::lock_guard<std::mutex> lock(mutex_);
  std::vector<NamedTensor> content;
  content.emplace_back("position", Tensor::scalar(base_ + used_));
  return content;
}

Status Generator::restore(std::vector<NamedTensor> content) {
  if (content.size() != 1 || content[0].first != "position" ||
      content[0].second.dtype() != DType::kU64 || content[0].second.rank() != 0)
    return invalidArgument("expected a position of a random generator");
  std::lock_guard<std::mutex> lock(mutex_);
  base_ = *content[0].second.data<uint64_t>();
  used_ = 0;
  return {};
}

} // namespace sluice::rt
