// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Sugiyama's method in its simplest form.
#include "compiler/report/Layers.h"

#include <algorithm>
#include <numeric>
#include <tuple>

namespace sluice::report {

// A picture with more bends than this is no picture; links then go straight.
static constexpr size_t kMostBends = 6000;
static constexpr int kSweeps = 8;

namespace {

// Marks links that close a cycle, by a depth-first search that needs no stack of the machine's.
class CycleBreaker {
public:
  explicit CycleBreaker(LinkedVertices &graph) : graph_(graph), out_(graph.size) {
    std::vector<unsigned> incoming(graph.size);
    for (unsigned i = 0; i < graph.links.size(); ++i)
      if (!graph.links[i].isBack) {
        out_[graph.links[i].from].push_back(i);
        ++incoming[graph.links[i].to];
      }
    state_.resize(graph.size);
    for (bool sources : {true, false}) // from the top first, so that few links are turned round
      for (unsigned vertex = 0; vertex < graph.size; ++vertex)
        if ((incoming[vertex] == 0) == sources)
          search(vertex);
    std::reverse(finished_.begin(), finished_.end());
  }
  // Vertices so that links, but those back, lead from earlier to later ones.
  const std::vector<unsigned> &order() const { return finished_; }

private:
  enum State : uint8_t { kNew, kOpen, kDone };

  void search(unsigned root) {
    if (state_[root] != kNew)
      return;
    std::vector<std::pair<unsigned, size_t>> open{{root, 0}};
    state_[root] = kOpen;
    while (!open.empty()) {
      auto &[vertex, next] = open.back();
      if (next == out_[vertex].size()) {
        state_[vertex] = kDone;
        finished_.push_back(vertex);
        open.pop_back();
        continue;
      }
      Link &link = graph_.links[out_[vertex][next++]];
      if (state_[link.to] == kOpen) {
        link.isBack = true;
      } else if (state_[link.to] == kNew) {
        state_[link.to] = kOpen;
        open.push_back({link.to, 0});
      }
    }
  }

  LinkedVertices &graph_;
  std::vector<std::vector<unsigned>> out_;
  std::vector<State> state_;
  std::vector<unsigned> finished_;
};

} // namespace

std::vector<unsigned> assignLayers(LinkedVertices &graph) {
  CycleBreaker breaker(graph);
  std::vector<std::vector<unsigned>> successors(graph.size);
  std::vector<bool> isSource(graph.size, true);
  for (const Link &link : graph.links)
    if (!link.isBack) {
      successors[link.from].push_back(link.to);
      isSource[link.to] = false;
    }
  std::vector<unsigned> layer(graph.size);
  for (unsigned vertex : breaker.order())
    for (unsigned next : successors[vertex])
      layer[next] = std::max(layer[next], layer[vertex] + 1);
  // What waits for nothing stands just above its first user, unless lines from above come to it.
  for (unsigned vertex = 0; vertex < graph.size; ++vertex) {
    if (!isSource[vertex] || successors[vertex].empty() || graph.hasAbove[vertex])
      continue;
    unsigned first = ~0u;
    for (unsigned next : successors[vertex])
      first = std::min(first, layer[next]);
    layer[vertex] = first - 1;
  }
  return layer;
}

namespace {

class Arranger {
public:
  explicit Arranger(LinkedVertices &graph) : graph_(graph), layer_(assignLayers(graph)) {
    unsigned height = 0;
    for (unsigned layer : layer_)
      height = std::max(height, layer + 1);
    result_.layers.resize(height);
    for (unsigned vertex = 0; vertex < graph.size; ++vertex)
      result_.layers[layer_[vertex]].push_back(vertex);
    result_.bendsOf.resize(graph.links.size());
    result_.bendsAbove.resize(graph.size);
    result_.bendsBelow.resize(graph.size);
  }

  Layering run() {
    bool bent = countBends() <= kMostBends;
    if (bent)
      addBends();
    connect(bent);
    sort();
    return std::move(result_);
  }

private:
  unsigned height() const { return static_cast<unsigned>(result_.layers.size()); }

  // A link known to close a cycle may have come to lead down all the same.
  bool leadsUp(const Link &link) const {
    return link.isBack && layer_[link.from] >= layer_[link.to];
  }

  size_t countBends() const {
    size_t count = 0;
    for (const Link &link : graph_.links)
      count += leadsUp(link) ? layer_[link.from] - layer_[link.to] + 1
                             : layer_[link.to] - layer_[link.from] - 1;
    for (unsigned vertex = 0; vertex < graph_.size; ++vertex)
      count += (graph_.hasAbove[vertex] ? layer_[vertex] : 0) +
               (graph_.hasBelow[vertex] ? height() - 1 - layer_[vertex] : 0);
    return count;
  }

  // One in each layer from `first` to before `last`.
  std::vector<unsigned> bends(unsigned first, unsigned last) {
    std::vector<unsigned> added;
    for (unsigned layer = first; layer < last; ++layer) {
      added.push_back(next_++);
      result_.layers[layer].push_back(added.back());
    }
    return added;
  }

