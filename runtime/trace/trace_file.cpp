// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The file around the events.
#include "runtime/trace/trace_file.h"

#include "runtime/io/json.h"
#include "runtime/io/machine_id.h"
#include "runtime/trace/trace_events.h"

#include <algorithm>

namespace sluice::rt {

namespace {

// Messages whose two ends have both been recorded.
MessageKeys wholeMessages(std::span<const TracedRank> ranks) {
  MessageKeys sent, whole;
  auto each = [&](TraceEvent::Kind kind, auto use) {
    for (const TracedRank &rank : ranks)
      for (uint64_t i = 0; i < rank.buffer.size(); ++i)
        if (rank.buffer[i].kind == kind)
          use(rank.buffer[i].number);
  };
  each(TraceEvent::Kind::kSend, [&](uint64_t key) { sent.insert(key); });
  each(TraceEvent::Kind::kArrival, [&](uint64_t key) {
    if (sent.contains(key))
      whole.insert(key);
  });
  return whole;
}

} // namespace

std::string traceFile(std::span<const TracedRank> ranks) {
  uint64_t origin = UINT64_MAX, lost = 0;
  for (const TracedRank &rank : ranks) {
    lost += rank.buffer.lost();
    for (uint64_t i = 0; i < rank.buffer.size(); ++i)
      origin = std::min(origin, rank.buffer[i].begin);
  }
  origin = origin == UINT64_MAX ? 0 : origin;
  std::string out = R"({"displayTimeUnit":"ns","otherData":{"format":"sluice-trace-1","machine":)";
  appendJsonString(machineId(), out);
  out += ",\"origin_ns\":\"" + std::to_string(origin) + "\",\"lost_events\":\"" +
         std::to_string(lost) + "\"},\"traceEvents\":[\n";
  size_t first = out.size();
  // The other ends of a single rank's messages are in the files of other ranks.
  MessageKeys whole = ranks.size() > 1 ? wholeMessages(ranks) : MessageKeys();
  for (const TracedRank &rank : ranks)
    TraceEventWriter(rank, origin, ranks.size() > 1 ? &whole : nullptr, out).write();
  if (out.size() > first)
    out.erase(first, 2); // the comma and newline before the first
  return out + "\n]}\n";
}

} // namespace sluice::rt
