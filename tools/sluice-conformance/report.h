// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Prints verdicts in the order of the tests, whatever order they arrive in.
#pragma once

#include "tools/sluice-conformance/minimum.h"
#include "tools/sluice-conformance/replay.h"

#include "llvm/Support/raw_ostream.h"

#include <map>
#include <mutex>
#include <optional>
#include <vector>

namespace sluice::conformance {

class Report {
public:
  struct Style {
    bool verbose = false;    // print passed tests too
    bool countsCuts = false; // say at the end how many tests were cut into parts
    // At least so many of those that passed have to send values inside loops.
    size_t leastCutInLoops = 0;
    // Where digests go; may be null.
    llvm::raw_ostream *digests = nullptr;
    llvm::raw_ostream *traceDigests = nullptr;
  };
  Report(std::vector<std::string> names, Style style);

  // Thread-safe.
  void add(size_t test, Outcome outcome);

  // Prints the last lines; true if nothing failed, and enough has passed and was cut.
  bool finish(const std::vector<Minimum> &minima, size_t times);
  // Whether any test was run at all.
  bool counted() const { return passed_.size() + failed_ + skipped_.size() > 0; }

private:
  void print(const std::string &name, const Outcome &outcome);
  void countCut(const EdgeCounts &cut);
  void showProgress();
  void clearProgress();

  const std::vector<std::string> names_;
  const Style style_;
  bool terminal_; // progress is shown only to people
  std::mutex mutex_;
  std::vector<std::optional<Outcome>> outcomes_;
  size_t printed_ = 0;
  size_t arrived_ = 0;
  std::vector<std::string> passed_;
  std::map<std::string, std::string> skipped_; // reasons
  size_t failed_ = 0;
  size_t cut_ = 0, cutInLoops_ = 0, cutInNestedLoops_ = 0; // of those that passed
};

} // namespace sluice::conformance
