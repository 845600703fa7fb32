// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Firings on a card.
#include "runtime/executor/card_firing.h"

#include <algorithm>

namespace sluice::rt {

// A few waves of blocks on the largest cards; kernels go over the rest of their work in strides.
static constexpr int64_t kMostBlocks = 1 << 14;
// Of a copy back before kernels of the host run, which is rare.
static constexpr uint64_t kMostNs = 600'000'000'000;

CardFiring::CardFiring(const Node &node, Iteration &iteration, const Cancellation &cancellation,
                       Card &card)
    : Firing(node, iteration, cancellation), codelet_(*node.codelet), card_(card),
      kernels_(card.kernels(*codelet_.code)), inputRefs_(inputs_.span().size()),
      outputRefs_(codelet_.outputs.size()),
      dims_(codelet_.code->sizes ? codelet_.outputs.size() : 0) {
  for (size_t i = 0; i < inputRefs_.span().size(); ++i)
    inputRefs_[i] = {const_cast<void *>(inputs_[i]->raw()), inputs_[i]->shape().dims().data()};
  call_.inputs = inputRefs_.span().data();
  call_.outputs = outputRefs_.span().data();
  call_.arenaBytes = codelet_.code->arenaBytes;
  call_.cancel = cancellation.word();
  call_.card = static_cast<CardCalls *>(this);
}

// ---- What the code calls ------------------------------------------------------------------------

void CardFiring::launch(int32_t kernel, int64_t blocks, void **parameters) {
  if (!failure_.ok() || blocks <= 0)
    return;
  KernelLaunch launch;
  launch.kernel = kernels_[static_cast<size_t>(kernel)];
  launch.grid.x = static_cast<unsigned>(std::min(blocks, kMostBlocks));
  launch.block.x = static_cast<unsigned>(codelet_.code->kernels[kernel].threads);
  launch.parameters = parameters;
  failure_ = card_.device().launch(launch, Card::kCompute).status();
}

void CardFiring::copy(void *to, const void *from, int64_t bytes) {
  if (failure_.ok() && bytes > 0)
    failure_ =
        card_.device().copyWithin(to, from, static_cast<size_t>(bytes), Card::kCompute).status();
}

// ---- Outputs ------------------------------------------------------------------------------------

Status CardFiring::findSizes() {
  if (!codelet_.code->sizes) {
    for (size_t i = 0; i < codelet_.outputs.size(); ++i)
      SLUICE_RETURN_IF_ERROR(placeOutput(i, codelet_.outputs[i].shape));
    return okStatus();
  }
  for (size_t i = 0; i < codelet_.outputs.size(); ++i)
    outputRefs_[i].dims = dims_[i].data();
  int32_t status = codelet_.code->sizes(&call_);
  if (status == kSluiceBail) {
    bailed_ = true;
    return okStatus();
  }
  if (status != kSluiceOk)
    return codeletError(codelet_, status, call_.failedMember);
  for (size_t i = 0; i < codelet_.outputs.size(); ++i) {
    auto rank = static_cast<size_t>(codelet_.outputs[i].shape.rank());
    SLUICE_RETURN_IF_ERROR(placeOutput(i, Shape(std::span(dims_[i].data(), rank))));
  }
  return okStatus();
}

Status CardFiring::placeOutput(size_t index, const Shape &shape) {
  const CodeletOutput &output = codelet_.outputs[index];
  if (output.memory == kHostMemory) {
    SLUICE_ASSIGN_OR_RETURN(outputs_[index], Tensor::allocate(output.dtype, shape));
  } else if (!reuseInput(index, shape)) {
    SLUICE_ASSIGN_OR_RETURN(outputs_[index],
                            card_.allocate(output.dtype, shape, Card::kCompute, node_.name));
  }
  outputRefs_[index] = {outputs_[index].raw(),
                        const_cast<int64_t *>(outputs_[index].shape().dims().data())};
  return okStatus();
}

// Moves an operand of the output's shape and type into its place, if the code allows it.
bool CardFiring::reuseInput(size_t output, const Shape &shape) {
  uint32_t allowed = codelet_.code->inPlace ? codelet_.code->inPlace[output] : 0;
  for (uint32_t i = 0; allowed && i < node_.inputs.size(); ++i, allowed >>= 1) {
    if (!(allowed & 1) || node_.inputs[i].constant)
      continue;
    Tensor &slot = iteration_.slots[node_.inputs[i].slot];
    if (!slot.holder() || slot.dtype() != codelet_.outputs[output].dtype ||
        !(slot.shape() == shape) || !slot.solelyOwned())
      continue;
    outputs_[output] = std::move(slot);
    inputs_[i] = &outputs_[output];
    inputRefs_[i].dims = outputs_[output].shape().dims().data();
    return true;
  }
  return false;
}

// ---- The firing
// -----------------------------------------------------------------------------------

Status CardFiring::run() {
  SLUICE_RETURN_IF_ERROR(findSizes());
  return bailed_ ? runOnHost() : enqueue();
}

Status CardFiring::enqueue() {
  for (const Tensor *input : inputs_.span())
    if (input->holder())
      SLUICE_RETURN_IF_ERROR(card_.order(Card::kCompute, *input));
  DeviceMemory arena;
  if (call_.arenaBytes > 0) {
    SLUICE_ASSIGN_OR_RETURN(arena, card_.device().allocate(static_cast<size_t>(call_.arenaBytes),
                                                           Card::kCompute, node_.name));
    call_.arena = arena.data();
  }
  int32_t status = codelet_.code->body(&call_);
  if (!failure_.ok())
    return std::move(failure_);
  if (status == kSluiceBail)
    return runOnHost();
  if (status != kSluiceOk)
    return status == kSluiceCancelled ? cancelledWork()
                                      : codeletError(codelet_, status, call_.failedMember);
  Moment done = card_.device().lastMoment(Card::kCompute);
  for (const Tensor *input : inputs_.span())
    if (input->holder())
      SLUICE_RETURN_IF_ERROR(Card::elements(*input).noteUse(done));
  for (Tensor &output : outputs_.span())
    if (output.holder())
      Card::elements(output).setReady(done);
  counts_.floatOps = codelet_.floatOps + call_.loopOps;
  return okStatus();
}

Status CardFiring::runOnHost() {
  std::vector<Tensor> copies(inputs_.span().size());
  std::vector<const Tensor *> inputs;
  for (size_t i = 0; i < copies.size(); ++i) {
    const Tensor &input = *inputs_[i];
    inputs.push_back(&input);
    if (!input.holder())
      continue;
    SLUICE_ASSIGN_OR_RETURN(copies[i], Tensor::allocate(input.dtype(), input.shape()));
    SLUICE_ASSIGN_OR_RETURN(Moment there, card_.copyOut(input, copies[i]));
    SLUICE_RETURN_IF_ERROR(card_.device().await(there, {node_.name, kMostNs, &cancellation_}));
    inputs.back() = &copies[i];
  }
  counts_.bails = 1;
  std::vector<Tensor> results(outputs_.span().size());
  SLUICE_RETURN_IF_ERROR(runMembers(codelet_, inputs, results, counts_));
  for (size_t i = 0; i < results.size(); ++i) {
    if (codelet_.outputs[i].memory == kHostMemory) {
      outputs_[i] = std::move(results[i]);
      continue;
    }
    SLUICE_ASSIGN_OR_RETURN(outputs_[i], card_.copyIn(results[i], node_.name));
  }
  return okStatus();
}

Result<Moment> CopyFiring::begin(Card &card) {
  const Tensor &onCard = *inputs_[0];
  SLUICE_ASSIGN_OR_RETURN(outputs_[0], Tensor::allocate(onCard.dtype(), onCard.shape()));
  return card.copyOut(onCard, outputs_[0]);
}

} // namespace sluice::rt
