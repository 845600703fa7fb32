// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Breadth-first along all edges: first from the groups without a choice, then from feeds and
// fetches, which belong to the first device. Whoever reaches a group first gives it its device.
#include "compiler/place/NearestPlacement.h"

#include "llvm/ADT/STLExtras.h"

using namespace mlir;

namespace sluice::place {

namespace {

class NearestPlacement {
public:
  NearestPlacement(const Groups &groups, const Requests &requests, const FollowerSets &sets)
      : groups_(groups), requests_(requests), sets_(sets), places_(sets.count()),
        isPlaced_(sets.count()) {}

  std::vector<SetPlace> run() {
    for (unsigned group = 0; group < groups_.count(); ++group)
      if (requests_.isFixed(group))
        place(sets_.setOfGroup(group), requests_.firstOf(group), {});
    for (auto [i, op] : llvm::enumerate(groups_.members()))
      if (isa<flow::FeedOp, flow::FetchOp>(op))
        place(sets_.setOfMember(static_cast<unsigned>(i)), 0, {});
    spread();
    // What is left was reached from no device that it may be on, or from nowhere.
    for (unsigned group = 0; group < groups_.count(); ++group)
      if (requests_.isAsked(group)) {
        place(sets_.setOfGroup(group), requests_.firstOf(group), {});
        spread();
      }
    return std::move(places_);
  }

private:
  void place(unsigned set, unsigned rank, std::optional<unsigned> neighbour) {
    if (isPlaced_[set] || !sets_.allows(set, rank))
      return;
    isPlaced_[set] = true;
    places_[set] = {rank, neighbour, false};
    open_.push_back(set);
  }

  void spread() {
    for (; next_ < open_.size(); ++next_) {
      unsigned set = open_[next_], rank = places_[set].rank;
      for (unsigned member : sets_.membersOf(set))
        reachUsers(member, rank);
      for (unsigned member : sets_.membersOf(set))
        for (Value operand : groups_.members()[member]->getOperands())
          if (auto producer = groups_.memberOf(operand.getDefiningOp()))
            place(sets_.setOfMember(*producer), rank, member);
    }
  }

  // In the order of the text, which is not that of the list of uses.
  void reachUsers(unsigned member, unsigned rank) {
    SmallVector<unsigned> users;
    for (Operation *user : groups_.members()[member]->getUsers())
      if (auto number = groups_.memberOf(user))
        users.push_back(*number);
    llvm::sort(users);
    for (unsigned user : users)
      place(sets_.setOfMember(user), rank, member);
  }

  const Groups &groups_;
  const Requests &requests_;
  const FollowerSets &sets_;
  std::vector<SetPlace> places_; // by set
  std::vector<bool> isPlaced_;   // by set
  std::vector<unsigned> open_;   // sets that have a rank, in order
  size_t next_ = 0;
};

} // namespace

std::vector<SetPlace> placeNear(const Groups &groups, const Requests &requests,
                                const FollowerSets &sets) {
  return NearestPlacement(groups, requests, sets).run();
}

} // namespace sluice::place
