// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// JSON values as read from files, and the text of values that are written. Requests and tensors,
// which may be large, are read as outlines instead (json_outline.h).
#pragma once

#include "runtime/base/limits.h"
#include "runtime/base/status.h"

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace sluice::rt {

struct Json {
  enum class Kind : uint8_t { kNull, kBool, kInteger, kReal, kString, kArray, kObject };
  Kind kind = Kind::kNull;
  bool boolean = false;
  int64_t integer = 0; // an integer beyond int64 is a kReal
  double real = 0;
  std::string string;
  std::vector<Json> items;       // of an array, or the values of an object
  std::vector<std::string> keys; // of an object: the name of each item

  bool is(Kind k) const { return kind == k; }
  // Null unless this is an object with that member.
  const Json *find(std::string_view name) const;
};

// INVALID_ARGUMENT for anything but one value within the limits of JSON, and for an object with two
// members of one name.
Result<Json> parseJson(std::string_view text, const Limits &limits = Limits());

// Appends the text as a JSON string; bytes that are not UTF-8 become U+FFFD.
void appendJsonString(std::string_view text, std::string &out);
// Not a number and infinities have no JSON form and become null.
void appendJsonNumber(double value, std::string &out);
// Fewer digits: those that tell one float from the others.
void appendJsonNumber(float value, std::string &out);

} // namespace sluice::rt
