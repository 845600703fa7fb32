// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What is not a rank of ours is dropped, with a line, and nothing else happens.
#include "test/runtime/transport/raw_peer.h"

#include <algorithm>
#include <deque>
#include <sys/resource.h>

namespace sluice::rt {
namespace {

struct Stranger {
  const char *name;
  std::string says;
  const char *log;
};

std::string noise() {
  std::string bytes(5000, '\0');
  for (size_t i = 0; i < bytes.size(); ++i)
    bytes[i] = static_cast<char>(((i + 1) * 2654435761u) >> 11);
  return bytes;
}

std::vector<Stranger> strangers() {
  std::string tls("\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03", 11);
  std::string longFrame = encodeFrame(FrameKind::kHello, "");
  longFrame[15] = 0x7f; // two gigabytes
  std::string unknownFlag = encodeFrame(FrameKind::kHello, "");
  unknownFlag[10] = 1;
  std::string wrongKind = encodeFrame(FrameKind::kWelcome, "");
  return {
      {"Http", "GET / HTTP/1.1\r\nHost: localhost\r\n\r\n", "it sent 'GET / HTTP/1.1"},
      {"Tls", tls, "it sent '\\x16\\x03\\x01"},
      {"Noise", noise(), "not a Sluice executable"},
      {"OneByte", "S", "no answer in the handshake"},
      {"Silence", "", "no answer in the handshake"},
      {"HalfAHello", encodeHello({}).substr(0, 30), "no answer in the handshake"},
      {"LongFrame", longFrame, "2130706432 bytes"},
      {"UnknownFlag", unknownFlag, "expected zeros in bytes 9 to 11 of a frame"},
      {"WrongKind", wrongKind, "expected a frame of kind 1 but got kind 3"},
      {"BadHello", encodeFrame(FrameKind::kHello, "xyz"), "could not read it"},
  };
}

class StrangerTest : public testing::TestWithParam<Stranger> {};
INSTANTIATE_TEST_SUITE_P(All, StrangerTest, testing::ValuesIn(strangers()),
                         [](const auto &info) { return info.param.name; });

TEST_P(StrangerTest, IsDropped) {
  std::vector<TcpOptions> all = tcpCluster(2);
  all[0].handshakeTimeoutNs = 100 * kMillisecond;
  Connecting first(all[0]);
  RawPeer stranger(all[1]);
  stranger.send(GetParam().says);
  stranger.receive(2000); // until it is dropped
  EXPECT_TRUE(Connecting(all[1]).finish().ok());
  EXPECT_TRUE(first.finish().ok());
  EXPECT_NE(first.log().find(GetParam().log), std::string::npos) << first.log();
}

// With a key, whoever has not proved it is a stranger, whatever it says.
TEST(StrangersTest, WithAnotherVersionOrARefusalDoNotEndAKeyedRank) {
  std::vector<TcpOptions> all = tcpCluster(2);
  all[0].key = all[1].key = "correct horse battery staple";
  Connecting first(all[0]);
  std::string version = encodeHello(RawPeer(all[1]).hello());
  version[6] = 9;
  std::string refusalOfAnother = encodeRefusal({RefusalCode::kVersion, "too old"});
  refusalOfAnother[6] = 9;
  for (const std::string &says : {version, encodeRefusal({RefusalCode::kProgram, "go away"}),
                                  refusalOfAnother}) {
    RawPeer stranger(all[1]);
    stranger.send(says);
    stranger.receive(2000); // until it is dropped
  }
  // One that begins well and refuses then.
  RawPeer late(all[1]);
  std::string body;
  late.send(encodeHello(late.hello()));
  EXPECT_EQ(late.receiveFrame(body).kind, FrameKind::kHello);
  late.send(encodeRefusal({RefusalCode::kKey, "go away"}));
  late.receive(2000);
  EXPECT_TRUE(Connecting(all[1]).finish().ok());
  EXPECT_TRUE(first.finish().ok());
  for (const char *line : {"expected protocol version 1 but got 9", "go away", "too old"})
    EXPECT_NE(first.log().find(line), std::string::npos) << first.log();
}

TEST(StrangersTest, ThatLeaveAreDropped) {
  std::vector<TcpOptions> all = tcpCluster(2);
  Connecting first(all[0]);
  RawPeer(all[1]).close();
  RawPeer(all[1]).reset();
  EXPECT_TRUE(Connecting(all[1]).finish().ok());
  EXPECT_TRUE(first.finish().ok());
}

TEST(StrangersTest, MayBeManyAndSilent) {
  std::vector<TcpOptions> all = tcpCluster(2);
  all[0].mostStrangers = 8;
  Connecting first(all[0]);
  std::deque<RawPeer> silent;
  for (int i = 0; i < 40; ++i)
    silent.emplace_back(all[1]);
  EXPECT_TRUE(Connecting(all[1]).finish().ok());
  EXPECT_TRUE(first.finish().ok());
  EXPECT_NE(first.log().find("too many at once"), std::string::npos) << first.log();
}

// Nothing may be kept of each, not even a line.
TEST(StrangersTest, MayBeTenThousand) {
  std::vector<TcpOptions> all = tcpCluster(2);
  Connecting first(all[0]);
  for (int i = 0; i < 10'000; ++i)
    RawPeer(all[1]).reset();
  EXPECT_TRUE(Connecting(all[1]).finish().ok());
  EXPECT_TRUE(first.finish().ok());
  // A hundred, and then 128, 256 and so on.
  EXPECT_LE(std::count(first.log().begin(), first.log().end(), '\n'), 107);
  EXPECT_NE(first.log().find("dropped a connection, the last of 256: "), std::string::npos);
}

TEST(StrangersTest, FindNobodyOnceAllAreConnected) {
  std::vector<TcpOptions> all = tcpCluster(2);
  Transports ranks = connectedTcp(all);
  SocketAddress address = numericAddresses(*parseHostPort(all[0].addresses[0]))[0];
  Socket late(::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0));
  EXPECT_NE(::connect(late.fd(), address.get(), address.size), 0);
  EXPECT_EQ(errno, ECONNREFUSED);
}

// Another program may answer where a rank will be later.
TEST(StrangersTest, ThatAnswerAreCalledAgain) {
  std::vector<TcpOptions> all = tcpCluster(2);
  std::thread other([listener = Socket(::dup(all[0].listenFd))] {
    pollfd entry{listener.fd(), POLLIN, 0};
    ASSERT_EQ(::poll(&entry, 1, 10000), 1);
    Result<Socket> accepted = acceptFrom(listener);
    ASSERT_TRUE(accepted.ok() && accepted->isOpen());
    ::send(accepted->fd(), "220 mail ready, very long greeting\r\n", 36, MSG_NOSIGNAL);
  });
  Connecting second(all[1]);
  other.join();
  EXPECT_TRUE(connectTcp(all[0]).ok());
  EXPECT_TRUE(second.finish().ok());
}

TEST(StrangersTest, MayUseUpFileDescriptors) {
  std::vector<TcpOptions> all = tcpCluster(2);
  rlimit before{};
  ::getrlimit(RLIMIT_NOFILE, &before);
  std::vector<Socket> hoard;
  Connecting first(all[0]);
  std::this_thread::sleep_for(std::chrono::milliseconds(50)); // it has what it needs
  RawPeer peer(all[1]);                                       // waits to be accepted, or has been
  rlimit few{static_cast<rlim_t>(::dup(0)) + 1, before.rlim_max};
  ::close(static_cast<int>(few.rlim_cur - 1));
  ::setrlimit(RLIMIT_NOFILE, &few);
  for (int fd = ::dup(0); fd >= 0; fd = ::dup(0))
    hoard.emplace_back(fd);
  std::this_thread::sleep_for(std::chrono::milliseconds(50));
  hoard.clear();
  ::setrlimit(RLIMIT_NOFILE, &before);
  EXPECT_TRUE(peer.shakeHands());
  EXPECT_TRUE(first.finish().ok());
}

} // namespace
} // namespace sluice::rt
