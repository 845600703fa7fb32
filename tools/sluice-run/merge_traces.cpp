// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Merging: clocks are aligned, and arrows of which one end is missing are left out.
#include "tools/sluice-run/merge_traces.h"

#include "runtime/io/disk.h"
#include "runtime/io/json.h"
#include "tools/sluice-run/clock_alignment.h"

#include <algorithm>
#include <map>

namespace sluice::run {

namespace {

constexpr uint64_t kLargestFile = uint64_t{1} << 34;

class Merger {
public:
  explicit Merger(std::vector<std::string> &warnings) : warnings_(warnings) {}

  rt::Status add(const std::string &path) {
    rt::Result<std::string> text = rt::HostDisk().read(path, kLargestFile);
    if (!text.ok()) {
      warnings_.push_back(text.status().message());
      return rt::okStatus();
    }
    rt::Result<TraceText> trace = TraceText::read(std::move(*text));
    if (!trace.ok()) {
      warnings_.push_back("'" + path + "' is left out: " + trace.status().message());
      return rt::okStatus();
    }
    for (int64_t rank : trace->ranks())
      if (auto [other, isNew] = fileOfRank_.emplace(rank, path); !isNew)
        return rt::invalidArgument("'" + other->second + "' and '" + path + "' are both of rank " +
                                   std::to_string(rank));
    paths_.push_back(path);
    traces_.push_back(std::move(*trace));
    return rt::okStatus();
  }

  bool empty() const { return traces_.empty(); }

  std::string text() {
    ClockAlignment clocks = alignClocks(traces_);
    int64_t origin = INT64_MAX, lost = 0;
    for (size_t file = 0; file < traces_.size(); ++file) {
      origin = std::min(origin, traces_[file].origin() + clocks.ahead[file]);
      lost += traces_[file].lostEvents();
      if (!clocks.known[file])
        warnings_.push_back("no message ties the clock of '" + paths_[file] + "' to that of '" +
                            paths_[0] + "': their times cannot be compared");
    }
    std::string out =
        R"({"displayTimeUnit":"ns","otherData":{"format":"sluice-trace-1","machine":)";
    rt::appendJsonString(traces_[0].machine(), out);
    out += ",\"origin_ns\":\"" + std::to_string(origin) + "\",\"lost_events\":\"" +
           std::to_string(lost) + "\"},\"traceEvents\":[";
    const char *separator = "\n";
    for (size_t file = 0; file < traces_.size(); ++file)
      for (const TraceLine &line : traces_[file].lines()) {
        if (!line.message.empty() && !hasBothEnds(line.message))
          continue;
        out += std::exchange(separator, ",\n");
        traces_[file].append(line, origin, clocks.ahead[file], out);
      }
    return out + "\n]}\n";
  }

private:
  bool hasBothEnds(std::string_view message) const {
    auto isIn = [&](auto ends) {
      return std::any_of(traces_.begin(), traces_.end(),
                         [&](const TraceText &trace) { return (trace.*ends)().contains(message); });
    };
    return isIn(&TraceText::sent) && isIn(&TraceText::arrived);
  }

  std::vector<std::string> &warnings_;
  std::vector<std::string> paths_;
  std::vector<TraceText> traces_;
  std::map<int64_t, std::string> fileOfRank_;
};

} // namespace

rt::Status mergeTraces(const std::string &out, const std::vector<std::string> &files,
                       std::vector<std::string> &warnings) {
  Merger merger(warnings);
  for (const std::string &file : files)
    SLUICE_RETURN_IF_ERROR(merger.add(file));
  if (merger.empty())
    return rt::notFound("no rank has left a trace, so '" + out + "' is not written");
  return rt::HostDisk().write(out, merger.text());
}

} // namespace sluice::run
