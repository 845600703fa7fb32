// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The count of brackets before JSON is parsed.
#include "compiler/import/JsonText.h"

namespace sluice::import {

namespace {
struct Brackets {
  uint64_t deepest = 0; // inside each other
  uint64_t count = 0;
};
} // namespace

static Brackets countBrackets(llvm::StringRef text, uint64_t deepEnough) {
  Brackets found;
  uint64_t depth = 0;
  bool inString = false;
  for (size_t i = 0; i < text.size() && found.deepest <= deepEnough; ++i) {
    char c = text[i];
    if (inString && c == '\\')
      ++i;
    else if (c == '"')
      inString = !inString;
    else if (!inString && (c == '[' || c == '{')) {
      ++found.count;
      found.deepest = std::max(found.deepest, ++depth);
    } else if (!inString && (c == ']' || c == '}') && depth > 0)
      --depth;
  }
  return found;
}

llvm::Expected<llvm::json::Value> parseJson(llvm::StringRef text, const Limits &limits) {
  Brackets brackets = countBrackets(text, limits[LimitId::kJsonNesting]);
  if (!limits.allows(LimitId::kJsonNesting, brackets.deepest))
    return llvm::createStringError(
        limits.excess(LimitId::kJsonNesting, "brackets inside each other", brackets.deepest));
  if (!limits.allows(LimitId::kJsonBrackets, brackets.count))
    return llvm::createStringError(
        limits.excess(LimitId::kJsonBrackets, "lists and objects", brackets.count));
  llvm::Expected<llvm::json::Value> value = llvm::json::parse(text);
  if (!value)
    return llvm::createStringError("expected JSON: " + llvm::toString(value.takeError()));
  return value;
}

} // namespace sluice::import
