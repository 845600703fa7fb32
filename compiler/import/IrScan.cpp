// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Counting of brackets, operators, aliases and digits.
//
// An alias, `#name = …` or `!name = …`, stands for a value that may contain other aliases: a
// hundred lines that name the line before twice stand for 2^100 values. So each alias has a size
// and a depth, and a place that names it counts as much.
#include "compiler/import/IrScan.h"

#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringMap.h"
#include "llvm/Support/MathExtras.h"

#include <algorithm>
#include <utility>

namespace sluice::import {

namespace {

using llvm::StringRef;

bool isWordCharacter(char c) { return llvm::isAlnum(c) || c == '_' || c == '$' || c == '.'; }

class Scan {
public:
  Scan(StringRef text, const Limits &limits) : text_(text), limits_(limits) {}

  std::optional<IrProblem> run() {
    if (size_t nul = text_.find('\0'); nul != StringRef::npos)
      return IrProblem{nul, "expected text but got a NUL byte"};
    levels_.push_back({0, 0});
    while (position_ < text_.size() && !problem_)
      step();
    return std::move(problem_);
  }

private:
  // What an alias stands for: tokens, and brackets inside each other.
  struct Extent {
    uint64_t tokens = 0;
    uint64_t depth = 0;
  };
  struct Level {
    char bracket;
    uint64_t operators; // of the expression that is being read
  };

  void fail(LimitId limit, const char *things, uint64_t amount) {
    if (!problem_)
      problem_ = IrProblem{start_, limits_.excess(limit, things, amount)};
  }

  char at(size_t position) const { return position < text_.size() ? text_[position] : 0; }

  void step() {
    start_ = position_;
    char c = text_[position_];
    if (c == '\n')
      newLine_ = true;
    if (llvm::isSpace(c))
      ++position_;
    else if (c == '/' && at(position_ + 1) == '/')
      position_ = std::min(text_.find('\n', position_), text_.size());
    else
      readToken(c);
  }

  void readToken(char c) {
    endAlias(c);
    newLine_ = false;
    StringRef before = std::exchange(name_, {});
    if (c == '=' && levels_.size() == 1 && !before.empty())
      alias_ = &aliases_[before];
    Extent extent{1, 0};
    if (c == '"')
      skipString();
    else if (c == '#' || c == '!')
      extent = readAlias();
    else if (isWordCharacter(c) || c == '%' || c == '^' || c == '@')
      readWord();
    else
      readSign(c);
    previous_ = c;
    add(extent);
  }

  void add(Extent extent) {
    // The size of what an alias stands for counts where the alias is named.
    uint64_t &tokens = alias_ ? alias_->tokens : tokens_;
    tokens = llvm::SaturatingAdd(tokens, extent.tokens);
    uint64_t depth = levels_.size() - 1 + extent.depth;
    if (alias_)
      alias_->depth = std::max(alias_->depth, depth);
    if (!limits_.allows(LimitId::kIrNesting, depth))
      fail(LimitId::kIrNesting, "brackets inside each other", depth);
    if (!limits_.allows(LimitId::kIrTokens, tokens))
      fail(LimitId::kIrTokens, "words, numbers and signs", tokens);
  }

  void skipString() {
    for (++position_; position_ < text_.size(); ++position_) {
      char c = text_[position_];
      if (c == '\\')
        ++position_;
      else if (c == '"' || c == '\n')
        break;
    }
    position_ = std::min(position_ + 1, text_.size());
  }

  // The name of an alias or of something of a dialect.
  Extent readAlias() {
    ++position_;
    while (isWordCharacter(at(position_)) || at(position_) == '-')
      ++position_;
    name_ = text_.slice(start_, position_);
    auto found = aliases_.find(name_);
    if (found == aliases_.end() || alias_ == &found->second)
      return {1, 0};
    return found->second;
  }

  // A definition ends with its line, unless the next line cannot begin anything else.
  void endAlias(char next) {
    bool incomplete = StringRef("=:,-").contains(previous_);
    if (newLine_ && levels_.size() == 1 && !incomplete && !StringRef("<([{=:,-").contains(next))
      alias_ = nullptr;
  }

  void readWord() {
    ++position_;
    uint64_t digits = llvm::isHexDigit(text_[start_]), longest = digits;
    for (; isWordCharacter(at(position_)); ++position_) {
      bool isDigit = llvm::isHexDigit(text_[position_]) || text_[position_] == '.';
      longest = std::max(longest, digits = isDigit ? digits + 1 : 0);
    }
    StringRef word = text_.slice(start_, position_);
    if (llvm::isDigit(word.front()) && !limits_.allows(LimitId::kIrDigits, longest))
      fail(LimitId::kIrDigits, "characters in a number", longest);
    checkIntegerType(word);
    if (word == "mod" || word == "floordiv" || word == "ceildiv")
      countOperator();
  }

  // `i32`, also behind dims, as in `4x8xi32`.
  void checkIntegerType(StringRef word) {
    word = word.drop_while([](char c) { return llvm::isDigit(c) || c == 'x'; });
    if (!word.consume_front("si") && !word.consume_front("ui") && !word.consume_front("i"))
      return;
    uint64_t bits = 0;
    if (word.empty() || !llvm::all_of(word, llvm::isDigit))
      return;
    if (word.getAsInteger(10, bits))
      bits = UINT64_MAX;
    if (!limits_.allows(LimitId::kIrBits, bits))
      fail(LimitId::kIrBits, "bits in an integer", bits);
  }

  // Each operator of an affine expression is a level of its tree. Signs of numbers count as well.
  void countOperator() {
    uint64_t count = ++levels_.back().operators;
    if (!limits_.allows(LimitId::kIrNesting, count))
      fail(LimitId::kIrNesting, "operators in an expression", count);
  }

  void readSign(char c) {
    ++position_;
    bool isArrow = c == '-' && at(position_) == '>';
    bool compares = (c == '>' || c == '=' || c == '<') && at(position_) == '=';
    if (isArrow || compares)
      ++position_;
    else if (StringRef("<([{").contains(c))
      levels_.push_back({c, 0});
    else if (StringRef(">)]}").contains(c))
      close(c);
    else if (c == ',' || c == ':' || c == '=')
      levels_.back().operators = 0;
    else if (StringRef("+-*").contains(c))
      countOperator();
  }

  void close(char c) {
    char open = c == '>' ? '<' : c == ')' ? '(' : c == ']' ? '[' : '{';
    if (levels_.back().bracket == open)
      levels_.pop_back();
  }

  StringRef text_;
  const Limits &limits_;
  size_t position_ = 0;
  size_t start_ = 0; // of the token
  bool newLine_ = true;
  char previous_ = 0; // first character of the token before
  StringRef name_;    // that token, if it may be an alias
  llvm::SmallVector<Level> levels_;
  llvm::StringMap<Extent> aliases_;
  Extent *alias_ = nullptr; // whose definition this is
  uint64_t tokens_ = 0;
  std::optional<IrProblem> problem_;
};

} // namespace

std::optional<IrProblem> scanIr(StringRef text, const Limits &limits) {
  return Scan(text, limits).run();
}

} // namespace sluice::import
