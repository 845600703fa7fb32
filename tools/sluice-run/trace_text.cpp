// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Parsing of trace files, a line at a time: a whole file as JSON values would need too much memory.
#include "tools/sluice-run/trace_text.h"

#include "runtime/io/json.h"

#include <charconv>
#include <cmath>

namespace sluice::run {

namespace {

using Kind = rt::Json::Kind;

// Every line with a time starts so, but for the letter of its phase.
constexpr std::string_view kTimedLine = R"({"ph":"X","ts":)";
constexpr std::string_view kTimeMember = R"("ts":)";

std::string_view textOf(const rt::Json &object, std::string_view name) {
  const rt::Json *member = object.find(name);
  return member && member->is(Kind::kString) ? std::string_view(member->string)
                                             : std::string_view();
}

bool numberOf(const rt::Json &object, std::string_view name, int64_t &number) {
  std::string_view text = textOf(object, name);
  auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  return error == std::errc() && !text.empty() && end == text.data() + text.size();
}

double realOf(const rt::Json &json) {
  return json.is(Kind::kInteger) ? static_cast<double>(json.integer) : json.real;
}

} // namespace

rt::Result<TraceText> TraceText::read(std::string text) {
  TraceText trace;
  // On the heap even when it is short, so that views of it survive moves.
  text.reserve(256);
  trace.text_ = std::move(text);
  std::string_view rest = trace.text_;
  bool ended = false;
  for (size_t number = 1; !rest.empty() && !ended; ++number) {
    size_t newline = std::min(rest.find('\n'), rest.size());
    std::string_view line = rest.substr(0, newline);
    rest.remove_prefix(std::min(newline + 1, rest.size()));
    ended = line == "]}";
    rt::Status status = number == 1             ? trace.readHead(line)
                        : ended || line.empty() ? rt::okStatus()
                                                : trace.readLine(line);
    if (!status.ok())
      return rt::invalidArgument("line " + std::to_string(number) + ": " + status.message());
  }
  if (!ended)
    return rt::invalidArgument("expected ]} as its last line; the file is not complete");
  return trace;
}

rt::Status TraceText::readHead(std::string_view line) {
  rt::Result<rt::Json> head = rt::parseJson(std::string(line) + "]}");
  const rt::Json *data = head.ok() ? head->find("otherData") : nullptr;
  if (!data || textOf(*data, "format") != "sluice-trace-1")
    return rt::invalidArgument("expected the head of a trace that an executable has written");
  machine_ = textOf(*data, "machine");
  if (!numberOf(*data, "origin_ns", origin_) || !numberOf(*data, "lost_events", lostEvents_))
    return rt::invalidArgument("expected 'origin_ns' and 'lost_events' in the head of the trace");
  return rt::okStatus();
}

rt::Status TraceText::readLine(std::string_view text) {
  TraceLine line{text.ends_with(',') ? text.substr(0, text.size() - 1) : text, {}};
  SLUICE_ASSIGN_OR_RETURN(rt::Json event, rt::parseJson(line.text));
  const rt::Json *pid = event.find("pid"), *ts = event.find("ts");
  std::string_view phase = textOf(event, "ph");
  if (!pid || !pid->is(Kind::kInteger) || phase.size() != 1)
    return rt::invalidArgument("expected an event with 'ph' and 'pid'");
  ranks_.insert(pid->integer);
  line.timed = ts != nullptr;
  if (ts && (!(ts->is(Kind::kReal) || ts->is(Kind::kInteger)) ||
             !line.text.substr(0, kTimedLine.size()).ends_with(kTimeMember)))
    return rt::invalidArgument("expected 'ts' as the second member of an event");
  if (ts && textOf(event, "cat") == "message" && (phase == "s" || phase == "f")) {
    // The view must be of the file's text; ids have no characters that JSON escapes.
    size_t at = line.text.find(R"("id":")");
    if (at == line.text.npos)
      return rt::invalidArgument("expected an 'id' of an arrow");
    line.message = line.text.substr(at + 6);
    line.message = line.message.substr(0, line.message.find('"'));
    (phase == "s" ? sent_ : arrived_)[line.message] = origin_ + std::llround(realOf(*ts) * 1000);
  }
  lines_.push_back(line);
  return rt::okStatus();
}

void TraceText::append(const TraceLine &line, int64_t origin, int64_t ahead,
                       std::string &out) const {
  if (!line.timed) {
    out += line.text;
    return;
  }
  std::string_view number = line.text.substr(kTimedLine.size());
  number = number.substr(0, number.find_first_of(",}"));
  double microseconds = 0;
  std::from_chars(number.data(), number.data() + number.size(), microseconds);
  int64_t time = origin_ + std::llround(microseconds * 1000) + ahead - origin;
  out += line.text.substr(0, kTimedLine.size());
  out += rt::format("%lld.%03lld", static_cast<long long>(time / 1000),
                    static_cast<long long>(time % 1000));
  out += line.text.substr(kTimedLine.size() + number.size());
}

} // namespace sluice::run
