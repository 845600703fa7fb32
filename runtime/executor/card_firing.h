// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Firings on a card: codelets, which are done once their kernels are enqueued, and copies.
#pragma once

#include "runtime/codelet/card.h"
#include "runtime/executor/card.h"
#include "runtime/executor/codelet_firing.h"

namespace sluice::rt {

class CardFiring : public CompiledFiring, private CardCalls {
public:
  // Streams are counted from `firstStream` on.
  CardFiring(const Node &node, Iteration &iteration, const Cancellation &cancellation, Card &card,
             size_t firstStream);

  // Enqueues; the results have moments.
  Status run() override;

protected:
  // Memory for the results.
  Status place();
  // Enqueues what the code does. `bailed_` says where what it was compiled for does not hold.
  Status runCode();
  // All is enqueued.
  Status finish();
  KernelLaunch launchOfKernel(int32_t kernel, int64_t blocks) const;

  Card &card_;
  const StreamId stream_;

private:
  void launch(int32_t kernel, int64_t blocks, void **parameters) override;
  void copy(void *to, const void *from, int64_t bytes) override;
  ProductBy multiply(const MatrixProduct &product) override;
  void runLoop(const void *words) override;

  bool canBeOverwritten(const Tensor &onCard) const override {
    return isHere(onCard) && Card::elements(onCard).canBeOverwrittenOn(stream_);
  }
  // Of a value on another card only the shape is of interest, or that it is there.
  bool isHere(const Tensor &input) const { return input.holder() && &Card::of(input) == &card_; }
  Status placeOutput(size_t index, const Shape &shape);
  // Operands are in use by all that is enqueued now.
  Status noteUses();
  // The kernels of the host find out.
  Status runOnHost();

  std::span<const DeviceKernel> kernels_;
  DeviceMemory arena_;
  Status failure_; // the first
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
