// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Compressed strings: whole, cut off, one behind the other, damaged.
#include "runtime/io/records/inflater.h"

#include "runtime/base/cancellation.h"
#include "runtime/base/held_memory.h"
#include "test/runtime/io/records/compressed.h"

namespace sluice::rt {
namespace {

constexpr auto kZlib = Compression::kZlib, kGzip = Compression::kGzip;

// No two pieces are alike, so it stays long.
std::string longText() {
  std::string text;
  uint32_t number = 1;
  while (text.size() < 1'500'000)
    text += std::to_string(number = number * 1664525 + 1013904223);
  return text;
}

TEST(Inflater, WholeStrings) {
  for (const std::string &text : {std::string(), std::string("hello"), longText()}) {
    EXPECT_EQ(*decompress(compressed(text, false), kZlib), text);
    EXPECT_EQ(*decompress(compressed(text, true), kGzip), text);
    EXPECT_EQ(*decompress(text, Compression::kNone), text);
  }
  EXPECT_EQ(*decompress("", kZlib), "");
}

TEST(Inflater, WhatComesBehind) {
  std::string z = compressed("ab", false), g = compressed("ab", true);
  EXPECT_EQ(*decompress(z + compressed("cd", false), kZlib), "ab");
  EXPECT_EQ(*decompress(z + "xyz", kZlib), "ab");
  EXPECT_EQ(*decompress(g + compressed("cd", true), kGzip), "abcd");
  EXPECT_EQ(decompress(g + "xyz", kGzip).status().code(), Code::kDataLoss);
  // Three, the second empty and the last one cut off within its header.
  std::string three = g + compressed("", true) + compressed("cd", true);
  EXPECT_EQ(*decompress(three, kGzip), "abcd");
  EXPECT_EQ(*decompress(g + g.substr(0, 5), kGzip), "ab");
  std::string text = longText(), large = compressed(text, true);
  EXPECT_TRUE(*decompress(large + large, kGzip) == text + text);
}

TEST(Inflater, CutOff) {
  std::string text = longText(), z = compressed(text, false);
  EXPECT_EQ(*decompress(std::string_view(z).substr(0, z.size() - 3), kZlib), text);
  std::string half = *decompress(std::string_view(z).substr(0, z.size() / 2), kZlib);
  EXPECT_FALSE(half.empty());
  EXPECT_LT(half.size(), text.size());
  EXPECT_TRUE(text.starts_with(half));
  EXPECT_EQ(*decompress("\x78", kZlib), "");
}

// Also what zlib still has once all input was taken, wherever that ends.
TEST(Inflater, ByteByByte) {
  struct Source final : ByteSource {
    std::string_view rest;
    Result<size_t> read(char *data, size_t size) override {
      size_t n = rest.copy(data, std::min(size, rest.size()));
      rest.remove_prefix(n);
      return n;
    }
  };
  std::string z = compressed(std::string(2000, 'x'), false);
  for (size_t size = 0; size <= z.size(); ++size) {
    auto source = std::make_unique<Source>();
    source->rest = std::string_view(z).substr(0, size);
    Inflater inflater(std::move(source), kZlib);
    std::string all;
    for (char byte; *inflater.read(&byte, 1) == 1;)
      all += byte;
    EXPECT_EQ(all, *decompress(std::string_view(z).substr(0, size), kZlib)) << size;
  }
}

TEST(Inflater, Damaged) {
  std::string z = compressed("hello", false);
  z.back() = static_cast<char>(z.back() ^ 1);
  Status status = decompress(z, kZlib).status();
  EXPECT_EQ(status.code(), Code::kDataLoss);
  EXPECT_EQ(status.message(), "its bytes cannot be inflated: incorrect data check");
  EXPECT_EQ(decompress("abc", kZlib).status().code(), Code::kDataLoss);
  EXPECT_EQ(decompress(compressed("x", false), kGzip).status().code(), Code::kDataLoss);
  EXPECT_EQ(decompress(compressed("x", true), kZlib).status().code(), Code::kDataLoss);
  // One that wants a dictionary, for which zlib has no words.
  EXPECT_EQ(decompress(std::string("\x78\xbb\0\0\0\1", 6), kZlib).status().message(),
            "its bytes cannot be inflated: they are damaged");
  // The checksum of gzip, and its length.
  for (auto [behind, what] :
       {std::pair{8, "incorrect data check"}, {4, "incorrect length check"}}) {
    std::string g = compressed("hello", true);
    g[g.size() - static_cast<size_t>(behind)] ^= 1;
    EXPECT_EQ(decompress(g, kGzip).status().message(),
              std::string("its bytes cannot be inflated: ") + what);
  }
}

TEST(Inflater, NoMoreThanMemoryAllows) {
  std::string small = compressed("x", false);
  limitHeldMemory(1);
  Status status = decompress(small, kZlib).status();
  limitHeldMemory(0);
  EXPECT_EQ(status.code(), Code::kResourceExhausted);
  EXPECT_EQ(status.message(), "not enough memory for a string that is inflated");
}

TEST(Inflater, EndsWithTheCall) {
  Cancellation call;
  call.request();
  CancellationScope scope(call);
  EXPECT_EQ(decompress(compressed("x", false), kZlib).status().code(), Code::kCancelled);
}

TEST(Inflater, Names) {
  EXPECT_EQ(compressionNamed(""), Compression::kNone);
  EXPECT_EQ(compressionNamed("ZLIB"), kZlib);
  EXPECT_EQ(compressionNamed("GZIP"), kGzip);
  for (const char *name : {"zlib", "gzip", "ZLI", "GZIPX", "SNAPPY"})
    EXPECT_EQ(compressionNamed(name), std::nullopt) << name;
}

} // namespace
} // namespace sluice::rt
