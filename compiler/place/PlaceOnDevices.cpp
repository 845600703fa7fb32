// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Pass place-on-devices: what nodes ask for, then what is near, then what sends less.
#include "compiler/place/Passes.h"
#include "compiler/place/PlacedModule.h"

using namespace mlir;

namespace sluice::place {
#define GEN_PASS_DEF_PLACEONDEVICES
#include "compiler/place/Passes.h.inc"
} // namespace sluice::place

namespace {

using namespace sluice;

struct PlaceOnDevices : place::impl::PlaceOnDevicesBase<PlaceOnDevices> {
  using PlaceOnDevicesBase::PlaceOnDevicesBase;

  void runOnOperation() override {
    auto placed = place::PlacedModule::of(getOperation(), devices);
    if (failed(placed))
      return signalPassFailure();
    if (!*placed)
      return markAllAnalysesPreserved();
    const place::Groups &groups = (*placed)->groups();
    std::vector<unsigned> ranks;
    for (unsigned member = 0; member < groups.members().size(); ++member)
      ranks.push_back((*placed)->placeOf(member).rank);
    numGroups += groups.count();
    numDevices += place::writeDevices(getOperation(), groups, ranks);
  }
};

} // namespace
