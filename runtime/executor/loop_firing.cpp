// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A firing of a codelet whose loop a card runs by itself.
#include "runtime/executor/loop_firing.h"

#include <algorithm>
#include <cstring>

namespace sluice::rt {

// Some milliseconds of a small loop, so that nobody waits long for one to be cancelled.
static constexpr uint64_t kIterationsAtOnce = 4096;
// Enqueued by the host: from few, which most loops would not need, to many.
static constexpr uint64_t kLeastAhead = 4, kMostAhead = 32;

// Who takes it next is on the same stream and comes later.
LoopFiring::~LoopFiring() {
  if (loop_)
    card_.loops().giveBack(*codelet_.code, std::move(loop_));
}

void *LoopFiring::word(int32_t number) const { return static_cast<uint64_t *>(address_) + number; }

std::span<const SluiceCardStep> LoopFiring::part(int32_t first, int32_t count) const {
  return {codelet_.code->loop->steps + first, static_cast<size_t>(count)};
}

void LoopFiring::runLoop(const void *words) {
  words_.resize(static_cast<size_t>(codelet_.code->loop->numWords));
  std::memcpy(words_.data(), words, words_.size() * sizeof(uint64_t));
}

// ---- Steps --------------------------------------------------------------------------------------

int64_t LoopFiring::blocksOf(const SluiceCardStep &step) const {
  return step.blocks >= 0 ? step.blocks
                          : static_cast<int64_t>(words_[static_cast<size_t>(-1 - step.blocks)]);
}

KernelLaunch LoopFiring::launchOf(const SluiceCardStep &step) const {
  KernelLaunch launch = launchOfKernel(step.what, blocksOf(step));
  launch.parameters = const_cast<void **>(parameters_);
  return launch;
}

// Those in branches do nothing where these are not taken, and those in loops within it where these
// do not go on; while one does, all behind it do nothing.
Status LoopFiring::enqueueSteps(std::span<const SluiceCardStep> steps) {
  for (const SluiceCardStep &step : steps)
    if (step.kind == kSluiceStepLaunch)
      SLUICE_RETURN_IF_ERROR(card_.device().launch(launchOf(step), stream_).status());
  return okStatus();
}

std::vector<LoopStep> LoopFiring::planOf(std::span<const SluiceCardStep> steps) const {
  std::vector<LoopStep> plan;
  for (size_t i = 0; i < steps.size(); ++i) {
    LoopStep &step = plan.emplace_back();
    if (steps[i].kind == kSluiceStepLaunch) {
      step.launch = launchOf(steps[i]);
      continue;
    }
    auto length = static_cast<size_t>(steps[i].length);
    step.kind = steps[i].kind == kSluiceStepLoop ? LoopStep::Kind::kLoop : LoopStep::Kind::kBranch;
    step.taken = word(steps[i].what);
    step.isElse = step.kind == LoopStep::Kind::kBranch && steps[i].blocks == 1;
    step.steps = planOf(steps.subspan(i + 1, length));
    i += length;
  }
  return plan;
}

// Anew where launches have other sizes than in the run before.
Status LoopFiring::prepareGraph() {
  const SluiceCardLoop &table = *codelet_.code->loop;
  std::span<const SluiceCardStep> body = part(table.numEnter, table.numBody);
  std::vector<int64_t> blocks;
  for (const SluiceCardStep &step : body)
    blocks.push_back(step.kind == kSluiceStepLaunch ? blocksOf(step) : 0);
  if (loop_->graph.handle && loop_->blocks == blocks)
    return okStatus();
  if (loop_->graph.handle)
    card_.device().dropLoop(std::exchange(loop_->graph, DeviceLoop()));
  LoopPlan plan;
  plan.live = word(kSluiceLoopLive);
  plan.setCondition = *card_.setCondition(*codelet_.code);
  plan.steps = planOf(body);
  SLUICE_ASSIGN_OR_RETURN(loop_->graph, card_.device().makeLoop(plan));
  loop_->blocks = std::move(blocks);
  return okStatus();
}

// ---- Iterations ---------------------------------------------------------------------------------

// The words say that the loop goes on, or what precedes it on the stream will.
Status LoopFiring::enqueueIterations() {
  const SluiceCardLoop &table = *codelet_.code->loop;
  std::span<const SluiceCardStep> body = part(table.numEnter, table.numBody);
  if (table.isBlock)
    return enqueueSteps(body);
  if (card_.setCondition(*codelet_.code)) {
    SLUICE_RETURN_IF_ERROR(prepareGraph());
    return card_.device().runLoop(loop_->graph, stream_).status();
  }
  ahead_ = std::clamp(2 * ahead_, kLeastAhead, kMostAhead);
  for (uint64_t i = 0; i < ahead_; ++i)
    SLUICE_RETURN_IF_ERROR(enqueueSteps(body));
  return okStatus();
}

Result<Moment> LoopFiring::readWords() {
  Device &device = card_.device();
  SLUICE_RETURN_IF_ERROR(device.order(StreamId::kDeviceToHost, device.lastMoment(stream_)));
  SLUICE_ASSIGN_OR_RETURN(Moment there, device.copyOut(known_.data(), address_, sizeof known_,
                                                       StreamId::kDeviceToHost));
  SLUICE_RETURN_IF_ERROR(loop_->words.noteUse(there));
  return there;
}

Result<Moment> LoopFiring::begin() {
  const SluiceCardLoop &table = *codelet_.code->loop;
  SLUICE_ASSIGN_OR_RETURN(loop_, card_.loops().take(*codelet_.code, stream_, node_.name));
  address_ = loop_->words.data();
  SLUICE_RETURN_IF_ERROR(place());
  SLUICE_RETURN_IF_ERROR(runCode());
  words_[kSluiceLoopBudget] = kIterationsAtOnce;
  SLUICE_RETURN_IF_ERROR(
      card_.device()
          .copyIn(address_, words_.data(), words_.size() * sizeof(uint64_t), stream_)
          .status());
  SLUICE_RETURN_IF_ERROR(enqueueSteps(part(0, table.numEnter)));
  SLUICE_RETURN_IF_ERROR(enqueueIterations());
  return readWords();
}

Result<std::optional<Moment>> LoopFiring::goOn() {
  auto number = [&](int32_t word) {
    int32_t value;
    std::memcpy(&value, &known_[static_cast<size_t>(word)], sizeof value);
    return value;
  };
  if (int32_t status = number(kSluiceLoopStatus))
    return codeletError(codelet_, status, static_cast<uint32_t>(number(kSluiceLoopFailedMember)));
  if (cancellation_.requested())
    return cancelledWork();
  const SluiceCardLoop &table = *codelet_.code->loop;
  if (number(kSluiceLoopGoesOn) & 1) {
    next_ = {1, kIterationsAtOnce};
    static_assert(kSluiceLoopBudget == kSluiceLoopLive + 1);
    SLUICE_RETURN_IF_ERROR(
        card_.device().copyIn(word(kSluiceLoopLive), next_.data(), sizeof next_, stream_).status());
    SLUICE_RETURN_IF_ERROR(
        enqueueSteps(part(table.numEnter + table.numBody + table.numExit, table.numResume)));
    SLUICE_RETURN_IF_ERROR(enqueueIterations());
    SLUICE_ASSIGN_OR_RETURN(Moment there, readWords());
    return std::optional(there);
  }
  SLUICE_RETURN_IF_ERROR(enqueueSteps(part(table.numEnter + table.numBody, table.numExit)));
  SLUICE_RETURN_IF_ERROR(finish());
  card_.loops().giveBack(*codelet_.code, std::move(loop_));
  return std::optional<Moment>();
}

} // namespace sluice::rt
