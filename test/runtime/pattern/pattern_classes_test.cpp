// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Classes, cases and escapes, character by character: what RE2 says of the same ones.
#include "runtime/pattern/pattern.h"

#include <cctype>
#include <cstring>
#include <functional>
#include <gtest/gtest.h>

namespace sluice::rt {
namespace {

using namespace std::string_literals;

Pattern parsed(const std::string &pattern) {
  Result<Pattern> result = Pattern::parse(pattern);
  EXPECT_TRUE(result.ok()) << pattern << ": " << result.status().toString();
  return result.ok() ? std::move(*result) : *Pattern::parse("");
}
bool matches(const std::string &text, const std::string &pattern) {
  return *parsed(pattern).matchesAll(text);
}

// The characters of ASCII that a pattern matches are those of which this is said.
void expectOfAscii(const std::string &pattern, const std::function<bool(int)> &isIn) {
  Pattern p = parsed(pattern);
  for (int c = 0; c < 0x80; ++c)
    EXPECT_EQ(*p.matchesAll(std::string(1, static_cast<char>(c))), isIn(c)) << pattern << " " << c;
}

bool isWord(int c) { return std::isalnum(c) || c == '_'; }
bool isPerlSpace(int c) { return c != '\v' && std::isspace(c); }

TEST(PatternClasses, OfAscii) {
  using Test = std::function<bool(int)>;
  for (const auto &[name, isIn] :
       std::initializer_list<std::pair<std::string, Test>>{{"alnum", ::isalnum},
                                                           {"alpha", ::isalpha},
                                                           {"ascii", [](int) { return true; }},
                                                           {"blank", ::isblank},
                                                           {"cntrl", ::iscntrl},
                                                           {"digit", ::isdigit},
                                                           {"graph", ::isgraph},
                                                           {"lower", ::islower},
                                                           {"print", ::isprint},
                                                           {"punct", ::ispunct},
                                                           {"space", ::isspace},
                                                           {"upper", ::isupper},
                                                           {"word", isWord},
                                                           {"xdigit", ::isxdigit}}) {
    expectOfAscii("[[:" + name + ":]]", isIn);
    expectOfAscii("[[:^" + name + ":]]", std::not_fn(isIn));
    EXPECT_FALSE(matches("\u0080", "[[:" + name + ":]]"));
    EXPECT_TRUE(matches("\u0080", "[[:^" + name + ":]]"));
  }
  expectOfAscii("\\d", ::isdigit);
  expectOfAscii("\\D", std::not_fn(::isdigit));
  expectOfAscii("\\s", isPerlSpace);
  expectOfAscii("\\S", std::not_fn(isPerlSpace));
  expectOfAscii("\\w", isWord);
  expectOfAscii("\\W", std::not_fn(isWord));
  expectOfAscii("[\\d\\s]", [](int c) { return std::isdigit(c) || isPerlSpace(c); });
  expectOfAscii(".", [](int c) { return c != '\n'; });
  expectOfAscii("(?s).", [](int) { return true; });
  expectOfAscii("(?s)\\b.\\b", isWord);
  expectOfAscii("(?s)\\B.\\B", std::not_fn(isWord));
}

TEST(PatternClasses, CasesOfAscii) {
  for (int given = 0; given < 0x80; ++given) {
    char number[3];
    std::snprintf(number, sizeof number, "%02x", static_cast<unsigned>(given));
    expectOfAscii("(?i)\\x"s + number,
                  [&](int c) { return std::tolower(c) == std::tolower(given); });
  }
  expectOfAscii("(?i)[X-c]", [](int c) {
    return (c >= 'X' && c <= 'c') || (c >= 'x' && c <= 'z') || (c >= 'A' && c <= 'C');
  });
  expectOfAscii("(?i)[[:lower:]]", ::isalpha);
  expectOfAscii("(?i)[^b-y]", [](int c) { return !std::isalpha(c) || std::strchr("aAzZ", c); });
  // Of those beyond ASCII two count to a letter.
  for (const char *pattern : {"(?i)[j-l]", "(?i)[J-L]", "(?i)\\w", "(?i)[[:alpha:]]"})
    EXPECT_TRUE(matches("\u212a", pattern)) << pattern;
  for (const char *pattern : {"(?i)[a-j]", "(?i)[l-z]", "[a-z]", "(?i)[s]", "\\w"})
    EXPECT_FALSE(matches("\u212a", pattern)) << pattern;
  for (const char *pattern : {"(?i)[r-t]", "(?i)[R-T]", "(?i)s"})
    EXPECT_TRUE(matches("\u017f", pattern)) << pattern;
  for (const char *pattern : {"(?i)[a-r]", "(?i)[t-z]", "(?i)k"})
    EXPECT_FALSE(matches("\u017f", pattern)) << pattern;
}

TEST(PatternClasses, Ranges) {
  using Texts = std::vector<std::string>;
  struct Case {
    std::string pattern;
    Texts in, out;
  };
  for (const Case &c : std::initializer_list<Case>{
           {"[b-y]", {"b", "y"}, {"a", "z"}},
           {"[^b-y]", {"a", "z"}, {"b", "y"}},
           {"[^\\x00-a]", {"b", "\U0010ffff"}, {"a", "\0"s}},
           {"[^b-\\x{10ffff}]", {"a", "\0"s}, {"b", "\U0010ffff"}},
           {"[^\\x00-\\x{10ffff}]", {}, {"a", "\0"s, "\U0010ffff"}},
           {"[^\\x00-\\x{10fffe}]", {"\U0010ffff"}, {"a"}},
           {"[^d-fa-b]", {"c", "g", "`"}, {"a", "b", "d", "f"}},
           {"[^a-bc-d]", {"`", "e"}, {"b", "c"}},
           {"[a-zm-n]", {"m", "z"}, {"{"}},
           {"[]-a]", {"]", "^", "a"}, {"-", "b", "\\"}},
           {"[^]a]", {"b", "["}, {"]", "a"}},
           {"[+--]", {"+", ",", "-"}, {"*", "."}},
           {"[a\\-z]", {"a", "-", "z"}, {"b"}},
           {"[\\x61-\\x{63}]", {"a", "c"}, {"d", "x"}},
           {"[\\141-c]", {"a", "c"}, {"d", "\\"}},
           {"[\\]\\n]", {"]", "\n"}, {"\\", "n"}},
           {"[a^]", {"a", "^"}, {"b"}},
           {"[[:]", {"[", ":"}, {"]", "a"}}, // no name of a class
           {"[[:]]", {"[]", ":]"}, {"[", ":"}},
           {"[[:alpha:]]]", {"a]"}, {"a", "]"}},
       }) {
    for (const std::string &text : c.in)
      EXPECT_TRUE(matches(text, c.pattern)) << text << " " << c.pattern;
    for (const std::string &text : c.out)
      EXPECT_FALSE(matches(text, c.pattern)) << text << " " << c.pattern;
  }
}

// The first and the last of each number of bytes.
TEST(PatternClasses, RunesOfAnyLength) {
  const std::pair<std::string, std::string> runes[] = {
      {"\x7f", "7f"},     {"\u0080", "80"},        {"\u07ff", "7ff"},       {"\u0800", "800"},
      {"\uffff", "ffff"}, {"\U00010000", "10000"}, {"\U0010ffff", "10FFFF"}};
  for (const auto &[text, number] : runes) {
    EXPECT_TRUE(matches(text, ".")) << number;
    EXPECT_FALSE(matches(text, "..")) << number;
    for (const auto &[other, otherNumber] : runes) {
      bool same = text == other;
      EXPECT_EQ(matches(text, other), same) << number << " " << otherNumber;
      EXPECT_EQ(matches(text, "\\x{" + otherNumber + "}"), same) << number << " " << otherNumber;
      EXPECT_EQ(matches(text, "[^" + other + "]"), !same) << number << " " << otherNumber;
    }
  }
}

TEST(PatternClasses, Escapes) {
  using Case = std::pair<std::string, std::string>;
  for (const auto &[text, pattern] :
       std::initializer_list<Case>{{"\a\f\n\r\t\v", "\\a\\f\\n\\r\\t\\v"},
                                   {"\x7f", "\\x7F"},
                                   {"Jf", "\\x4af"},
                                   {"a2", "\\1412"},
                                   {"\n", "\\12"},
                                   {"\u01ff", "\\777"},
                                   {"\0"s, "\\0"},
                                   {"\0"s + "8", "\\08"},
                                   {"\u00e9", "[\\x{e9}]"},
                                   {"a.b", "a\\.b"},
                                   {"\\", "\\Q\\\\E"},
                                   {"\u00e9.", "\\Q\u00e9.\\E"},
                                   {"abb", "\\Qab\\E+"},
                                   {"aa", "a\\Q\\E*"},
                                   {"A", "(?i)\\Qa"}})
    EXPECT_TRUE(matches(text, pattern)) << text << " " << pattern;
  EXPECT_FALSE(matches("axb", "a\\.b"));
  EXPECT_FALSE(matches("abab", "\\Qab\\E+"));
}

} // namespace
} // namespace sluice::rt
