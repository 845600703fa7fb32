// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Characters, escapes, and classes of characters.
#include "runtime/pattern/pattern_parser.h"

#include "runtime/io/utf8.h"

#include <algorithm>

namespace sluice::rt {

namespace {

bool isOctal(char c) { return c >= '0' && c <= '7'; }
bool isAlphanumeric(char c) {
  return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
}
int hexadecimal(char c) {
  if (c >= '0' && c <= '9')
    return c - '0';
  char lower = static_cast<char>(c | 0x20);
  return lower >= 'a' && lower <= 'f' ? lower - 'a' + 10 : -1;
}

// Ranges as pairs of characters.
struct NamedClass {
  std::string_view name;
  const char *ranges;
};
constexpr NamedClass kClasses[] = {
    {"alnum", "09AZaz"}, {"alpha", "AZaz"},    {"ascii", nullptr}, // begins with NUL
    {"blank", "\t\t  "}, {"cntrl", nullptr},   {"digit", "09"},       {"graph", "!~"},
    {"lower", "az"},     {"print", " ~"},      {"punct", "!/:@[`{~"}, {"space", "\t\r  "},
    {"upper", "AZ"},     {"word", "09AZaz__"}, {"xdigit", "09AFaf"},
};

} // namespace

RuneSet PatternParser::setOf(const char *ranges) {
  RuneSet set;
  for (; *ranges; ranges += 2)
    set.add(static_cast<Rune>(ranges[0]), static_cast<Rune>(ranges[1]));
  return set;
}

RuneSet PatternParser::ofClass(RuneSet set, bool isNegated) const {
  if (modes_.foldCase)
    set.addOtherCases();
  return isNegated ? set.complement() : set;
}

Result<Rune> PatternParser::takeRune() {
  size_t length = utf8Length(rest_);
  auto byte = [&](size_t i) { return static_cast<unsigned char>(rest_[i]); };
  Rune rune = length == 1 ? byte(0) : byte(0) & (0xffu >> (length + 1));
  for (size_t i = 1; i < length; ++i)
    rune = rune << 6 | (byte(i) & 0x3fu);
  rest_.remove_prefix(length);
  return rune;
}

Status PatternParser::addRange(RuneSet &set, Rune first, Rune last) {
  RuneSet range;
  range.add(first, last);
  if (modes_.foldCase) {
    if (!range.isAscii())
      return unsupported("(?i) with characters beyond ASCII", text_);
    range.addOtherCases();
  }
  set.add(range);
  return okStatus();
}

// ---- Escapes

// "7f" or "{10ffff}". A message has it as far as RE2 reads it: with what is no digit.
Result<PatternParser::Item> PatternParser::parseHexadecimal() {
  std::string_view before = rest_;
  bool isBraced = take('{'), isClosed = !isBraced, isNumber = true;
  Rune rune = 0;
  size_t digits = 0;
  for (; !rest_.empty() && (isBraced ? isNumber : digits < 2); ++digits) {
    if (isBraced && digits > 0 && take('}')) {
      isClosed = true;
      break;
    }
    int digit = hexadecimal(rest_.front());
    rest_.remove_prefix(utf8Length(rest_));
    rune = rune << 4 | static_cast<Rune>(digit & 0xf);
    isNumber = isNumber && digit >= 0 && rune <= kLastRune;
  }
  if (!isNumber || !isClosed || (!isBraced && digits != 2))
    return invalid("invalid escape sequence", "\\x" + std::string(since(before)));
  return Item{rune};
}

Result<PatternParser::Item> PatternParser::parseEscapedItem(bool inClass) {
  static constexpr std::string_view kLetters = "afnrtv", kControls = "\a\f\n\r\t\v";
  if (rest_.empty())
    return invalid("trailing \\ at end of regexp", "\\");
  char c = rest_.front();
  if (c == 'p' || c == 'P' || (c == 'C' && !inClass))
    return unsupported(c == 'C' ? "a single byte" : "a class of Unicode", "\\" + std::string(1, c));
  bool isOctalNumber = c == '0' || (isOctal(c) && rest_.size() > 1 && isOctal(rest_[1]));
  if (isOctalNumber) {
    Rune rune = 0;
    for (size_t digits = 0; digits < 3 && !rest_.empty() && isOctal(rest_.front()); ++digits) {
      rune = rune * 8 + static_cast<Rune>(rest_.front() - '0');
      rest_.remove_prefix(1);
    }
    return Item{rune};
  }
  if (static_cast<unsigned char>(c) >= 0x80)
    return invalid("invalid escape sequence",
                   "\\" + std::string(rest_.substr(0, utf8Length(rest_))));
  rest_.remove_prefix(1);
  if (c == 'x')
    return parseHexadecimal();
  if (size_t i = kLetters.find(c); i != kLetters.npos)
    return Item{static_cast<Rune>(kControls[i])};
  if (!isAlphanumeric(c))
    return Item{static_cast<Rune>(c)};
  if (const char *ranges = classOfLetter(c)) {
    bool isNegated = c < 'a';
    return Item{kNoRune, ofClass(setOf(ranges), isNegated)};
  }
  return invalid("invalid escape sequence", "\\" + std::string(1, c));
}

const char *PatternParser::classOfLetter(char letter) {
  switch (letter | 0x20) {
  case 'd':
    return "09";
  case 's':
    return "\t\n\f\r  ";
  case 'w':
    return "09AZaz__";
  default:
    return nullptr;
  }
}

Result<PatternParser::Item> PatternParser::parseItem(bool inClass) {
  if (take('\\'))
    return parseEscapedItem(inClass);
  SLUICE_ASSIGN_OR_RETURN(Rune rune, takeRune());
  return Item{rune};
}

// ---- Classes

Result<uint32_t> PatternParser::parseClass() {
  std::string_view before = rest_;
  take('[');
  bool isNegated = take('^'), isFirst = true;
  RuneSet set;
  for (; rest_.empty() || rest_.front() != ']' || isFirst; isFirst = false) {
    if (rest_.empty())
      return invalid("missing ]", before);
    SLUICE_RETURN_IF_ERROR(parseClassItem(set));
  }
  take(']');
  return addRune(isNegated ? set.complement() : std::move(set));
}

Status PatternParser::parseClassItem(RuneSet &set) {
  std::string_view before = rest_;
  if (size_t end = rest_.find(":]", 2); rest_.starts_with("[:") && end != rest_.npos) {
    std::string_view name = rest_.substr(2, end - 2);
    rest_.remove_prefix(end + 2);
    bool isNegated = name.starts_with('^');
    name.remove_prefix(isNegated ? 1 : 0);
    auto known = std::ranges::find(kClasses, name, &NamedClass::name);
    if (known == std::end(kClasses))
      return invalid("invalid character class range", since(before));
    RuneSet named = known->ranges ? setOf(known->ranges) : RuneSet();
    if (!known->ranges)
      named.add(0, known->name == "ascii" ? 0x7f : 0x1f);
    if (known->name == "cntrl")
      named.add(0x7f, 0x7f);
    set.add(ofClass(std::move(named), isNegated));
    return okStatus();
  }
  SLUICE_ASSIGN_OR_RETURN(Item first, parseItem(true));
  if (first.rune == kNoRune) {
    set.add(first.set);
    return okStatus();
  }
  Rune last = first.rune;
  if (rest_.size() > 1 && rest_[0] == '-' && rest_[1] != ']') {
    take('-');
    std::string_view beforeEnd = rest_;
    SLUICE_ASSIGN_OR_RETURN(Item end, parseItem(true));
    if (end.rune == kNoRune)
      return invalid("invalid escape sequence", since(beforeEnd));
    if (end.rune < first.rune)
      return invalid("invalid character class range", since(before));
    last = end.rune;
  }
  return addRange(set, first.rune, last);
}

} // namespace sluice::rt
