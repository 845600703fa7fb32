// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What a command line asks for, after its syntax was checked.
#pragma once

#include "runtime/api/diagnostics.h"
#include "runtime/api/flag_table.h"
#include "runtime/api/runner.h"
#include "runtime/memory/guard_pages.h"

#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace sluice::rt {

// NAME=VALUE of --input, --output and --expected.
struct Assignment {
  std::string name;
  std::string value;
};

struct CheckpointOptions {
  std::optional<std::string> folder;
  std::optional<uint64_t> every; // calls
  uint64_t keep = 3;
  bool keepIsGiven = false;
  bool resume = false;
};

struct Options {
  bool help = false;
  bool version = false;
  bool describe = false;
  bool stats = false;
  bool statsJson = false;
  std::optional<std::string> signature;
  std::optional<std::string> load;
  std::optional<std::string> save;
  std::optional<std::string> calls;
  std::optional<int> concurrentCalls;
  std::optional<std::string> trace;
  std::optional<uint64_t> traceLimit;
  std::vector<Assignment> inputs;
  std::vector<Assignment> outputs;
  std::vector<Assignment> expected;
  std::vector<std::string> targets;
  std::optional<double> rtol;
  std::optional<double> atol;
  std::optional<uint64_t> steps;
  CheckpointOptions checkpoint;
  RunOptions run;
  ClusterOptions cluster;
  std::optional<uint64_t> memoryLimit;
  GuardSide guardPages = GuardSide::kNone;
  std::vector<std::string> limits; // names of those that were set in `run.limits`
  std::optional<double> timeout;   // seconds
  uint64_t randomSeed = 0;
};

Role roleOf(const Runner &runner);
// Every kind of misuse is a usage failure that names the flag.
Failure parseOptions(std::span<const char *const> arguments, Options &options,
                     Role role = Role::kAlone);
// Whether the arguments ask for JSON diagnostics; never fails, so that errors of the others can be
// told in that form.
bool wantsJsonDiagnostics(std::span<const char *const> arguments);

// Graph names without ":0", since `x` and `x:0` are the same tensor.
std::string_view canonicalName(std::string_view name);

} // namespace sluice::rt
