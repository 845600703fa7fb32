// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Lines on stdout for failed and skipped tests, progress on stderr for terminals.
#include "tools/sluice-conformance/report.h"

#include "llvm/Support/FormatVariadic.h"

namespace sluice::conformance {

Report::Report(const std::vector<TestLocation> &tests, bool verbose, llvm::raw_ostream *digests)
    : tests_(tests), verbose_(verbose), terminal_(llvm::errs().is_displayed()), digests_(digests),
      outcomes_(tests.size()) {}

void Report::add(size_t test, Outcome outcome) {
  std::lock_guard<std::mutex> lock(mutex_);
  outcomes_[test] = std::move(outcome);
  ++arrived_;
  clearProgress();
  for (; printed_ < tests_.size() && outcomes_[printed_]; ++printed_)
    print(tests_[printed_], *outcomes_[printed_]);
  llvm::outs().flush();
  showProgress();
}

void Report::print(const TestLocation &test, const Outcome &outcome) {
  llvm::raw_ostream &out = llvm::outs();
  switch (outcome.verdict) {
  case Verdict::kPassed:
    ++passed_;
    if (verbose_)
      out << "passed " << test.name << llvm::formatv(" ({0:f2} s)\n", outcome.seconds);
    if (digests_)
      *digests_ << test.name << ' ' << outcome.digest << '\n';
    break;
  case Verdict::kFailed:
    ++failed_;
    out << "failed " << test.name << ": " << outcome.reason << '\n';
    break;
  case Verdict::kSkipped:
    ++skipped_;
    out << "skipped " << test.name << ": " << outcome.reason << '\n';
    break;
  }
}

void Report::showProgress() {
  if (terminal_)
    llvm::errs() << llvm::formatv("[{0}/{1}] {2} passed, {3} failed, {4} skipped", arrived_,
                                  tests_.size(), passed_, failed_, skipped_);
}

void Report::clearProgress() {
  if (terminal_)
    llvm::errs() << "\r\033[K";
}

bool Report::finish() {
  clearProgress();
  llvm::outs() << passed_ << " passed, " << failed_ << " failed, " << skipped_ << " skipped\n";
  return failed_ == 0;
}

} // namespace sluice::conformance
