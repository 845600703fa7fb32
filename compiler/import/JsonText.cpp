// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The count of brackets before JSON is parsed.
#include "compiler/import/JsonText.h"

namespace sluice::import {

static uint64_t nestingOf(llvm::StringRef text, uint64_t enough) {
  uint64_t depth = 0, deepest = 0;
  bool inString = false;
  for (size_t i = 0; i < text.size() && deepest <= enough; ++i) {
    char c = text[i];
    if (inString && c == '\\')
      ++i;
    else if (c == '"')
      inString = !inString;
    else if (!inString && (c == '[' || c == '{'))
      deepest = std::max(deepest, ++depth);
    else if (!inString && (c == ']' || c == '}') && depth > 0)
      --depth;
  }
  return deepest;
}

llvm::Expected<llvm::json::Value> parseJson(llvm::StringRef text, const Limits &limits) {
  uint64_t depth = nestingOf(text, limits[LimitId::kJsonNesting]);
  if (!limits.allows(LimitId::kJsonNesting, depth))
    return llvm::createStringError(
        limits.excess(LimitId::kJsonNesting, "brackets inside each other", depth));
  llvm::Expected<llvm::json::Value> value = llvm::json::parse(text);
  if (!value)
    return llvm::createStringError("expected JSON: " + llvm::toString(value.takeError()));
  return value;
}

} // namespace sluice::import
