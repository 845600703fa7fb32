// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Lines that are read: where they end, and what is taken out of them.
#include "test/runtime/api/parted_source.h"

#include "runtime/io/base64.h"
#include "runtime/io/base64_vectors.h"
#include "runtime/memory/memory_account.h"

#include <gtest/gtest.h>

namespace sluice::rt {
namespace {

using Lines = std::vector<std::string>;

// The lines of a text as they came, and how it ended.
Lines linesOf(PartedSource source, uint64_t longest) {
  LineReader reader(source, longest);
  Lines lines;
  for (RequestLine line;;) {
    Result<bool> more = reader.next(line);
    if (!more.ok())
      lines.push_back(std::string(codeName(more.status().code())));
    if (!more.ok() || !*more)
      return lines;
    lines.push_back(line.whole());
  }
}
Lines linesOf(const std::string &text, uint64_t longest) {
  Lines lines = linesOf(PartedSource(text), longest);
  EXPECT_EQ(linesOf(PartedSource(text, 1, 1), longest), lines);
  EXPECT_EQ(linesOf(PartedSource(text, 7, 7), longest), lines);
  return lines;
}

std::string encoded(size_t bytes, unsigned seed = 1) {
  std::vector<unsigned char> random(bytes);
  for (unsigned char &byte : random)
    byte = static_cast<unsigned char>((seed = seed * 1664525 + 1013904223) >> 24);
  std::string text;
  appendBase64(random, text);
  return text;
}

TEST(LineReader, HasALimit) {
  EXPECT_EQ(linesOf("", 3), Lines{});
  EXPECT_EQ(linesOf("\n\nab\nabc", 3), (Lines{"", "", "ab", "abc"}));
  EXPECT_EQ(linesOf("abc\nabcd\n", 3), (Lines{"abc", "OUT_OF_RANGE"}));
  EXPECT_EQ(linesOf("abcd", 3), Lines{"OUT_OF_RANGE"});
  EXPECT_EQ(linesOf("abcdefghijklmnopqrstuvwxyz\nab\n", 26),
            (Lines{"abcdefghijklmnopqrstuvwxyz", "ab"}));
}

TEST(LineReader, CountsWhatWasTakenOutToo) {
  const std::string line = "\"" + encoded(9000) + "\"";
  for (const char *end : {"\n", ""}) {
    EXPECT_EQ(linesOf(line + end, line.size()), Lines{line});
    EXPECT_EQ(linesOf(line + end, line.size() - 1), Lines{"OUT_OF_RANGE"});
  }
}

// Short and long ones, so that blocks end anywhere in them.
TEST(LineReader, KeepsLinesWhole) {
  Lines lines;
  std::string text;
  for (size_t i = 0; i < 60; ++i) {
    lines.push_back(std::string(i * i * i % 100'003, static_cast<char>('a' + i % 26)));
    if (i % 4 == 0)
      lines.back() = "\"" + lines.back() + "\" " + lines.back();
    text += lines.back() + '\n';
  }
  EXPECT_EQ(linesOf(PartedSource(text), 1 << 20), lines);
  EXPECT_EQ(linesOf(PartedSource(text, 100'000, 30'011), 1 << 20), lines);
  EXPECT_EQ(linesOf(PartedSource(text + "end"), 1 << 20).back(), "end");
}

class TakenOut : public testing::Test {
protected:
  void SetUp() override {
    if (!canEncodeBy(Base64Level::kVectors))
      GTEST_SKIP() << "needs vectors";
  }

  // Of the only line, or of the last one.
  static RequestLine last(LineReader &reader) {
    RequestLine line, next;
    for (;;) {
      Result<bool> more = reader.next(next);
      EXPECT_TRUE(more.ok());
      if (!more.ok() || !*more)
        return line;
      line = std::move(next);
    }
  }
};

// All but the few characters whose place in a vector could not be told.
TEST_F(TakenOut, IsAllOfEachLongText) {
  const std::string one = encoded(30'000), two = encoded(999'000, 2),
                    line =
                        R"({"a":")" + one + R"(","b":[1,2,")" + two + R"("],"c":")" + one + R"("})";
  for (size_t size : {1000, 4096, 65'537, 600'000, 3'000'000}) {
    PartedSource source(line, size, size);
    LineReader reader(source, 1 << 22);
    RequestLine read;
    ASSERT_TRUE(*reader.next(read));
    EXPECT_EQ(read.whole(), line);
    EXPECT_LT(read.text.size(), 1000u) << size;
    ASSERT_EQ(read.decoded.size(), 3u) << size;
    EXPECT_EQ(read.text.substr(read.decoded[0].at - 5, 5), R"("a":")");
    EXPECT_GE(read.decoded[1].bytes, 998'600u);
  }
}

TEST_F(TakenOut, IsNothingOfOtherLines) {
  std::string spaced, numbers = "[";
  for (int i = 0; i < 5000; ++i) {
    spaced += encoded(150) + ' ';
    numbers += "1234567890,";
  }
  for (const std::string &line :
       {encoded(30'000), "\"" + encoded(600) + "\"", "\"" + spaced + "\"", numbers + "1]"}) {
    PartedSource source(line);
    LineReader reader(source, 1 << 22);
    RequestLine read;
    ASSERT_TRUE(*reader.next(read));
    EXPECT_EQ(read.text, line);
    EXPECT_TRUE(read.decoded.empty());
  }
}

TEST_F(TakenOut, GoesNoFurtherThanTheFirstOtherCharacter) {
  const std::string line = "\"" + encoded(1500) + "\\/" + encoded(30'000) + "\"";
  PartedSource source(line);
  LineReader reader(source, 1 << 22);
  RequestLine read;
  ASSERT_TRUE(*reader.next(read));
  EXPECT_EQ(read.whole(), line);
  ASSERT_EQ(read.decoded.size(), 1u);
  EXPECT_LE(read.decoded[0].bytes, 1500u);
}

// As long as lines are alike, there is one buffer for each text, and room is not left over.
TEST_F(TakenOut, HasTheRoomThatItsPredecessorTook) {
  std::string text;
  const std::string line = "\"" + encoded(300'000) + "\", \"" + encoded(15'000) + "\"\n";
  for (int i = 0; i < 3; ++i)
    text += line;
  PartedSource source(text);
  LineReader reader(source, 1 << 22);
  RequestLine read = last(reader);
  ASSERT_EQ(read.decoded.size(), 2u);
  for (const DecodedText &part : read.decoded)
    // Vectors leave less than 96 characters of a text; how many, differs from machine to machine.
    EXPECT_LE(part.buffer->bytes() - part.bytes, 512u + 96 / 4 * 3);
}

TEST_F(TakenOut, NeverWaitsForMoreThanTheLine) {
  const std::string line = "{\"b64\":\"" + encoded(20'000) + "\"}\n";
  for (size_t size : {100, 5000, 100'000}) {
    const std::string text = line + line;
    PartedSource source(text, line.size(), size);
    LineReader reader(source, 1 << 22);
    RequestLine read;
    ASSERT_TRUE(*reader.next(read));
    EXPECT_EQ(read.whole() + '\n', line);
    EXPECT_FALSE(source.isAtEnd());
  }
}

// What finds no memory stays in the line.
TEST_F(TakenOut, IsNoMoreThanMemoryAllows) {
  const std::string line = "\"" + encoded(1 << 20) + "\"";
  MemoryBudget budget;
  const uint8_t account = MemoryAccount::open(budget, [](MemoryBudget &) {});
  for (size_t limit : {1000, 300'000}) {
    budget.limit = limit;
    MemoryAccount::Scope scope(account);
    PartedSource source(line);
    LineReader reader(source, 1 << 23);
    RequestLine read;
    ASSERT_TRUE(*reader.next(read));
    EXPECT_EQ(read.whole(), line);
    EXPECT_EQ(read.decoded.size(), limit > 1000 ? 1u : 0u);
    EXPECT_GT(read.text.size(), line.size() - limit * 4 / 3);
  }
  MemoryAccount::close(account);
}

} // namespace
} // namespace sluice::rt
