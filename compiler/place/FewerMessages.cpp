// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// For each value: where it is made, and how many of its uses are on which device. What a move saves
// follows from that without a look at the rest of the graph.
#include "compiler/place/FewerMessages.h"

#include "llvm/ADT/MapVector.h"
#include "llvm/ADT/STLExtras.h"

#include <map>

using namespace mlir;

namespace sluice::place {

namespace {

constexpr unsigned kMostRounds = 8;
// A loop runs so often, as far as placement cares; deeper nests than this count alike.
constexpr unsigned kBitsOfLoop = 10, kMostLoops = 4;

// Of messages; only ever compared.
using Weight = uint64_t;

struct SentValue {
  unsigned set;                                     // that makes it
  Weight weight;                                    // of one message with it
  llvm::SmallMapVector<unsigned, unsigned, 4> uses; // by rank, those of its own set too
};

class MessageCount {
public:
  MessageCount(const Groups &groups, const FollowerSets &sets, std::vector<SetPlace> &places)
      : groups_(groups), sets_(sets), places_(places), made_(sets.count()), taken_(sets.count()) {
    findFrames();
    for (unsigned member = 0; member < groups.members().size(); ++member)
      addUses(member);
  }

  // Nothing if no other rank is better.
  std::optional<unsigned> betterRank(unsigned set) const {
    std::map<unsigned, Weight> saved; // by rank: of what is sent if the set is nowhere
    unsigned here = places_[set].rank;
    saved[here];
    for (unsigned number : made_[set])
      for (auto [rank, count] : values_[number].uses)
        if (count > (rank == here ? usesBy(set, number) : 0))
          saved[rank] += values_[number].weight;
    for (auto [number, own] : taken_[set]) {
      const SentValue &value = values_[number];
      unsigned from = places_[value.set].rank;
      if (value.set == set)
        continue;
      saved[from] += value.weight;
      for (auto [rank, count] : value.uses)
        if (rank != from && count > (rank == here ? own : 0))
          saved[rank] += value.weight;
    }
    unsigned best = here;
    for (auto [rank, weight] : saved)
      if (weight > saved[best] && sets_.allows(set, rank))
        best = rank;
    return best == here ? std::nullopt : std::optional(best);
  }

  void move(unsigned set, unsigned rank) {
    for (auto [number, own] : taken_[set]) {
      values_[number].uses[places_[set].rank] -= own;
      values_[number].uses[rank] += own;
    }
    places_[set].rank = rank;
    places_[set].sendsLess = true;
  }

private:
  unsigned usesBy(unsigned set, unsigned number) const { return taken_[set].lookup(number); }

  void findFrames() {
    Operation *before = nullptr;
    for (Operation *op : groups_.members()) {
      auto graph = dyn_cast<flow::GraphOp>(op->getParentOp());
      if (!graph || graph == before)
        continue;
      before = graph;
      auto frames = flow::FrameAnalysis::run(graph);
      std::vector<unsigned> depths(frames->frames().size());
      for (size_t frame = 1; frame < depths.size(); ++frame) // parents come first
        depths[frame] = depths[frames->frames()[frame].parent] + 1;
      for (Operation &each : graph.getBody().front()) {
        unsigned frame = frames->frameOf(&each);
        framePlaces_[&each] = {depths[frame], depths[frames->resultFrameOf(&each)],
                               frames->frames()[frame].pivot};
      }
    }
  }

  void addUses(unsigned member) {
    Operation *op = groups_.members()[member];
    // What enters does so wherever it is used, and a flow.after is with its value.
    if (passesOn(op))
      return;
    for (Value operand : op->getOperands())
      addUse(operand, member);
    // The iterations of a loop exist on a device because it hears of them.
    auto found = framePlaces_.find(op);
    if (found != framePlaces_.end() && found->second.pivot && !isa<flow::LoopCondOp>(op))
      addUse(flow::LoopCondOp(found->second.pivot).getResult(), member);
  }

  static bool passesOn(Operation *op) {
    return isa_and_nonnull<flow::AfterOp, flow::EnterOp, flow::NextIterationOp>(op);
  }

  // As many steps as loops in each other.
  void addUse(Value value, unsigned user) {
    while (passesOn(value.getDefiningOp()))
      value = value.getDefiningOp()->getOperand(0);
    Operation *op = value.getDefiningOp();
    auto producer = groups_.memberOf(op);
    if (!producer)
      return; // everywhere
    unsigned set = sets_.setOfMember(user);
    auto [it, isNew] = numbers_.try_emplace(value, static_cast<unsigned>(values_.size()));
    if (isNew) {
      unsigned loops = std::min(framePlaces_.lookup(op).resultDepth, kMostLoops);
      values_.push_back({sets_.setOfMember(*producer), Weight(1) << (kBitsOfLoop * loops), {}});
      made_[values_.back().set].push_back(it->second);
    }
    ++values_[it->second].uses[places_[set].rank];
    ++taken_[set][it->second];
  }

  struct FramePlace {
    unsigned depth = 0, resultDepth = 0; // loops around the op, and around its results
    flow::LoopCondOp pivot;              // of the frame that it fires in
  };

  const Groups &groups_;
  const FollowerSets &sets_;
  std::vector<SetPlace> &places_;
  llvm::DenseMap<Operation *, FramePlace> framePlaces_;
  llvm::DenseMap<Value, unsigned> numbers_;
  std::vector<SentValue> values_;
  std::vector<SmallVector<unsigned, 2>> made_; // by set: values
  // By set: its uses of each value.
  std::vector<llvm::SmallMapVector<unsigned, unsigned, 2>> taken_;
};

} // namespace

void sendLess(const Groups &groups, const Requests &requests, const FollowerSets &sets,
              std::vector<SetPlace> &places) {
  // Declarations, feeds and fetches do not move by themselves.
  std::vector<bool> mayMove(sets.count(), true);
  for (unsigned set = 0; set < sets.count(); ++set) {
    if (auto asked = sets.askedOf(set); asked && requests.isFixed(*asked))
      mayMove[set] = false;
    for (unsigned member : sets.membersOf(set))
      if (isa<flow::FeedOp, flow::FetchOp>(groups.members()[member]))
        mayMove[set] = false;
  }
  MessageCount count(groups, sets, places);
  bool moved = true;
  for (unsigned round = 0; moved && round < kMostRounds; ++round) {
    moved = false;
    for (unsigned set = 0; set < sets.count(); ++set)
      if (auto rank = mayMove[set] ? count.betterRank(set) : std::nullopt) {
        count.move(set, *rank);
        moved = true;
      }
  }
}

} // namespace sluice::place
