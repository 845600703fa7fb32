// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// One suite for every implementation of Network.
#include "runtime/transport/network.h"

#include <gtest/gtest.h>

namespace sluice::rt {
namespace {

constexpr uint64_t kSecond = 1000000000, kMoment = 20000000;

class NetworkTest : public testing::TestWithParam<const char *> {
protected:
  std::unique_ptr<Network> network_ = GetParam() == std::string("tcp")
                                          ? makeTcpNetwork(systemClock())
                                          : makeInProcessNetwork();
  struct Pair {
    std::unique_ptr<Stream> client, server;
  };
  Pair connected() {
    auto listener = network_->listen("127.0.0.1:0");
    EXPECT_TRUE(listener.ok());
    auto client = network_->connect((*listener)->address(), kSecond);
    EXPECT_TRUE(client.ok()) << client.status().toString();
    auto server = (*listener)->accept(kSecond);
    EXPECT_TRUE(server.ok());
    return {std::move(*client), std::move(*server)};
  }
  static std::string readAll(Stream &stream, size_t count) {
    std::string text(count, '\0');
    for (size_t at = 0; at < count;) {
      auto got = stream.read(std::span(text).subspan(at), kSecond);
      if (!got.ok() || *got == 0)
        return text.substr(0, at);
      at += *got;
    }
    return text;
  }
};

TEST_P(NetworkTest, CarriesBytesBothWays) {
  auto [client, server] = connected();
  EXPECT_TRUE(client->write(std::string("ping"), kSecond).ok());
  EXPECT_EQ(readAll(*server, 4), "ping");
  EXPECT_TRUE(server->write(std::string("pong!"), kSecond).ok());
  EXPECT_EQ(readAll(*client, 5), "pong!");
}

TEST_P(NetworkTest, ReadsTheEndOfAClosedStream) {
  auto [client, server] = connected();
  EXPECT_TRUE(client->write(std::string("last"), kSecond).ok());
  client.reset();
  EXPECT_EQ(readAll(*server, 10), "last");
}

TEST_P(NetworkTest, EveryWaitHasADeadline) {
  auto [client, server] = connected();
  char byte;
  EXPECT_EQ(client->read({&byte, 1}, kMoment).status().code(), Code::kDeadlineExceeded);
  auto listener = network_->listen("127.0.0.1:0");
  EXPECT_EQ((*listener)->accept(kMoment).status().code(), Code::kDeadlineExceeded);
}

TEST_P(NetworkTest, RefusesWhatCannotBe) {
  EXPECT_EQ(network_->listen("nowhere").status().code(), Code::kInvalidArgument);
  std::string gone;
  {
    auto listener = network_->listen("127.0.0.1:0");
    gone = (*listener)->address();
    EXPECT_EQ(network_->listen(gone).status().code(), Code::kUnavailable);
  }
  EXPECT_EQ(network_->connect(gone, kSecond).status().code(), Code::kUnavailable);
}

INSTANTIATE_TEST_SUITE_P(Both, NetworkTest, testing::Values("tcp", "in-process"));

} // namespace
} // namespace sluice::rt
