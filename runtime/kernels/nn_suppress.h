// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Boxes of images, and how much two of them overlap.
#pragma once

#include <algorithm>
#include <cstdint>

namespace sluice::rt {

// Computed in T: every step is rounded to it.
template <typename T> class BoxOverlap {
public:
  // Boxes are `stride` elements apart.
  BoxOverlap(const T *boxes, int64_t stride) : boxes_(boxes), stride_(stride) {}

  float operator()(int64_t a, int64_t b) const {
    const Sides first = sidesOf(a), second = sidesOf(b);
    const float ofFirst = areaOf(first), ofSecond = areaOf(second);
    if (ofFirst <= 0 || ofSecond <= 0)
      return 0;
    const float height =
        less(std::min(first.bottom, second.bottom), std::max(first.top, second.top));
    const float width =
        less(std::min(first.right, second.right), std::max(first.left, second.left));
    const float both = rounded(std::max(height, 0.0f) * std::max(width, 0.0f));
    return rounded(both / less(rounded(ofFirst + ofSecond), both));
  }

private:
  struct Sides {
    float top, left, bottom, right;
  };
  static float rounded(float x) { return static_cast<float>(static_cast<T>(x)); }
  static float less(float a, float b) { return rounded(a - b); }
  static float areaOf(const Sides &box) {
    return rounded(less(box.bottom, box.top) * less(box.right, box.left));
  }
  Sides sidesOf(int64_t i) const {
    auto at = [&](int64_t k) { return static_cast<float>(boxes_[i * stride_ + k]); };
    return {std::min(at(0), at(2)), std::min(at(1), at(3)), std::max(at(0), at(2)),
            std::max(at(1), at(3))};
  }

  const T *boxes_;
  int64_t stride_;
};

} // namespace sluice::rt
