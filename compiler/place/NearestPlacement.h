// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A device for every set, near what has one already.
#pragma once

#include "compiler/place/Followers.h"

namespace sluice::place {

// Where a set is, and why.
struct SetPlace {
  unsigned rank = 0;
  std::optional<unsigned> neighbour; // a member of another set from which it was reached
  bool sendsLess = false;            // moved there since less is sent so
};

// By set. `requests` has been checked.
std::vector<SetPlace> placeNear(const Groups &groups, const Requests &requests,
                                const FollowerSets &sets);

} // namespace sluice::place
