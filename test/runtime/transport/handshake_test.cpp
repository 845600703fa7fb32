// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Ranks that do not fit refuse each other and say why.
#include "test/runtime/transport/raw_peer.h"

namespace sluice::rt {
namespace {

const std::string kKey = "correct horse battery staple";

struct Mismatch {
  const char *name;
  std::function<void(TcpOptions &)> change; // of rank 1
  const char *text;                         // what both sides say
};

class MismatchTest : public testing::TestWithParam<Mismatch> {
protected:
  static void expectRefusal(const Connected &result, const std::string &who) {
    std::string text = result.status().toString();
    EXPECT_EQ(result.status().code(), Code::kPermissionDenied) << text;
    EXPECT_NE(text.find(GetParam().text), std::string::npos) << text;
    EXPECT_NE(text.find(who), std::string::npos) << text;
  }
};

std::vector<Mismatch> mismatches() {
  return {
      {"Program", [](TcpOptions &o) { o.identity.programHash = "other"; },
       "expected program 'program' but got 'other'"},
      {"Cluster", [](TcpOptions &o) { o.identity.clusterHash = "other"; },
       "expected cluster 'cluster' but got 'other'"},
      {"Run", [](TcpOptions &o) { o.identity.runId = "yesterday"; },
       "expected run 'run' but got 'yesterday'"},
      {"Window", [](TcpOptions &o) { o.identity.window = 5; }, "expected window 4 but got 5"},
      {"Size", [](TcpOptions &o) { o.addresses.push_back("127.0.0.1:1"); },
       "expected cluster size 2 but got 3"},
  };
}

TEST_P(MismatchTest, EndsBothSides) {
  std::vector<TcpOptions> all = tcpCluster(2);
  GetParam().change(all[1]);
  std::vector<Connected> results = connectAll(all);
  expectRefusal(results[0], "rank 1 at 127.0.0.1:");
  expectRefusal(results[1], "rank 0 (" + all[0].addresses[0] + ")");
}

TEST_P(MismatchTest, EndsBothSidesThatHaveTheKey) {
  std::vector<TcpOptions> all = tcpCluster(2);
  all[0].key = all[1].key = kKey;
  GetParam().change(all[1]);
  std::vector<Connected> results = connectAll(all);
  expectRefusal(results[0], "rank 1 at 127.0.0.1:");
  expectRefusal(results[1], "rank 0 (" + all[0].addresses[0] + ")");
}

TEST_P(MismatchTest, IsHarmlessFromOneWithoutTheKey) {
  std::vector<TcpOptions> all = tcpCluster(2);
  TcpOptions intruder = all[1];
  GetParam().change(intruder);
  all[0].key = all[1].key = kKey;
  intruder.key = "another key of some length";
  Connecting first(all[0]);
  EXPECT_FALSE(RawPeer(intruder).shakeHands());
  Connecting second(all[1]);
  EXPECT_TRUE(second.finish().ok());
  EXPECT_TRUE(first.finish().ok());
  EXPECT_NE(first.log().find("expected the same key but got another"), std::string::npos)
      << first.log();
}

INSTANTIATE_TEST_SUITE_P(All, MismatchTest, testing::ValuesIn(mismatches()),
                         [](const auto &info) { return info.param.name; });

TEST(HandshakeTest, KeyedRanksConnect) {
  std::vector<TcpOptions> all = tcpCluster(3);
  for (TcpOptions &options : all)
    options.key = kKey;
  Transports ranks = connectedTcp(all);
  sendText(*ranks[2], 0, "hello");
  ranks[2]->flush();
  Recorder recorder;
  EXPECT_TRUE(pumpUntil(*ranks[0], recorder, [&] { return recorder.texts.size() == 1; }));
}

// The callee cannot tell a rank with a wrong key from a stranger: it waits on.
TEST(HandshakeTest, WrongKeyEndsTheCallerOnly) {
  for (std::string key : {"", "another key of some length"}) {
    std::vector<TcpOptions> all = tcpCluster(2);
    all[0].key = kKey;
    all[1].key = key;
    all[0].connectTimeoutNs = 300 * kMillisecond;
    std::vector<Connected> results = connectAll(all);
    EXPECT_EQ(results[0].status().code(), Code::kDeadlineExceeded);
    EXPECT_EQ(results[1].status().code(), Code::kPermissionDenied);
    EXPECT_NE(results[1].status().message().find("key"), std::string::npos)
        << results[1].status().message();
  }
}

TEST(HandshakeTest, KeyWhereNoneIsExpectedEndsBoth) {
  std::vector<TcpOptions> all = tcpCluster(2);
  all[1].key = kKey;
  std::vector<Connected> results = connectAll(all);
  EXPECT_EQ(results[0].status().code(), Code::kPermissionDenied);
  EXPECT_EQ(results[1].status().code(), Code::kPermissionDenied);
  EXPECT_NE(results[1].status().message().find("expected no key"), std::string::npos);
}

TEST(HandshakeTest, ReplayProvesNothing) {
  std::vector<TcpOptions> all = tcpCluster(2);
  all[0].key = all[1].key = kKey;
  Connecting first(all[0]);
  std::string theirs, again;
  RawPeer recorded(all[1]);
  std::string mine = encodeHello(recorded.hello());
  recorded.send(mine);
  recorded.receiveFrame(theirs);
  std::string proof = encodeFrame(FrameKind::kProof, prove(kKey, HandshakeRole::kConnector, mine,
                                                           encodeFrame(FrameKind::kHello, theirs)));
  recorded.close(); // the proof is good, but is used with another connection
  RawPeer replay(all[1]);
  replay.send(mine);
  EXPECT_EQ(replay.receiveFrame(again).kind, FrameKind::kHello);
  EXPECT_NE(theirs, again);
  replay.send(proof);
  EXPECT_EQ(replay.receiveRefusal(), "expected the same key but got another");
  EXPECT_TRUE(Connecting(all[1]).finish().ok());
  EXPECT_TRUE(first.finish().ok());
}

// Every bit of both hellos is in the proof: what a man in the middle changes is noticed.
TEST(HandshakeTest, ProofsAreAboutBothHellos) {
  std::string one = encodeHello({}), other = one;
  other.back() ^= 1;
  std::string proof = prove(kKey, HandshakeRole::kConnector, one, one);
  EXPECT_NE(proof, prove(kKey, HandshakeRole::kConnector, other, one));
  EXPECT_NE(proof, prove(kKey, HandshakeRole::kConnector, one, other));
  for (int changed = 0; changed < 2; ++changed) {
    std::vector<TcpOptions> all = tcpCluster(2);
    all[0].key = all[1].key = kKey;
    Connecting first(all[0]);
    RawPeer peer(all[1]);
    std::string body, hellos[2] = {encodeHello(peer.hello()), ""};
    peer.send(hellos[0]);
    EXPECT_EQ(peer.receiveFrame(body).kind, FrameKind::kHello);
    hellos[1] = encodeFrame(FrameKind::kHello, body);
    hellos[changed][kFrameHeadBytes] ^= 1; // a feature
    peer.send(encodeFrame(FrameKind::kProof,
                          prove(kKey, HandshakeRole::kConnector, hellos[0], hellos[1])));
    EXPECT_EQ(peer.receiveRefusal(), "expected the same key but got another");
    EXPECT_TRUE(Connecting(all[1]).finish().ok());
    EXPECT_TRUE(first.finish().ok());
  }
}

// A rank calls the lower ones only, so nobody lower may call.
TEST(HandshakeTest, CallOfALowerRankIsRefused) {
  std::vector<TcpOptions> all = tcpCluster(3);
  Connecting second(all[1]);
  std::vector<TcpOptions> turned = all;
  std::swap(turned[0].addresses[0], turned[0].addresses[1]); // so that RawPeer calls rank 1
  RawPeer lower(turned[0]);
  Hello hello = lower.hello(); // of rank 0
  hello.toRank = 1;
  std::string body, mine = encodeHello(hello);
  lower.send(mine);
  EXPECT_EQ(lower.receiveFrame(body).kind, FrameKind::kHello);
  lower.send(encodeFrame(FrameKind::kProof, ""));
  EXPECT_EQ(lower.receiveRefusal(), "expected a rank above 1 and below 3 but got 0");
  EXPECT_EQ(second.finish().status().code(), Code::kPermissionDenied);
  for (const TcpOptions &options : {all[0], all[2]})
    ::close(options.listenFd);
}

TEST(HandshakeTest, ProofsOfOneRoleAreNotThoseOfTheOther) {
  EXPECT_NE(prove(kKey, HandshakeRole::kConnector, "a", "b"),
            prove(kKey, HandshakeRole::kAcceptor, "a", "b"));
  EXPECT_EQ(prove(kKey, HandshakeRole::kConnector, "a", "b").size(), 32u);
  EXPECT_FALSE(equalProofs("", "x"));
}

TEST(HandshakeTest, SecondOfARankIsRefused) {
  std::vector<TcpOptions> all = tcpCluster(3);
  Connecting first(all[0]);
  RawPeer one(all[1]), two(all[1]);
  EXPECT_TRUE(one.shakeHands());
  std::string body;
  two.send(encodeHello(two.hello()));
  two.receiveFrame(body);
  two.send(encodeFrame(FrameKind::kProof, ""));
  EXPECT_NE(two.receiveRefusal().find("rank 1 is connected already"), std::string::npos);
  Status status = first.finish().status();
  EXPECT_EQ(status.code(), Code::kPermissionDenied);
  EXPECT_NE(status.message().find("started twice"), std::string::npos) << status.message();
}

TEST(HandshakeTest, RankThatCallsItselfIsRefused) {
  std::vector<TcpOptions> all = tcpCluster(3);
  all[1].addresses[0] = "localhost:" + parseHostPort(all[1].addresses[1])->port;
  Status status = connectTcp(all[1]).status();
  EXPECT_EQ(status.code(), Code::kPermissionDenied);
  EXPECT_NE(status.message().find("rank 1 was reached by a rank 1"), std::string::npos)
      << status.message();
}

TEST(HandshakeTest, CallForAnotherRankIsRefused) {
  std::vector<TcpOptions> all = tcpCluster(3);
  std::swap(all[2].addresses[0], all[2].addresses[1]);
  all[1].connectTimeoutNs = kSecond; // rank 0 may have ended before this one was connected
  std::vector<Connected> results = connectAll(all);
  EXPECT_EQ(results[2].status().code(), Code::kPermissionDenied);
  EXPECT_NE(results[2].status().message().find("a peer that looks for rank"), std::string::npos)
      << results[2].status().message();
}

TEST(HandshakeTest, RankOutOfRangeIsRefused) {
  std::vector<TcpOptions> all = tcpCluster(2);
  Connecting first(all[0]);
  all[1].rank = 7;
  RawPeer peer(all[1]);
  EXPECT_FALSE(peer.shakeHands());
  EXPECT_NE(first.finish().status().message().find("expected a rank above 0 and below 2 but got 7"),
            std::string::npos);
}

TEST(HandshakeTest, OtherVersionIsRefusedByBoth) {
  std::vector<TcpOptions> all = tcpCluster(2);
  Connecting first(all[0]);
  RawPeer peer(all[1]);
  std::string hello = encodeHello(peer.hello());
  hello[6] = 9;
  peer.send(hello);
  EXPECT_EQ(peer.receiveRefusal(), "expected protocol version 1 but got 9");
  EXPECT_EQ(first.finish().status().code(), Code::kPermissionDenied);
}

TEST(HandshakeTest, CallerUnderstandsTheRefusalOfAnotherVersion) {
  std::vector<TcpOptions> all = tcpCluster(2);
  Connecting second(all[1]);
  Socket listener(all[0].listenFd);
  pollfd entry{listener.fd(), POLLIN, 0};
  ASSERT_EQ(::poll(&entry, 1, 10000), 1);
  Result<Socket> accepted = acceptFrom(listener);
  ASSERT_TRUE(accepted.ok() && accepted->isOpen());
  std::string refusal = encodeRefusal({RefusalCode::kVersion, "expected version 2"});
  refusal[6] = 2;
  ASSERT_EQ(::send(accepted->fd(), refusal.data(), refusal.size(), 0),
            static_cast<ssize_t>(refusal.size()));
  Status status = second.finish().status();
  EXPECT_EQ(status.code(), Code::kPermissionDenied);
  EXPECT_NE(status.message().find("expected version 2"), std::string::npos) << status.message();
}

// The bytes that docs/wire-protocol.md promises.
TEST(HandshakeTest, HelloHasTheDocumentedBytes) {
  Hello hello;
  hello.rank = 2;
  hello.toRank = 1;
  hello.size = 3;
  hello.beatMs = 500;
  hello.keyed = true;
  hello.nonce.fill('n');
  hello.identity = {"p", "cc", "run", 4};
  std::string expected("SLUICE\x01\0\x01\0\0\0\x46\0\0\0", 16);
  expected +=
      std::string("\0\0\0\0\0\0\0\0\x02\0\0\0\x01\0\0\0\x03\0\0\0\x04\0\0\0\xf4\x01\0\0\x01", 29);
  expected += std::string(32, 'n') + "\x01p\x02"
                                     "cc\x03run";
  std::string got = encodeHello(hello);
  EXPECT_EQ(got.size() - kFrameHeadBytes, decodeHead(got).bytes);
  expected[12] = static_cast<char>(expected.size() - kFrameHeadBytes);
  EXPECT_EQ(got, expected);
  EXPECT_FALSE(decodeHello(got.substr(kFrameHeadBytes, 40)));
  EXPECT_FALSE(decodeHello(got.substr(kFrameHeadBytes) + "x"));
  EXPECT_EQ(decodeHello(got.substr(kFrameHeadBytes))->identity.runId, "run");
}

} // namespace
} // namespace sluice::rt
