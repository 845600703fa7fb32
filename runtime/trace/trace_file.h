// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Traces as text: trace-event JSON, which Perfetto and chrome://tracing show. One event a line, so that
// files can be merged line by line (docs/rationale/traces.md).
#pragma once

#include "runtime/trace/trace_buffer.h"

#include <span>
#include <string>

namespace sluice::rt {

// What one rank has recorded; a program that runs alone is rank 0.
struct TracedRank {
  const Program &program;
  const TraceBuffer &buffer;
};

// The ranks' clocks must be the same one.
std::string traceFile(std::span<const TracedRank> ranks);

} // namespace sluice::rt
