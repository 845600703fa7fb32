// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The floor of a firing: the same loop on the barest explicit token store. Cells, counters, a ready
// ring and a ring of iterations; one 8-byte value a cell, and neither deadness, types nor errors.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

namespace sluice::bench {

class BareTokenStore {
public:
  enum class Kind : uint8_t { kMerge, kLess, kMultiply, kAdd, kSwitch, kNextIteration };
  struct Edge {
    uint32_t node, cell;
  };
  struct Node {
    Kind kind;
    uint32_t pending;
    double constant = 0; // second operand of kLess, kMultiply and kAdd
    std::vector<Edge> edges;
  };

  uint32_t add(Kind kind, uint32_t pending, double constant = 0) {
    nodes_.push_back({kind, pending, constant, {}});
    for (Iteration &iteration : ring_)
      iteration.cells.resize(nodes_.size());
    return static_cast<uint32_t>(nodes_.size() - 1);
  }
  void connect(uint32_t from, uint32_t to, uint32_t cell) {
    nodes_[from].edges.push_back({to, cell});
  }

  // Puts a token into the first iteration; `run` begins with these.
  void start() { open(0); }
  void put(uint32_t node, double value) { deliver({node, 0}, value, 0); }
  // Until nothing is ready. Returns the number of firings.
  uint64_t run() {
    uint64_t firings = 0;
    for (; head_ != tail_; ++firings) {
      Entry entry = ready_[head_++ % kReady];
      fire(nodes_[entry.node], ring_[entry.iteration % kWindow].cells[entry.node], entry.iteration);
    }
    return firings;
  }

private:
  static constexpr uint64_t kWindow = 16, kReady = 64;
  struct Cell {
    double values[2];
    uint32_t pending;
  };
  struct Iteration {
    std::vector<Cell> cells;
  };
  struct Entry {
    uint32_t node;
    uint64_t iteration;
  };

  void open(uint64_t number) {
    std::vector<Cell> &cells = ring_[number % kWindow].cells;
    for (std::size_t i = 0; i < nodes_.size(); ++i)
      cells[i].pending = nodes_[i].pending;
    newest_ = number;
  }
  void deliver(Edge edge, double value, uint64_t iteration) {
    Cell &cell = ring_[iteration % kWindow].cells[edge.node];
    cell.values[edge.cell] = value;
    if (--cell.pending == 0)
      ready_[tail_++ % kReady] = {edge.node, iteration};
  }
  void deliverAll(const Node &node, double value, uint64_t iteration) {
    for (const Edge &edge : node.edges)
      deliver(edge, value, iteration);
  }
  void fire(const Node &node, const Cell &cell, uint64_t iteration) {
    double value = cell.values[0];
    switch (node.kind) {
    case Kind::kMerge:
      return deliverAll(node, value, iteration);
    case Kind::kLess:
      return deliverAll(node, value < node.constant, iteration);
    case Kind::kMultiply:
      return deliverAll(node, value * node.constant, iteration);
    case Kind::kAdd:
      return deliverAll(node, value + node.constant, iteration);
    case Kind::kSwitch:
      if (cell.values[1] != 0)
        deliverAll(node, value, iteration);
      return;
    case Kind::kNextIteration:
      if (newest_ == iteration)
        open(iteration + 1);
      return deliverAll(node, value, iteration + 1);
    }
  }

  std::vector<Node> nodes_;
  Iteration ring_[kWindow];
  Entry ready_[kReady];
  uint64_t head_ = 0, tail_ = 0, newest_ = 0;
};

} // namespace sluice::bench
