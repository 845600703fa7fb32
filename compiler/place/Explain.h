// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Where ops are, and why, in words.
#pragma once

#include "compiler/place/PlacedModule.h"

namespace sluice::place {

// By signature and loop, the device of each op that fires and does more than order others, with the
// reason. Of a module that the placement was made for, and that nothing was written to.
std::string explainPlacement(const PlacedModule &placed);

} // namespace sluice::place
