// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Tags: where in the nest of frames and iterations a token is. Plain values, compared as such.
#pragma once

#include <compare>
#include <cstdint>
#include <string_view>
#include <vector>

namespace sluice::interpret {

// One level of the nest. The name belongs to the IR.
struct Level {
  std::string_view frame;
  uint64_t iteration = 0;
  auto operator<=>(const Level &) const = default;
};

// From the outermost frame inwards; empty in the root frame, which has a single iteration.
using Tag = std::vector<Level>;

// One instance of a frame: what its iterations have in common.
struct FrameId {
  Tag parent;
  std::string_view name;
  auto operator<=>(const FrameId &) const = default;

  Tag iteration(uint64_t number) const {
    Tag tag = parent;
    tag.push_back({name, number});
    return tag;
  }
};

// Only for tags within a frame.
inline FrameId frameOf(const Tag &tag) {
  return {Tag(tag.begin(), tag.end() - 1), tag.back().frame};
}

} // namespace sluice::interpret
