// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Moves what has a choice to where less is sent.
//
// "Near" does not look at how often an edge is used, nor whether a value comes back: a test that is
// as near to the fed limit as to the counter would have the counter sent to it and its result sent
// back, in every iteration. Messages are exactly countable, unlike bytes and times: one for each
// value and each other device that needs it.
#pragma once

#include "compiler/place/NearestPlacement.h"

namespace sluice::place {

// One message of an iteration counts for more than any message of the loop or call around it. Each
// move makes the sum smaller; a few rounds over all sets, in order. A round takes time
// proportional to the uses of values times the devices that a value goes to.
void sendLess(const Groups &groups, const Requests &requests, const FollowerSets &sets,
              std::vector<SetPlace> &places);

} // namespace sluice::place
