// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// parseJson: builds Json values from the events of nlohmann's parser, which does not recurse.
#include "runtime/io/json.h"

#include "runtime/io/utf8.h"

#include <algorithm>
#include <cmath>

#define JSON_NOEXCEPTION
#define JSON_NO_IO
#include <nlohmann/json.hpp>

namespace sluice::rt {

namespace {

class Builder {
public:
  using Library = nlohmann::json;

  explicit Builder(const Limits &limits)
      : mostValues_(limits[Limit::kJsonValues]), mostDepth_(limits[Limit::kJsonDepth]) {}

  bool null() { return put({}); }
  bool boolean(bool value) {
    Json json;
    json.kind = Json::Kind::kBool;
    json.boolean = value;
    return put(std::move(json));
  }
  bool number_integer(int64_t value) {
    Json json;
    json.kind = Json::Kind::kInteger;
    json.integer = value;
    json.real = static_cast<double>(value);
    return put(std::move(json));
  }
  bool number_unsigned(uint64_t value) {
    if (value <= INT64_MAX)
      return number_integer(static_cast<int64_t>(value));
    return number_float(static_cast<double>(value), {});
  }
  bool number_float(double value, const std::string &) {
    Json json;
    json.kind = Json::Kind::kReal;
    json.real = value;
    return put(std::move(json));
  }
  bool string(std::string &value) {
    Json json;
    json.kind = Json::Kind::kString;
    json.string = std::move(value);
    return put(std::move(json));
  }
  bool binary(Library::binary_t &) { return false; }
  bool start_object(size_t) { return open(Json::Kind::kObject); }
  bool start_array(size_t) { return open(Json::Kind::kArray); }
  bool key(std::string &name) {
    stack_.back()->keys.push_back(std::move(name));
    return true;
  }
  bool end_array() {
    stack_.pop_back();
    return true;
  }
  bool end_object() {
    const std::vector<std::string> &keys = stack_.back()->keys;
    std::vector<std::string_view> names(keys.begin(), keys.end());
    std::sort(names.begin(), names.end());
    auto twice = std::adjacent_find(names.begin(), names.end());
    if (twice != names.end()) {
      error_ = "member '" + std::string(twice->substr(0, 100)) + "' occurs twice in one object";
      return false;
    }
    stack_.pop_back();
    return true;
  }
  bool parse_error(size_t, const std::string &, const nlohmann::detail::exception &failure) {
    std::string_view what = failure.what();
    size_t bracket = what.find("] ");
    error_ = bracket == what.npos ? what : what.substr(bracket + 2);
    if (error_.size() > 300)
      error_ = error_.substr(0, 300) + "...";
    return false;
  }

  Json take() { return std::move(root_); }
  const std::string &error() const { return error_; }

private:
  // Where the next value goes. Containers on the stack do not move: only the innermost one grows.
  Json *place() {
    if (stack_.empty())
      return &root_;
    Json *top = stack_.back();
    top->items.emplace_back();
    return &top->items.back();
  }
  bool countValue() {
    if (++values_ <= mostValues_)
      return true;
    error_ = "more than " + std::to_string(mostValues_) + " values, the limit" +
             seeLimit(Limit::kJsonValues);
    return false;
  }
  bool put(Json json) {
    if (!countValue())
      return false;
    *place() = std::move(json);
    return true;
  }
  bool open(Json::Kind kind) {
    if (stack_.size() == mostDepth_) {
      error_ = "nested deeper than " + std::to_string(mostDepth_) + " levels, the limit" +
               seeLimit(Limit::kJsonDepth);
      return false;
    }
    if (!countValue())
      return false;
    Json *json = place();
    json->kind = kind;
    stack_.push_back(json);
    return true;
  }

  const uint64_t mostValues_, mostDepth_;
  Json root_;
  std::vector<Json *> stack_;
  size_t values_ = 0;
  std::string error_;
};

} // namespace

const Json *Json::find(std::string_view name) const {
  for (size_t i = 0; i < keys.size(); ++i)
    if (keys[i] == name)
      return &items[i];
  return nullptr;
}

Result<Json> parseJson(std::string_view text, const Limits &limits) {
  Builder builder(limits);
  if (!nlohmann::json::sax_parse(text.data(), text.data() + text.size(), &builder))
    return invalidArgument("not a JSON text: " + builder.error());
  return builder.take();
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

void appendJsonNumber(double value, std::string &out) {
  if (!std::isfinite(value)) {
    out += "null";
    return;
  }
  char buffer[64];
  char *end = nlohmann::detail::to_chars(buffer, buffer + sizeof(buffer), value);
  std::string_view text(buffer, static_cast<size_t>(end - buffer));
  if (text.ends_with(".0"))
    text.remove_suffix(2);
  out += text;
}

} // namespace sluice::rt
