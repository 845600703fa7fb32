// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Tensors of the host in pages that stay where they are, so that a card copies from and to them by
// itself: for what comes from other ranks and goes on to the card, and the other way round.
//
// To pin memory takes long, so buffers are kept for the next ones. One is free when nobody else
// holds it. When this goes, whoever holds one keeps it, as memory like any other.
#pragma once

#include "runtime/device/device.h"
#include "runtime/memory/tensor.h"

#include <map>
#include <mutex>

namespace sluice::rt {

class PinnedTensors {
public:
  // Smaller ones are copied through staging in no time.
  static constexpr size_t kLeastBytes = size_t(32) << 10;
  // So much is pinned at most, in use or free.
  static constexpr uint64_t kMostPinned = uint64_t(256) << 20;

  explicit PinnedTensors(Device &device, uint64_t most = kMostPinned)
      : device_(device), most_(most) {}
  // No copy may be under way.
  ~PinnedTensors();
  PinnedTensors(const PinnedTensors &) = delete;
  PinnedTensors &operator=(const PinnedTensors &) = delete;

  // Uninitialised elements. Invalid where other memory has to do: small ones, strings, no room.
  Tensor tryAllocate(DType dtype, const Shape &shape);

  struct Counters {
    uint64_t held = 0;    // bytes
    uint64_t tensors = 0; // that were given out
  };
  Counters counters() const;
  // The buffers stay as they are, for ever: a device that does not end its work may use them.
  void abandon() { isAbandoned_ = true; }

private:
  Buffer *take(size_t bytes);
  Buffer *add(size_t bytes);
  bool makeRoom(size_t bytes);
  void drop(Buffer &buffer);

  Device &device_;
  const uint64_t most_;
  mutable std::mutex mutex_;
  std::multimap<size_t, Buffer *> kept_; // by size
  Counters counters_;
  bool isRefused_ = false; // by the driver or the system
  bool isAbandoned_ = false;
};

} // namespace sluice::rt
