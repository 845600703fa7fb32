// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What a compiled or interpreted program offers to those who call it: the command line, the C API
// and tests. A runner is used by one thread at a time; variables live on between calls.
#pragma once

#include "runtime/program/signature_info.h"
#include "runtime/state/variable.h"

#include <functional>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace sluice::rt {

// One less than the processors that this process may use.
int defaultWorkers();

struct RunOptions {
  // Iterations of one loop that may be live at once; absent: the graph's own value.
  std::optional<int> parallelIterations;
  // Absent: ready order; else a random legal order of ready tokens drawn from this seed.
  std::optional<uint64_t> scheduleSeed;
  // Worker threads for heavy kernels; 0 runs everything on the scheduler thread.
  int workers = defaultWorkers();
  // Receives the text of print ops.
  std::function<void(std::string_view)> print;
};

// Figures of the calls so far, in order of appearance in `--stats`.
using Stats = std::vector<std::pair<std::string, double>>;

class Runner {
public:
  virtual ~Runner() = default;
  virtual std::span<const SignatureInfo> signatures() const = 0;
  virtual std::span<Variable *const> variables() = 0;
  virtual void setOptions(const RunOptions &options) = 0;
  // Feeds in the signature's order; returns fetches in the signature's order.
  virtual Result<std::vector<Tensor>> call(size_t signature, std::span<const Tensor> feeds) = 0;
  // Tokens that the last call left unconsumed; not zero means a malformed graph or a bug.
  virtual uint64_t leftoverTokens() const = 0;
  virtual Stats stats() const = 0;
  // Name, version and target of the program for `--version` and `--describe`.
  virtual std::string_view programName() const = 0;
  virtual std::string_view versionText() const = 0;
};

} // namespace sluice::rt
