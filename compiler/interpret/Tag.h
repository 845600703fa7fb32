// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Tags: where in the nest of frames, iterations and branches a token is. Plain values, compared as
// such.
#pragma once

#include <algorithm>
#include <compare>
#include <cstdint>
#include <string_view>
#include <vector>

namespace sluice::interpret {

// One level of the nest: an iteration of a loop, or the region of a flow.cond that was taken.
struct Level {
  std::string_view frame; // the name belongs to the IR; empty for a branch
  unsigned op = 0; // 0: a frame that flow.enter makes; else 1 + position of the structured op
  uint64_t iteration = 0; // of a branch: 1 for on_true
  auto operator<=>(const Level &) const = default;
};

// From the outermost frame inwards; empty in the root frame, which has a single iteration.
using Tag = std::vector<Level>;

// One instance of a frame: what its iterations have in common.
struct FrameId {
  Tag parent;
  std::string_view name;
  unsigned op = 0;
  auto operator<=>(const FrameId &) const = default;

  Tag iteration(uint64_t number) const {
    Tag tag = parent;
    tag.push_back({name, op, number});
    return tag;
  }
};

inline Tag parentOf(const Tag &tag) { return Tag(tag.begin(), tag.end() - 1); }

// The iteration around a token: branches come and go with it.
inline Tag iterationOf(Tag tag) {
  while (!tag.empty() && tag.back().frame.empty())
    tag.pop_back();
  return tag;
}

// Only for tags of iterations within a frame.
inline FrameId frameOf(const Tag &iteration) {
  return {parentOf(iteration), iteration.back().frame, iteration.back().op};
}

// Whether the token is in an iteration, at whatever depth.
inline bool isWithin(const Tag &tag, const Tag &iteration) {
  return tag.size() >= iteration.size() &&
         std::equal(iteration.begin(), iteration.end(), tag.begin());
}

} // namespace sluice::interpret
