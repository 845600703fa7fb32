// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What counts as how much in the text of IR: each text is accepted by a limit, and by none below.
#include "compiler/import/IrScan.h"

#include <gtest/gtest.h>

namespace sluice::import {
namespace {

Limits limited(const std::string &name, uint64_t value) {
  Limits limits;
  EXPECT_EQ(limits.set(name + "=" + std::to_string(value)), std::nullopt);
  return limits;
}

// The least value of a limit with which the text is accepted.
uint64_t need(const std::string &name, llvm::StringRef text) {
  uint64_t value = 0;
  while (scanIr(text, limited(name, value)))
    ++value;
  return value;
}

TEST(IrScan, WordsStringsAndSignsAreTokens) {
  auto tokens = [](llvm::StringRef text) { return need("ir-tokens", text); };
  EXPECT_EQ(tokens(""), 0u);
  EXPECT_EQ(tokens("a"), 1u);
  EXPECT_EQ(tokens("a b\n\tc"), 3u);
  EXPECT_EQ(tokens("a // b c\nd // e"), 2u);
  EXPECT_EQ(tokens("a/b"), 3u);
  EXPECT_EQ(tokens("\"a b\" c"), 2u);
  EXPECT_EQ(tokens("\"a\\\" b\" c"), 2u);
  EXPECT_EQ(tokens("\"a b\nc"), 2u);
  EXPECT_EQ(tokens("\"a b"), 1u);
  EXPECT_EQ(tokens("%a ^b @c a_b$c.d"), 4u);
  EXPECT_EQ(tokens("%a-b"), 3u);
  EXPECT_EQ(tokens("#a-b !a.b"), 2u);
  EXPECT_EQ(tokens("-> >= <= =="), 4u);
  EXPECT_EQ(tokens("=> -a"), 4u);
}

TEST(IrScan, AnAliasCountsAsWhatItStandsFor) {
  auto tokens = [](llvm::StringRef text) { return need("ir-tokens", text); };
  EXPECT_EQ(tokens("#a = [1]\n#a"), 1u + 4u);
  EXPECT_EQ(tokens("!a = [1]\n!a"), 1u + 4u);
  EXPECT_EQ(tokens("#a = 1\n#b = [#a, #a]\n#b"), 2u + 8u);
  EXPECT_EQ(tokens("#a x #a"), 3u);
  EXPECT_EQ(tokens("{#a = 1} #a"), 6u);
  EXPECT_EQ(tokens("#a = [#a]"), 4u); // whose definition is longer than all else
  auto depth = [](llvm::StringRef text) { return need("ir-nesting", text); };
  EXPECT_EQ(depth("#a = [[1]]\nx{#a}"), 3u);
  EXPECT_EQ(depth("#a = 1\nx{#a}"), 1u);
  EXPECT_EQ(depth("#a = [[1]], [1]\nx{#a}"), 3u);
}

TEST(IrScan, ADefinitionEndsWithItsLine) {
  auto tokens = [](llvm::StringRef text) { return need("ir-tokens", text); };
  EXPECT_EQ(tokens("#a = 1\nx #a"), 2u + 2u);
  EXPECT_EQ(tokens("#a = 1 x\n#a"), 1u + 3u);
  EXPECT_EQ(tokens("#a =\n1\n#a"), 1u + 2u);
  EXPECT_EQ(tokens("#a = 1\n[2]\n#a"), 1u + 5u);
  EXPECT_EQ(tokens("#a = [\nx\n]\n#a"), 1u + 4u);
  EXPECT_EQ(tokens("#a = 1,\nx\n#a"), 1u + 4u);
}

TEST(IrScan, BracketsNest) {
  auto depth = [](llvm::StringRef text) { return need("ir-nesting", text); };
  EXPECT_EQ(depth("a"), 0u);
  EXPECT_EQ(depth("[[1]]"), 2u);
  EXPECT_EQ(depth("{([<1>])}"), 4u);
  EXPECT_EQ(depth("[1] (2) {3} <4>"), 1u);
  EXPECT_EQ(depth("(a) -> (b)"), 1u);
  EXPECT_EQ(depth("> ] [1]"), 1u);
  EXPECT_EQ(depth("(] (1)"), 2u);
  EXPECT_EQ(depth("<a >= b <c>"), 2u);
  EXPECT_EQ(depth("a <= [1]"), 1u);
  EXPECT_EQ(depth("\"[[[\" // [[["), 0u);
}

TEST(IrScan, OperatorsOfAnExpressionAreLevels) {
  auto depth = [](llvm::StringRef text) { return need("ir-nesting", text); };
  EXPECT_EQ(depth("a + b - c * d"), 3u);
  EXPECT_EQ(depth("a mod b floordiv c ceildiv d"), 3u);
  EXPECT_EQ(depth("a + b, c + d : e + f = g + h"), 1u);
  EXPECT_EQ(depth("(a + b + c) + d"), 2u);
  EXPECT_EQ(depth("---1"), 3u);
  EXPECT_EQ(depth("a -> b -> c"), 0u);
}

TEST(IrScan, NumbersHaveDigits) {
  auto digits = [](llvm::StringRef text) { return need("ir-digits", text); };
  EXPECT_EQ(digits("7"), 1u);
  EXPECT_EQ(digits("123"), 3u);
  EXPECT_EQ(digits("1.25"), 4u);
  EXPECT_EQ(digits("0x1aF"), 3u);
  EXPECT_EQ(digits("12x4xi321"), 3u);
  EXPECT_EQ(digits("4x88xf32"), 3u); // f is a hexadecimal digit
  EXPECT_EQ(digits("a12345"), 0u);
}

TEST(IrScan, IntegerTypesHaveBits) {
  auto bits = [](llvm::StringRef text) { return need("ir-integer-bits", text); };
  EXPECT_EQ(bits("i32"), 32u);
  EXPECT_EQ(bits("si8"), 8u);
  EXPECT_EQ(bits("ui16"), 16u);
  EXPECT_EQ(bits("tensor<4x?x8xi48>"), 48u);
  EXPECT_EQ(bits("index f64 i i8a si"), 0u);
  auto problem = scanIr("i99999999999999999999", limited("ir-integer-bits", 16777215));
  ASSERT_TRUE(problem);
  EXPECT_NE(problem->message.find("but got 18446744073709551615"), std::string::npos);
}

TEST(IrScan, ProblemsHaveTheirPlace) {
  auto nested = scanIr("a\n [[1]]", limited("ir-nesting", 1));
  ASSERT_TRUE(nested);
  EXPECT_EQ(nested->offset, 4u);
  EXPECT_EQ(nested->message, "expected at most 1 brackets inside each other but got 2; --limit "
                             "ir-nesting=N allows more");
  auto bits = scanIr("a i32 i64", limited("ir-integer-bits", 8));
  ASSERT_TRUE(bits);
  EXPECT_EQ(bits->offset, 2u);
  auto nul = scanIr(llvm::StringRef("ab\0", 3), {});
  ASSERT_TRUE(nul);
  EXPECT_EQ(nul->offset, 2u);
}

} // namespace
} // namespace sluice::import
