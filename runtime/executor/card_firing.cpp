// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Firings on a card.
#include "runtime/executor/card_firing.h"

#include <algorithm>

namespace sluice::rt {

// A few waves of blocks on the largest cards; kernels go over the rest of their work in strides.
static constexpr int64_t kMostBlocks = 1 << 14;

CardFiring::CardFiring(const Node &node, Iteration &iteration, const Cancellation &cancellation,
                       Card &card, size_t firstStream)
    : CompiledFiring(node, iteration, cancellation), card_(card),
      stream_(card.stream(firstStream + codelet_.stream)), kernels_(card.kernels(*codelet_.code)) {
  call_.card = static_cast<CardCalls *>(this);
}

// ---- What the code calls ------------------------------------------------------------------------

KernelLaunch CardFiring::launchOfKernel(int32_t kernel, int64_t blocks) const {
  KernelLaunch launch;
  launch.kernel = kernels_[static_cast<size_t>(kernel)];
  launch.grid.x = static_cast<unsigned>(std::min(blocks, kMostBlocks));
  launch.block.x = static_cast<unsigned>(codelet_.code->kernels[kernel].threads);
  return launch;
}

void CardFiring::launch(int32_t kernel, int64_t blocks, void **parameters) {
  if (!failure_.ok() || blocks <= 0)
    return;
  KernelLaunch launch = launchOfKernel(kernel, blocks);
  launch.parameters = parameters;
  failure_ = card_.device().launch(launch, stream_).status();
}

void CardFiring::copy(void *to, const void *from, int64_t bytes) {
  if (failure_.ok() && bytes > 0)
    failure_ = card_.device().copyWithin(to, from, static_cast<size_t>(bytes), stream_).status();
}

// After a failure nobody is asked, and nothing launched.
ProductBy CardFiring::multiply(const MatrixProduct &product) {
  if (!failure_.ok())
    return ProductBy::kLibrary;
  Result<ProductBy> by = card_.multiply(product, stream_);
  if (!by.ok())
    failure_ = by.status();
  return by.ok() ? *by : ProductBy::kLibrary;
}

// Of codelets with a loop, which fire as LoopFiring.
void CardFiring::runLoop(const void *) {
  failure_ = Status(Code::kInternal, "a loop on a card in a firing that has none");
}

// ---- Outputs ------------------------------------------------------------------------------------

Status CardFiring::placeOutput(size_t index, const Shape &shape) {
  const CodeletOutput &output = codelet_.outputs[index];
  if (output.memory == kHostMemory) {
    SLUICE_ASSIGN_OR_RETURN(outputs_[index], Tensor::allocate(output.dtype, shape));
  } else if (!reuseInput(index, shape)) {
    SLUICE_ASSIGN_OR_RETURN(outputs_[index],
                            card_.allocate(output.dtype, shape, stream_, node_.name));
  }
  return okStatus();
}

// ---- The firing ---------------------------------------------------------------------------------

Status CardFiring::place() {
  return placeOutputs([&](size_t i, const Shape &shape) { return placeOutput(i, shape); });
}

Status CardFiring::run() {
  SLUICE_RETURN_IF_ERROR(place());
  if (!bailed_)
    SLUICE_RETURN_IF_ERROR(runCode());
  return bailed_ ? runOnHost() : finish();
}

Status CardFiring::runCode() {
  for (const Tensor *input : inputs_.span())
    if (isHere(*input))
      SLUICE_RETURN_IF_ERROR(card_.order(stream_, *input));
  if (call_.arenaBytes > 0) {
    SLUICE_ASSIGN_OR_RETURN(
        arena_, card_.allocateBytes(static_cast<size_t>(call_.arenaBytes), stream_, node_.name));
    call_.arena = arena_.data();
  }
  int32_t status = codelet_.code->body(&call_);
  if (!failure_.ok() || status != kSluiceOk)
    SLUICE_RETURN_IF_ERROR(noteUses()); // of what it has enqueued all the same
  if (!failure_.ok())
    return std::move(failure_);
  bailed_ = status == kSluiceBail;
  if (status == kSluiceOk || bailed_)
    return okStatus();
  return status == kSluiceCancelled ? cancelledWork()
                                    : codeletError(codelet_, status, call_.failedMember);
}

Status CardFiring::noteUses() {
  Moment done = card_.device().lastMoment(stream_);
  for (const Tensor *input : inputs_.span())
    if (isHere(*input))
      SLUICE_RETURN_IF_ERROR(Card::elements(*input).noteUse(done));
  return okStatus();
}

Status CardFiring::finish() {
  arena_.reset();
  SLUICE_RETURN_IF_ERROR(noteUses());
  Moment done = card_.device().lastMoment(stream_);
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
    SLUICE_ASSIGN_OR_RETURN(copies[i], Card::of(input).fetch(input, node_.name, &cancellation_));
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
  if (node_.isSent)
    outputs_[0] = card.tryAllocatePinned(onCard.dtype(), onCard.shape());
  if (!outputs_[0].valid()) {
    SLUICE_ASSIGN_OR_RETURN(outputs_[0], Tensor::allocate(onCard.dtype(), onCard.shape()));
  }
  return card.copyOut(onCard, outputs_[0]);
}

} // namespace sluice::rt
