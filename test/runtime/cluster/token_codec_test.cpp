// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Tokens on the wire: what is sent is what comes, and of what else may come nothing is believed.
#include "runtime/transport/in_process/hub.h"
#include "test/runtime/cluster/token_receiver.h"

#include <functional>

namespace sluice::rt {
namespace {

uint64_t kind(DType dtype, uint64_t rank) { return static_cast<uint64_t>(dtype) | rank << 8; }

PayloadWriter payload(std::initializer_list<uint64_t> words, std::string_view bytes = {}) {
  PayloadWriter out;
  for (uint64_t word : words)
    out.u64(word);
  out.raw(bytes.data(), bytes.size());
  return out;
}

// Sends a value in iteration 2 of the loop and returns what arrives.
Status roundTrip(TokenReceiver &receiver, EdgeNumber edge, const Tensor *value, bool dead) {
  const auto &frames = receiver.signature().frames;
  FrameInstance root(frames[0]), loop(frames[1]);
  root.start(nullptr, nullptr, 1);
  loop.start(&root, &root.open(), 10);
  loop.open();
  loop.open();
  Node send;
  send.edge = edge;
  send.peer = 1;

  struct Catcher final : Transport::Handler {
    Result<uint64_t> admit(uint32_t, const MessageHeader &header) override {
      return receiver->largest(static_cast<EdgeNumber>(header.subject));
    }
    void receive(uint32_t, const MessageHeader &header, std::span<const char> bytes) override {
      status = decodeToken(receiver->signature(), header, bytes, receiver->token);
    }
    void lost(uint32_t, const Status &why) override { status = why; }
    TokenReceiver *receiver = nullptr;
    Status status = internalError("nothing has come");
  } catcher;
  catcher.receiver = &receiver;
  Hub hub(2);
  auto from = hub.endpoint(0), to = hub.endpoint(1);
  SLUICE_RETURN_IF_ERROR(sendToken(*from, {}, send, loop.open(), value, dead));
  from->flush();
  to->poll(catcher);
  return catcher.status;
}

TEST(TokenCodec, whatIsSentIsWhatComes) {
  TokenReceiver receiver;
  Tensor matrix = *Tensor::allocate(DType::kF32, Shape{2, 3});
  for (int i = 0; i < 6; ++i)
    matrix.data<float>()[i] = static_cast<float>(i);
  ASSERT_TRUE(roundTrip(receiver, kMatrix, &matrix, false).ok());
  EXPECT_EQ(receiver.token.recv->name, "matrix");
  EXPECT_EQ(receiver.token.path, std::vector<uint64_t>{2});
  EXPECT_FALSE(receiver.token.dead);
  EXPECT_EQ(receiver.token.value.shape(), (Shape{2, 3}));
  EXPECT_EQ(receiver.token.value.data<float>()[5], 5.0f);

  Tensor texts = *Tensor::allocate(DType::kString, Shape{3});
  texts.data<std::string>()[0] = std::string("a\0b", 3);
  texts.data<std::string>()[2] = std::string(1000, 'x');
  ASSERT_TRUE(roundTrip(receiver, kTexts, &texts, false).ok());
  EXPECT_EQ(receiver.token.value.data<std::string>()[0], std::string("a\0b", 3));
  EXPECT_EQ(receiver.token.value.data<std::string>()[1], "");
  EXPECT_EQ(receiver.token.value.data<std::string>()[2].size(), 1000u);

  Tensor flag = Tensor::scalar(true);
  ASSERT_TRUE(roundTrip(receiver, kFlag, &flag, false).ok());
  EXPECT_TRUE(*receiver.token.value.data<bool>());
}

// Of a long token the elements are received where they stay.
TEST(TokenCodec, elementsMayBePlaced) {
  TokenReceiver receiver;
  constexpr int64_t kElements = 10000;
  auto place = [&](std::vector<uint64_t> head, EdgeNumber edge = kAnything, int64_t extra = 0) {
    MessageHeader header;
    header.flags = kTokenHasValue;
    header.subject = edge;
    header.bytes =
        static_cast<uint32_t>(static_cast<int64_t>(head.size()) * 8 + kElements * 8 + extra);
    return placeToken(receiver.signature(), header,
                      {reinterpret_cast<const char *>(head.data()), head.size() * 8});
  };
  const uint64_t i64 = static_cast<uint64_t>(DType::kI64), twoDims = i64 | 2 << 8;
  Tensor value = place({7, twoDims, 100, 100});
  ASSERT_TRUE(value.valid());
  EXPECT_EQ(value.shape(), (Shape{100, 100}));
  value.data<int64_t>()[9999] = 5;

  std::vector<uint64_t> head = {7, twoDims, 100, 100};
  MessageHeader header;
  header.flags = kTokenHasValue;
  header.subject = kAnything;
  header.bytes = 32 + kElements * 8;
  std::span<const char> payload(reinterpret_cast<const char *>(head.data()), 32);
  ASSERT_TRUE(
      decodeToken(receiver.signature(), header, payload, receiver.token, std::move(value)).ok());
  EXPECT_EQ(receiver.token.path, std::vector<uint64_t>{7});
  EXPECT_EQ(receiver.token.value.data<int64_t>()[9999], 5);

  // Whoever receives says in what memory.
  const Node *forWhom = nullptr;
  auto allocate = [&](const Node &recv, DType dtype, const Shape &shape) {
    forWhom = &recv;
    return Tensor::allocate(dtype, shape);
  };
  std::span<const char> begin(reinterpret_cast<const char *>(head.data()), 32);
  EXPECT_TRUE(placeToken(receiver.signature(), header, begin, allocate).valid());
  EXPECT_EQ(forWhom, receiver.token.recv);

  EXPECT_FALSE(place({7, twoDims, 100, 101}).valid());
  EXPECT_FALSE(place({7, twoDims, 100, 100}, kAnything, 1).valid());
  EXPECT_FALSE(place({7, twoDims, 100}).valid());
  EXPECT_FALSE(place({}).valid());
  EXPECT_FALSE(place({7, twoDims, ~0ull, ~0ull}).valid());
  EXPECT_FALSE(place({7, i64 | 200 << 8, 100, 100}).valid());
  EXPECT_FALSE(place({7, twoDims, 100, 100}, kMatrix).valid());
  EXPECT_FALSE(
      place({7, static_cast<uint64_t>(DType::kBool) | 2 << 8, 40000, 2}, kPartlyKnown).valid());
  EXPECT_FALSE(place({7, static_cast<uint64_t>(DType::kString) | 1 << 8, 10000}, kTexts).valid());
}

TEST(TokenCodec, emptyAndManyDimensionalTensorsCome) {
  TokenReceiver receiver;
  Shape deep;
  for (int i = 0; i < Shape::kMaxRank; ++i)
    deep.append(1);
  for (const Shape &shape : {Shape{0}, Shape{int64_t{1} << 40, 0}, Shape{}, deep}) {
    Tensor value = *Tensor::allocate(DType::kI64, shape);
    Status status = roundTrip(receiver, kAnything, &value, false);
    EXPECT_TRUE(status.ok()) << status.toString();
    EXPECT_EQ(receiver.token.value.shape(), shape);
  }
  Tensor none = *Tensor::allocate(DType::kString, Shape{0});
  EXPECT_TRUE(roundTrip(receiver, kTexts, &none, false).ok());
}

TEST(TokenCodec, deadAndControlTokensHaveNoValue) {
  TokenReceiver receiver;
  ASSERT_TRUE(roundTrip(receiver, kMatrix, nullptr, true).ok());
  EXPECT_TRUE(receiver.token.dead);
  EXPECT_FALSE(receiver.token.value.valid());
  ASSERT_TRUE(roundTrip(receiver, kControl, nullptr, false).ok());
  EXPECT_FALSE(receiver.token.dead);
}

TEST(TokenCodec, valuesBeyondOneMessageAreAnErrorOfTheSender) {
  TokenReceiver receiver;
  char nothing = 0;
  Tensor huge = *Tensor::view(DType::kU8, Shape{int64_t{1} << 32}, &nothing);
  EXPECT_EQ(roundTrip(receiver, kAnything, &huge, false).code(), Code::kResourceExhausted);
}

TEST(TokenCodec, theLargestTokenIsKnown) {
  TokenReceiver receiver;
  EXPECT_EQ(receiver.largest(kMatrix), 8 * (1 + 1 + 2) + 24u);
  EXPECT_EQ(receiver.largest(kFlag), 8 * (1 + 1) + 1u);
  EXPECT_EQ(receiver.largest(kControl), 8u);
  EXPECT_EQ(receiver.largest(kTexts), kLargestMessage);
  EXPECT_EQ(receiver.largest(kAnything), kLargestMessage);
}

struct Hostile {
  const char *name;
  EdgeNumber edge;
  uint8_t flags;
  std::function<PayloadWriter()> payload;
  const char *expected;
};

class HostileTokens : public testing::TestWithParam<Hostile> {};

TEST_P(HostileTokens, areRefusedAndNameTheNode) {
  const Hostile &hostile = GetParam();
  TokenReceiver receiver;
  Status status = receiver.decode(hostile.edge, hostile.flags, hostile.payload().bytes());
  EXPECT_EQ(status.code(), Code::kInvalidArgument);
  EXPECT_EQ(status.node(), receiver.signature().wireInputs[hostile.edge].recv->name);
  EXPECT_NE(status.message().find(hostile.expected), std::string::npos) << status.message();
}

constexpr uint64_t kHuge = uint64_t{1} << 60;
const std::string k24(24, '\0');

const Hostile kHostile[] = {
    {"NoPath", kMatrix, kDeadToken, [] { return payload({}); }, "wrong kind"},
    {"HalfAPath", kMatrix, kDeadToken, [] { return payload({}, "1234"); }, "wrong kind"},
    {"DeadWithValue", kMatrix, kDeadToken | kTokenHasValue,
     [] { return payload({0, kind(DType::kF32, 2), 2, 3}, k24); }, "wrong kind"},
    {"LiveWithoutValue", kMatrix, 0, [] { return payload({0}); }, "wrong kind"},
    {"ControlWithValue", kControl, kTokenHasValue,
     [] { return payload({0, kind(DType::kBool, 0)}, "\1"); }, "wrong kind"},
    {"TooDeep", kControl, 0, [] { return payload({0, 0}); }, "where none is expected"},
    {"DeadAndMore", kMatrix, kDeadToken, [] { return payload({0}, "x"); },
     "where none is expected"},
    {"NoKind", kMatrix, kTokenHasValue, [] { return payload({0}); }, "expected type f32"},
    {"OtherType", kMatrix, kTokenHasValue,
     [] { return payload({0, kind(DType::kI32, 2), 2, 3}, k24); },
     "expected type f32 but got type number 6"},
    {"UnknownType", kMatrix, kTokenHasValue, [] { return payload({0, 255, 2, 3}, k24); },
     "type number 255"},
    {"Handle", kAnything, kTokenHasValue,
     [] { return payload({0, kind(DType::kHandle, 0), 0x7f0000001000}); }, "expected type i64"},
    {"Rank255", kAnything, kTokenHasValue, [] { return payload({0, kind(DType::kI64, 255)}); },
     "expected dims but the message ends"},
    {"RankOf56Bits", kAnything, kTokenHasValue,
     [] { return payload({0, kind(DType::kI64, ~uint64_t{0} >> 8)}); },
     "expected dims but the message ends"},
    {"DimsMissing", kAnything, kTokenHasValue, [] { return payload({0, kind(DType::kI64, 2), 1}); },
     "expected a value but the message ends"},
    {"OtherRank", kMatrix, kTokenHasValue,
     [] { return payload({0, kind(DType::kF32, 1), 6}, k24); }, "expected shape [2,3] but got [6]"},
    {"OtherDims", kMatrix, kTokenHasValue,
     [] { return payload({0, kind(DType::kF32, 2), 3, 2}, k24); },
     "expected shape [2,3] but got [3,2]"},
    {"UnknownDims", kMatrix, kTokenHasValue,
     [] { return payload({0, kind(DType::kF32, 2), ~uint64_t{0}, 3}, k24); }, "at least 0"},
    {"NegativeDim", kAnything, kTokenHasValue,
     [] { return payload({0, kind(DType::kI64, 1), uint64_t{1} << 63}); }, "at least 0"},
    {"DimsOverflow", kAnything, kTokenHasValue,
     [] { return payload({0, kind(DType::kI64, 2), uint64_t{1} << 32, uint64_t{1} << 32}); },
     "overflows 64 bits"},
    {"BytesOverflow", kAnything, kTokenHasValue, // 2^61 elements of 8 bytes are 0 in 64 bits
     [] { return payload({0, kind(DType::kI64, 1), uint64_t{1} << 61}); }, "got 0 bytes"},
    {"TooFewBytes", kMatrix, kTokenHasValue,
     [] { return payload({0, kind(DType::kF32, 2), 2, 3}, k24.substr(1)); }, "got 23 bytes"},
    {"TooManyBytes", kMatrix, kTokenHasValue,
     [] { return payload({0, kind(DType::kF32, 2), 2, 3}, k24 + "1234"); }, "got 28 bytes"},
    {"BytesOfNothing", kAnything, kTokenHasValue,
     [] { return payload({0, kind(DType::kI64, 1), 0}, "12345678"); }, "got 8 bytes"},
    {"BoolTwo", kFlag, kTokenHasValue, [] { return payload({0, kind(DType::kBool, 0)}, "\2"); },
     "neither 0 nor 1"},
    {"LongString", kTexts, kTokenHasValue,
     [] { return payload({0, kind(DType::kString, 1), 1, kHuge}, "abc"); }, "do not fill"},
    {"ManyStrings", kTexts, kTokenHasValue,
     [] { return payload({0, kind(DType::kString, 1), kHuge, 0}); }, "do not fill"},
    {"StringsCut", kTexts, kTokenHasValue,
     [] { return payload({0, kind(DType::kString, 1), 2, 8}, "12345678abc"); }, "do not fill"},
    {"StringsAndMore", kTexts, kTokenHasValue,
     [] { return payload({0, kind(DType::kString, 1), 1, 1}, "ab"); }, "do not fill"},
};

INSTANTIATE_TEST_SUITE_P(Wire, HostileTokens, testing::ValuesIn(kHostile),
                         [](const auto &info) { return std::string(info.param.name); });

// Whatever the bytes are, each read is within them; a sanitizer sees it if not.
TEST(TokenCodec, everyPrefixOfATokenIsRefused) {
  TokenReceiver receiver;
  PayloadWriter whole = payload({0, kind(DType::kString, 1), 2, 3}, "abc");
  whole.u64(1);
  whole.raw("x", 1);
  ASSERT_TRUE(receiver.decode(kTexts, kTokenHasValue, whole.bytes()).ok());
  for (size_t size = 0; size < whole.bytes().size(); ++size)
    EXPECT_FALSE(receiver.decode(kTexts, kTokenHasValue, std::span(whole.bytes()).first(size)).ok())
        << size;
}

} // namespace
} // namespace sluice::rt
