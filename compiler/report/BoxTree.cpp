// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Walks both ends of each edge upwards until they meet.
#include "compiler/report/BoxTree.h"

#include "llvm/ADT/DenseMap.h"

namespace sluice::report {

namespace {

class Projection {
public:
  explicit Projection(const DrawnGraph &graph)
      : graph_(graph), contents_(graph.boxes.size()), numberOfNode_(graph.nodes.size()),
        numberOfBox_(graph.boxes.size()), depth_(graph.boxes.size()), known_(graph.boxes.size()) {
    for (unsigned i = 0; i < graph.nodes.size(); ++i)
      numberOfNode_[i] = add(graph.nodes[i].box, {false, i});
    for (unsigned i = 1; i < graph.boxes.size(); ++i) {
      numberOfBox_[i] = add(graph.boxes[i].parent, {true, i});
      depth_[i] = depth_[graph.boxes[i].parent] + 1;
    }
    for (BoxContents &box : contents_) {
      box.graph.size = static_cast<unsigned>(box.items.size());
      box.graph.hasAbove.resize(box.items.size());
      box.graph.hasBelow.resize(box.items.size());
    }
  }

  std::vector<BoxContents> run() {
    for (const Edge &edge : graph_.edges)
      addEdge(edge);
    return std::move(contents_);
  }

private:
  unsigned add(unsigned box, Item item) {
    contents_[box].items.push_back(item);
    return static_cast<unsigned>(contents_[box].items.size() - 1);
  }

  void addEdge(const Edge &edge) {
    unsigned fromBox = graph_.nodes[edge.from].box, from = numberOfNode_[edge.from];
    unsigned toBox = graph_.nodes[edge.to].box, to = numberOfNode_[edge.to];
    while (fromBox != toBox) {
      if (depth_[fromBox] >= depth_[toBox]) {
        contents_[fromBox].graph.hasBelow[from] = true;
        from = numberOfBox_[fromBox];
        fromBox = graph_.boxes[fromBox].parent;
      } else {
        contents_[toBox].graph.hasAbove[to] = true;
        to = numberOfBox_[toBox];
        toBox = graph_.boxes[toBox].parent;
      }
    }
    if (from != to)
      addLink(fromBox, {from, to, edge.kind == EdgeKind::kBack});
  }

  // Of several edges between the same ends one that leads forward decides.
  void addLink(unsigned box, Link link) {
    std::vector<Link> &links = contents_[box].graph.links;
    auto [place, isNew] = known_[box].try_emplace({link.from, link.to}, links.size());
    if (isNew)
      links.push_back(link);
    else
      links[place->second].isBack &= link.isBack;
  }

  const DrawnGraph &graph_;
  std::vector<BoxContents> contents_;
  std::vector<unsigned> numberOfNode_, numberOfBox_; // in the box around it
  std::vector<unsigned> depth_;
  std::vector<llvm::DenseMap<std::pair<unsigned, unsigned>, size_t>> known_; // links by their ends
};

Arrangement arrangementOf(const BoxContents &contents) {
  Layering layering = arrange(contents.graph);
  Arrangement result;
  auto count = static_cast<unsigned>(contents.items.size());
  for (const std::vector<unsigned> &layer : layering.layers) {
    result.layers.emplace_back();
    for (unsigned item : layer)
      result.layers.back().push_back(item < count
                                         ? Arrangement::Place{contents.items[item], false}
                                         : Arrangement::Place{{false, item - count}, true});
  }
  auto addRoute = [&](const std::vector<unsigned> &bends, Arrangement::Route route) {
    for (unsigned bend : bends)
      route.bends.push_back(bend - count);
    if (!bends.empty())
      result.routes.push_back(std::move(route));
  };
  for (size_t i = 0; i < contents.graph.links.size(); ++i) {
    const Link &link = contents.graph.links[i];
    addRoute(layering.bendsOf[i],
             {false, false, contents.items[link.from], contents.items[link.to], {}});
  }
  for (size_t i = 0; i < contents.items.size(); ++i) {
    addRoute(layering.bendsAbove[i], {true, false, {}, contents.items[i], {}});
    addRoute(layering.bendsBelow[i], {false, true, contents.items[i], {}, {}});
  }
  return result;
}

} // namespace

std::vector<BoxContents> contentsOfBoxes(const DrawnGraph &graph) {
  return Projection(graph).run();
}

void arrangeBoxes(DrawnGraph &graph) {
  graph.arrangements.clear();
  for (const BoxContents &contents : contentsOfBoxes(graph))
    graph.arrangements.push_back(arrangementOf(contents));
}

} // namespace sluice::report
