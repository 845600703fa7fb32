// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A handler that writes down what it gets.
#pragma once

#include "runtime/transport/transport.h"

#include <gtest/gtest.h>
#include <string>
#include <utility>
#include <vector>

namespace sluice::rt {

constexpr uint8_t kTextMessage = kFirstMessageType;
constexpr uint64_t kMillisecond = 1000000, kSecond = 1000 * kMillisecond;

using Texts = std::vector<std::pair<uint32_t, std::string>>; // by peer
using Ends = std::vector<std::pair<uint32_t, Code>>;

class Recorder : public Transport::Handler {
public:
  Result<uint64_t> admit(uint32_t, const MessageHeader &header) override {
    if (header.type != kTextMessage)
      return invalidArgument(format("sent a message of unknown type %u", header.type));
    return most;
  }
  void receive(uint32_t peer, const MessageHeader &header, std::span<const char> payload) override {
    EXPECT_EQ(reinterpret_cast<uintptr_t>(payload.data()) % 8, 0u);
    EXPECT_EQ(payload.size(), header.bytes);
    for (const auto &[gone, code] : ends)
      EXPECT_NE(peer, gone) << "message after the end";
    texts.emplace_back(peer, std::string(payload.data(), payload.size()));
  }
  void lost(uint32_t peer, const Status &why) override {
    ends.emplace_back(peer, why.code());
    reasons += why.message() + "\n";
  }

  uint64_t most = 1024;
  Texts texts;
  Ends ends;
  std::string reasons;
};

inline void sendText(Transport &transport, uint32_t to, std::string_view text) {
  MessageHeader header;
  header.type = kTextMessage;
  transport.send(to, header, text);
}

} // namespace sluice::rt
