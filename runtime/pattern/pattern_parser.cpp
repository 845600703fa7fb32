// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Alternatives, sequences, groups and repetitions.
#include "runtime/pattern/pattern_parser.h"

#include "runtime/io/utf8.h"

#include <algorithm>

namespace sluice::rt {

namespace {
constexpr int kDeepest = 1000;     // groups in groups
constexpr int kMostRepeats = 1000; // also of repetitions in repetitions, multiplied
} // namespace

Status PatternParser::invalid(std::string_view what, std::string_view where) const {
  return invalidArgument("Invalid pattern: " + std::string(text_) +
                         ", error: " + std::string(what) + ": " + std::string(where));
}

Status PatternParser::unsupported(std::string_view what, std::string_view where) const {
  return unimplemented("pattern '" + std::string(text_) + "': " + std::string(what) +
                       " is not supported: " + std::string(where));
}

// ---- Nodes

uint32_t PatternParser::add(SyntaxNode node) {
  auto child = [&](uint32_t i) -> const SyntaxNode & { return tree_.nodes[i]; };
  for (uint32_t i : node.children)
    node.repeats = std::max(node.repeats, child(i).repeats);
  auto isEmpty = [&](uint32_t i) { return child(i).mayBeEmpty; };
  switch (node.kind) {
  case Kind::kSequence:
  case Kind::kGroup:
    node.mayBeEmpty = std::ranges::all_of(node.children, isEmpty);
    break;
  case Kind::kAlternative:
    node.mayBeEmpty = std::ranges::any_of(node.children, isEmpty);
    break;
  case Kind::kRune:
    node.mayBeEmpty = false;
    break;
  case Kind::kPlace:
    break;
  case Kind::kRepeat:
    node.mayBeEmpty = node.least == 0 || isEmpty(node.children[0]);
    node.repeats *= std::max({node.least, node.most, 1});
  }
  tree_.nodes.push_back(std::move(node));
  return static_cast<uint32_t>(tree_.nodes.size() - 1);
}

uint32_t PatternParser::addRune(RuneSet set) {
  set.normalize();
  return add({.kind = Kind::kRune, .set = std::move(set)});
}

Result<uint32_t> PatternParser::addLiteral(Rune rune) {
  RuneSet set;
  SLUICE_RETURN_IF_ERROR(addRange(set, rune, rune));
  return addRune(std::move(set));
}

void PatternParser::addPlace(std::vector<uint32_t> &sequence, Place place) {
  sequence.push_back(add({.kind = Kind::kPlace, .place = place}));
}

Status PatternParser::addRepeat(std::vector<uint32_t> &sequence, int least, int most, bool lazy,
                                std::string_view text) {
  if (sequence.empty())
    return invalid("no argument for repetition operator", text);
  if (least > kMostRepeats || most > kMostRepeats ||
      (most != SyntaxNode::kUnbounded && most < least))
    return invalid("invalid repetition size", text);
  sequence.back() = add({.kind = Kind::kRepeat,
                         .children = {sequence.back()},
                         .least = least,
                         .most = most,
                         .lazy = lazy});
  if (tree_.nodes.back().repeats > kMostRepeats)
    return invalid("invalid repetition size", text);
  return okStatus();
}

// ---- Text

Result<SyntaxTree> PatternParser::parse() {
  for (std::string_view bytes = text_; !bytes.empty();) {
    size_t length = utf8Length(bytes);
    if (length == 0)
      return invalid("invalid UTF-8", "");
    bytes.remove_prefix(length);
  }
  SLUICE_ASSIGN_OR_RETURN(tree_.root, parseAlternatives(0));
  if (!rest_.empty())
    return invalid("unexpected )", text_);
  return std::move(tree_);
}

Result<uint32_t> PatternParser::parseAlternatives(int depth) {
  if (depth > kDeepest)
    return invalid("expression nests too deeply", std::to_string(depth));
  SyntaxNode node{.kind = Kind::kAlternative};
  do {
    SLUICE_ASSIGN_OR_RETURN(uint32_t sequence, parseSequence(depth));
    node.children.push_back(sequence);
  } while (take('|'));
  return node.children.size() == 1 ? node.children[0] : add(std::move(node));
}

Result<uint32_t> PatternParser::parseSequence(int depth) {
  SyntaxNode node{.kind = Kind::kSequence};
  while (!rest_.empty() && rest_.front() != '|' && rest_.front() != ')') {
    std::string_view before = rest_;
    int least, most;
    if (takeRepetition(least, most)) {
      take('?');
      return invalid("no argument for repetition operator", since(before));
    }
    SLUICE_RETURN_IF_ERROR(parseAtom(node.children, depth));
    if (!node.children.empty()) // also behind modes, which are no part of the sequence
      SLUICE_RETURN_IF_ERROR(parseRepetition(node.children));
  }
  return node.children.size() == 1 ? node.children[0] : add(std::move(node));
}

Status PatternParser::parseAtom(std::vector<uint32_t> &sequence, int depth) {
  switch (rest_.front()) {
  case '(':
    return parseGroup(sequence, depth);
  case '\\':
    return parseEscape(sequence);
  case '^':
    take('^');
    addPlace(sequence, modes_.lines ? Place::kLineBegin : Place::kTextBegin);
    return okStatus();
  case '$':
    take('$');
    addPlace(sequence, modes_.lines ? Place::kLineEnd : Place::kTextEnd);
    return okStatus();
  case '[': {
    SLUICE_ASSIGN_OR_RETURN(uint32_t node, parseClass());
    sequence.push_back(node);
    return okStatus();
  }
  case '.': {
    take('.');
    RuneSet none;
    if (!modes_.dotIsAny)
      none.add('\n', '\n');
    sequence.push_back(addRune(none.complement()));
    return okStatus();
  }
  default: {
    SLUICE_ASSIGN_OR_RETURN(Rune rune, takeRune());
    SLUICE_ASSIGN_OR_RETURN(uint32_t node, addLiteral(rune));
    sequence.push_back(node);
    return okStatus();
  }
  }
}

Status PatternParser::parseGroup(std::vector<uint32_t> &sequence, int depth) {
  Modes outer = modes_;
  take('(');
  bool isNumbered = true;
  if (rest_.starts_with("?P")) {
    SLUICE_RETURN_IF_ERROR(parseName());
  } else if (take('?')) {
    isNumbered = false;
    bool isGroup = true;
    SLUICE_RETURN_IF_ERROR(parseModes(isGroup));
    if (!isGroup) // they hold up to the end of the group around them
      return okStatus();
  }
  uint32_t number = isNumbered ? ++tree_.groups : 0;
  SLUICE_ASSIGN_OR_RETURN(uint32_t child, parseAlternatives(depth + 1));
  if (!take(')'))
    return invalid("missing )", text_);
  modes_ = outer;
  sequence.push_back(isNumbered ? add({.kind = Kind::kGroup, .children = {child}, .group = number})
                                : child);
  return okStatus();
}

// "?P<name>"
Status PatternParser::parseName() {
  std::string_view before = rest_;
  size_t end = rest_.find('>');
  auto isWord = [](char c) {
    return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_';
  };
  std::string_view name =
      end == rest_.npos || end < 3 ? std::string_view() : rest_.substr(3, end - 3);
  if (!rest_.starts_with("?P<") || name.empty() || !std::ranges::all_of(name, isWord))
    return invalid("invalid named capture group",
                   "(" + std::string(before.substr(0, end == before.npos ? end : end + 1)));
  if (!names_.emplace(name).second)
    return invalid("duplicate capture group name", name);
  rest_.remove_prefix(end + 1);
  return okStatus();
}

// After "(?": "i-s:" of a group, or "i-s)".
Status PatternParser::parseModes(bool &isGroup) {
  bool value = true, hasMode = false;
  for (std::string_view before = rest_; !rest_.empty();) {
    char c = rest_.front();
    rest_.remove_prefix(1);
    bool *mode = c == 'i'   ? &modes_.foldCase
                 : c == 's' ? &modes_.dotIsAny
                 : c == 'm' ? &modes_.lines
                 : c == 'U' ? &modes_.lazy
                            : nullptr;
    if (mode) {
      *mode = value;
      hasMode = true;
    } else if (c == '-' && value) {
      value = hasMode = false;
    } else if ((c == ':' || c == ')') && (value || hasMode)) {
      isGroup = c == ':';
      return okStatus();
    } else {
      return invalid("invalid perl operator", "(?" + std::string(since(before)));
    }
  }
  return invalid("missing )", text_);
}

Status PatternParser::parseEscape(std::vector<uint32_t> &sequence) {
  static constexpr std::pair<char, Place> kPlaces[] = {{'A', Place::kTextBegin},
                                                       {'z', Place::kTextEnd},
                                                       {'b', Place::kWordEdge},
                                                       {'B', Place::kNoWordEdge}};
  if (rest_.starts_with("\\Q"))
    return parseQuotation(sequence);
  for (auto [letter, place] : kPlaces)
    if (rest_.size() > 1 && rest_[1] == letter) {
      rest_.remove_prefix(2);
      addPlace(sequence, place);
      return okStatus();
    }
  SLUICE_ASSIGN_OR_RETURN(Item item, parseItem(false));
  if (item.rune == kNoRune) {
    sequence.push_back(addRune(std::move(item.set)));
    return okStatus();
  }
  SLUICE_ASSIGN_OR_RETURN(uint32_t node, addLiteral(item.rune));
  sequence.push_back(node);
  return okStatus();
}

// "\Q…\E", or up to the end.
Status PatternParser::parseQuotation(std::vector<uint32_t> &sequence) {
  rest_.remove_prefix(2);
  while (!rest_.empty() && !rest_.starts_with("\\E")) {
    SLUICE_ASSIGN_OR_RETURN(Rune rune, takeRune());
    SLUICE_ASSIGN_OR_RETURN(uint32_t node, addLiteral(rune));
    sequence.push_back(node);
  }
  rest_.remove_prefix(std::min<size_t>(2, rest_.size()));
  return okStatus();
}

Status PatternParser::parseRepetition(std::vector<uint32_t> &sequence) {
  std::string_view before = rest_;
  int least, most;
  if (!takeRepetition(least, most))
    return okStatus();
  bool lazy = take('?') != modes_.lazy;
  SLUICE_RETURN_IF_ERROR(addRepeat(sequence, least, most, lazy, since(before)));
  int more;
  if (!takeRepetition(more, more))
    return okStatus();
  take('?');
  return invalid("bad repetition operator", since(before));
}

bool PatternParser::takeRepetition(int &least, int &most) {
  most = SyntaxNode::kUnbounded;
  least = 0;
  if (take('*'))
    return true;
  if (take('?')) {
    most = 1;
    return true;
  }
  if (take('+')) {
    least = 1;
    return true;
  }
  std::string_view before = rest_;
  if (takeCounts(least, most))
    return true;
  rest_ = before; // just a brace
  return false;
}

// "{2}", "{2,}" or "{2,5}"
bool PatternParser::takeCounts(int &least, int &most) {
  // As RE2 has it: without zeros before it, and with less than ten digits.
  auto takeNumber = [&](int &number) {
    size_t digits = std::min(rest_.find_first_not_of("0123456789"), rest_.size());
    if (digits == 0 || digits > 9 || (digits > 1 && rest_.front() == '0'))
      return false;
    for (number = 0; digits > 0; --digits) {
      number = number * 10 + (rest_.front() - '0');
      rest_.remove_prefix(1);
    }
    return true;
  };
  if (!take('{') || !takeNumber(least))
    return false;
  most = least;
  if (take(',') && !takeNumber(most))
    most = SyntaxNode::kUnbounded;
  return take('}');
}

Result<SyntaxTree> parsePattern(std::string_view text) { return PatternParser(text).parse(); }

} // namespace sluice::rt
