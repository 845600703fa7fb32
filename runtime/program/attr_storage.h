// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The arrays that attributes of a loaded program point into.
#pragma once

#include "runtime/kernels/kernel.h"

#include <deque>
#include <vector>

namespace sluice::rt {

struct AttrStorage {
  std::deque<std::vector<Attr>> lists;
  std::deque<std::vector<int64_t>> ints;
};

} // namespace sluice::rt
