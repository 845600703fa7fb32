// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A card of the rank as the executor uses it: tensors in its memory, each with the moment from
// which on it is there, copies from and to the host, and the kernels of codelets.
//
// The host never waits: what is enqueued for a value comes after what makes it, by the order of its
// stream or by an event. Tensors may be dropped as soon as the last work on them is enqueued.
#pragma once

#include "runtime/codelet/abi.h"
#include "runtime/device/device.h"
#include "runtime/executor/card_loops.h"
#include "runtime/executor/pinned_tensors.h"
#include "runtime/executor/saved_values.h"
#include "runtime/memory/tensor.h"
#include "runtime/program/program.h"
#include "runtime/state/variable.h"

#include <atomic>
#include <deque>
#include <optional>
#include <unordered_map>

namespace sluice::rt {

// Holds the elements of a tensor on a card.
class CardElements final : public OfCard {
public:
  CardElements(Card &card, DeviceMemory memory) : OfCard(card), memory_(std::move(memory)) {}

  void *data() const { return memory_.data(); }
  // When the elements are written.
  Moment ready() const { return ready_; }
  void setReady(Moment moment) { ready_ = moment; }
  Status noteUse(Moment use) { return memory_.noteUse(use); }
  // Whether work on the stream may write over them: no other one is still to read them.
  bool canBeOverwrittenOn(StreamId stream) const { return memory_.isUsedOnlyOn(stream); }

private:
  DeviceMemory memory_;
  Moment ready_;
};

class Card final : public VariableMemory {
public:
  // `anyOrder`: products need not be summed up in the order of the host; `shortFactors`: nor need
  // factors of f32 have more than 10 bits.
  Card(std::unique_ptr<Device> device, Swapping swapping, bool anyOrder = false,
       bool shortFactors = false);
  // Nothing is under way then.
  ~Card();

  Device &device() { return *device_; }
  // For kernels; of the numbers that there are no streams for, others are taken.
  StreamId stream(size_t number) const { return computeStream(number % device_->computeStreams()); }

  // Loads the kernels of all codelets of a program that are for this card, and copies constants.
  Status prepare(Program &program, MemoryNumber number);
  // Of a codelet, in the order of its table.
  std::span<const DeviceKernel> kernels(const SluiceCodelet &code) const;

  // Of the codelet's loop: the kernel that sets conditions; nothing where the device runs no loops.
  std::optional<DeviceKernel> setCondition(const SluiceCodelet &code) const;
  CardLoops &loops() { return loops_; }
  // What lists keep.
  SavedValues &saved() { return saved_; }

  // By the device's library, or by whose kernel.
  Result<ProductBy> multiply(const MatrixProduct &product, StreamId stream);
  // Products that code has asked the library for.
  struct Products {
    uint64_t byLibrary, byKernels;
  };
  Products products() const { return {byLibrary_, byKernels_}; }

  // Without elements yet; the work that writes them is enqueued on the stream. Where there is no
  // memory, what lists keep moves to the host.
  Result<Tensor> allocate(DType dtype, const Shape &shape, StreamId stream, std::string_view owner);
  // The same, of the memory that is free.
  Result<Tensor> allocateWithin(DType dtype, const Shape &shape, StreamId stream,
                                std::string_view owner);
  Result<DeviceMemory> allocateBytes(size_t bytes, StreamId stream, std::string_view owner);
  static CardElements &elements(const Tensor &onCard) {
    return static_cast<CardElements &>(*onCard.holder());
  }
  static Card &of(const Tensor &onCard) { return static_cast<OfCard &>(*onCard.holder()).card(); }
  // What is enqueued on the stream from now on finds the elements there.
  Status order(StreamId stream, const Tensor &onCard);

  // Of the host, for copies from or to the card without staging; invalid where that is of no use.
  Tensor tryAllocatePinned(DType dtype, const Shape &shape);
  const PinnedTensors &pinned() const { return pinned_; }

  // A copy on the card; the host's elements may go at once.
  Result<Tensor> copyIn(const Tensor &onHost, std::string_view owner);
  // The same of elements on another card.
  Result<Tensor> copyFromCard(const Tensor &onOther, std::string_view owner);
  // Into elements of the host, which are there at the moment.
  Result<Moment> copyOut(const Tensor &onCard, Tensor &onHost);
  // For those who wait, by the name of `owner`. CANCELLED if `cancellation` asks for it.
  Result<Tensor> fetch(const Tensor &onCard, std::string_view owner,
                       const Cancellation *cancellation);

  Result<Tensor> bring(const Tensor &onHost, std::string_view owner) override {
    return copyIn(onHost, owner);
  }
  Result<Tensor> fetch(const Tensor &onCard, std::string_view owner) override {
    return fetch(onCard, owner, nullptr);
  }

private:
  struct Source {
    Tensor tensor;
    Moment until;
  };
  void dropSources();
  Status prepareLoop(const SluiceCodelet &code, std::string_view program);

  std::unique_ptr<Device> device_;
  const bool anyOrder_, shortFactors_;
  std::unordered_map<const SluiceKernelImages *, KernelModule> modules_;
  std::unordered_map<const SluiceCodelet *, std::vector<DeviceKernel>> kernels_;
  std::unordered_map<const SluiceKernelImages *, DeviceKernel> conditions_;
  CardLoops loops_;
  SavedValues saved_;
  PinnedTensors pinned_;
  std::atomic<uint64_t> byLibrary_ = 0, byKernels_ = 0;
  std::mutex mutex_;
  std::deque<Source> sources_; // of copies that may be under way, oldest first
};

} // namespace sluice::rt
