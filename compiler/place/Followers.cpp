// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Who follows whom, and the sets that come of it.
#include "compiler/place/Followers.h"

#include "llvm/ADT/DenseSet.h"
#include "llvm/ADT/STLExtras.h"

using namespace mlir;

namespace sluice::place {

FollowerSets::FollowerSets(const Groups &groups, const Requests &requests,
                           ArrayRef<unsigned> leaders)
    : groups_(groups), requests_(requests), leaders_(leaders) {
  DisjointSets sets(groups.count());
  for (unsigned member = 0; member < groups.members().size(); ++member) {
    if (auto followed = followedBy(member))
      sets.join(groups.groupOf(member), groups.groupOf(*followed));
    if (auto pivot = dyn_cast<flow::LoopCondOp>(groups.members()[member]))
      joinDeciding(pivot, sets);
  }
  setOf_ = sets.numberSets();
  unsigned count = setOf_.empty() ? 0 : *llvm::max_element(setOf_) + 1;
  askedOf_.resize(count);
  members_.resize(count);
  for (unsigned group = 0; group < groups.count(); ++group)
    if (requests.isAsked(group))
      askedOf_[setOf_[group]] = group;
  for (unsigned member = 0; member < groups.members().size(); ++member)
    members_[setOfMember(member)].push_back(member);
}

bool FollowerSets::mayFollow(unsigned member) const {
  unsigned group = groups_.groupOf(member);
  return groups_.sizeOf(group) == 1 && !requests_.isAsked(group);
}

std::optional<unsigned> FollowerSets::leaderOf(Operation *op) const {
  auto member = groups_.memberOf(op);
  return member && leaders_[*member] != kNoLeader ? std::optional(leaders_[*member]) : std::nullopt;
}

std::optional<unsigned> FollowerSets::followedBy(unsigned member) const {
  Operation *op = groups_.members()[member];
  if (leaders_[member] != member)
    return leaderOf(op);
  return mayFollow(member) ? steeredBy(op) : std::nullopt;
}

std::optional<unsigned> FollowerSets::steeredBy(Operation *op) const {
  if (isa<flow::EnterOp, flow::NextIterationOp>(op))
    if (auto consumer = firstConsumer(groups_, op))
      return leaderOf(groups_.members()[*consumer]);
  // A loop's switch is there with a value of the loop; that of a branch may be with its predicate.
  auto steered = dyn_cast<flow::SwitchOp>(op);
  bool isOfLoop = steered && steered.getPredicate().getDefiningOp<flow::LoopCondOp>();
  if (isOfLoop || isa<flow::EnterOp, flow::NextIterationOp, flow::ExitOp, flow::LoopCondOp>(op))
    return leaderOf(op->getOperand(0).getDefiningOp());
  return std::nullopt;
}

static bool isScalar(Value value) {
  auto type = dyn_cast<RankedTensorType>(value.getType());
  return type && type.getRank() == 0;
}

void FollowerSets::joinDeciding(flow::LoopCondOp pivot, DisjointSets &sets) const {
  auto mayJoin = [&](Operation *op) {
    auto member = groups_.memberOf(op);
    bool isPort = isa_and_nonnull<flow::EnterOp, flow::ExitOp>(op); // of another frame
    return member && !isPort && mayFollow(*member) && isScalar(op->getResult(0)) &&
           (isa<flow::MergeOp>(op) || llvm::all_of(op->getOperands(), isScalar));
  };
  if (!mayJoin(pivot))
    return;
  SmallVector<Operation *> open{pivot};
  DenseSet<Operation *> seen;
  while (!open.empty()) {
    Operation *op = open.pop_back_val();
    sets.join(groups_.groupOf(*groups_.memberOf(pivot)), groups_.groupOf(*groups_.memberOf(op)));
    // A merge begins an iteration, and goes on with what the iteration before has computed; or it
    // ends a branch, which may be elsewhere.
    bool isMerge = isa<flow::MergeOp>(op);
    for (Value operand : op->getOperands())
      if (Operation *producer = operand.getDefiningOp();
          (!isMerge || isa<flow::NextIterationOp>(producer)) && mayJoin(producer) &&
          seen.insert(producer).second)
        open.push_back(producer);
  }
}

} // namespace sluice::place
