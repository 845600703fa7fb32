// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// However a stream is cut into pieces, and whoever reads them, the same messages come out.
#include "runtime/transport/tcp/inbox.h"

#include "runtime/transport/tcp/outbox.h"
#include "test/runtime/transport/recorder.h"

#include <functional>
#include <random>

namespace sluice::rt {
namespace {

// Gives places for the ends of some long payloads.
struct PlacingRecorder : Recorder {
  std::span<char> place(uint32_t, const MessageHeader &header,
                        std::span<const char> first) override {
    EXPECT_GE(first.size(), kFirstBytes);
    EXPECT_LT(first.size(), header.bytes);
    head = places ? std::min(places(), kFirstBytes) : 0;
    placed.assign(places ? header.bytes - head : 0, '?');
    ++count;
    return placed;
  }
  void receive(uint32_t peer, const MessageHeader &header, std::span<const char> payload) override {
    std::string whole(payload.data(), payload.size());
    if (!placed.empty())
      EXPECT_EQ(payload.size(), head);
    whole += std::exchange(placed, {});
    Recorder::receive(peer, header, {aligned(whole), whole.size()});
  }
  const char *aligned(const std::string &text) {
    copy.resize(text.size() / 8 + 1);
    return static_cast<char *>(std::memcpy(copy.data(), text.data(), text.size()));
  }
  std::function<size_t()> places; // how many bytes stay apart
  size_t head = 0, count = 0;
  std::string placed;
  std::vector<uint64_t> copy;
};

class InboxTest : public testing::TestWithParam<uint32_t> {
protected:
  InboxTest() { EXPECT_TRUE(inbox_.allocate()); }
  size_t below(size_t end) { return end ? random_() % end : 0; }

  // One read by the owner or by the watch, of at most so many bytes.
  void feed(std::string_view &stream, size_t most, bool byOwner) {
    std::span<char> room = byOwner ? inbox_.ownerRoom() : inbox_.room();
    size_t count = std::min({room.size(), stream.size(), most});
    std::copy_n(stream.begin(), count, room.begin());
    stream.remove_prefix(count);
    if (byOwner)
      inbox_.addedByOwner(count);
    else
      inbox_.added(count);
  }
  // False once the peer is to be lost.
  bool deliver() {
    if (!inbox_.look())
      return true;
    Inbox::Delivered delivered = inbox_.deliver(1, "rank 1", recorder_);
    return delivered.fault.ok() && !delivered.goodbye;
  }

  std::mt19937 random_{GetParam()};
  Inbox inbox_;
  PlacingRecorder recorder_;
};

INSTANTIATE_TEST_SUITE_P(Seeds, InboxTest, testing::Range(0u, 20u));

TEST_P(InboxTest, CutsDoNotMatter) {
  recorder_.most = 1 << 20;
  if (GetParam() % 4)
    recorder_.places = [&] { return below(2) ? 8 * below(20) : below(300); };
  Outbox outbox;
  Texts expected;
  MessageHeader heartbeat{0, static_cast<uint8_t>(TransportMessage::kHeartbeat)};
  for (int i = 0; i < 60; ++i) {
    size_t limits[] = {20, 3000, 70000, 400000};
    std::string text(below(limits[below(4)]), static_cast<char>('a' + i % 26));
    MessageHeader header{static_cast<uint32_t>(text.size()), kTextMessage};
    ASSERT_TRUE(outbox.stage(header, std::string_view(text).substr(0, text.size() / 3),
                             std::string_view(text).substr(text.size() / 3)));
    if (i % 5 == 0)
      ASSERT_TRUE(outbox.stage(heartbeat, {}, {}));
    expected.emplace_back(1, text);
  }
  ASSERT_TRUE(outbox.takeStaged());
  std::string_view stream(outbox.next().data(), outbox.next().size());
  while (!stream.empty()) {
    for (size_t reads = below(4); reads > 0; --reads)
      feed(stream, 1 + below(200000), false);
    feed(stream, 1 + below(300000), true);
    ASSERT_TRUE(deliver());
  }
  feed(stream, 0, true); // takes what the watch has read last
  ASSERT_TRUE(deliver());
  inbox_.look();
  (void)inbox_.deliver(1, "rank 1", recorder_);
  EXPECT_EQ(recorder_.texts.size(), expected.size());
  EXPECT_TRUE(recorder_.texts == expected);
  EXPECT_FALSE(inbox_.isInside());
  EXPECT_GT(recorder_.count, 0u);
}

// What no longer fits into the buffer lies behind it, up to a bound, and joins it once the owner
// is back; then the buffer is as large as before.
TEST_P(InboxTest, TheOwnerMayBeAwayForLong) {
  recorder_.most = 4 << 20;
  recorder_.places = [&] { return below(2) ? 8 * below(20) : below(300); };
  Outbox outbox;
  Texts expected;
  size_t bytes = 0;
  for (char letter = 'a'; bytes < Inbox::kMostAhead + (2 << 20);
       letter = letter == 'z' ? 'a' : letter + 1) {
    size_t limits[] = {20, 3000, 70000, 4 << 20};
    std::string text(below(limits[below(4)]), letter);
    ASSERT_TRUE(outbox.stage({static_cast<uint32_t>(text.size()), kTextMessage}, text, {}));
    bytes += text.size();
    expected.emplace_back(1, text);
  }
  ASSERT_TRUE(outbox.takeStaged());
  std::string_view stream(outbox.next().data(), outbox.next().size());
  const size_t all = stream.size();
  feed(stream, below(300000), true); // maybe within a message
  ASSERT_TRUE(deliver());
  while (!stream.empty() && !inbox_.room().empty())
    feed(stream, 1 + below(400000), false);
  EXPECT_TRUE(inbox_.room().empty());
  EXPECT_GE(all - stream.size(), Inbox::kMostAhead);
  EXPECT_LE(all - stream.size(), Inbox::kMostAhead + 2 * Inbox::kBytes + 300000);
  while (!stream.empty()) {
    feed(stream, 1 + below(300000), true);
    ASSERT_TRUE(deliver());
    for (size_t reads = below(3); reads > 0; --reads)
      feed(stream, 1 + below(200000), false);
  }
  for (int i = 0; i < 2; ++i) {
    feed(stream, 0, true);
    ASSERT_TRUE(deliver());
  }
  EXPECT_TRUE(recorder_.texts == expected);
  EXPECT_FALSE(inbox_.isInside());
  EXPECT_EQ(inbox_.ownerRoom().size(), Inbox::kBytes);
}

TEST_P(InboxTest, NoiseDoesNoHarm) {
  recorder_.most = 100000;
  std::string noise(200000, '\0');
  for (char &byte : noise) // many zeros and small numbers, so that some of it makes sense
    byte = static_cast<char>(random_() % 4 ? 0 : random_() % 20);
  std::string_view stream = noise;
  bool sound = true;
  while (sound && !stream.empty()) {
    feed(stream, 1 + below(5000), below(2) == 0);
    sound = deliver();
    (void)inbox_.lastGoodbye();
  }
  for (const auto &[peer, text] : recorder_.texts)
    EXPECT_LE(text.size(), recorder_.most);
}

} // namespace
} // namespace sluice::rt
