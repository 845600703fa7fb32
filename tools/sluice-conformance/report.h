// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Prints verdicts in the order of the tests, whatever order they arrive in.
#pragma once

#include "tools/sluice-conformance/replay.h"

#include "llvm/Support/raw_ostream.h"

#include <mutex>
#include <optional>
#include <vector>

namespace sluice::conformance {

class Report {
public:
  // `verbose` prints passed tests too; `digests` may be null.
  Report(const std::vector<TestLocation> &tests, bool verbose, llvm::raw_ostream *digests);

  // Thread-safe.
  void add(size_t test, Outcome outcome);

  // Prints the last line; true if nothing failed.
  bool finish();

private:
  void print(const TestLocation &test, const Outcome &outcome);
  void showProgress();
  void clearProgress();

  const std::vector<TestLocation> &tests_;
  bool verbose_;
  bool terminal_; // progress is shown only to people
  llvm::raw_ostream *digests_;
  std::mutex mutex_;
  std::vector<std::optional<Outcome>> outcomes_;
  size_t printed_ = 0;
  size_t arrived_ = 0;
  size_t passed_ = 0, failed_ = 0, skipped_ = 0;
};

} // namespace sluice::conformance
