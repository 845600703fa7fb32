// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Messages about tokens that have overtaken the start of their call, by call.
#pragma once

#include "runtime/base/limits.h"
#include "runtime/transport/transport.h"

#include <algorithm>
#include <deque>
#include <string>
#include <vector>

namespace sluice::rt {

class KeptMessages {
public:
  struct Message {
    uint32_t peer;
    MessageHeader header;
    std::string payload;
  };

  // False if a call has more of them than the limits allow.
  bool keep(uint32_t peer, const MessageHeader &header, std::span<const char> payload,
            const Limits &limits) {
    auto at = find(header.call);
    if (at == calls_.end())
      at = calls_.insert(at, OfCall{header.call, {}, 0});
    if (at->messages.size() >= limits[Limit::kEarlyTokens] ||
        payload.size() > limits[Limit::kEarlyBytes] - at->bytes)
      return false;
    at->bytes += payload.size();
    at->messages.push_back({peer, header, std::string(payload.data(), payload.size())});
    return true;
  }
  // Those of a call, in the order in which they came.
  std::deque<Message> take(uint32_t call) {
    std::deque<Message> messages;
    if (auto at = find(call); at != calls_.end()) {
      messages = std::move(at->messages);
      calls_.erase(at);
    }
    return messages;
  }

private:
  struct OfCall {
    uint32_t call;
    std::deque<Message> messages;
    uint64_t bytes;
  };
  std::vector<OfCall>::iterator find(uint32_t call) {
    return std::find_if(calls_.begin(), calls_.end(),
                        [&](const OfCall &one) { return one.call == call; });
  }

  std::vector<OfCall> calls_; // no more than calls may be under way
};

} // namespace sluice::rt
