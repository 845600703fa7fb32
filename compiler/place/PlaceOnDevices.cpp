// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Pass place-on-devices: what nodes ask for, then what is near.
#include "compiler/place/DeclaredDevices.h"
#include "compiler/place/Leaders.h"
#include "compiler/place/NearestPlacement.h"
#include "compiler/place/Passes.h"

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
    auto problem = place::readProblem(getOperation(), devices);
    if (failed(problem))
      return signalPassFailure();
    if (!*problem)
      return markAllAnalysesPreserved();
    const place::Groups &groups = (*problem)->groups;
    place::Requests requests(groups, (*problem)->devices);
    if (failed(requests.check()))
      return signalPassFailure();
    std::vector<unsigned> leaders = place::findLeaders(getOperation(), groups);
    numGroups += groups.count();
    numDevices +=
        place::writeDevices(getOperation(), groups, place::placeNear(groups, requests, leaders));
  }
};

} // namespace
