// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Streams of a device, and moments in them. What is enqueued on one stream happens in that order;
// streams know nothing of each other but what somebody orders.
#pragma once

#include <cstddef>
#include <cstdint>

namespace sluice::rt {

enum class StreamId : uint8_t { kHostToDevice = 0, kDeviceToHost = 1, kFirstCompute = 2 };

// Copies have streams of their own, so that they run beside kernels.
constexpr size_t kCopyStreams = 2;
constexpr size_t kMostComputeStreams = 14;
constexpr size_t kMostStreams = kCopyStreams + kMostComputeStreams;

constexpr StreamId computeStream(size_t number) {
  return static_cast<StreamId>(kCopyStreams + number);
}
constexpr size_t indexOf(StreamId stream) { return static_cast<size_t>(stream); }

// When what was enqueued on the stream up to that ticket has completed. Tickets of a stream count
// from 1; ticket 0 is always over.
struct Moment {
  StreamId stream = StreamId::kFirstCompute;
  uint64_t ticket = 0;
};

} // namespace sluice::rt
