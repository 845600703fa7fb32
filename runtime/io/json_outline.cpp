// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Outlines of JSON texts.
#include "runtime/io/json_outline.h"

#include <algorithm>

namespace sluice::rt {

namespace {

using Kind = JsonEvent::Kind;
using PartKind = JsonPart::Kind;

// Lists that are open, and what those that were closed have told of dims.
class Lists {
public:
  explicit Lists(JsonLists &lists) : lists_(lists) {}

  void open() {
    if (!counts_.empty())
      ++counts_.back();
    if (depthOfElements_ != kUnknown && depthOfElements_ <= counts_.size())
      refuseDepth();
    counts_.push_back(0);
    if (lists_.dims.size() < counts_.size())
      lists_.dims.push_back(-1);
  }
  void elements(size_t count) {
    counts_.back() += static_cast<int64_t>(count);
    lists_.elements += static_cast<int64_t>(count);
    takeDepth();
  }
  // True when the outermost one is closed.
  bool close() {
    int64_t count = counts_.back(), &dim = lists_.dims[counts_.size() - 1];
    if (count == 0)
      takeDepth();
    if (dim < 0)
      dim = count;
    else if (dim != count && lists_.fault.empty())
      lists_.fault = format("expected lists of equal lengths but got one of %lld and one of %lld",
                            static_cast<long long>(dim), static_cast<long long>(count));
    counts_.pop_back();
    return counts_.empty();
  }
  void refuse(const char *why) {
    if (lists_.fault.empty())
      lists_.fault = why;
  }

private:
  static constexpr size_t kUnknown = SIZE_MAX;

  void takeDepth() {
    if (depthOfElements_ == kUnknown)
      depthOfElements_ = counts_.size();
    if (depthOfElements_ != counts_.size() || lists_.dims.size() > counts_.size())
      refuseDepth();
  }
  void refuseDepth() { refuse("expected lists of equal depth"); }

  JsonLists &lists_;
  std::vector<int64_t> counts_; // of each list that is open
  size_t depthOfElements_ = kUnknown;
};

class Outline {
public:
  Outline(std::string_view text, const Limits &limits) : events_(text, limits) {}

  Result<JsonPart> read() {
    for (;;) {
      JsonEvent event = events_.next();
      if (event.is(Kind::kEnd))
        return std::move(root_);
      if (!event.is(Kind::kError))
        take(event);
      if (error_.empty())
        error_ = events_.error();
      if (!error_.empty())
        return invalidArgument("not a JSON text: " + error_);
    }
  }

private:
  void take(const JsonEvent &event) {
    switch (event.kind) {
    case Kind::kKey:
      stack_.back()->keys.push_back(textOf(event));
      return;
    case Kind::kCloseObject:
      error_ = memberTwice(stack_.back()->keys);
      stack_.pop_back();
      return;
    default:
      break;
    }
    if (!events_.countValue())
      return;
    JsonPart *part = stack_.empty() ? &root_ : &stack_.back()->items.emplace_back();
    part->text = event.text;
    part->escaped = event.escaped;
    part->kind = kindOf(event);
    if (event.is(Kind::kOpenObject))
      stack_.push_back(part);
    else if (event.is(Kind::kOpenArray))
      passArray(*part);
  }

  static PartKind kindOf(const JsonEvent &event) {
    switch (event.kind) {
    case Kind::kTrue:
    case Kind::kFalse:
      return PartKind::kBool;
    case Kind::kNumber:
      return PartKind::kNumber;
    case Kind::kString:
      return PartKind::kString;
    case Kind::kOpenArray:
      return PartKind::kArray;
    case Kind::kOpenObject:
      return PartKind::kObject;
    default:
      return PartKind::kNull;
    }
  }

  // To its end: what is in it is only checked and counted.
  void passArray(JsonPart &array) {
    array.lists = std::make_unique<JsonLists>();
    Lists lists(*array.lists);
    lists.open();
    size_t objects = 0;
    std::vector<std::vector<std::string>> keys; // of objects within the array
    for (;;) {
      JsonEvent event = events_.next();
      switch (event.kind) {
      case Kind::kEnd:
      case Kind::kError:
        return;
      case Kind::kOpenObject:
        lists.refuse("expected numbers, bools or strings in lists but got an object");
        ++objects;
        keys.emplace_back();
        break;
      case Kind::kKey:
        keys.back().push_back(textOf(event));
        break;
      case Kind::kCloseObject:
        if (error_ = memberTwice(keys.back()); !error_.empty())
          return;
        --objects;
        keys.pop_back();
        continue;
      case Kind::kOpenArray:
        if (objects == 0)
          lists.open();
        continue;
      case Kind::kCloseArray:
        if (objects == 0 && lists.close()) {
          const char *end = event.text.data() + 1;
          array.text = {array.text.data(), static_cast<size_t>(end - array.text.data())};
          return;
        }
        continue;
      case Kind::kNumber:
        if (objects == 0)
          lists.elements(1 + events_.skipNumbers());
        continue;
      default:
        break;
      }
      if (objects == 0)
        lists.elements(1);
      if (!events_.countValue())
        return;
    }
  }

  JsonEvents events_;
  JsonPart root_;
  std::vector<JsonPart *> stack_;
  std::string error_;
};

} // namespace

const JsonPart *JsonPart::find(std::string_view name) const {
  for (size_t i = 0; i < keys.size(); ++i)
    if (keys[i] == name)
      return &items[i];
  return nullptr;
}

Result<JsonPart> outlineJson(std::string_view text, const Limits &limits) {
  return Outline(text, limits).read();
}

std::string textOf(const JsonEvent &event) {
  return event.escaped ? withoutJsonEscapes(event.text) : std::string(event.text);
}

std::string memberTwice(const std::vector<std::string> &keys) {
  std::vector<std::string_view> names(keys.begin(), keys.end());
  std::sort(names.begin(), names.end());
  auto twice = std::adjacent_find(names.begin(), names.end());
  if (twice == names.end())
    return {};
  return "member '" + std::string(twice->substr(0, 100)) + "' occurs twice in one object";
}

} // namespace sluice::rt
