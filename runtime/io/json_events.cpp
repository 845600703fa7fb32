// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The grammar of JSON. Strings are searched a vector at a time: they may be whole tensors.
#include "runtime/io/json_events.h"

#include "runtime/base/status.h"
#include "runtime/io/utf8.h"

#include <bit>
#include <cstring>

namespace sluice::rt {

namespace {

using Kind = JsonEvent::Kind;

bool isDigit(char c) { return static_cast<unsigned char>(c - '0') < 10; }

int hexDigit(char c) {
  if (isDigit(c))
    return c - '0';
  char lower = static_cast<char>(c | 0x20);
  return lower >= 'a' && lower <= 'f' ? lower - 'a' + 10 : -1;
}

// The 16 bits behind "\u", or -1.
int32_t utf16Unit(const char *at, const char *end) {
  if (end - at < 6 || at[0] != '\\' || at[1] != 'u')
    return -1;
  int32_t unit = 0;
  for (int i = 2; i < 6; ++i) {
    int digit = hexDigit(at[i]);
    if (digit < 0)
      return -1;
    unit = unit << 4 | digit;
  }
  return unit;
}

bool isHighSurrogate(int32_t unit) { return (unit & 0xfc00) == 0xd800; }
bool isLowSurrogate(int32_t unit) { return (unit & 0xfc00) == 0xdc00; }

// The character that a backslash begins, and how long it is in the text: 0 if it is none.
size_t readEscape(const char *at, const char *end, uint32_t &character) {
  constexpr std::string_view kNames = "\"\\/bfnrt", kMeanings = "\"\\/\b\f\n\r\t";
  if (end - at < 2)
    return 0;
  if (size_t name = kNames.find(at[1]); name != kNames.npos) {
    character = static_cast<unsigned char>(kMeanings[name]);
    return 2;
  }
  int32_t first = utf16Unit(at, end);
  if (first < 0 || isLowSurrogate(first))
    return 0;
  character = static_cast<uint32_t>(first);
  if (!isHighSurrogate(first))
    return 6;
  int32_t second = utf16Unit(at + 6, end);
  if (!isLowSurrogate(second))
    return 0;
  character = 0x10000 + ((static_cast<uint32_t>(first) & 0x3ff) << 10 |
                         (static_cast<uint32_t>(second) & 0x3ff));
  return 12;
}

void appendUtf8(uint32_t character, std::string &out) {
  auto rest = [&](int shift) { out += static_cast<char>(0x80 | (character >> shift & 0x3f)); };
  if (character < 0x80) {
    out += static_cast<char>(character);
  } else if (character < 0x800) {
    out += static_cast<char>(0xc0 | character >> 6);
    rest(0);
  } else if (character < 0x10000) {
    out += static_cast<char>(0xe0 | character >> 12);
    rest(6), rest(0);
  } else {
    out += static_cast<char>(0xf0 | character >> 18);
    rest(12), rest(6), rest(0);
  }
}

// The first character that is not an ordinary one of ASCII within a string.
const char *skipOrdinary(const char *at, const char *end) {
  typedef signed char Vector __attribute__((ext_vector_type(64)));
  for (; end - at >= 64; at += 64) {
    Vector bytes;
    std::memcpy(&bytes, at, sizeof bytes);
    // As signed numbers, those beyond ASCII are below the space as well.
    auto found = (bytes < ' ') | (bytes == '"') | (bytes == '\\');
    if (__builtin_reduce_or(found))
      break;
  }
  while (at < end && static_cast<signed char>(*at) >= ' ' && *at != '"' && *at != '\\')
    ++at;
  return at;
}

// Eight at once: how many digits a number has cannot be foretold.
const char *skipDigits(const char *at, const char *end) {
  if constexpr (std::endian::native == std::endian::little) {
    for (; end - at >= 8; at += 8) {
      uint64_t bytes;
      std::memcpy(&bytes, at, 8);
      uint64_t beyondNine = (bytes & 0x0f0f0f0f0f0f0f0f) + 0x0606060606060606;
      uint64_t others = ((bytes ^ 0x3030303030303030) | beyondNine) & 0xf0f0f0f0f0f0f0f0;
      if (others)
        return at + std::countr_zero(others) / 8;
    }
  }
  while (at < end && isDigit(*at))
    ++at;
  return at;
}

} // namespace

const char *endOfJsonNumber(const char *at, const char *end) {
  auto digits = [&] {
    const char *first = at;
    at = skipDigits(at, end);
    return at != first;
  };
  if (at < end && *at == '-')
    ++at;
  if (at < end && *at == '0')
    ++at;
  else if (!digits())
    return nullptr;
  if (at < end && *at == '.') {
    ++at;
    if (!digits())
      return nullptr;
  }
  if (at < end && (*at | 0x20) == 'e') {
    ++at;
    if (at < end && (*at == '+' || *at == '-'))
      ++at;
    if (!digits())
      return nullptr;
  }
  return at;
}

const char *endOfJsonString(const char *at, const char *end) {
  while ((at = skipOrdinary(at, end)) < end && *at != '"')
    at += *at == '\\' ? 2 : 1;
  return at;
}

std::string withoutJsonEscapes(std::string_view text) {
  std::string out;
  out.reserve(text.size());
  const char *end = text.data() + text.size();
  for (const char *at = text.data(); at < end;) {
    uint32_t character = 0;
    size_t length = *at == '\\' ? readEscape(at, end, character) : 0;
    if (length == 0)
      out += *at++;
    else
      appendUtf8(character, out);
    at += length;
  }
  return out;
}

JsonEvents::JsonEvents(std::string_view text, const Limits &limits)
    : begin_(text.data()), end_(text.data() + text.size()), at_(begin_),
      mostDepth_(limits[Limit::kJsonDepth]), mostValues_(limits[Limit::kJsonValues]) {}

void JsonEvents::skipSpace() {
  while (at_ < end_ && (*at_ == ' ' || *at_ == '\n' || *at_ == '\r' || *at_ == '\t'))
    ++at_;
}

JsonEvent JsonEvents::next() {
  skipSpace();
  switch (place_) {
  case Place::kFirstElement:
    if (at_ < end_ && *at_ == ']')
      return close(Kind::kCloseArray);
    return value();
  case Place::kValue:
    return value();
  case Place::kFirstKey:
    if (at_ < end_ && *at_ == '}')
      return close(Kind::kCloseObject);
    return key();
  case Place::kDone:
    return {error_.empty() ? Kind::kEnd : Kind::kError, false, {}};
  case Place::kAfterValue:
    break;
  }
  if (open_.empty()) {
    if (at_ < end_)
      return failed("nothing behind the value");
    place_ = Place::kDone;
    return {};
  }
  bool inArray = open_.back() == '[';
  if (at_ < end_ && *at_ == (inArray ? ']' : '}'))
    return close(inArray ? Kind::kCloseArray : Kind::kCloseObject);
  if (at_ == end_ || *at_ != ',')
    return failed(inArray ? "',' or ']'" : "',' or '}'");
  ++at_;
  skipSpace();
  return inArray ? value() : key();
}

JsonEvent JsonEvents::value() {
  if (at_ == end_)
    return failed("a value");
  switch (*at_) {
  case '{':
    return open(Kind::kOpenObject);
  case '[':
    return open(Kind::kOpenArray);
  case '"':
    return string(Kind::kString);
  case 'n':
    return word("null", Kind::kNull);
  case 't':
    return word("true", Kind::kTrue);
  case 'f':
    return word("false", Kind::kFalse);
  default:
    return number();
  }
}

JsonEvent JsonEvents::key() {
  if (at_ == end_ || *at_ != '"')
    return failed("the name of a member in double quotes");
  JsonEvent name = string(Kind::kKey);
  if (name.is(Kind::kError))
    return name;
  skipSpace();
  if (at_ == end_ || *at_ != ':')
    return failed("':'");
  ++at_;
  place_ = Place::kValue;
  return name;
}

JsonEvent JsonEvents::open(Kind kind) {
  if (open_.size() == mostDepth_) {
    place_ = Place::kDone;
    error_ = "nested deeper than " + std::to_string(mostDepth_) + " levels, the limit" +
             seeLimit(Limit::kJsonDepth);
    return {Kind::kError, false, {}};
  }
  open_ += *at_;
  JsonEvent event = ended(at_++, kind);
  place_ = kind == Kind::kOpenArray ? Place::kFirstElement : Place::kFirstKey;
  return event;
}

JsonEvent JsonEvents::close(Kind kind) {
  open_.pop_back();
  ++at_;
  return ended(at_ - 1, kind);
}

JsonEvent JsonEvents::word(std::string_view text, Kind kind) {
  if (!std::string_view(at_, static_cast<size_t>(end_ - at_)).starts_with(text))
    return failed("a value");
  at_ += text.size();
  return ended(at_ - text.size(), kind);
}

JsonEvent JsonEvents::number() {
  if (*at_ != '-' && !isDigit(*at_))
    return failed("a value");
  const char *begin = at_, *end = endOfJsonNumber(at_, end_);
  if (!end)
    return failed("a number");
  at_ = end;
  return ended(begin, Kind::kNumber);
}

size_t JsonEvents::skipNumbers() {
  size_t count = 0;
  if (place_ != Place::kAfterValue)
    return 0;
  for (;; ++count) {
    const char *at = at_;
    while (at < end_ && (*at == ' ' || *at == '\n'))
      ++at;
    if (at == end_ || *at != ',')
      return count;
    ++at;
    while (at < end_ && (*at == ' ' || *at == '\n'))
      ++at;
    if (at == end_ || (*at != '-' && !isDigit(*at)))
      return count;
    const char *end = endOfJsonNumber(at, end_);
    if (!end)
      return count;
    at_ = end;
  }
}

JsonEvent JsonEvents::string(Kind kind) {
  const char *begin = at_ + 1;
  bool escaped = false;
  for (const char *at = begin;;) {
    at = skipOrdinary(at, end_);
    if (at == end_)
      return failedString(begin, at, "does not end");
    if (*at == '"') {
      at_ = at;
      JsonEvent event = ended(begin, kind, escaped);
      ++at_;
      return event;
    }
    size_t length;
    if (*at == '\\') {
      uint32_t character;
      escaped = true;
      length = readEscape(at, end_, character);
      if (length == 0)
        return failedString(begin, at, "has an escape that stands for no character");
    } else {
      length = utf8Length({at, static_cast<size_t>(end_ - at)});
      if (length == 0)
        return failedString(begin, at, "is not UTF-8");
      if (static_cast<unsigned char>(*at) < ' ')
        return failedString(begin, at, "has a control character without an escape");
    }
    at += length;
  }
}

JsonEvent JsonEvents::ended(const char *begin, Kind kind, bool escaped) {
  place_ = Place::kAfterValue;
  return {kind, escaped, {begin, static_cast<size_t>(at_ - begin)}};
}

bool JsonEvents::countValue() {
  if (++values_ <= mostValues_)
    return true;
  place_ = Place::kDone;
  error_ = "more than " + std::to_string(mostValues_) + " values, the limit" +
           seeLimit(Limit::kJsonValues);
  return false;
}

JsonEvent JsonEvents::failed(std::string_view expected) {
  place_ = Place::kDone;
  error_ = "expected " + std::string(expected) + " but got ";
  if (at_ == end_)
    error_ += "the end of the text";
  else if (*at_ > ' ' && *at_ < 0x7f)
    error_ += std::string("'") + *at_ + "' at byte " + std::to_string(at_ - begin_);
  else
    error_ += format("the byte 0x%02x at byte %lld", static_cast<unsigned char>(*at_),
                     static_cast<long long>(at_ - begin_));
  return {Kind::kError, false, {}};
}

JsonEvent JsonEvents::failedString(const char *from, const char *at, std::string_view what) {
  place_ = Place::kDone;
  error_ = "the string at byte " + std::to_string(from - 1 - begin_) + ' ' + std::string(what);
  if (at < end_)
    error_ += " at byte " + std::to_string(at - begin_);
  return {Kind::kError, false, {}};
}

} // namespace sluice::rt
