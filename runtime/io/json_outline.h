// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A JSON text that was checked to its end and of which only the objects were taken apart: arrays,
// strings and numbers stay where they are in the text, so that a tensor among them is read once,
// and into its own memory.
#pragma once

#include "runtime/base/status.h"
#include "runtime/io/json_events.h"

#include <memory>
#include <vector>

namespace sluice::rt {

// How the lists of an array lie in each other.
struct JsonLists {
  std::vector<int64_t> dims; // of the outermost array first
  int64_t elements = 0;      // what is no list
  std::string fault;         // why they are no tensor; empty if they are
};

struct JsonPart {
  enum class Kind : uint8_t { kNull, kBool, kNumber, kString, kArray, kObject };
  Kind kind = Kind::kNull;
  bool escaped = false;
  std::string_view text;            // lives as long as the whole; of strings what is quoted
  std::unique_ptr<JsonLists> lists; // of an array
  std::vector<std::string> keys;    // of an object
  std::vector<JsonPart> items;      // its values

  bool is(Kind k) const { return kind == k; }
  bool isTrue() const { return kind == Kind::kBool && text == "true"; }
  // Null unless this is an object with that member.
  const JsonPart *find(std::string_view name) const;
  // The characters of a string.
  std::string string() const { return escaped ? withoutJsonEscapes(text) : std::string(text); }
};

// INVALID_ARGUMENT for anything but one value within the limits of JSON, and for an object with two
// members of one name. Numbers and lists within arrays take no memory and are not counted.
Result<JsonPart> outlineJson(std::string_view text, const Limits &limits = Limits());

// The characters of a string or key.
std::string textOf(const JsonEvent &event);
// "member 'x' occurs twice in one object", or nothing if none does.
std::string memberTwice(const std::vector<std::string> &keys);

} // namespace sluice::rt
