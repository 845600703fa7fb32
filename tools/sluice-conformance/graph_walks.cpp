// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Walks along the edges of a graph, in both directions.
#include "tools/sluice-conformance/graph_skeleton.h"

namespace sluice::conformance {

using llvm::StringRef;
using Names = std::set<std::string>;

Names GraphSkeleton::nodesWhere(llvm::function_ref<bool(StringRef)> holds) const {
  Names found;
  for (const auto &entry : nodes_)
    if (holds(entry.getKey()))
      found.insert(entry.getKey().str());
  return found;
}

Names GraphSkeleton::ancestorsOf(llvm::ArrayRef<std::string> names) const {
  Names seen;
  std::vector<StringRef> pending(names.begin(), names.end());
  while (!pending.empty()) {
    auto found = nodes_.find(nodeOf(pending.back()));
    pending.pop_back();
    if (found == nodes_.end() || !seen.insert(found->getKey().str()).second)
      continue;
    const std::vector<std::string> &inputs = found->getValue().inputs;
    pending.insert(pending.end(), inputs.begin(), inputs.end());
  }
  return seen;
}

llvm::StringMap<std::vector<StringRef>> GraphSkeleton::usersOfNodes() const {
  llvm::StringMap<std::vector<StringRef>> users;
  for (const auto &entry : nodes_)
    for (const std::string &input : entry.getValue().inputs)
      users[nodeOf(input)].push_back(entry.getKey());
  return users;
}

Names GraphSkeleton::dependentsOf(const Names &nodes) const {
  llvm::StringMap<std::vector<StringRef>> users = usersOfNodes();
  Names seen = nodes;
  std::vector<std::string> pending(nodes.begin(), nodes.end());
  while (!pending.empty()) {
    std::string node = std::move(pending.back());
    pending.pop_back();
    for (StringRef user : users.lookup(node))
      if (seen.insert(user.str()).second)
        pending.push_back(user.str());
  }
  return seen;
}

static bool entersLoop(StringRef op) { return op == "Enter" || op == "RefEnter"; }
static bool leavesLoop(StringRef op) { return op == "Exit" || op == "RefExit"; }

// How many loops a node is in is one more behind each Enter, and one less behind each Exit.
llvm::StringMap<size_t> GraphSkeleton::depthsFrom(const Names &enters) const {
  llvm::StringMap<std::vector<StringRef>> users = usersOfNodes();
  llvm::StringMap<size_t> depths;
  std::vector<std::string> pending(enters.begin(), enters.end());
  for (const std::string &enter : enters)
    depths[enter] = 1;
  size_t deepest = nodesWhere([&](StringRef node) { return entersLoop(find(node)->op); }).size();
  while (!pending.empty()) {
    std::string node = std::move(pending.back());
    pending.pop_back();
    size_t depth = depths.lookup(node);
    if (depth == 0) // it has left the outermost loop
      continue;
    for (StringRef user : users.lookup(node)) {
      StringRef op = nodes_.find(user)->getValue().op;
      size_t next = depth + entersLoop(op) - leavesLoop(op);
      auto [known, isNew] = depths.try_emplace(user, next);
      if ((!isNew && next <= known->getValue()) || next > deepest)
        continue;
      known->getValue() = next;
      pending.push_back(user.str());
    }
  }
  return depths;
}

Names GraphSkeleton::nodesInLoops() const {
  llvm::StringMap<size_t> depths =
      depthsFrom(nodesWhere([&](StringRef node) { return entersLoop(find(node)->op); }));
  return nodesWhere([&](StringRef node) { return depths.lookup(node) > 0; });
}

std::map<std::string, size_t> GraphSkeleton::frames() const {
  std::map<std::string, size_t> frames;
  for (const auto &entry : nodes_)
    if (entersLoop(entry.getValue().op))
      ++frames[entry.getValue().frame];
  return frames;
}

Names GraphSkeleton::exitsOf(const Names &frames) const {
  Names inLoops = nodesInLoops();
  llvm::StringMap<size_t> depths = depthsFrom(nodesWhere([&](StringRef node) {
    const Node *enter = find(node);
    return entersLoop(enter->op) && frames.count(enter->frame) &&
           llvm::none_of(enter->inputs,
                         [&](StringRef input) { return inLoops.count(nodeOf(input).str()) > 0; });
  }));
  return nodesWhere([&](StringRef node) {
    auto known = depths.find(node);
    return known != depths.end() && known->getValue() == 0;
  });
}

} // namespace sluice::conformance
