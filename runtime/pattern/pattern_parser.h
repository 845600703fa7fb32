// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Reads the text of a regular expression from left to right.
#pragma once

#include "runtime/pattern/syntax_tree.h"

#include <set>
#include <string>

namespace sluice::rt {

class PatternParser {
public:
  explicit PatternParser(std::string_view text) : text_(text), rest_(text) {}
  Result<SyntaxTree> parse();

private:
  using Kind = SyntaxNode::Kind;
  struct Modes {
    bool foldCase = false, dotIsAny = false, lines = false, lazy = false;
  };

  // In a class and elsewhere: a character, or a set of them. `rune` is kNoRune for a set.
  struct Item {
    Rune rune = kNoRune;
    RuneSet set = {};
  };

  Result<uint32_t> parseAlternatives(int depth);
  Result<uint32_t> parseSequence(int depth);
  // Appends what it reads to the sequence: nothing, one node, or the characters of a quotation.
  Status parseAtom(std::vector<uint32_t> &sequence, int depth);
  Status parseGroup(std::vector<uint32_t> &sequence, int depth);
  Status parseModes(bool &isGroup);
  Status parseName();
  Status parseEscape(std::vector<uint32_t> &sequence);
  Status parseQuotation(std::vector<uint32_t> &sequence);
  Status parseRepetition(std::vector<uint32_t> &sequence);
  // True, and read, if there is an operator that repeats.
  bool takeRepetition(int &least, int &most);
  bool takeCounts(int &least, int &most);

  // ---- pattern_classes.cpp
  Result<uint32_t> parseClass();
  Status parseClassItem(RuneSet &set);
  Result<Item> parseItem(bool inClass);
  // After a backslash.
  Result<Item> parseEscapedItem(bool inClass);
  Result<Item> parseHexadecimal();
  Result<Rune> takeRune();
  Status addRange(RuneSet &set, Rune first, Rune last);
  // The set, or all that is not in it, as one of a class of letters.
  RuneSet ofClass(RuneSet set, bool isNegated) const;
  static const char *classOfLetter(char letter);
  static RuneSet setOf(const char *ranges);

  uint32_t add(SyntaxNode node);
  uint32_t addRune(RuneSet set);
  Result<uint32_t> addLiteral(Rune rune);
  Status addRepeat(std::vector<uint32_t> &sequence, int least, int most, bool lazy,
                   std::string_view text);
  void addPlace(std::vector<uint32_t> &sequence, Place place);

  bool take(char c) {
    if (rest_.empty() || rest_.front() != c)
      return false;
    rest_.remove_prefix(1);
    return true;
  }
  // What was read since then.
  std::string_view since(std::string_view before) const {
    return before.substr(0, before.size() - rest_.size());
  }
  Status invalid(std::string_view what, std::string_view where) const;
  Status unsupported(std::string_view what, std::string_view where) const;

  const std::string_view text_;
  std::string_view rest_;
  Modes modes_;
  std::set<std::string, std::less<>> names_;
  SyntaxTree tree_;
};

} // namespace sluice::rt
