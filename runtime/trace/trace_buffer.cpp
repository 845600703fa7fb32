// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Growing of trace buffers.
#include "runtime/trace/trace_buffer.h"

namespace sluice::rt {

// The first block is made before anything is recorded.
TraceBuffer::TraceBuffer(uint64_t limit, Clock &clock) : limit_(limit), clock_(clock) { grow(); }

void TraceBuffer::grow() { blocks_.push_back(std::make_unique<TraceEvent[]>(kBlock)); }

} // namespace sluice::rt
