// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Pass place-at-random: one draw for each group, in the order of the text.
#include "compiler/place/DeclaredDevices.h"
#include "compiler/place/Leaders.h"
#include "compiler/place/Passes.h"

#include "runtime/base/splitmix.h"

using namespace mlir;

namespace sluice::place {
#define GEN_PASS_DEF_PLACEATRANDOM
#include "compiler/place/Passes.h.inc"
} // namespace sluice::place

namespace {

using namespace sluice;

struct PlaceAtRandom : place::impl::PlaceAtRandomBase<PlaceAtRandom> {
  using PlaceAtRandomBase::PlaceAtRandomBase;

  void runOnOperation() override {
    auto problem = place::readProblem(getOperation(), devices);
    if (failed(problem))
      return signalPassFailure();
    if (!*problem)
      return markAllAnalysesPreserved();
    const place::Groups &groups = (*problem)->groups;
    numGroups += groups.count();
    numDevices +=
        place::writeDevices(getOperation(), groups, draw(groups, (*problem)->devices.size()));
  }

  std::vector<unsigned> draw(const place::Groups &groups, uint64_t numDevices) {
    std::vector<unsigned> leaders = place::findLeaders(getOperation(), groups);
    std::vector<std::optional<unsigned>> rankOf(groups.count());
    rt::SplitMix64 draws(seed);
    for (auto [i, op] : llvm::enumerate(groups.members())) {
      auto member = static_cast<unsigned>(i);
      std::optional<unsigned> &rank = rankOf[groups.groupOf(member)];
      if (leaders[member] == member && !rank)
        rank = isa<flow::FeedOp, flow::FetchOp>(op)
                   ? 0
                   : static_cast<unsigned>(draws.below(numDevices));
    }
    std::vector<unsigned> ranks;
    for (unsigned leader : leaders)
      ranks.push_back(leader == place::kNoLeader ? 0 : *rankOf[groups.groupOf(leader)]);
    return ranks;
  }
};

} // namespace
