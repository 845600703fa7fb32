// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A firing of a codelet whose loop a card runs by itself.
//
// The card does iterations until the loop is over, something has failed, or a budget of iterations
// is used up. Then the host looks, once: it ends the firing, or has the card go on. So a loop that
// never ends can be cancelled, and nothing waits for the card meanwhile. Where the device runs no
// loops, some iterations are enqueued ahead instead; those that are too many do nothing.
#pragma once

#include "runtime/executor/card_firing.h"

#include <array>

namespace sluice::rt {

class LoopFiring final : public CardFiring {
public:
  using CardFiring::CardFiring;
  ~LoopFiring() override;

  // Enqueues the first iterations. When the moment is over, `goOn`.
  Result<Moment> begin();
  // Nothing if the loop is over, and the outputs are enqueued.
  Result<std::optional<Moment>> goOn();

private:
  void runLoop(const void *words) override;

  void *word(int32_t number) const;
  std::span<const SluiceCardStep> part(int32_t first, int32_t count) const;
  int64_t blocksOf(const SluiceCardStep &step) const;
  KernelLaunch launchOf(const SluiceCardStep &step) const;
  Status enqueueSteps(std::span<const SluiceCardStep> steps);
  std::vector<LoopStep> planOf(std::span<const SluiceCardStep> steps) const;
  Status prepareGraph();
  Status enqueueIterations();
  Result<Moment> readWords();

  std::vector<uint64_t> words_; // as they are in the beginning
  std::unique_ptr<CardLoop> loop_;
  void *address_ = nullptr; // of the words on the card
  void *parameters_[1] = {&address_};
  std::array<uint64_t, kSluiceLoopKnownWords> known_{}; // as they were when the host looked
  std::array<uint64_t, 2> next_{};                      // live and budget of what comes
  uint64_t ahead_ = 0;                                  // iterations enqueued by the host last time
};

} // namespace sluice::rt
