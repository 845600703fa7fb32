// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Payloads of messages: written and read again, cut anywhere, and with numbers that cannot be.
#include "runtime/cluster/messages.h"

#include <gtest/gtest.h>

namespace sluice::rt {
namespace {

TEST(Payload, statusAndShapeComeBack) {
  PayloadWriter out;
  out.status(Status(Code::kDataLoss, "torn").atNode("a/b"));
  out.shape(Shape{2, Shape::kUnknown});
  out.shape(Shape::unknownRank());
  PayloadReader in(out.bytes());
  Status status = in.status();
  EXPECT_EQ(status.code(), Code::kDataLoss);
  EXPECT_EQ(status.node(), "a/b");
  EXPECT_EQ(status.message(), "torn");
  EXPECT_EQ(in.shape(), (Shape{2, Shape::kUnknown}));
  EXPECT_FALSE(in.shape().hasRank());
  EXPECT_TRUE(in.atEnd());
  EXPECT_FALSE(in.failed());
}

TEST(Payload, tensorsComeBack) {
  Tensor strings = *Tensor::allocate(DType::kString, Shape{1, 2});
  strings.data<std::string>()[1] = "text";
  PayloadWriter out;
  out.tensor(Tensor());
  out.tensor(strings);
  out.tensor(Tensor::scalar(2.5));
  PayloadReader in(out.bytes());
  EXPECT_FALSE(in.tensor()->valid());
  EXPECT_EQ(in.tensor()->data<std::string>()[1], "text");
  EXPECT_EQ(*in.tensor()->data<double>(), 2.5);
  EXPECT_TRUE(in.atEnd());
}

TEST(Payload, whatIsCutIsNoticed) {
  PayloadWriter out;
  out.status(Status(Code::kDataLoss, "torn").atNode("a/b"));
  out.tensor(Tensor::scalar(2.5));
  for (size_t size = 0; size < out.bytes().size(); ++size) {
    std::vector<char> cut(out.bytes().begin(), out.bytes().begin() + static_cast<ptrdiff_t>(size));
    PayloadReader in(cut);
    bool whole = in.status().code() == Code::kDataLoss && in.tensor().ok();
    EXPECT_FALSE(whole && !in.failed()) << size;
  }
}

TEST(Payload, textsThatAreTooLongAreNothing) {
  for (uint64_t size : {uint64_t{9}, uint64_t{1} << 60, ~uint64_t{0}}) {
    PayloadWriter out;
    out.u64(size);
    out.u64(0);
    PayloadReader in(out.bytes());
    EXPECT_EQ(in.text(), "");
    EXPECT_TRUE(in.failed());
  }
}

TEST(Payload, anUnknownStatusCodeIsUnknown) {
  for (uint64_t code : {uint64_t{16}, uint64_t{255}, uint64_t{256}, ~uint64_t{0}}) {
    PayloadWriter out;
    out.u64(code);
    out.text("node");
    out.text("message");
    PayloadReader in(out.bytes());
    EXPECT_EQ(in.status().toString(), "UNKNOWN: node 'node': message") << code;
  }
}

// A report must not be refused because a failed assertion has printed a large tensor.
TEST(Payload, aLongStatusIsCutBetweenCharacters) {
  std::string message;
  while (message.size() < 4 << 20)
    message += "a\u00e9";
  PayloadWriter out;
  out.status(Status(Code::kInvalidArgument, message).atNode(message));
  EXPECT_LT(out.bytes().size(), 1u << 20);
  PayloadReader in(out.bytes());
  Status status = in.status();
  EXPECT_GT(status.message().size(), 100000u);
  EXPECT_TRUE(message.starts_with(status.message()));
  EXPECT_NE(status.message().back(), '\xc3');
}

TEST(Payload, aTensorMustBeOne) {
  auto read = [](std::initializer_list<uint64_t> words) {
    PayloadWriter out;
    for (uint64_t word : words)
      out.u64(word);
    PayloadReader in(out.bytes());
    return in.tensor().status();
  };
  auto f64 = static_cast<uint64_t>(DType::kF64);
  EXPECT_TRUE(read({f64, 0, 8, 0}).ok());
  EXPECT_FALSE(read({static_cast<uint64_t>(DType::kHandle), 0, 8, 0}).ok());
  EXPECT_FALSE(read({255, 0, 8, 0}).ok());
  EXPECT_FALSE(read({f64, ~uint64_t{0}, 8, 0}).ok()) << "a shape without a rank";
  EXPECT_FALSE(read({f64, 255, 8, 0}).ok()) << "a shape of too high a rank";
  EXPECT_FALSE(read({f64, 1, ~uint64_t{0}, 8, 0}).ok()) << "an unknown dim";
  EXPECT_FALSE(read({f64, 1, 2, 8, 0}).ok()) << "too few elements";
  EXPECT_FALSE(read({f64, 0, 16, 0, 0}).ok()) << "too many elements";
}

TEST(Calls, areCountedRoundAndRound) {
  EXPECT_TRUE(isLaterCall(1, 0));
  EXPECT_FALSE(isLaterCall(0, 0));
  EXPECT_FALSE(isLaterCall(1, 2));
  EXPECT_TRUE(isLaterCall(0, 0xffffffff));
  EXPECT_FALSE(isLaterCall(0xffffffff, 0));
}

} // namespace
} // namespace sluice::rt
