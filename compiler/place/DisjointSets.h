// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Numbers in sets that can be joined, nearly in constant time whatever the order.
#pragma once

#include <cstdint>
#include <numeric>
#include <utility>
#include <vector>

namespace sluice::place {

class DisjointSets {
public:
  explicit DisjointSets(unsigned count = 0) : parent_(count), size_(count, 1) {
    std::iota(parent_.begin(), parent_.end(), 0);
  }

  // The same number for all members of a set.
  unsigned find(unsigned i) {
    while (parent_[i] != i)
      i = parent_[i] = parent_[parent_[i]];
    return i;
  }

  // False when the two were in one set already.
  bool join(unsigned a, unsigned b) {
    a = find(a), b = find(b);
    if (a == b)
      return false;
    if (size_[a] < size_[b])
      std::swap(a, b);
    parent_[b] = a;
    size_[a] += size_[b];
    return true;
  }

  // By number: its set, where sets are numbered from 0 in the order of their first members.
  std::vector<unsigned> numberSets() {
    std::vector<unsigned> number(parent_.size(), UINT32_MAX), result;
    unsigned next = 0;
    for (unsigned i = 0; i < parent_.size(); ++i) {
      unsigned &set = number[find(i)];
      if (set == UINT32_MAX)
        set = next++;
      result.push_back(set);
    }
    return result;
  }

private:
  std::vector<unsigned> parent_;
  std::vector<unsigned> size_; // of the sets whose root is here
};

} // namespace sluice::place
