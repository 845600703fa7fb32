// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Replays one test: compiles its programs, makes its calls, compares every answer.
#pragma once

#include "tools/sluice-conformance/asked_test.h"
#include "tools/sluice-conformance/fixture.h"
#include "tools/sluice-conformance/placement.h"

#include <chrono>
#include <optional>
#include <string>
#include <vector>

namespace sluice::conformance {

struct Settings {
  std::string compiler;
  // Absent: build executables. Else the phase after which the reference interpreter runs the
  // program; empty for the phase it chooses by itself.
  std::optional<std::string> interpretPhase;
  // Absent: one device. Not with interpretPhase.
  std::optional<Placement> placement;
  Asking asking = Asking::kNothing;       // what the compiler is asked for
  std::string launcher;                   // starts the processes of a cluster
  std::vector<std::string> compilerFlags; // given to every run of the compiler
  std::vector<std::string> programFlags;  // given to every executable, or to the interpreter
  std::chrono::seconds deadline{20};      // for every process
};

enum class Verdict {
  kPassed,
  kFailed,
  kSkipped,
  kNotCounted, // has nothing of what the compiler is asked for
};

struct Outcome {
  Verdict verdict = Verdict::kPassed;
  std::string reason;      // of a failure, or all ops that are not supported
  std::string digest;      // hash of all bits that the deterministic runs gave
  EdgeCounts cut;          // of all programs of the test
  std::string traceDigest; // of simulated runs: what the programs say of their traces
  double seconds = 0;
};

// Files go into `folder`, which must exist. Thread-safe for different folders.
Outcome replay(const TestLocation &location, const Settings &settings, const std::string &folder);

} // namespace sluice::conformance
