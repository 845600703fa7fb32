// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Names by how little has to be changed.
#include "compiler/import/NearestNames.h"

#include "compiler/import/Diagnostic.h"

#include "llvm/ADT/SmallVector.h"

namespace sluice::import {

using llvm::StringRef;

namespace {
struct Candidate {
  unsigned distance;
  StringRef name;
};
} // namespace

// 0 for the same at the end of a path; nothing when it is too far away.
static std::optional<unsigned> distanceOf(StringRef wrong, StringRef name) {
  if (name.size() > wrong.size() && name.ends_with(wrong) &&
      name[name.size() - wrong.size() - 1] == '/')
    return 0;
  unsigned most = wrong.size() < 4 ? 1 : std::max<unsigned>(2, wrong.size() / 3);
  size_t apart = std::max(wrong.size(), name.size()) - std::min(wrong.size(), name.size());
  if (apart > most)
    return std::nullopt;
  unsigned distance = wrong.edit_distance(name, /*AllowReplacements=*/true, most);
  return distance > most ? std::nullopt : std::optional(distance);
}

std::string didYouMean(StringRef wrong, llvm::ArrayRef<StringRef> names) {
  constexpr size_t kMostNames = 100000, kLongest = 256, kShown = 3;
  if (wrong.empty() || wrong.size() > kLongest || names.size() > kMostNames)
    return "";
  llvm::SmallVector<Candidate, kShown + 1> best; // in order, the earlier of equals first
  for (StringRef name : names) {
    std::optional<unsigned> distance = distanceOf(wrong, name);
    if (!distance || (best.size() == kShown && *distance >= best.back().distance))
      continue;
    auto after = llvm::find_if(best, [&](const Candidate &c) { return c.distance > *distance; });
    best.insert(after, {*distance, name});
    if (best.size() > kShown)
      best.pop_back();
  }
  std::string text;
  for (size_t i = 0; i < best.size(); ++i)
    text += (i == 0 ? "" : i + 1 == best.size() ? " or " : ", ") + quoted(best[i].name);
  return text.empty() ? "" : " (did you mean " + text + "?)";
}

} // namespace sluice::import
