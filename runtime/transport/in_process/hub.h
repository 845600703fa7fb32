// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Transports of ranks that live in one process: threads that each drive one endpoint, or one thread
// that drives them all. For simulation the hub can hold every message back until it is told which
// channel moves next.
#pragma once

#include "runtime/transport/transport.h"

#include <memory>
#include <vector>

namespace sluice::rt {

class Exchange;

// May be used from any thread. Endpoints may outlive it.
class Hub {
public:
  enum class Delivery : uint8_t {
    kAtOnce,   // what is flushed lies in the inbox of its receiver
    kOnDemand, // what is flushed stays under way until `deliverOne`; `wait` of endpoints never
               // waits
  };
  struct Channel {
    uint32_t from = 0, to = 0;
    bool operator==(const Channel &) const = default;
  };

  explicit Hub(uint32_t size, Delivery delivery = Delivery::kAtOnce);

  // Once for each rank. An endpoint that is destroyed without `close` has died: its peers lose it.
  std::unique_ptr<Transport> endpoint(uint32_t rank);

  // Channels with something under way, ordered by receiver, then by sender. On demand only.
  std::vector<Channel> channels() const;
  // Moves the oldest message of a channel, or the end of its sender, into the receiver's inbox; the
  // receiver's next `poll` delivers it. False if there is none.
  bool deliverOne(uint32_t from, uint32_t to);

  // The rank dies. Its peers lose it after what it has flushed; itself, it loses all peers at once.
  void cut(uint32_t rank);

private:
  std::shared_ptr<Exchange> exchange_;
};

} // namespace sluice::rt
