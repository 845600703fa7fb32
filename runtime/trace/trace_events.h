// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// One rank's events as lines of trace-event JSON.
#pragma once

#include "runtime/trace/call_lanes.h"
#include "runtime/trace/trace_file.h"

#include <unordered_map>
#include <unordered_set>

namespace sluice::rt {

using MessageKeys = std::unordered_set<uint64_t>;

class TraceEventWriter {
public:
  // Of arrows between ranks those in `whole` are written; null: all. Times are told from `origin`
  // on. Lines are appended to `out`, each with a comma and a newline before it.
  TraceEventWriter(const TracedRank &rank, uint64_t origin, const MessageKeys *whole,
                   std::string &out);
  void write();

private:
  using Kind = TraceEvent::Kind;

  void writeTracks();
  void nameTrack(int track, const std::string &name);
  void write(uint64_t position);
  void writeIteration(uint64_t position, const TraceEvent &event);
  void writeParked(uint64_t position, const TraceEvent &event);
  void half(char phase, uint64_t position, const char *category, uint64_t time,
            std::string_view title);
  void endPair(uint64_t position, const char *category, const TraceEvent &event,
               std::string_view title);
  void writeFlow(char phase, const char *category, const TraceEvent &event, int track);

  // The parts of a line.
  void begin(char phase, const char *category, uint64_t time, int track);
  void span(const char *category, const TraceEvent &event, int track);
  void name(std::string_view name);
  void argument(const char *key, std::string_view text);
  void argument(const char *key, uint64_t number);
  void mark(const char *key);
  void tagArguments(uint64_t position, const TraceEvent &event);
  void codeArguments(const TraceEvent &event);
  void endArguments(uint64_t position, const TraceEvent &event);

  const TraceEvent *within(const TraceEvent &event) const;
  // The position of the call's event, or of the outermost one that there is.
  uint64_t callOf(uint64_t position) const;
  int trackOf(uint64_t position) const;
  std::string_view nameOf(const Node &node) const;
  std::string nameOf(const TraceEvent &event) const;

  const Program &program_;
  const TraceBuffer &buffer_;
  const uint64_t origin_;
  const MessageKeys *const whole_;
  std::string &out_;
  const CallLanes lanes_;
  uint64_t last_ = 0; // the end of what was not over
  bool firstArgument_ = true;
  std::unordered_map<uint64_t, uint64_t> arrivals_;      // message key → position of its arrival
  std::unordered_map<uint64_t, std::string_view> notes_; // by position
};

} // namespace sluice::rt
