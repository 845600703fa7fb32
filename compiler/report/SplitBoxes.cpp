// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// First by name, then by layer.
#include "compiler/report/SplitBoxes.h"

#include "compiler/report/BoxTree.h"

#include "llvm/ADT/StringRef.h"

#include <algorithm>
#include <map>
#include <numeric>
#include <tuple>

using llvm::StringRef;

namespace sluice::report {

namespace {

// New boxes have larger numbers than what went into them; parents are to come before children.
void sortBoxes(DrawnGraph &graph) {
  std::vector<std::vector<unsigned>> inner(graph.boxes.size());
  for (unsigned i = 1; i < graph.boxes.size(); ++i)
    inner[graph.boxes[i].parent].push_back(i);
  std::vector<unsigned> order{0}, number(graph.boxes.size());
  for (size_t next = 0; next < order.size(); ++next)
    order.insert(order.end(), inner[order[next]].begin(), inner[order[next]].end());
  for (unsigned i = 0; i < order.size(); ++i)
    number[order[i]] = i;
  std::vector<Box> sorted;
  for (unsigned box : order) {
    sorted.push_back(std::move(graph.boxes[box]));
    sorted.back().parent = number[sorted.back().parent];
  }
  graph.boxes = std::move(sorted);
  for (Node &node : graph.nodes)
    node.box = number[node.box];
}

class Splitter {
public:
  explicit Splitter(DrawnGraph &graph) : graph_(graph) {}

  // New boxes come last and are looked at in their turn.
  void splitByName() {
    std::vector<std::vector<Item>> children(graph_.boxes.size());
    for (unsigned i = 0; i < graph_.nodes.size(); ++i)
      children[graph_.nodes[i].box].push_back({false, i});
    for (unsigned i = 1; i < graph_.boxes.size(); ++i)
      children[graph_.boxes[i].parent].push_back({true, i});
    for (unsigned box = 0; box < children.size(); ++box)
      if (children[box].size() > kMostChildren)
        splitByName(box, children);
  }

  void splitByLayer() {
    for (bool again = true; again;) {
      again = false;
      sortBoxes(graph_);
      std::vector<BoxContents> contents = contentsOfBoxes(graph_);
      for (unsigned box = 0; box < contents.size(); ++box)
        if (contents[box].items.size() > kMostChildren) {
          splitByLayer(box, contents[box]);
          again = true;
        }
    }
  }

private:
  StringRef nameOf(Item item) const {
    return item.isBox ? graph_.boxes[item.index].name : graph_.nodes[item.index].name;
  }
  void moveInto(Item item, unsigned box) {
    (item.isBox ? graph_.boxes[item.index].parent : graph_.nodes[item.index].box) = box;
  }

  // What all names have in common, up to the last '/' in it.
  static StringRef commonScope(llvm::ArrayRef<StringRef> names) {
    StringRef common = names.front();
    for (StringRef name : names) {
      size_t same = 0;
      while (same < std::min(common.size(), name.size()) && common[same] == name[same])
        ++same;
      common = common.take_front(same);
    }
    return common.take_front(common.rfind('/') + 1); // npos + 1 is 0
  }

  void splitByName(unsigned box, std::vector<std::vector<Item>> &children) {
    std::vector<StringRef> names;
    for (Item item : children[box])
      names.push_back(nameOf(item));
    std::string scope = commonScope(names).str();
    std::map<std::string, std::vector<Item>> groups;
    std::vector<Item> alone;
    for (auto [item, name] : llvm::zip_equal(children[box], names)) {
      auto [first, rest] = name.drop_front(scope.size()).split('/');
      if (rest.empty())
        alone.push_back(item);
      else
        groups[first.str()].push_back(item);
    }
    for (auto &[title, items] : groups) {
      if (items.size() < 2) {
        alone.push_back(items.front());
        continue;
      }
      auto inner = static_cast<unsigned>(graph_.boxes.size());
      graph_.boxes.push_back({BoxKind::kScope, title, scope + title, "", box});
      for (Item item : items)
        moveInto(item, inner);
      children.push_back(std::move(items));
      alone.push_back({true, inner});
    }
    children[box] = std::move(alone);
  }

  void splitByLayer(unsigned box, BoxContents &contents) {
    std::vector<unsigned> layer = assignLayers(contents.graph), order(contents.items.size());
    std::iota(order.begin(), order.end(), 0);
    std::sort(order.begin(), order.end(), [&](unsigned a, unsigned b) {
      return std::tie(layer[a], a) < std::tie(layer[b], b);
    });
    // As many parts as may be, so that each is small, but of some size.
    size_t size = std::max<size_t>(20, (order.size() + kMostChildren - 1) / kMostChildren);
    size_t parts = (order.size() + size - 1) / size;
    for (size_t part = 0; part < parts; ++part) {
      auto inner = static_cast<unsigned>(graph_.boxes.size());
      std::string title = "part " + std::to_string(part + 1) + " of " + std::to_string(parts);
      graph_.boxes.push_back({BoxKind::kPart, title, "", "", box});
      for (size_t i = part * size; i < std::min(order.size(), (part + 1) * size); ++i)
        moveInto(contents.items[order[i]], inner);
    }
  }

  DrawnGraph &graph_;
};

} // namespace

void splitBoxes(DrawnGraph &graph) {
  Splitter splitter(graph);
  splitter.splitByName();
  splitter.splitByLayer();
}

} // namespace sluice::report
