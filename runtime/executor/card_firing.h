// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Firings on a card: codelets, which are done once their kernels are enqueued, and copies.
#pragma once

#include "runtime/codelet/card.h"
#include "runtime/executor/card.h"
#include "runtime/executor/codelet_firing.h"

namespace sluice::rt {

class CardFiring final : public Firing, private CardCalls {
public:
  CardFiring(const Node &node, Iteration &iteration, const Cancellation &cancellation, Card &card);

  // Enqueues; the results have moments.
  Status run() override;
  const CodeletCounts *counts() const override { return &counts_; }

private:
  void launch(int32_t kernel, int64_t blocks, void **parameters) override;
  void copy(void *to, const void *from, int64_t bytes) override;

  Status findSizes();
  Status placeOutput(size_t index, const Shape &shape);
  bool reuseInput(size_t output, const Shape &shape);
  Status enqueue();
  // What the code was compiled for does not hold: the kernels of the host find out.
  Status runOnHost();

  const Codelet &codelet_;
  Card &card_;
  std::span<const DeviceKernel> kernels_;
  SmallArray<SluiceTensorRef, 8> inputRefs_;
  SmallArray<SluiceOutputRef, 2> outputRefs_;
  SmallArray<std::array<int64_t, kSluiceMaxRank>, 2> dims_; // written by `sizes`
  SluiceCodeletCall call_{};
  CodeletCounts counts_;
  Status failure_; // the first
  bool bailed_ = false;
};

// From the card to the host. It ends when the elements are there.
class CopyFiring final : public Firing {
public:
  using Firing::Firing;
  // The moment is that end.
  Result<Moment> begin(Card &card);
  Status run() override { return okStatus(); }
};

} // namespace sluice::rt
