// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What firings of codelets have in common.
#include "runtime/executor/compiled_firing.h"

namespace sluice::rt {

CompiledFiring::CompiledFiring(const Node &node, Iteration &iteration,
                               const Cancellation &cancellation)
    : Firing(node, iteration, cancellation), codelet_(*node.codelet),
      inputRefs_(inputs_.span().size()), outputRefs_(codelet_.outputs.size()),
      dims_(codelet_.code->sizes ? codelet_.outputs.size() : 0) {
  for (size_t i = 0; i < inputRefs_.span().size(); ++i)
    inputRefs_[i] = {const_cast<void *>(inputs_[i]->raw()), inputs_[i]->shape().dims().data()};
  call_.inputs = inputRefs_.span().data();
  call_.outputs = outputRefs_.span().data();
  call_.arenaBytes = codelet_.code->arenaBytes;
  call_.cancel = cancellation.word();
}

Status CompiledFiring::findSizes() {
  if (!codelet_.code->sizes)
    return okStatus();
  for (size_t i = 0; i < codelet_.outputs.size(); ++i)
    outputRefs_[i].dims = dims_[i].data();
  int32_t status = codelet_.code->sizes(&call_);
  bailed_ = status == kSluiceBail;
  return status == kSluiceOk || bailed_ ? okStatus()
                                        : codeletError(codelet_, status, call_.failedMember);
}

bool CompiledFiring::reuseInput(size_t output, const Shape &shape) {
  uint32_t allowed = codelet_.code->inPlace ? codelet_.code->inPlace[output] : 0;
  for (uint32_t i = 0; allowed && i < node_.inputs.size(); ++i, allowed >>= 1) {
    if (!(allowed & 1) || node_.inputs[i].constant)
      continue;
    Tensor &slot = iteration_.slots[node_.inputs[i].slot];
    bool isOnCard = codelet_.outputs[output].memory != kHostMemory;
    if (slot.dtype() != codelet_.outputs[output].dtype || !(slot.shape() == shape) ||
        (slot.holder() != nullptr) != isOnCard || !slot.solelyOwned() ||
        (isOnCard && !canBeOverwritten(slot)))
      continue;
    outputs_[output] = std::move(slot);
    inputs_[i] = &outputs_[output];
    inputRefs_[i].dims = outputs_[output].shape().dims().data();
    return true;
  }
  return false;
}

Status codeletError(const Codelet &codelet, int32_t status, uint32_t failedMember) {
  if (status == kSluiceNoMemory && failedMember < codelet.errorMembers.size())
    return resourceExhausted("no memory for the elements of a list")
        .atNode(codelet.errorMembers[failedMember]);
  auto reason = static_cast<size_t>(status) - 1;
  if (reason >= codelet.errorReasons.size() || failedMember >= codelet.errorMembers.size())
    return internalError(format("a codelet has failed with status %d", status));
  return invalidArgument(std::string(codelet.errorReasons[reason]))
      .atNode(codelet.errorMembers[failedMember]);
}

} // namespace sluice::rt
