// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A report as JSON; docs/reference/report.md documents the keys.
#pragma once

#include "compiler/report/Report.h"

namespace sluice::report {

// All of it, with a line break at the end.
std::string reportJson(const Report &report);

// The same in two pieces: what is the same whenever the same graph is compiled, and times.
std::string factsJson(const Report &report);
std::string timesJson(const Report &report);

} // namespace sluice::report
