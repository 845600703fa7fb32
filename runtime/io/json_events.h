// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Reads a JSON text from its begin to its end and says what comes, without making anything of it:
// texts of values are parts of the whole. Does not recurse.
#pragma once

#include "runtime/base/limits.h"

#include <cstdint>
#include <string>
#include <string_view>

namespace sluice::rt {

struct JsonEvent {
  enum class Kind : uint8_t {
    kNull,
    kFalse,
    kTrue,
    kNumber,
    kString,
    kKey,
    kOpenArray,
    kCloseArray,
    kOpenObject,
    kCloseObject,
    kEnd,
    kError,
  };
  Kind kind = Kind::kEnd;
  bool escaped = false;  // of a string or key: there are escapes in its text
  std::string_view text; // of strings and keys what stands between the quotes

  bool is(Kind k) const { return kind == k; }
};

class JsonEvents {
public:
  JsonEvents(std::string_view text, const Limits &limits);

  // After kEnd and kError nothing follows.
  JsonEvent next();
  // Passes over numbers of an array that come next, with their commas, up to the last of them, and
  // says how many.
  size_t skipNumbers();
  // Accounts for one more value that takes memory. False if that is too many.
  bool countValue();
  // What is wrong with the text, after kError or too many values.
  const std::string &error() const { return error_; }

private:
  enum class Place : uint8_t { kValue, kFirstElement, kFirstKey, kAfterValue, kDone };

  JsonEvent value();
  JsonEvent key();
  JsonEvent open(JsonEvent::Kind kind);
  JsonEvent close(JsonEvent::Kind kind);
  JsonEvent word(std::string_view text, JsonEvent::Kind kind);
  JsonEvent string(JsonEvent::Kind kind);
  JsonEvent number();
  JsonEvent ended(const char *begin, JsonEvent::Kind kind, bool escaped = false);
  JsonEvent failed(std::string_view expected);
  JsonEvent failedString(const char *from, const char *at, std::string_view what);
  void skipSpace();

  const char *const begin_, *const end_;
  const char *at_;
  const uint64_t mostDepth_, mostValues_;
  uint64_t values_ = 0;
  std::string open_; // '[' or '{' for each container around what comes next
  Place place_ = Place::kValue;
  std::string error_;
};

// The characters that the text of a string stands for; the text has been checked.
std::string withoutJsonEscapes(std::string_view text);
// The end of the number that begins there; null if there is none.
const char *endOfJsonNumber(const char *at, const char *end);
// The quote that ends a string which has been checked.
const char *endOfJsonString(const char *at, const char *end);

} // namespace sluice::rt
