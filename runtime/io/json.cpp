// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// parseJson: builds Json values from events. Numbers are written by a library, in few digits and
// without large tables.
#include "runtime/io/json.h"

#include "runtime/io/decimal.h"
#include "runtime/io/json_events.h"
#include "runtime/io/json_outline.h"
#include "runtime/io/utf8.h"

#include <charconv>
#include <cmath>

#define JSON_NOEXCEPTION
#define JSON_NO_IO
#include <nlohmann/json.hpp>

namespace sluice::rt {

namespace {

using Kind = JsonEvent::Kind;

Status notJson(std::string_view why) {
  return invalidArgument("not a JSON text: " + std::string(why));
}

Status readNumber(std::string_view text, Json &json) {
  const char *end = text.data() + text.size();
  bool whole = text.find_first_of(".eE") == text.npos;
  if (whole && std::from_chars(text.data(), end, json.integer).ec == std::errc()) {
    json.kind = Json::Kind::kInteger;
    json.real = static_cast<double>(json.integer);
    return {};
  }
  json.kind = Json::Kind::kReal;
  if (readDecimal(text.data(), end, json.real))
    return {};
  return notJson("a number beyond the range of 64-bit floats: '" +
                 std::string(text.substr(0, 100)) + "'");
}

class Tree {
public:
  explicit Tree(JsonEvents &events) : events_(events) {}

  Result<Json> read() {
    for (;;) {
      JsonEvent event = events_.next();
      if (event.is(Kind::kEnd))
        return std::move(root_);
      if (!event.is(Kind::kError))
        SLUICE_RETURN_IF_ERROR(take(event));
      if (!events_.error().empty())
        return notJson(events_.error());
    }
  }

private:
  Status take(const JsonEvent &event) {
    switch (event.kind) {
    case Kind::kKey:
      stack_.back()->keys.push_back(textOf(event));
      return {};
    case Kind::kCloseObject:
      if (std::string twice = memberTwice(stack_.back()->keys); !twice.empty())
        return notJson(twice);
      [[fallthrough]];
    case Kind::kCloseArray:
      stack_.pop_back();
      return {};
    default:
      break;
    }
    if (!events_.countValue())
      return {};
    Json *json = place();
    switch (event.kind) {
    case Kind::kNumber:
      return readNumber(event.text, *json);
    case Kind::kString:
      json->kind = Json::Kind::kString;
      json->string = textOf(event);
      return {};
    case Kind::kTrue:
    case Kind::kFalse:
      json->kind = Json::Kind::kBool;
      json->boolean = event.is(Kind::kTrue);
      return {};
    case Kind::kOpenArray:
    case Kind::kOpenObject:
      json->kind = event.is(Kind::kOpenArray) ? Json::Kind::kArray : Json::Kind::kObject;
      stack_.push_back(json);
      return {};
    default:
      return {};
    }
  }

  // Where the next value goes. Containers on the stack do not move: only the innermost one grows.
  Json *place() { return stack_.empty() ? &root_ : &stack_.back()->items.emplace_back(); }

  JsonEvents &events_;
  Json root_;
  std::vector<Json *> stack_;
};

} // namespace

const Json *Json::find(std::string_view name) const {
  for (size_t i = 0; i < keys.size(); ++i)
    if (keys[i] == name)
      return &items[i];
  return nullptr;
}

Result<Json> parseJson(std::string_view text, const Limits &limits) {
  JsonEvents events(text, limits);
  return Tree(events).read();
}

void appendJsonString(std::string_view text, std::string &out) {
  out += '"';
  while (!text.empty()) {
    char c = text.front();
    size_t length = utf8Length(text);
    if (length == 0)
      out += "\\ufffd";
    else if (c == '"' || c == '\\')
      (out += '\\') += c;
    else if (c == '\n')
      out += "\\n";
    else if (static_cast<unsigned char>(c) < 0x20 || c == 0x7f)
      out += format("\\u%04x", c);
    else
      out += text.substr(0, length);
    text.remove_prefix(length == 0 ? 1 : length);
  }
  out += '"';
}

namespace {
template <typename T> void appendFinite(T value, std::string &out) {
  char buffer[64];
  char *end = nlohmann::detail::to_chars(buffer, buffer + sizeof(buffer), value);
  std::string_view text(buffer, static_cast<size_t>(end - buffer));
  if (text.ends_with(".0"))
    text.remove_suffix(2);
  out += text;
}
} // namespace

void appendJsonNumber(double value, std::string &out) {
  if (std::isfinite(value))
    appendFinite(value, out);
  else
    out += "null";
}
void appendJsonNumber(float value, std::string &out) {
  if (std::isfinite(value))
    appendFinite(value, out);
  else
    out += "null";
}

} // namespace sluice::rt
