// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Messages that wait for their call, each call's apart; and the calls that a rank has under way.
#include "runtime/cluster/kept_messages.h"

#include "runtime/cluster/call_part.h"
#include "test/runtime/executor/graph_builder.h"

namespace sluice::rt {
namespace {

MessageHeader ofCall(uint32_t call, uint32_t subject) {
  MessageHeader header;
  header.call = call;
  header.subject = subject;
  return header;
}

TEST(KeptMessages, ComeInTheirOrderWithTheirCall) {
  KeptMessages kept;
  Limits limits;
  for (uint32_t i = 0; i < 6; ++i)
    EXPECT_TRUE(kept.keep(i % 3, ofCall(7 + i % 2, i), {"text", i % 4}, limits));
  std::vector<uint32_t> subjects;
  for (const KeptMessages::Message &message : kept.take(8)) {
    subjects.push_back(message.header.subject);
    EXPECT_EQ(message.peer, message.header.subject % 3);
    EXPECT_EQ(message.payload, std::string("text", message.header.subject % 4));
  }
  EXPECT_EQ(subjects, (std::vector<uint32_t>{1, 3, 5}));
  EXPECT_TRUE(kept.take(8).empty());
  EXPECT_EQ(kept.take(7).size(), 3u);
}

TEST(KeptMessages, AreLimitedForEachCall) {
  KeptMessages kept;
  Limits limits;
  limits.set(Limit::kEarlyTokens, 2);
  limits.set(Limit::kEarlyBytes, 10);
  for (uint32_t call : {1u, 2u}) {
    EXPECT_TRUE(kept.keep(0, ofCall(call, 0), {"12345678", 8}, limits));
    EXPECT_FALSE(kept.keep(0, ofCall(call, 0), {"123", 3}, limits));
    EXPECT_TRUE(kept.keep(0, ofCall(call, 0), {"12", 2}, limits));
    EXPECT_FALSE(kept.keep(0, ofCall(call, 0), {}, limits));
  }
  (void)kept.take(1);
  EXPECT_TRUE(kept.keep(0, ofCall(1, 0), {"1234567890", 10}, limits));
}

TEST(CallParts, KnowWhatHasBegunAndWhatIsOver) {
  GraphBuilder g;
  g.fetch("x", g.feed("x", DType::kF32), DType::kF32);
  auto executor = g.build();
  Tensor feed = Tensor::scalar(1.f);
  CallParts parts;
  uint32_t first = ~0u - 1; // numbers begin again
  for (uint32_t i = 0; i < 4; ++i) {
    EXPECT_FALSE(parts.hasBegun(first + i) && i > 0);
    parts.add(std::make_unique<CallPart>(executor->begin(0, std::span(&feed, 1), first + i),
                                         first + i, 1, 0));
    EXPECT_TRUE(parts.hasBegun(first + i));
    EXPECT_EQ(parts.latest(), first + i);
  }
  for (uint32_t i = 0; i < 4; ++i)
    EXPECT_EQ(parts.find(first + i), &parts[i]);
  (void)parts.take(*parts.find(first + 1))->machine().finish();
  EXPECT_EQ(parts.find(first + 1), nullptr);
  EXPECT_EQ(parts.find(first + 4), nullptr);
  EXPECT_EQ(parts.find(first - 1), nullptr);
  EXPECT_EQ(parts.find(first + 2)->number, first + 2);
  EXPECT_EQ(parts.size(), 3u);
  while (!parts.empty())
    (void)parts.take(parts[0])->machine().finish();
}

} // namespace
} // namespace sluice::rt
