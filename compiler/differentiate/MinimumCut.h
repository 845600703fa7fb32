// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The minimum cut of a small graph with capacities, by blocking flows (Dinic).
#pragma once

#include "llvm/ADT/BitVector.h"

#include <cstdint>
#include <limits>
#include <vector>

namespace sluice::differentiate {

class MinimumCut {
public:
  static constexpr int64_t kWhole = std::numeric_limits<int64_t>::max() / 4; // is never cut

  explicit MinimumCut(unsigned nodes) : edgesOf_(nodes) {}
  void add(unsigned from, unsigned to, int64_t capacity);
  // The nodes behind the minimum cut that is nearest to the sink.
  llvm::BitVector behindCut(unsigned source, unsigned sink);

private:
  struct Edge {
    unsigned to;
    int64_t left; // capacity that no flow uses
  };

  bool findLevels(unsigned source, unsigned sink);
  int64_t push(unsigned source, unsigned sink);

  std::vector<Edge> edges_; // each followed by its opposite
  std::vector<std::vector<unsigned>> edgesOf_;
  std::vector<int> levels_;
  std::vector<size_t> next_;
};

} // namespace sluice::differentiate
