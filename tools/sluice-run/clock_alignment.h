// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What must be added to the clocks of trace files so that no message arrives before it was sent.
#pragma once

#include "tools/sluice-run/trace_text.h"

namespace sluice::run {

struct ClockAlignment {
  std::vector<int64_t> ahead; // nanoseconds to add, by file
  std::vector<bool> known;    // by file: false where nothing ties its clock to that of the first
};

// Files of one machine have one clock. Two machines between which messages went both ways are told
// apart as well as half of the fastest round trip; with messages one way only, the fastest of them
// is taken to have needed no time.
ClockAlignment alignClocks(const std::vector<TraceText> &traces);

} // namespace sluice::run
