// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Bounds from pairs of sends and arrivals; a difference of two clocks lies between two of them.
#include "tools/sluice-run/clock_alignment.h"

#include <algorithm>
#include <optional>

namespace sluice::run {

namespace {

// Clocks are numbered in the order of their first files.
class Clocks {
public:
  explicit Clocks(const std::vector<TraceText> &traces) {
    for (size_t file = 0; file < traces.size(); ++file)
      of_.push_back(clockOf(traces, file));
    least_.assign(count_ * count_, std::nullopt);
    for (size_t from = 0; from < traces.size(); ++from)
      for (size_t to = 0; to < traces.size(); ++to)
        if (of_[from] != of_[to])
          addMessages(traces[from], traces[to], leastBetween(of_[from], of_[to]));
  }

  ClockAlignment align() {
    ahead_.assign(count_, std::nullopt);
    for (size_t first = 0; first < count_; ++first)
      if (first == 0 || !ahead_[first])
        place(first);
    ClockAlignment result;
    for (size_t clock : of_) {
      result.ahead.push_back(*ahead_[clock]);
      result.known.push_back(tied_[clock]);
    }
    return result;
  }

private:
  using Bound = std::optional<int64_t>;

  size_t clockOf(const std::vector<TraceText> &traces, size_t file) {
    for (size_t other = 0; other < file; ++other)
      if (!traces[file].machine().empty() && traces[file].machine() == traces[other].machine())
        return of_[other];
    return count_++;
  }
  // What must at least be added to clock `to` and not to clock `from`.
  Bound &leastBetween(size_t from, size_t to) { return least_[from * count_ + to]; }

  static void addMessages(const TraceText &from, const TraceText &to, Bound &least) {
    for (const auto &[id, sent] : from.sent())
      if (auto arrival = to.arrived().find(id); arrival != to.arrived().end())
        least = std::max(least.value_or(INT64_MIN), sent - arrival->second);
  }

  // Gives all clocks a place that messages tie to `first`, directly or over others.
  void place(size_t first) {
    ahead_[first] = 0;
    tied_.resize(count_, false);
    std::vector<size_t> reached{first};
    for (size_t i = 0; i < reached.size(); ++i)
      for (size_t to = 0; to < count_; ++to)
        if (!ahead_[to] && tie(reached[i], to))
          reached.push_back(to);
    for (size_t clock : reached)
      tied_[clock] = first == 0;
    keepCausality(reached);
  }

  bool tie(size_t from, size_t to) {
    Bound least = leastBetween(from, to), most = leastBetween(to, from);
    if (most)
      most = -*most;
    if (!least && !most)
      return false;
    int64_t between = least && most ? *least + (*most - *least) / 2 : least ? *least : *most;
    ahead_[to] = *ahead_[from] + between;
    return true;
  }

  // Middles of pairs may contradict a third one. Moving clocks ahead ends after as many rounds as
  // there are clocks; contradictions that are left come from clocks of different speeds.
  void keepCausality(const std::vector<size_t> &clocks) {
    for (size_t round = 0; round < clocks.size(); ++round)
      for (size_t from : clocks)
        for (size_t to : clocks)
          if (Bound least = leastBetween(from, to))
            ahead_[to] = std::max(*ahead_[to], *ahead_[from] + *least);
  }

  size_t count_ = 0;
  std::vector<size_t> of_; // by file
  std::vector<Bound> least_;
  std::vector<Bound> ahead_; // by clock
  std::vector<bool> tied_;
};

} // namespace

ClockAlignment alignClocks(const std::vector<TraceText> &traces) { return Clocks(traces).align(); }

} // namespace sluice::run
