// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Names of graph nodes.
#include "dialects/interfaces/NodeName.h"

using namespace mlir;

llvm::StringRef sluice::nodeNameOf(Location location) {
  SmallVector<Location> open{location};
  while (!open.empty()) {
    Location next = open.pop_back_val();
    if (auto name = dyn_cast<NameLoc>(next))
      return name.getName();
    if (auto fused = dyn_cast<FusedLoc>(next))
      open.append(fused.getLocations().rbegin(), fused.getLocations().rend());
    else if (auto call = dyn_cast<CallSiteLoc>(next))
      open.push_back(call.getCallee());
  }
  return {};
}
