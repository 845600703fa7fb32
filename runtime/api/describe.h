// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What a program says about itself: --help, --version, --describe, --stats.
#pragma once

#include "runtime/api/runner.h"

#include <string>
#include <string_view>

namespace sluice::rt {

std::string helpText(const Runner &runner, std::string_view program);
std::string versionLine(const Runner &runner);
// One object with signatures, their feeds, fetches and targets, and variables.
std::string describeJson(Runner &runner);

// The runner's figures followed by those of this process's calls and memory.
Stats collectStats(const Runner &runner, uint64_t calls, double seconds);
std::string statsText(const Stats &stats);
std::string statsJson(const Stats &stats);

} // namespace sluice::rt