  void addBends() {
    next_ = graph_.size;
    for (size_t i = 0; i < graph_.links.size(); ++i) {
      const Link &link = graph_.links[i];
      unsigned from = layer_[link.from], to = layer_[link.to];
      if (!leadsUp(link)) {
        result_.bendsOf[i] = bends(from + 1, to);
        continue;
      }
      result_.bendsOf[i] = bends(to, from + 1);
      std::reverse(result_.bendsOf[i].begin(), result_.bendsOf[i].end());
    }
    for (unsigned vertex = 0; vertex < graph_.size; ++vertex) {
      if (graph_.hasAbove[vertex])
        result_.bendsAbove[vertex] = bends(0, layer_[vertex]);
      if (graph_.hasBelow[vertex])
        result_.bendsBelow[vertex] = bends(layer_[vertex] + 1, height());
    }
  }

  // Fills in the neighbours in the layers above and below.
  void connect(bool bent) {
    size_t items = bent ? next_ : graph_.size;
    above_.assign(items, {});
    below_.assign(items, {});
    auto chain = [&](std::vector<unsigned> path) {
      for (size_t i = 1; i < path.size(); ++i) {
        below_[path[i - 1]].push_back(path[i]);
        above_[path[i]].push_back(path[i - 1]);
      }
    };
    for (size_t i = 0; i < graph_.links.size(); ++i) {
      const Link &link = graph_.links[i];
      std::vector<unsigned> path = result_.bendsOf[i];
      if (leadsUp(link)) {
        std::reverse(path.begin(), path.end());
        chain(path);
      } else if (bent || layer_[link.from] + 1 == layer_[link.to]) {
        path.insert(path.begin(), link.from);
        path.push_back(link.to);
        chain(path);
      }
    }
    for (unsigned vertex = 0; vertex < graph_.size; ++vertex) {
      std::vector<unsigned> path = result_.bendsAbove[vertex];
      path.push_back(vertex);
      path.insert(path.end(), result_.bendsBelow[vertex].begin(), result_.bendsBelow[vertex].end());
      chain(path);
    }
  }

  void numberLayer(const std::vector<unsigned> &layer) {
    for (unsigned i = 0; i < layer.size(); ++i)
      position_[layer[i]] = i;
  }

  void sortLayer(std::vector<unsigned> &layer,
                 const std::vector<std::vector<unsigned>> &neighbours) {
    std::vector<double> key(layer.size());
    for (size_t i = 0; i < layer.size(); ++i) {
      const std::vector<unsigned> &all = neighbours[layer[i]];
      double sum = 0;
      for (unsigned neighbour : all)
        sum += position_[neighbour];
      key[i] = all.empty() ? static_cast<double>(i) : sum / static_cast<double>(all.size());
    }
    std::vector<size_t> order(layer.size());
    std::vector<unsigned> sorted;
    std::iota(order.begin(), order.end(), size_t{0});
    std::sort(order.begin(), order.end(),
              [&](size_t a, size_t b) { return std::tie(key[a], a) < std::tie(key[b], b); });
    for (size_t i : order)
      sorted.push_back(layer[i]);
    layer = std::move(sorted);
    numberLayer(layer);
  }

  uint64_t crossings() const {
    uint64_t count = 0;
    for (const std::vector<unsigned> &layer : result_.layers) {
      std::vector<unsigned> ends, sorted;
      for (unsigned item : layer) {
        std::vector<unsigned> own;
        for (unsigned next : below_[item])
          own.push_back(position_[next]);
        std::sort(own.begin(), own.end());
        ends.insert(ends.end(), own.begin(), own.end());
      }
      // Insertion into a sorted list: what stands right of the place has been crossed.
      for (unsigned end : ends) {
        auto place = std::upper_bound(sorted.begin(), sorted.end(), end);
        count += static_cast<uint64_t>(sorted.end() - place);
        sorted.insert(place, end);
      }
    }
    return count;
  }

  void sort() {
    position_.resize(above_.size());
    for (const std::vector<unsigned> &layer : result_.layers)
      numberLayer(layer);
    std::vector<std::vector<unsigned>> best = result_.layers;
    uint64_t fewest = crossings();
    for (int sweep = 0; sweep < kSweeps && fewest > 0; ++sweep) {
      if (sweep % 2 == 0)
        for (size_t i = 1; i < result_.layers.size(); ++i)
          sortLayer(result_.layers[i], above_);
      else
        for (size_t i = result_.layers.size(); i-- > 1;)
          sortLayer(result_.layers[i - 1], below_);
      if (uint64_t count = crossings(); count < fewest) {
        fewest = count;
        best = result_.layers;
      }
    }
    result_.layers = std::move(best);
  }

  LinkedVertices &graph_;
  std::vector<unsigned> layer_; // of vertices
  Layering result_;
  unsigned next_ = 0; // number of the next bend
  std::vector<std::vector<unsigned>> above_, below_;
  std::vector<unsigned> position_; // in its layer
};

} // namespace

Layering arrange(LinkedVertices graph) { return Arranger(graph).run(); }

} // namespace sluice::report
