// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Lines on stdout for failed and skipped tests, progress on stderr for terminals.
#include "tools/sluice-conformance/report.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/FormatVariadic.h"

namespace sluice::conformance {

Report::Report(std::vector<std::string> names, Style style)
    : names_(std::move(names)), style_(style), terminal_(llvm::errs().is_displayed()),
      outcomes_(names_.size()) {}

void Report::add(size_t test, Outcome outcome) {
  std::lock_guard<std::mutex> lock(mutex_);
  outcomes_[test] = std::move(outcome);
  ++arrived_;
  clearProgress();
  for (; printed_ < names_.size() && outcomes_[printed_]; ++printed_)
    print(names_[printed_], *outcomes_[printed_]);
  llvm::outs().flush();
  showProgress();
}

void Report::print(const std::string &name, const Outcome &outcome) {
  llvm::raw_ostream &out = llvm::outs();
  switch (outcome.verdict) {
  case Verdict::kNotCounted:
    break;
  case Verdict::kPassed:
    passed_.push_back(name);
    countCut(outcome.cut);
    if (style_.verbose)
      out << "passed " << name << llvm::formatv(" ({0:f2} s)\n", outcome.seconds);
    if (style_.digests)
      *style_.digests << name << ' ' << outcome.digest << '\n';
    if (style_.traceDigests)
      *style_.traceDigests << name << ' ' << outcome.traceDigest << '\n';
    break;
  case Verdict::kFailed:
    ++failed_;
    out << "failed " << name << ": " << outcome.reason << '\n';
    break;
  case Verdict::kSkipped:
    skipped_[name] = outcome.reason;
    out << "skipped " << name << ": " << outcome.reason << '\n';
    break;
  }
}

void Report::countCut(const EdgeCounts &cut) {
  cut_ += cut.all > 0;
  cutInLoops_ += cut.inLoops > 0;
  cutInNestedLoops_ += cut.inNestedLoops > 0;
}

void Report::showProgress() {
  if (terminal_)
    llvm::errs() << llvm::formatv("[{0}/{1}] {2} passed, {3} failed, {4} skipped", arrived_,
                                  names_.size(), passed_.size(), failed_, skipped_.size());
}

void Report::clearProgress() {
  if (terminal_)
    llvm::errs() << "\r\033[K";
}

bool Report::finish(const std::vector<Minimum> &minima, size_t times) {
  clearProgress();
  if (style_.countsCuts)
    llvm::outs() << "of those that passed, " << cut_ << " send values between devices, "
                 << cutInLoops_ << " inside loops, " << cutInNestedLoops_
                 << " inside nested loops\n";
  std::vector<std::string> lines = missedMinima(minima, passed_, times);
  llvm::append_range(lines, wrongSkips(minima, passed_, skipped_));
  failed_ += lines.size();
  for (const std::string &line : lines)
    llvm::outs() << line << '\n';
  if (cutInLoops_ < style_.leastCutInLoops) {
    llvm::outs() << "failed cuts: expected at least " << style_.leastCutInLoops
                 << " passed tests that send values inside loops but got " << cutInLoops_ << '\n';
    ++failed_;
  }
  llvm::outs() << passed_.size() << " passed, " << failed_ << " failed, " << skipped_.size()
               << " skipped\n";
  llvm::outs().flush();
  return failed_ == 0;
}

} // namespace sluice::conformance
