// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Base64, with each kind of vectors that the machine has.
#include "runtime/io/base64.h"
#include "runtime/io/base64_vectors.h"

#include <gtest/gtest.h>
#include <vector>

using namespace sluice::rt;

namespace {

std::string encode(std::string_view text) {
  std::string out;
  appendBase64({reinterpret_cast<const unsigned char *>(text.data()), text.size()}, out);
  return out;
}

std::string decode(std::string_view text) {
  std::optional<size_t> size = base64DecodedSize(text);
  if (!size)
    return "refused";
  std::string out(*size, '\0');
  return decodeBase64(text, reinterpret_cast<unsigned char *>(out.data())) ? out : "refused";
}

std::vector<Base64Level> levels() {
  std::vector<Base64Level> all;
  for (auto level : {Base64Level::kTables, Base64Level::kVectors, Base64Level::kLongVectors})
    if (canEncodeBy(level))
      all.push_back(level);
  return all;
}

// Leaves the widest vectors behind, as they are chosen without anybody's doing.
class Base64 : public testing::Test {
protected:
  ~Base64() override { forceBase64Level(levels().back()); }
};

TEST_F(Base64, RoundTrips) {
  EXPECT_EQ(encode(""), "");
  EXPECT_EQ(encode("f"), "Zg==");
  EXPECT_EQ(encode("fo"), "Zm8=");
  EXPECT_EQ(encode("foo"), "Zm9v");
  std::string all;
  for (int i = 0; i < 256; ++i) {
    all += static_cast<char>(i);
    EXPECT_EQ(decode(encode(all)), all);
  }
}

TEST_F(Base64, RefusesBadText) {
  for (const char *text : {"A", "AA", "AAA", "====", "A===", "AA=A",
                           "AB==", "AAB=", "A A=", "AA\n=", "AAAA=", "AA-_", "\xff\xff\xff\xff"})
    EXPECT_EQ(decode(text), "refused") << text;
}

std::string bytesOf(size_t count) {
  std::string bytes(count, '\0');
  for (size_t i = 0; i < count; ++i)
    bytes[i] = static_cast<char>(i * i * 7 + i / 3);
  return bytes;
}

TEST_F(Base64, IsTheSameByTablesAndVectors) {
  for (size_t count = 0; count < 1000; ++count) {
    forceBase64Level(Base64Level::kTables);
    std::string bytes = bytesOf(count), text = encode(bytes);
    for (Base64Level level : levels()) {
      forceBase64Level(level);
      ASSERT_EQ(encode(bytes), text) << count;
      ASSERT_EQ(decode(text), bytes) << count;
    }
  }
}

TEST_F(Base64, VectorsLeaveFewCharacters) {
  for (Base64Level level : levels()) {
    if (level == Base64Level::kTables)
      continue;
    forceBase64Level(level);
    for (size_t size = kLeastVectors; size < 1000; ++size) {
      std::string text(size, 'A');
      std::vector<unsigned char> bytes(size / 4 * 3);
      ASSERT_LT(size - decodeVectors(text.data(), size, bytes.data()).characters, kMostLeft)
          << size;
    }
  }
}

// Those of f32, of which one stands among others.
class Base64Denormals : public Base64 {
protected:
  static constexpr size_t kFloats = 300;
  // Normal, but not from any other byte on.
  static constexpr uint32_t kOther = 0x01000000;

  static std::string textWith(uint32_t bits, size_t place) {
    std::vector<uint32_t> floats(kFloats, kOther);
    floats[place] = bits;
    return encode({reinterpret_cast<const char *>(floats.data()), 4 * kFloats});
  }
  // Expects that they are found just where something was decoded.
  static void expectFound(const std::string &text, size_t place, bool isDenormal) {
    std::vector<unsigned char> bytes(4 * kFloats);
    for (Base64Level level : levels()) {
      forceBase64Level(level);
      DecodedVectors decoded = decodeVectors(text.data(), text.size(), bytes.data());
      EXPECT_EQ(decoded.characters % 32, 0u);
      EXPECT_EQ(decoded.hasDenormals, isDenormal && 4 * (place + 1) <= decoded.characters / 4 * 3)
          << place;
    }
  }
};

TEST_F(Base64Denormals, AreFoundAtEachPlace) {
  for (uint32_t bits : {0x00000001u, 0x00000100u, 0x007fffffu, 0x80000001u, 0x807fffffu})
    for (size_t place = 0; place < kFloats; ++place)
      expectFound(textWith(bits, place), place, true);
}

TEST_F(Base64Denormals, AreNeitherZerosNorNormalNumbers) {
  for (uint32_t bits : {0u, 0x80000000u, 0x00800000u, 0x80800000u, 0x7f800000u, 0xffffffffu})
    for (size_t place = 0; place < kFloats; ++place)
      expectFound(textWith(bits, place), place, false);
}

TEST_F(Base64Denormals, AreFoundUpToABadCharacter) {
  for (size_t bad = 0; bad < 4 * kFloats; bad += 31)
    for (size_t place = 0; place < kFloats; ++place) {
      std::string text = textWith(1, place);
      text[bad] = '-';
      expectFound(text, place, true);
    }
}

// Whatever the place of the wrong character, and whichever it is.
TEST_F(Base64, RefusesLongTextWithOneBadCharacter) {
  for (Base64Level level : levels()) {
    forceBase64Level(level);
    const std::string text = encode(bytesOf(999));
    for (size_t place = 0; place < text.size(); place += 3) {
      for (char bad :
           {'=', '-', '_', ' ', '\n', '@', '[', '`', '{', ':', ',', '.', '\0', '\x80', '\xc1'}) {
        bool isPadding = bad == '=' && place + 1 == text.size();
        std::string wrong = text;
        wrong[place] = bad;
        ASSERT_TRUE(isPadding || decode(wrong) == "refused") << place << bad;
      }
    }
  }
}

TEST_F(Base64, RefusesLongTextThatWasCut) {
  for (Base64Level level : levels()) {
    forceBase64Level(level);
    const std::string text = encode(bytesOf(1000));
    for (size_t length = text.size() - 8; length < text.size(); ++length) {
      if (length % 4 != 0) {
        EXPECT_EQ(decode(text.substr(0, length)), "refused");
      }
    }
    EXPECT_EQ(decode(text.substr(0, text.size() - 4)), bytesOf(999));
  }
}

} // namespace
