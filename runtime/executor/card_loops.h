// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Loops that a card runs by itself: the words that their kernels work with, and the device's graph
// of the steps, which both are kept from one run to the next.
#pragma once

#include "runtime/codelet/abi.h"
#include "runtime/device/device.h"

#include <map>
#include <memory>
#include <mutex>
#include <utility>
#include <vector>

namespace sluice::rt {

// What one run at a time uses.
struct CardLoop {
  DeviceMemory words;
  DeviceLoop graph;
  std::vector<int64_t> blocks; // of the launches in the graph
};

class CardLoops {
public:
  explicit CardLoops(Device &device) : device_(device) {}

  // One that nobody uses, for runs on that stream.
  Result<std::unique_ptr<CardLoop>> take(const SluiceCodelet &code, StreamId stream,
                                         std::string_view owner);
  // When all that uses it is enqueued on its stream, or over.
  void giveBack(const SluiceCodelet &code, std::unique_ptr<CardLoop> loop);

private:
  Device &device_;
  std::mutex mutex_;
  using Key = std::pair<const SluiceCodelet *, StreamId>;
  std::map<Key, std::vector<std::unique_ptr<CardLoop>>> idle_;
};

} // namespace sluice::rt
