// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The small parts of the way between two ranks: addresses, keys, hellos, refusals, queues.
#include "runtime/transport/tcp/address.h"
#include "runtime/transport/tcp/hello.h"
#include "runtime/transport/tcp/key_file.h"
#include "runtime/transport/tcp/outbox.h"

#include <gtest/gtest.h>

#include <random>

#include <filesystem>
#include <fstream>
#include <unistd.h>

namespace sluice::rt {
namespace {

TEST(Address, HasAHostAndAPort) {
  const struct {
    const char *text, *host, *port;
  } rows[] = {{"localhost:80", "localhost", "80"},
              {"10.0.0.1:65535", "10.0.0.1", "65535"},
              {"[::1]:7", "::1", "7"},
              {"[fe80::1%lo]:7", "fe80::1%lo", "7"}};
  for (const auto &row : rows) {
    Result<HostPort> where = parseHostPort(row.text);
    ASSERT_TRUE(where.ok()) << where.status().toString();
    EXPECT_EQ(where->host, row.host);
    EXPECT_EQ(where->port, row.port);
  }
  for (const char *bad : {"", ":", ":7", "localhost", "a:", "a:65536", "a:7x", "a:-7", "::1:7",
                          "[::1:7", "::1]:7", "[]:7", "a]:7", "a[b:7"})
    EXPECT_EQ(parseHostPort(bad).status().message(),
              std::string("expected an address like host:port or [IPv6]:port but got '") + bad +
                  "'");
  EXPECT_EQ(parseHostPort("a:0").status().message(),
            "address 'a:0' has port 0: peers need to know the port");
}

TEST(Address, OfThisMachine) {
  const std::pair<const char *, bool> rows[] = {
      {"127.0.0.1", true}, {"127.255.1.2", true}, {"126.0.0.1", false}, {"128.0.0.1", false},
      {"::1", true},       {"::2", false},        {"localhost", true},  {"0.0.0.0", false}};
  for (const auto &[host, loopback] : rows) {
    std::vector<SocketAddress> found = numericAddresses({host, "70"});
    ASSERT_EQ(found.size(), 1u) << host;
    EXPECT_EQ(found[0].isLoopback(), loopback) << host;
  }
  EXPECT_EQ(numericAddresses({"localhost", "70"})[0].text(), "127.0.0.1:70");
  EXPECT_EQ(numericAddresses({"::2", "70"})[0].text(), "[::2]:70");
  EXPECT_TRUE(numericAddresses({"a-name", "70"}).empty());
  EXPECT_EQ(SocketAddress().text(), "unknown address");
  EXPECT_FALSE(SocketAddress().isLoopback());
}

TEST(KeyFile, HoldsAKeyOfItsOwner) {
  std::string path = testing::TempDir() + format("sluice-key-%d", ::getpid());
  auto write = [&](size_t bytes, std::filesystem::perms others) {
    std::ofstream(path, std::ios::binary) << std::string(bytes, 'k');
    using std::filesystem::perms;
    std::filesystem::permissions(path, perms::owner_read | perms::owner_write | others);
    return readKeyFile(path);
  };
  using std::filesystem::perms;
  for (size_t good : {16, 4096}) {
    Result<std::string> key = write(good, perms::none);
    ASSERT_TRUE(key.ok()) << key.status().toString();
    EXPECT_EQ(*key, std::string(good, 'k'));
  }
  for (size_t bad : {0, 15, 4097})
    EXPECT_EQ(write(bad, perms::none).status().toString(),
              "INVALID_ARGUMENT: key file '" + path + "': expected 16 to 4096 bytes");
  for (perms others : {perms::group_read, perms::others_read, perms::group_exec})
    EXPECT_EQ(write(16, others).status().toString(),
              "PERMISSION_DENIED: key file '" + path +
                  "' may be read by others than its owner; run chmod 600 on it");
  std::filesystem::remove(path);
  EXPECT_EQ(readKeyFile(path).status().toString(),
            "NOT_FOUND: key file '" + path + "': No such file or directory");
  EXPECT_EQ(readKeyFile("/").status().toString(),
            "INVALID_ARGUMENT: key file '/': expected a regular file");
}

// Of two that fit, each may differ from the other in nothing.
TEST(Hello, IsJudged) {
  Hello mine, theirs;
  mine.rank = theirs.toRank = 1;
  mine.toRank = theirs.rank = 2;
  mine.size = theirs.size = 3;
  mine.identity = theirs.identity = {"p", "c", "r", 4};
  EXPECT_FALSE(judgeHello(mine, theirs));
  auto judge = [&](auto change, RefusalCode code) {
    Hello other = theirs;
    change(other);
    std::optional<Refusal> refusal = judgeHello(mine, other);
    EXPECT_TRUE(refusal);
    EXPECT_EQ(refusal->code, code);
    return refusal->text;
  };
  EXPECT_EQ(judge([](Hello &h) { h.identity.programHash = "q"; }, RefusalCode::kProgram),
            "expected program 'p' but got 'q'; all executables must come from one compilation");
  EXPECT_EQ(judge([](Hello &h) { h.identity.clusterHash = "d"; }, RefusalCode::kCluster),
            "expected cluster 'c' but got 'd'");
  EXPECT_EQ(judge([](Hello &h) { h.identity.runId = "s\n"; }, RefusalCode::kRun),
            "expected run 'r' but got 's\\x0a'");
  EXPECT_EQ(judge([](Hello &h) { h.identity.window = 5; }, RefusalCode::kWindow),
            "expected window 4 but got 5");
  EXPECT_EQ(judge([](Hello &h) { h.size = 4; }, RefusalCode::kSize),
            "expected cluster size 3 but got 4");
  EXPECT_EQ(judge([](Hello &h) { h.rank = 1; }, RefusalCode::kSelf),
            "rank 1 was reached by a rank 1: one address stands for two ranks, or a rank was "
            "started twice");
  EXPECT_EQ(judge([](Hello &h) { h.toRank = 0; }, RefusalCode::kRank),
            "expected a peer that looks for rank 1 but got one for rank 0");
  EXPECT_EQ(judge([](Hello &h) { h.rank = 0; }, RefusalCode::kRank), "expected rank 2 but got 0");
}

TEST(Hello, IsReadAsItWasWritten) {
  Hello hello;
  hello.features = 1ull << 40;
  hello.rank = 1;
  hello.toRank = 2;
  hello.size = 3;
  hello.beatMs = 4;
  hello.nonce.back() = 'n';
  hello.identity = {"program", "cluster", std::string(255, 'r'), 5};
  for (bool keyed : {false, true}) {
    hello.keyed = keyed;
    std::string frame = encodeHello(hello);
    std::optional<Hello> read = decodeHello(std::string_view(frame).substr(kFrameHeadBytes));
    ASSERT_TRUE(read);
    EXPECT_EQ(read->features, hello.features);
    EXPECT_EQ(read->keyed, keyed);
    EXPECT_EQ(encodeHello(*read), frame);
  }
  std::string body = encodeHello(hello).substr(kFrameHeadBytes);
  body[28] = 2; // neither keyed nor not
  EXPECT_FALSE(decodeHello(body));
}

TEST(Refusal, IsShortAndPrintable) {
  auto roundTrip = [](const std::string &text) {
    std::string frame = encodeRefusal({RefusalCode::kRun, text});
    EXPECT_EQ(decodeHead(frame).bytes, frame.size() - kFrameHeadBytes);
    Refusal refusal = decodeRefusal(std::string_view(frame).substr(kFrameHeadBytes));
    EXPECT_EQ(refusal.code, RefusalCode::kRun);
    return refusal.text;
  };
  EXPECT_EQ(roundTrip(" ~\x1f\x7f\xc3\xa9"), " ~????");
  EXPECT_EQ(roundTrip(std::string(kMostBodyBytes, 'x')), std::string(kMostBodyBytes - 1, 'x'));
  EXPECT_EQ(decodeRefusal("").text, "");
  EXPECT_EQ(printable(" ~\x1f\x7f\xc3!", 5), " ~\\x1f\\x7f\\xc3");
}

// Whatever the system has taken of what was queued before.
TEST(Outbox, SendsAllInOrder) {
  for (size_t taken : {0, 1, 24, 25, 40, 47, 48}) {
    Outbox outbox;
    std::string expected;
    auto stage = [&](std::string_view first, std::string_view second) {
      MessageHeader header{static_cast<uint32_t>(first.size() + second.size()), 16};
      EXPECT_TRUE(outbox.stage(header, first, second));
      expected.append(reinterpret_cast<const char *>(&header), sizeof header);
      expected.append(first).append(second);
      expected.resize((expected.size() + 7) / 8 * 8);
    };
    stage("abc", "defgh");
    stage("ij", "");
    EXPECT_EQ(outbox.staged(), 48u);
    EXPECT_TRUE(outbox.takeStaged());
    EXPECT_EQ(outbox.staged(), 0u);
    outbox.sent(taken);
    stage("", "k");
    EXPECT_TRUE(outbox.takeStaged());
    MessageHeader last{0, 1};
    EXPECT_TRUE(outbox.add(last));
    expected.append(reinterpret_cast<const char *>(&last), sizeof last);
    EXPECT_TRUE(outbox.takeStaged()); // of nothing
    EXPECT_EQ(outbox.unsent(), expected.size() - taken);
    std::span<const char> unsent = outbox.next();
    EXPECT_EQ(std::string(unsent.begin(), unsent.end()), expected.substr(taken)) << taken;
    outbox.dropUnsent();
    EXPECT_TRUE(outbox.next().empty());
  }
}

// Long payloads with an owner are sent from where they are, and let go once they have gone.
TEST(Outbox, BorrowsWhatIsLong) {
  std::mt19937 random(7);
  auto below = [&](size_t n) { return random() % n; };
  for (int round = 0; round < 50; ++round) {
    Outbox outbox;
    std::string expected, sent;
    std::vector<std::weak_ptr<const std::string>> lent;
    auto takeSome = [&](bool all) {
      while (!outbox.next().empty() && (all || below(4) > 0)) {
        std::span<const char> next = outbox.next();
        size_t count = all ? next.size() : 1 + below(next.size());
        sent.append(next.data(), count);
        outbox.sent(count);
      }
    };
    for (int i = 0; i < 30; ++i) {
      size_t sizes[] = {0, 3, SendQueue::kLong - 1, SendQueue::kLong, SendQueue::kLong + 5};
      auto text = std::make_shared<const std::string>(sizes[below(5)], char('a' + i % 26));
      std::string first(below(20), '-');
      MessageHeader header{static_cast<uint32_t>(first.size() + text->size()), 16};
      bool isLent = below(2) && text->size() >= SendQueue::kLong;
      EXPECT_TRUE(outbox.stage(header, first, *text, isLent ? text : nullptr));
      expected.append(reinterpret_cast<const char *>(&header), sizeof header);
      expected.append(first).append(*text);
      expected.resize((expected.size() + 7) / 8 * 8);
      if (isLent)
        lent.push_back(text);
      if (below(3) == 0)
        EXPECT_TRUE(outbox.takeStaged());
      takeSome(false);
      EXPECT_EQ(outbox.staged() + outbox.unsent() + sent.size(), expected.size());
    }
    EXPECT_TRUE(outbox.takeStaged());
    takeSome(true);
    EXPECT_EQ(sent, expected);
    EXPECT_EQ(outbox.unsent(), 0u);
    for (const auto &one : lent)
      EXPECT_TRUE(one.expired());
  }
}

} // namespace
} // namespace sluice::rt
