// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A trace file as text: its head, its lines, and the messages that they tell of.
#pragma once

#include "runtime/base/status.h"

#include <cstdint>
#include <set>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

namespace sluice::run {

struct TraceLine {
  std::string_view text;    // without the comma
  std::string_view message; // the id of an arrow between ranks; else empty
  bool timed = false;
};

// Reads what runtime/trace writes: a head, then an event a line. Everything refers to the text.
class TraceText {
public:
  // INVALID_ARGUMENT, with the line's number, for anything else.
  static rt::Result<TraceText> read(std::string text);

  // Equal for files whose clocks are the same; empty: not known.
  const std::string &machine() const { return machine_; }
  int64_t origin() const { return origin_; } // nanoseconds
  int64_t lostEvents() const { return lostEvents_; }
  const std::vector<TraceLine> &lines() const { return lines_; }
  const std::set<int64_t> &ranks() const { return ranks_; }
  // By id, nanoseconds by the file's clock.
  const std::unordered_map<std::string_view, int64_t> &sent() const { return sent_; }
  const std::unordered_map<std::string_view, int64_t> &arrived() const { return arrived_; }
  // Appends a line with its time told from `origin` on, when the clock is `ahead` too little.
  void append(const TraceLine &line, int64_t origin, int64_t ahead, std::string &out) const;

private:
  rt::Status readHead(std::string_view line);
  rt::Status readLine(std::string_view line);

  std::string text_;
  std::string machine_;
  int64_t origin_ = 0, lostEvents_ = 0;
  std::vector<TraceLine> lines_;
  std::set<int64_t> ranks_;
  std::unordered_map<std::string_view, int64_t> sent_, arrived_;
};

} // namespace sluice::run
