// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A device for every member, near what has one already.
#pragma once

#include "compiler/place/Requests.h"

namespace sluice::place {

// The rank of each member. `requests` has been checked; `leaders` comes from findLeaders.
std::vector<unsigned> placeNear(const Groups &groups, const Requests &requests,
                                llvm::ArrayRef<unsigned> leaders);

} // namespace sluice::place
