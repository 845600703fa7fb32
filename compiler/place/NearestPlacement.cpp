// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Breadth-first along all edges: first from the groups without a choice, then from feeds and
// fetches, which belong to the first device. Whoever reaches a group first gives it its device.
#include "compiler/place/NearestPlacement.h"

#include "compiler/place/Leaders.h"
#include "dialects/wire/Wire.h"

#include "llvm/ADT/STLExtras.h"

using namespace mlir;

namespace sluice::place {

namespace {

class NearestPlacement {
public:
  NearestPlacement(const Groups &groups, const Requests &requests, ArrayRef<unsigned> leaders)
      : groups_(groups), requests_(requests), leaders_(leaders) {}

  std::vector<unsigned> run() {
    joinFollowers();
    for (unsigned group = 0; group < groups_.count(); ++group)
      if (requests_.isFixed(group))
        place(setOf_[group], requests_.firstOf(group));
    for (auto [i, op] : llvm::enumerate(groups_.members()))
      if (isa<flow::FeedOp, flow::FetchOp>(op))
        place(setOfMember(static_cast<unsigned>(i)), 0);
    spread();
    // What is left was reached from no device that it may be on, or from nowhere.
    for (unsigned group = 0; group < groups_.count(); ++group)
      if (requests_.isAsked(group)) {
        place(setOf_[group], requests_.firstOf(group));
        spread();
      }
    std::vector<unsigned> ranks;
    for (unsigned member = 0; member < groups_.members().size(); ++member)
      ranks.push_back(rankOf_[setOfMember(member)].value_or(0));
    return ranks;
  }

private:
  // Sets are groups with those that follow them. At most one group of a set asks for anything, for
  // nobody else follows.
  void joinFollowers() {
    DisjointSets sets(groups_.count());
    for (unsigned member = 0; member < groups_.members().size(); ++member)
      if (auto followed = followedBy(member))
        sets.join(groups_.groupOf(member), groups_.groupOf(*followed));
    setOf_ = sets.numberSets();
    unsigned count = setOf_.empty() ? 0 : *llvm::max_element(setOf_) + 1;
    rankOf_.resize(count);
    askedOf_.resize(count);
    members_.resize(count);
    for (unsigned group = 0; group < groups_.count(); ++group)
      if (requests_.isAsked(group))
        askedOf_[setOf_[group]] = group;
    for (unsigned member = 0; member < groups_.members().size(); ++member)
      members_[setOfMember(member)].push_back(member);
  }

  // What steers a loop goes where the values of the loop are.
  std::optional<unsigned> followedBy(unsigned member) {
    Operation *op = groups_.members()[member];
    if (leaders_[member] != member)
      return leaderOf(member);
    unsigned group = groups_.groupOf(member);
    if (groups_.sizeOf(group) > 1 || requests_.isAsked(group))
      return std::nullopt;
    if (isa<flow::EnterOp, flow::NextIterationOp>(op))
      if (auto consumer = firstConsumer(groups_, op))
        return leaderOf(*consumer);
    if (isa<flow::EnterOp, flow::NextIterationOp, flow::ExitOp>(op))
      if (auto producer = groups_.memberOf(op->getOperand(0).getDefiningOp()))
        return leaderOf(*producer);
    return std::nullopt;
  }

  std::optional<unsigned> leaderOf(unsigned member) const {
    if (leaders_[member] == kNoLeader)
      return std::nullopt;
    return leaders_[member];
  }

  unsigned setOfMember(unsigned member) const { return setOf_[groups_.groupOf(member)]; }

  void place(unsigned set, unsigned rank) {
    std::optional<unsigned> asked = askedOf_[set];
    if (rankOf_[set] || (asked && !requests_.allows(*asked, rank)))
      return;
    rankOf_[set] = rank;
    open_.push_back(set);
  }

  void spread() {
    for (; next_ < open_.size(); ++next_) {
      unsigned set = open_[next_];
      for (unsigned member : members_[set])
        reachUsers(member, *rankOf_[set]);
      for (unsigned member : members_[set])
        for (Value operand : groups_.members()[member]->getOperands())
          if (auto producer = groups_.memberOf(operand.getDefiningOp()))
            place(setOfMember(*producer), *rankOf_[set]);
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
      place(setOfMember(user), rank);
  }

  const Groups &groups_;
  const Requests &requests_;
  ArrayRef<unsigned> leaders_;
  std::vector<unsigned> setOf_;                   // by group
  std::vector<std::optional<unsigned>> rankOf_;   // by set
  std::vector<std::optional<unsigned>> askedOf_;  // by set: its group that asks for something
  std::vector<SmallVector<unsigned, 2>> members_; // by set
  std::vector<unsigned> open_;                    // sets that have a rank, in order
  size_t next_ = 0;
};

} // namespace

std::vector<unsigned> placeNear(const Groups &groups, const Requests &requests,
                                ArrayRef<unsigned> leaders) {
  return NearestPlacement(groups, requests, leaders).run();
}

} // namespace sluice::place
