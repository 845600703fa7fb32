// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Grouping by stages.
#include "compiler/codegen/CodeletGroups.h"

#include "dialects/flow/GraphOrder.h"

#include "llvm/ADT/MapVector.h"

#include <limits>
#include <map>
#include <numeric>

using namespace mlir;

namespace sluice::codegen {

CodeletGroups::CodeletGroups(const WholeGraph &whole, ArrayRef<flow::TokenGraph> graphs,
                             unsigned maxOps)
    : whole_(whole), maxOps_(maxOps) {
  std::vector<Operation *> all;
  for (flow::TokenGraph graph : graphs)
    for (Operation *op : flow::operandsFirst(graph)) {
      all.push_back(op);
      if (whole.homeOf(op) && whole.stageOf(op)) {
        positions_[op] = ops_.size();
        ops_.push_back(op);
        stages_.push_back(*whole.stageOf(op));
      }
    }
  parents_.resize(ops_.size());
  parts_.resize(ops_.size());
  pieces_.resize(ops_.size());
  connect();
  delay();
  connect();
  split(EarlyValues(all));
  connect();
  cut();
  connect();
}

unsigned CodeletGroups::find(unsigned op) {
  while (parents_[op] != op)
    op = parents_[op] = parents_[parents_[op]];
  return op;
}

// Anew: neighbours that have one home, one stage, one part and one piece.
void CodeletGroups::connect() {
  std::iota(parents_.begin(), parents_.end(), 0u);
  for (unsigned i = 0; i < ops_.size(); ++i)
    for (Value operand : ops_[i]->getOperands()) {
      auto producer = positions_.find(operand.getDefiningOp());
      if (producer == positions_.end())
        continue;
      unsigned k = producer->second;
      if (stages_[k] == stages_[i] && parts_[k] == parts_[i] && pieces_[k] == pieces_[i] &&
          whole_.canShareStage(ops_[k], ops_[i]))
        parents_[find(k)] = find(i);
    }
}

// The stage of the first user with the group's home; nothing if somebody else needs it as early.
std::optional<unsigned> CodeletGroups::laterStage(ArrayRef<unsigned> group) {
  std::optional<unsigned> first;
  unsigned others = std::numeric_limits<unsigned>::max();
  for (unsigned member : group)
    for (Operation *user : ops_[member]->getUsers()) {
      auto position = positions_.find(user);
      if (position == positions_.end()) {
        if (isa<flow::ExitOp>(user)) // has a stage of the frame around
          return std::nullopt;
        others = std::min(others, whole_.stageOf(user).value_or(0));
      } else if (find(position->second) != find(member)) {
        unsigned stage = stages_[position->second];
        if (whole_.canShareStage(ops_[member], user))
          first = std::min(first.value_or(stage), stage);
        else
          others = std::min(others, stage);
      }
    }
  return first && *first < others ? first : std::nullopt;
}

void CodeletGroups::delay() {
  std::map<unsigned, llvm::MapVector<unsigned, SmallVector<unsigned>>> groups; // by stage
  for (unsigned i = 0; i < ops_.size(); ++i)
    groups[stages_[i]][find(i)].push_back(i);
  for (auto &[stage, ofStage] : llvm::reverse(groups)) // users first
    for (auto &[root, group] : ofStage)
      if (auto later = laterStage(group))
        for (unsigned member : group)
          stages_[member] = *later;
}

void CodeletGroups::split(const EarlyValues &early) {
  llvm::MapVector<unsigned, SmallVector<unsigned>> groups;
  for (unsigned i = 0; i < ops_.size(); ++i)
    groups[find(i)].push_back(i);
  for (auto &[root, group] : groups) {
    SmallVector<Operation *> members =
        llvm::map_to_vector(group, [&](unsigned i) { return ops_[i]; });
    for (auto [member, part] : llvm::zip_equal(group, early.partsOf(members)))
      parts_[member] = part;
  }
}

// Operands first, depth first from the last op of each group. So a stretch of the order is as
// connected as the group allows, and groups that compute the same are in the same order.
std::vector<unsigned> CodeletGroups::depthFirst() {
  std::vector<unsigned> order;
  std::vector<bool> seen(ops_.size());
  SmallVector<std::pair<unsigned, unsigned>> path;
  for (unsigned root = ops_.size(); root-- > 0;) {
    if (seen[root])
      continue;
    seen[root] = true;
    path.push_back({root, 0});
    while (!path.empty()) {
      auto &[op, next] = path.back();
      if (next == ops_[op]->getNumOperands()) {
        order.push_back(op);
        path.pop_back();
        continue;
      }
      auto producer = positions_.find(ops_[op]->getOperand(next++).getDefiningOp());
      if (producer == positions_.end() || seen[producer->second] ||
          find(producer->second) != find(op))
        continue;
      seen[producer->second] = true;
      path.push_back({producer->second, 0});
    }
  }
  return order;
}

// Numbers the pieces of each group.
void CodeletGroups::cut() {
  DenseMap<unsigned, std::pair<unsigned, unsigned>> sizes; // of the group, and what is numbered
  for (unsigned i = 0; i < ops_.size(); ++i)
    sizes[find(i)].first += !vanishesInCodelet(ops_[i]);
  for (unsigned i : depthFirst()) {
    auto &[size, seen] = sizes[find(i)];
    unsigned numPieces = (size + maxOps_ - 1) / maxOps_;
    pieces_[i] = numPieces < 2 ? 0 : std::min(numPieces - 1, seen * numPieces / size);
    seen += !vanishesInCodelet(ops_[i]);
  }
}

std::vector<CodeletGroups::Group> CodeletGroups::groups() {
  llvm::MapVector<unsigned, Group> groups;
  for (unsigned i : depthFirst())
    groups[find(i)].push_back(ops_[i]);
  std::vector<Group> result;
  for (auto &[root, members] : groups)
    result.push_back(std::move(members));
  return result;
}

} // namespace sluice::codegen
