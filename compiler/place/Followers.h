// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Sets of groups that go to one device although they could be apart: a group, and what follows it.
//
// What only orders follows what it orders, and what steers a loop follows the values of the loop,
// so that a loop variable goes round on one device.
#pragma once

#include "compiler/place/Leaders.h"
#include "compiler/place/Requests.h"

namespace sluice::place {

class FollowerSets {
public:
  // `requests` has been checked; `leaders` comes from findLeaders.
  FollowerSets(const Groups &groups, const Requests &requests, llvm::ArrayRef<unsigned> leaders);

  unsigned count() const { return static_cast<unsigned>(members_.size()); }
  unsigned setOfGroup(unsigned group) const { return setOf_[group]; }
  unsigned setOfMember(unsigned member) const { return setOf_[groups_.groupOf(member)]; }
  llvm::ArrayRef<unsigned> membersOf(unsigned set) const { return members_[set]; }
  // Its group that asks for something: at most one does, for those that follow ask for nothing.
  std::optional<unsigned> askedOf(unsigned set) const { return askedOf_[set]; }
  bool allows(unsigned set, unsigned rank) const {
    return !askedOf_[set] || requests_.allows(*askedOf_[set], rank);
  }
  // Whom a member follows, if anybody.
  std::optional<unsigned> followedBy(unsigned member) const;

private:
  // Whether the op has a choice, and nobody comes with it.
  bool mayFollow(unsigned member) const;
  std::optional<unsigned> leaderOf(mlir::Operation *op) const;
  // Whom an op follows that steers a loop.
  std::optional<unsigned> steeredBy(mlir::Operation *op) const;
  // What computes whether a loop goes on from nothing but scalars goes with them, and so does what
  // computes the scalars of the next iteration, as for a counter.
  void joinDeciding(flow::LoopCondOp pivot, DisjointSets &sets) const;

  const Groups &groups_;
  const Requests &requests_;
  llvm::ArrayRef<unsigned> leaders_;
  std::vector<unsigned> setOf_;                         // by group
  std::vector<std::optional<unsigned>> askedOf_;        // by set
  std::vector<llvm::SmallVector<unsigned, 2>> members_; // by set
};

} // namespace sluice::place
