// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// How ranks find each other, and what is said when they do not.
#include "test/runtime/transport/raw_peer.h"

#include <deque>

namespace sluice::rt {
namespace {

// Options of ranks that listen themselves.
std::vector<TcpOptions> withoutSockets(uint32_t size) {
  std::vector<TcpOptions> all = tcpCluster(size);
  for (TcpOptions &options : all)
    Socket(std::exchange(options.listenFd, -1)).close();
  return all;
}

TEST(StartTest, OneRankAloneNeedsNobody) {
  TcpOptions options;
  options.addresses = {"127.0.0.1:0"};
  Connected alone = connectTcp(options);
  ASSERT_TRUE(alone.ok()) << alone.status().toString();
  Recorder recorder;
  EXPECT_FALSE((*alone)->poll(recorder));
  (*alone)->close(kSecond);
}

class StartOrderTest : public testing::TestWithParam<std::vector<uint32_t>> {};
INSTANTIATE_TEST_SUITE_P(All, StartOrderTest,
                         testing::Values(std::vector<uint32_t>{0, 1, 2},
                                         std::vector<uint32_t>{2, 1, 0},
                                         std::vector<uint32_t>{1, 2, 0}));

TEST_P(StartOrderTest, IsOfNoConsequence) {
  std::vector<TcpOptions> all = withoutSockets(3);
  std::deque<Connecting> ranks;
  for (uint32_t rank : GetParam()) {
    ranks.emplace_back(all[rank]);
    std::this_thread::sleep_for(std::chrono::milliseconds(20));
  }
  for (Connecting &rank : ranks) {
    Connected result = rank.finish();
    EXPECT_TRUE(result.ok()) << result.status().toString();
  }
}

TEST(StartTest, WorksOverIPv6) {
  Result<Socket> socket = listenAt(numericAddresses({"::1", "0"})[0]);
  if (!socket.ok())
    GTEST_SKIP() << "no IPv6 here";
  std::vector<TcpOptions> all = tcpCluster(2);
  Socket(all[0].listenFd).close();
  all[0].listenFd = -1;
  std::string address = localAddress(socket->fd()).text();
  EXPECT_TRUE(address.starts_with("[::1]:"));
  all[0].addresses[0] = all[1].addresses[0] = address;
  socket->close();
  Transports ranks = connectedTcp(all);
  EXPECT_EQ(ranks.size(), 2u);
}

// Names go through the system's resolver; only the wording of an unknown one can be tested
// anywhere.
TEST(StartTest, UnknownNamesAreNamed) {
  std::vector<TcpOptions> all = tcpCluster(2);
  all[1].addresses[0] = "no-such-host.invalid:7000";
  all[1].insecure = true;
  all[1].connectTimeoutNs = 500 * kMillisecond;
  Status status = connectTcp(all[1]).status();
  EXPECT_EQ(status.code(), Code::kDeadlineExceeded);
  EXPECT_NE(status.message().find("rank 0 (no-such-host.invalid:7000)"), std::string::npos)
      << status.message();
  EXPECT_NE(status.message().find("resolve"), std::string::npos) << status.message();
}

TEST(StartTest, OwnNameOfALoopbackAddressListensEverywhere) {
  char host[256] = "";
  ::gethostname(host, sizeof host - 1);
  std::vector<TcpOptions> all = withoutSockets(2);
  std::string port = parseHostPort(all[0].addresses[0])->port;
  Result<std::vector<SocketAddress>> found = resolve({host, port});
  if (!found.ok() || !found->front().isLoopback())
    GTEST_SKIP() << "this host's name does not stand for a loopback address";
  all[0].addresses[0] = std::string(host) + ":" + port;
  all[0].insecure = true;
  all[1].addresses[0] = "127.0.0.77:" + port; // not the one that the name stands for
  for (const Connected &result : connectAll(all))
    EXPECT_TRUE(result.ok()) << result.status().toString();
}

TEST(StartTest, MissingRanksAreNamed) {
  std::vector<TcpOptions> all = withoutSockets(4);
  all[1].connectTimeoutNs = all[3].connectTimeoutNs = 300 * kMillisecond;
  std::vector<Connected> results = connectAll({all[1], all[3]});
  for (const Connected &result : results) {
    std::string text = result.status().toString();
    EXPECT_EQ(result.status().code(), Code::kDeadlineExceeded) << text;
    EXPECT_NE(text.find("rank 0 (" + all[0].addresses[0] + "): Connection refused"),
              std::string::npos)
        << text;
    EXPECT_NE(text.find("rank 2 (" + all[2].addresses[2] + ")"), std::string::npos) << text;
    EXPECT_EQ(text.find("rank 3 ("), std::string::npos) << text;
  }
  EXPECT_NE(results[0].status().message().find("it has not called"), std::string::npos);
}

TEST(StartTest, RankThatDiesMeanwhileEndsTheOthers) {
  std::vector<TcpOptions> all = tcpCluster(3);
  all[0].peerTimeoutNs = 400 * kMillisecond;
  Connecting first(all[0]);
  RawPeer dying(all[1]);
  EXPECT_TRUE(dying.shakeHands());
  dying.close();
  Status status = first.finish().status(); // does not wait for rank 2
  EXPECT_EQ(status.code(), Code::kUnavailable) << status.toString();
  EXPECT_NE(status.message().find("rank 1 (" + all[0].addresses[1] + "): ended while"),
            std::string::npos)
      << status.message();
}

TEST(StartTest, RankThatGivesUpTellsTheOthersWhy) {
  std::vector<TcpOptions> all = tcpCluster(3);
  all[0].peerTimeoutNs = 400 * kMillisecond;
  all[1].connectTimeoutNs = 1000 * kMillisecond; // rank 2 never comes
  std::vector<Connected> results = connectAll({all[0], all[1]});
  for (const Connected &result : results)
    EXPECT_EQ(result.status().code(), Code::kDeadlineExceeded) << result.status().toString();
  std::string text = results[0].status().message();
  EXPECT_TRUE(text.starts_with("rank 1 (" + all[0].addresses[1] + ") gave up: no connection"))
      << text;
}

TEST(StartTest, ConnectingCanBeEnded) {
  std::vector<TcpOptions> all = tcpCluster(2);
  std::atomic<bool> stop = false;
  all[0].giveUp = [&] { return stop.load(); };
  Connecting first(all[0]);
  stop = true;
  Status status = first.finish().status();
  EXPECT_EQ(status.code(), Code::kCancelled) << status.toString();
}

TEST(StartTest, AddressInUseIsSaid) {
  std::vector<TcpOptions> all = tcpCluster(2);
  all[0].listenFd = -1; // somebody else listens there
  Status status = connectTcp(all[0]).status();
  EXPECT_EQ(status.code(), Code::kAlreadyExists);
  EXPECT_EQ(status.message(),
            "cannot listen at " + all[0].addresses[0] + ": Address already in use");
}

TEST(StartTest, OtherMachinesNeedAKey) {
  for (const char *address : {"10.1.2.3:7000", "0.0.0.0:7000", "[2001:db8::1]:7000", "host:7000"})
    for (uint32_t rank : {0u, 1u}) {
      TcpOptions options;
      options.rank = rank;
      options.addresses = {address, "127.0.0.1:7001"};
      Status status = connectTcp(options).status();
      EXPECT_EQ(status.code(), Code::kPermissionDenied) << status.toString();
      EXPECT_NE(status.message().find("--key-file"), std::string::npos) << status.message();
    }
}

TEST(StartTest, InheritedSocketOfOtherMachinesNeedsAKey) {
  Result<Socket> open = listenAt(numericAddresses({"0.0.0.0", "0"})[0]);
  ASSERT_TRUE(open.ok());
  std::vector<TcpOptions> all = tcpCluster(2);
  Socket(std::exchange(all[0].listenFd, ::dup(open->fd()))).close();
  EXPECT_EQ(connectTcp(all[0]).status().code(), Code::kPermissionDenied);
}

TEST(StartTest, KeyOrConsentOpensTheNetwork) {
  Result<Socket> open = listenAt(numericAddresses({"0.0.0.0", "0"})[0]);
  ASSERT_TRUE(open.ok());
  std::vector<TcpOptions> all = tcpCluster(2);
  std::string port = localAddress(open->fd()).text().substr(8);
  Socket(std::exchange(all[0].listenFd, ::dup(open->fd()))).close();
  all[1].addresses[0] = all[0].addresses[0] = "127.0.0.1:" + port;
  all[0].key = all[1].key = "a key of some length";
  for (const Connected &result : connectAll(all))
    EXPECT_TRUE(result.ok()) << result.status().toString();
  all[0].listenFd = ::dup(open->fd());
  all[1].listenFd = -1;
  all[0].key = all[1].key = "";
  all[0].insecure = true;
  for (const Connected &result : connectAll(all))
    EXPECT_TRUE(result.ok()) << result.status().toString();
}

TEST(StartTest, NamesAndKeysHaveTheirLengths) {
  auto messageOf = [](const std::function<void(TcpOptions &)> &change) {
    TcpOptions options;
    options.addresses = {"127.0.0.1:0"};
    change(options);
    return connectTcp(options).status().message();
  };
  const char *names = "expected hashes of at most 64 bytes and a run id of at most 255";
  using Text = std::string TcpIdentity::*;
  for (const auto &[text, most] :
       {std::pair(Text(&TcpIdentity::programHash), 64),
        std::pair(Text(&TcpIdentity::clusterHash), 64),
        std::pair(Text(&TcpIdentity::runId), 255)})
    for (int more : {0, 1})
      EXPECT_EQ(messageOf([=](TcpOptions &o) {
                  (o.identity.*text).assign(static_cast<size_t>(most + more), 'x');
                }),
                more ? names : "");
  EXPECT_EQ(messageOf([](TcpOptions &o) { o.key = std::string(16, 'k'); }), "");
  EXPECT_EQ(messageOf([](TcpOptions &o) { o.key = std::string(15, 'k'); }),
            "expected a key of at least 16 bytes but got 15");
  EXPECT_EQ(messageOf([](TcpOptions &o) { o.rank = 1; }),
            "expected a rank below 1, the number of addresses, but got 1");
  EXPECT_EQ(messageOf([](TcpOptions &o) { o.addresses = {"a:1", "b:1", "b:1"}; }),
            "ranks 1 and 2 have the same address b:1");
}

TEST(StartTest, OptionsThatCannotBeAreRefused) {
  auto codeOf = [](const std::function<void(TcpOptions &)> &change) {
    std::vector<TcpOptions> all = withoutSockets(2);
    change(all[1]);
    return connectTcp(all[1]).status().code();
  };
  EXPECT_EQ(codeOf([](TcpOptions &o) { o.rank = 2; }), Code::kInvalidArgument);
  EXPECT_EQ(codeOf([](TcpOptions &o) { o.key = "short"; }), Code::kInvalidArgument);
  EXPECT_EQ(codeOf([](TcpOptions &o) { o.listenFd = 0; }), Code::kInvalidArgument);
  EXPECT_EQ(codeOf([](TcpOptions &o) { o.addresses[0] = o.addresses[1]; }), Code::kInvalidArgument);
  EXPECT_EQ(codeOf([](TcpOptions &o) { o.identity.runId.assign(256, 'x'); }),
            Code::kInvalidArgument);
  for (const char *bad : {"localhost", "127.0.0.1:", ":7000", "::1:7000", "127.0.0.1:70000",
                          "127.0.0.1:7x", "[]:7000", "127.0.0.1:0"})
    EXPECT_EQ(codeOf([bad](TcpOptions &o) { o.addresses[0] = bad; }), Code::kInvalidArgument)
        << bad;
}

} // namespace
} // namespace sluice::rt
