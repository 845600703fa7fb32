// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Regular expressions: what RE2 says of the same ones.
#include "runtime/pattern/pattern.h"

#include "runtime/base/cancellation.h"

#include <gtest/gtest.h>

namespace sluice::rt {
namespace {

bool matches(std::string_view text, std::string_view pattern) {
  Result<Pattern> parsed = Pattern::parse(pattern);
  EXPECT_TRUE(parsed.ok()) << pattern << ": " << parsed.status().toString();
  return parsed.ok() && *parsed->matchesAll(text);
}

std::string replaced(std::string_view text, std::string_view pattern, std::string_view rewrite,
                     bool every = true) {
  Result<Pattern> parsed = Pattern::parse(pattern);
  EXPECT_TRUE(parsed.ok()) << pattern << ": " << parsed.status().toString();
  return parsed.ok() ? *parsed->replace(text, rewrite, every) : "";
}

TEST(Pattern, MatchesAllOfAText) {
  using Case = std::pair<std::string_view, std::string_view>;
  for (auto [text, pattern] : std::initializer_list<Case>{{"s3://a", "^s3://.*"},
                                                          {"ab\nc", "(?s)ab.c"},
                                                          {"\u00e9", "."},
                                                          {"\u00e9", "\\xe9"},
                                                          {"a", "[[:alpha:]]"},
                                                          {"a{,2}", "a{,2}"},
                                                          {"", "^*"},
                                                          {"", "(?:)"},
                                                          {"", ""},
                                                          {"A", "(?i)a"},
                                                          {"\u212a", "(?i)k"},
                                                          {"\u017f", "(?i)S"},
                                                          {"a", "\\ba\\b"},
                                                          {"]", "[]]"},
                                                          {"a", "[^]]"},
                                                          {"-", "[a-]"},
                                                          {"-", "[-a]"},
                                                          {"a", "[\\d\\w]"},
                                                          {"a\n", "(?m)a$\n"},
                                                          {"a", "\\Aa\\z"},
                                                          {"a+", "\\Qa+\\E"},
                                                          {"a+b", "\\Qa+b"},
                                                          {"a", "(?P<n>a)"},
                                                          {"a{", "a{"},
                                                          {"a{1", "a{1"},
                                                          {"\a\f\v", "\\a\\f\\v"},
                                                          {"\\", "\\\\"},
                                                          {"_", "\\_"},
                                                          {"a", "a|"},
                                                          {"", "|a"},
                                                          {"a", "[^\\D]|a"},
                                                          {"b", "(?-s)."},
                                                          {"~", "[!-~]"},
                                                          {"a", "\\x{61}"},
                                                          {"a", "\\141"},
                                                          {"aaa", "a{2,3}"},
                                                          {"aa", "a{2}"},
                                                          {"aaaa", "a{2,}"},
                                                          {"a", "(?U)a+"},
                                                          {"xyz", "(?i:X)yz"},
                                                          {"\n", "[^a]"},
                                                          {"0x1F", "0x[[:xdigit:]]+"},
                                                          {"\u4e16\u754c", "[\u4e00-\u9fff]{2}"},
                                                          {"1 2", "\\d\\s\\d"},
                                                          {"a-b", "\\w\\W\\w"},
                                                          {"ab", "a\\Bb"},
                                                          {"\x7f", "[[:cntrl:]]"},
                                                          {"!", "[[:punct:]]"},
                                                          {"abab", "(ab)*"},
                                                          {"aaa", "a(?i)*"},
                                                          {"b", "a(?i)|B"},
                                                          {"A", "(?)A"},
                                                          {"A\nb", "(?is)a.B"},
                                                          {"a\n\nb", "(?m)a\n^$\nb"},
                                                          {"", "\\B"},
                                                          {"a", "(?P<azAZ09_>a)"},
                                                          {"aab", "a*?b"},
                                                          {"ab", "a??b"},
                                                          {"aaab", "a{1,3}?b"},
                                                          {"", "a{0}"},
                                                          {"", "(a{0}){1000}"},
                                                          {"a}", "a}"},
                                                          {"a{1,b}", "a{1,b}"},
                                                          {"a{02}", "a{02}"},
                                                          {"a{1,02}", "a{1,02}"},
                                                          {"a{1000000000}", "a{1000000000}"},
                                                          {"", "a{0,0}"}})
    EXPECT_TRUE(matches(text, pattern)) << text << " " << pattern;
  for (auto [text, pattern] : std::initializer_list<Case>{{"x", "^s3://.*"},
                                                          {"ab\nc", "ab.c"},
                                                          {"\xff", "."},
                                                          {"\xe9", "\\xe9"},
                                                          {"a", "\\Ba"},
                                                          {"a\n", "a$"},
                                                          {"\v", "\\s"},
                                                          {"a", "[[:^alpha:]]"},
                                                          {"a", "[^\\D]"},
                                                          {"a", ""},
                                                          {"ab", "a"},
                                                          {"ba", "a"},
                                                          {"aaaa", "a{2,3}"},
                                                          {"a", "a{2,}"},
                                                          {"Ab", "(?i:A)B"},
                                                          {"K", "k"},
                                                          {"a", "(?i)[^A]"},
                                                          {"a\nb", "a$b"},
                                                          {"\u00e9x", "."},
                                                          {"xa", "\\ba"},
                                                          {"\xf4\x90\x80\x80", "."},
                                                          {"", "\\b"},
                                                          {"a", "a{0}"},
                                                          {"aa", "a?"},
                                                          {"AB", "((?i)a)b"},
                                                          {"\n", "(?s-s)."},
                                                          {"a\nb", "(?m)a\\z\nb"},
                                                          {"a\nb", "(?m)a\n\\Ab"}})
    EXPECT_FALSE(matches(text, pattern)) << text << " " << pattern;
}

TEST(Pattern, Replaces) {
  struct Case {
    std::string_view text, pattern, rewrite, wanted;
  };
  for (const Case &c : std::initializer_list<Case>{
           {"abcabc", "b", "X", "aXcaXc"},
           {"abc", "(a)(b)", "\\2\\1", "bac"},
           {"abc", "a", "\\0\\0", "aabc"},
           {"abc", "a", "\\1", "abc"},
           {"abc", "a", "\\\\", "\\bc"},
           {"abc", "a", "y\\x", "ybc"},
           {"abc", "a", "\\", "bc"},
           {"abc", "", "-", "-a-b-c-"},
           {"abc", "x*", "-", "-a-b-c-"},
           {"h\u00e9y", "", "-", "-h-\u00e9-y-"},
           {"a\xff"
            "b",
            "", "-",
            "-a-\xff-"
            "b-"},
           {"aaa", "a*?", "-", "-a-a-a-"},
           {"aaa", "a*", "-", "-"},
           {"baac", "a*", "-", "-b-c-"},
           {"abc", "(x)?b", "[\\1]", "a[]c"},
           {"foobar", "foo|foobar", "X", "Xbar"},
           {"abc", "^", "-", "-abc"},
           {"abc", "$", "-", "abc-"},
           {"a\nb", "(?m)^", "-", "-a\n-b"},
           {"a b  c", "\\b", "|", "|a| |b|  |c|"},
           {"abcd", "(a|ab)(c|bcd)", "\\1,\\2", "a,bcd"},
           {"aaaa", "(a+?)(a*)", "\\1,\\2", "a,aaa"},
           {"ab", "(|a)*", "<\\1>", "<>a<>b<>"},
           {"abab", "(ab)*", "<\\1>", "<ab>"},
           {"xay", "(a)|(y)", "[\\1\\2]", "x[a][y]"},
           {"abc", "(?U)b*", "-", "-a-b-c-"},
           {"", "a*", "x", "x"},
           {"aab", "(a*)+", "<\\1>", "<aa>b<>"},
           {"aab", "(a*)*", "<\\1>", "<aa>b<>"},
           {"aab", "(a*?)*", "<\\1>", "<>a<>a<>b<>"},
           {"b", "(a*)*", "<\\1>", "<>b<>"},
           {"ba", "(a|b*)*", "<\\1>", "<a>"},
           {"xaab", "a{1,2}?", "-", "x--b"},
           {"aaaa", "a{2,}?", "-", "--"},
           {"aaaa", "a{2,3}?", "-", "--"},
           {"aaaa", "a{2,}", "-", "-"},
           {"aa", "a??", "-", "-a-a-"},
           {"a", "(a|b*)*?", "<\\1>", "<>a<>"},
           {"aaa", "(?U)a*?", "-", "-"},
           {"aaa", "(?U)a+", "-", "---"},
           {"aaa", "(?U)a{1,2}", "-", "---"},
           {"ab", "(a|b){2}", "<\\1>", "<b>"},
           {"ab", "(a){0}b", "<\\1>", "a<>"},
           {"ba", "(?:a|(b))*", "<\\1>", "<b>"},
           {"aa", "(a?){3}", "<\\1>", "<>"},
           {"aab", "(a*){2,}", "<\\1>", "<>b<>"},
           {"aab", "(a+|b){1,2}", "<\\1>", "<b>"},
           {"a\nb", "(?m)$", "-", "a-\nb-"},
           {"a\nb", "(?m)\\A|\\z", "-", "-a\nb-"},
           {"123456789", "(1)(2)(3)(4)(5)(6)(7)(8)(9)", "\\9\\0", "9123456789"}})
    EXPECT_EQ(replaced(c.text, c.pattern, c.rewrite), c.wanted) << c.text << " " << c.pattern;
  EXPECT_EQ(replaced("abcabc", "b", "X", false), "aXcabc");
  EXPECT_EQ(replaced("abc", "a", "y\\x", false), "abc");
  EXPECT_EQ(replaced("abc", "c", "", false), "ab");
}

TEST(Pattern, WhatIsNone) {
  using Case = std::pair<std::string_view, std::string_view>;
  for (auto [pattern, what] :
       std::initializer_list<Case>{{"(", "missing ): ("},
                                   {"a)", "unexpected ): a)"},
                                   {"a{0,1001}", "invalid repetition size: {0,1001}"},
                                   {"a{2,1}?", "invalid repetition size: {2,1}?"},
                                   {"a{1001}*", "invalid repetition size: {1001}"},
                                   {"a{1001,}", "invalid repetition size: {1001,}"},
                                   {"a{999999999}", "invalid repetition size: {999999999}"},
                                   {"(a{2}){1,600}", "invalid repetition size: {1,600}"},
                                   {"(a{2}){501}", "invalid repetition size: {501}"},
                                   {"(a{7}){143}", "invalid repetition size: {143}"},
                                   {"((a{600}){0}){2}", "invalid repetition size: {2}"},
                                   {"a**", "bad repetition operator: **"},
                                   {"a*+?b", "bad repetition operator: *+?"},
                                   {"a{2}{3}", "bad repetition operator: {2}{3}"},
                                   {"*", "no argument for repetition operator: *"},
                                   {"+?a", "no argument for repetition operator: +?"},
                                   {"a|{2}", "no argument for repetition operator: {2}"},
                                   {"a|*", "no argument for repetition operator: *"},
                                   {"(?i)*", "no argument for repetition operator: *"},
                                   {"[b-a]", "invalid character class range: b-a"},
                                   {"[a-\\d]", "invalid escape sequence: \\d"},
                                   {"[\\b]", "invalid escape sequence: \\b"},
                                   {"[\\C]", "invalid escape sequence: \\C"},
                                   {"[a", "missing ]: [a"},
                                   {"[^]", "missing ]: [^]"},
                                   {"[[:foo:]]", "invalid character class range: [:foo:]"},
                                   {"a\\Z", "invalid escape sequence: \\Z"},
                                   {"(a)\\1", "invalid escape sequence: \\1"},
                                   {"\\8", "invalid escape sequence: \\8"},
                                   {"\\18", "invalid escape sequence: \\1"},
                                   {"\\\u00e9", "invalid escape sequence: \\\u00e9"},
                                   {"\\x6", "invalid escape sequence: \\x6"},
                                   {"\\x{61", "invalid escape sequence: \\x{61"},
                                   {"\\x{}", "invalid escape sequence: \\x{}"},
                                   {"a\\E", "invalid escape sequence: \\E"},
                                   {"a\\", "trailing \\ at end of regexp: \\"},
                                   {"\\xg0a", "invalid escape sequence: \\xg0"},
                                   {"\\x6g", "invalid escape sequence: \\x6g"},
                                   {"\\x{6g}", "invalid escape sequence: \\x{6g"},
                                   {"[\\x6]", "invalid escape sequence: \\x6]"},
                                   {"\\x{110000}", "invalid escape sequence: \\x{110000"},
                                   {"(?=a)", "invalid perl operator: (?="},
                                   {"(?z)a", "invalid perl operator: (?z"},
                                   {"(?-)a", "invalid perl operator: (?-)"},
                                   {"(?i-:a)", "invalid perl operator: (?i-:"},
                                   {"(?--i)a", "invalid perl operator: (?--"},
                                   {"(?P<>a)", "invalid named capture group: (?P<>"},
                                   {"(?P<n!>a)", "invalid named capture group: (?P<n!>"},
                                   {"(?P<n", "invalid named capture group: (?P<n"},
                                   {"(?i", "missing ): (?i"},
                                   {"(?P<n>a)(?P<n>b)", "duplicate capture group name: n"},
                                   {"(?P=n)", "invalid named capture group: (?P=n)"},
                                   {"\xff", "invalid UTF-8: "}}) {
    Result<Pattern> parsed = Pattern::parse(pattern);
    ASSERT_FALSE(parsed.ok()) << pattern;
    EXPECT_EQ(parsed.status().code(), Code::kInvalidArgument) << pattern;
    EXPECT_EQ(parsed.status().message(),
              "Invalid pattern: " + std::string(pattern) + ", error: " + std::string(what));
  }
  for (std::string_view pattern :
       {"\\pL", "\\PN", "\\C", "(?i)\u00e9", "(?i)\u0080", "(?i)[a-\u00e9]"})
    EXPECT_EQ(Pattern::parse(pattern).status().code(), Code::kUnimplemented) << pattern;
}

TEST(Pattern, LimitsOfSize) {
  std::string deep(1001, '(');
  Status tooDeep = Pattern::parse(deep + std::string(1001, ')')).status();
  EXPECT_EQ(tooDeep.code(), Code::kInvalidArgument);
  EXPECT_TRUE(tooDeep.message().ends_with(": 1001")) << tooDeep.message();
  deep.resize(1000);
  EXPECT_TRUE(Pattern::parse(deep + std::string(1000, ')')).ok());
  Status large = Pattern::parse("(" + std::string(500, 'a') + "){1000}").status();
  EXPECT_EQ(large.code(), Code::kInvalidArgument);
  EXPECT_TRUE(large.message().ends_with("pattern too large - compile failed")) << large.message();
}

TEST(Pattern, CountsUpToTheLimit) {
  std::string thousand(1000, 'a');
  for (const char *pattern : {"a{1000}", "(a{2}){500}", "a{1000,}", "a{0,1000}"}) {
    EXPECT_TRUE(matches(thousand, pattern)) << pattern;
    EXPECT_EQ(matches(thousand + 'a', pattern), pattern == std::string_view("a{1000,}")) << pattern;
    EXPECT_EQ(matches(thousand.substr(1), pattern), pattern == std::string_view("a{0,1000}"))
        << pattern;
  }
}

// Those on which matchers that try one way after the other take longer than the universe.
TEST(Pattern, TakesTimeInProportion) {
  std::string text(2000, 'a'), pattern;
  for (int i = 0; i < 30; ++i)
    pattern += "a?";
  EXPECT_FALSE(matches(text, "(a*)*b"));
  EXPECT_TRUE(matches(std::string(30, 'a'), pattern + std::string(30, 'a')));
  EXPECT_EQ(replaced(text, "(a|aa)+b", "x"), text);
}

TEST(Pattern, EndsWithTheCall) {
  Cancellation call;
  call.request();
  CancellationScope scope(call);
  Result<Pattern> pattern = Pattern::parse("a*");
  EXPECT_EQ(pattern->matchesAll("aa").status().code(), Code::kCancelled);
  EXPECT_EQ(pattern->replace("aa", "b", true).status().code(), Code::kCancelled);
}

} // namespace
} // namespace sluice::rt
