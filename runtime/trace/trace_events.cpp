// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Tracks, names and arguments of trace events.
#include "runtime/trace/trace_events.h"

#include "runtime/io/json.h"

#include <algorithm>

namespace sluice::rt {

namespace {

// Workers have the numbers from 1 on, at most as many as --workers allows. Calls at the same time
// have a lane each; the first one is the scheduler's track.
constexpr int kSchedulerTrack = 0, kNetworkTrack = 100'000, kLanes = 200'000;

using Kind = TraceEvent::Kind;

// The member that says most about a codelet: the last one that is more than element by element, or
// the last one.
const CodeletMember *mostTelling(const Codelet &codelet) {
  const CodeletMember *found = nullptr;
  for (const CodeletMember &member : codelet.members)
    if (!found || member.kernel->work || !found->kernel->work)
      found = &member;
  return found;
}

const char *categoryOf(const TraceEvent &event) {
  switch (event.kind) {
  case Kind::kCall:
    return "call";
  case Kind::kIteration:
    return "iteration";
  case Kind::kFiring:
    if (!event.node->codelet)
      return "kernel";
    return event.node->codelet->members.empty() ? "loop" : "codelet";
  case Kind::kSend:
  case Kind::kReceive:
  case Kind::kArrival:
    return "message";
  case Kind::kParked:
    return "parked";
  case Kind::kWait:
    return "wait";
  }
  return "";
}

} // namespace

TraceEventWriter::TraceEventWriter(const TracedRank &rank, uint64_t origin,
                                   const MessageKeys *whole, std::string &out)
    : program_(rank.program), buffer_(rank.buffer), origin_(origin), whole_(whole), out_(out),
      lanes_(rank.buffer) {
  for (uint64_t i = 0; i < buffer_.size(); ++i) {
    last_ = std::max({last_, buffer_[i].begin, buffer_[i].end});
    if (buffer_[i].kind == Kind::kArrival)
      arrivals_.emplace(buffer_[i].number, i);
  }
  for (const auto &[position, text] : buffer_.notes())
    notes_.emplace(position, text);
}

void TraceEventWriter::write() {
  writeTracks();
  for (uint64_t i = 0; i < buffer_.size(); ++i)
    write(i);
}

void TraceEventWriter::writeTracks() {
  auto rank = std::to_string(program_.rank());
  bool alone = program_.devices().empty();
  std::string process(alone ? program_.name() : program_.devices()[program_.rank()].name);
  out_ += ",\n{\"ph\":\"M\",\"pid\":" + rank + R"(,"name":"process_name","args":{"name":)";
  appendJsonString(alone ? process : "rank " + rank + " " + process, out_);
  out_ += "}},\n{\"ph\":\"M\",\"pid\":" + rank +
          R"(,"name":"process_sort_index","args":{"sort_index":)" + rank + "}}";
  uint16_t workers = 0;
  for (uint64_t i = 0; i < buffer_.size(); ++i)
    workers = std::max(workers, buffer_[i].worker);
  nameTrack(kSchedulerTrack, "scheduler");
  for (int worker = 1; worker <= workers; ++worker)
    nameTrack(worker, "worker " + std::to_string(worker));
  if (!alone)
    nameTrack(kNetworkTrack, "network");
  for (int lane = 1; lane < lanes_.count(); ++lane)
    nameTrack(kLanes + lane, "scheduler, lane " + std::to_string(lane + 1));
}

void TraceEventWriter::nameTrack(int track, const std::string &name) {
  std::string place = format(R"({"ph":"M","pid":%u,"tid":%d,)", program_.rank(), track);
  out_ += ",\n" + place + R"("name":"thread_name","args":{"name":")" + name + "\"}}";
  out_ += ",\n" + place + R"("name":"thread_sort_index","args":{"sort_index":)" +
          std::to_string(track) + "}}";
}

void TraceEventWriter::write(uint64_t position) {
  const TraceEvent &event = buffer_[position];
  if (event.kind == Kind::kIteration)
    return writeIteration(position, event);
  if (event.kind == Kind::kParked)
    return writeParked(position, event);
  span(categoryOf(event), event, trackOf(position));
  name(nameOf(event));
  if (event.kind == Kind::kCall) {
    argument("call", event.number);
    argument("signature", event.signature->info.name);
    argument("dead_firings", event.amount);
  } else {
    tagArguments(position, event);
    codeArguments(event);
  }
  endArguments(position, event);
  // The arrow across the wire, and the one from there to the firing.
  bool whole = !whole_ || whole_->contains(event.number);
  if (event.kind == Kind::kSend && whole)
    writeFlow('s', "message", event, trackOf(position));
  if (event.kind == Kind::kArrival && whole)
    writeFlow('f', "message", event, trackOf(position));
  if (event.kind != Kind::kReceive)
    return;
  if (auto arrival = arrivals_.find(event.number); arrival != arrivals_.end()) {
    writeFlow('s', "delivery", buffer_[arrival->second], kNetworkTrack);
    writeFlow('f', "delivery", event, trackOf(position));
  }
}

// Of what overlaps with others on its track: its beginning, open for arguments, and its end.
void TraceEventWriter::half(char phase, uint64_t position, const char *category, uint64_t time,
                            std::string_view title) {
  uint64_t id = uint64_t{program_.rank()} << 32 | position;
  begin(phase, category, time, trackOf(position));
  out_ += format(R"(,"id2":{"local":"0x%llx"})", static_cast<unsigned long long>(id));
  name(title);
}

void TraceEventWriter::endPair(uint64_t position, const char *category, const TraceEvent &event,
                               std::string_view title) {
  endArguments(position, event);
  half('e', position, category, event.end ? event.end : last_, title);
  out_ += "}}";
}

void TraceEventWriter::writeIteration(uint64_t position, const TraceEvent &event) {
  half('b', position, "iteration", event.begin, event.frame->name);
  argument("iteration", event.number);
  if (const TraceEvent *parent = within(event); parent && parent->kind == Kind::kIteration)
    argument("within",
             std::string(parent->frame->name) + "[" + std::to_string(parent->number) + "]");
  argument("dead_firings", event.amount);
  endPair(position, "iteration", event, event.frame->name);
}

void TraceEventWriter::writeParked(uint64_t position, const TraceEvent &event) {
  half('b', position, "parked", event.begin, event.node->name);
  tagArguments(position, event);
  codeArguments(event);
  endPair(position, "parked", event, event.node->name);
}

void TraceEventWriter::writeFlow(char phase, const char *category, const TraceEvent &event,
                                 int track) {
  begin(phase, category, event.begin, track);
  // Viewers take hexadecimal numbers only, and the two arrows of a message must differ in theirs.
  uint64_t id = *category == 'd' ? ~event.number : event.number;
  out_ += format(R"(,"id":"0x%016llx")", static_cast<unsigned long long>(id));
  if (phase == 'f')
    out_ += R"(,"bp":"e")";
  name(category);
  argument("bytes", event.amount);
  out_ += "}}";
}

//===-- Lines ---------------------------------------------------------------------------------===//

// Microseconds with all digits of the nanoseconds.
static std::string microseconds(uint64_t nanoseconds) {
  return format("%llu.%03llu", static_cast<unsigned long long>(nanoseconds / 1000),
                static_cast<unsigned long long>(nanoseconds % 1000));
}

void TraceEventWriter::begin(char phase, const char *category, uint64_t time, int track) {
  out_ += format(",\n{\"ph\":\"%c\",\"ts\":", phase) + microseconds(time - origin_) +
          format(R"(,"pid":%u,"tid":%d,"cat":"%s")", program_.rank(), track, category);
}

void TraceEventWriter::span(const char *category, const TraceEvent &event, int track) {
  begin('X', category, event.begin, track);
  uint64_t end = event.end ? event.end : last_;
  out_ += ",\"dur\":" + microseconds(end - event.begin);
}

void TraceEventWriter::name(std::string_view name) {
  out_ += ",\"name\":";
  appendJsonString(name, out_);
  out_ += ",\"args\":{";
  firstArgument_ = true;
}

void TraceEventWriter::argument(const char *key, std::string_view text) {
  out_ += std::exchange(firstArgument_, false) ? "\"" : ",\"";
  out_ += key;
  out_ += "\":";
  appendJsonString(text, out_);
}

void TraceEventWriter::argument(const char *key, uint64_t number) {
  out_ += std::exchange(firstArgument_, false) ? "\"" : ",\"";
  out_ += key;
  out_ += "\":" + std::to_string(number);
}

void TraceEventWriter::mark(const char *key) {
  out_ += std::exchange(firstArgument_, false) ? "\"" : ",\"";
  out_ += key;
  out_ += "\":true";
}

// Which iteration of what, in which call.
void TraceEventWriter::tagArguments(uint64_t position, const TraceEvent &event) {
  if (const TraceEvent &call = buffer_[callOf(position)]; call.kind == Kind::kCall)
    argument("call", call.number);
  const TraceEvent *iteration = within(event);
  if (!iteration || iteration->kind != Kind::kIteration)
    return;
  argument("frame", iteration->frame->name);
  argument("iteration", iteration->number);
  std::string tag;
  for (const TraceEvent *i = iteration; i && i->kind == Kind::kIteration; i = within(*i))
    tag = std::string(i->frame->name) + "[" + std::to_string(i->number) + "]" +
          (tag.empty() ? "" : " ") + tag;
  argument("tag", tag);
}

void TraceEventWriter::codeArguments(const TraceEvent &event) {
  if (!event.node)
    return;
  const Node &node = *event.node;
  argument("node", node.name);
  if (event.kind == Kind::kWait && node.kind != NodeKind::kRecv)
    return argument("for", "a worker");
  if (std::string_view op = node.kernel ? program_.opOf(*node.kernel) : std::string_view();
      !op.empty())
    argument("op", op);
  if (node.kind == NodeKind::kSend || node.kind == NodeKind::kRecv) {
    argument(node.kind == NodeKind::kSend ? "to_rank" : "from_rank", uint64_t{node.peer});
    argument("edge", uint64_t{node.edge});
    if (event.kind != Kind::kWait)
      argument("bytes", event.amount);
    return;
  }
  if (!node.codelet)
    return;
  out_ += ",\"members\":[";
  bool first = true;
  auto add = [&](std::string_view member) {
    if (!std::exchange(first, false))
      out_ += ',';
    appendJsonString(member, out_);
  };
  for (const CodeletMember &member : node.codelet->members)
    add(member.name);
  for (size_t i = 0; node.codelet->members.empty() && i < node.codelet->errorMembers.size(); ++i)
    if (std::string_view name = node.codelet->errorMembers[i];
        std::find(&node.codelet->errorMembers[0], &node.codelet->errorMembers[i], name) ==
        &node.codelet->errorMembers[i])
      add(name);
  out_ += ']';
}

void TraceEventWriter::endArguments(uint64_t position, const TraceEvent &event) {
  if (event.dead)
    mark("dead");
  if (event.bailed)
    mark("bailed");
  if (event.failed)
    mark("failed");
  if (!event.end)
    mark("unfinished");
  if (auto note = notes_.find(position); note != notes_.end())
    argument(event.kind == Kind::kWait     ? "waits"
             : event.kind == Kind::kParked ? "for"
                                           : "error",
             note->second);
  out_ += "}}";
}

//===-- Names ---------------------------------------------------------------------------------===//

const TraceEvent *TraceEventWriter::within(const TraceEvent &event) const {
  return event.within == TraceEvent::kNone ? nullptr : &buffer_[event.within];
}

uint64_t TraceEventWriter::callOf(uint64_t position) const {
  while (buffer_[position].within != TraceEvent::kNone)
    position = buffer_[position].within;
  return position;
}

int TraceEventWriter::trackOf(uint64_t position) const {
  const TraceEvent &event = buffer_[position];
  if (event.kind == Kind::kArrival)
    return kNetworkTrack;
  if (event.worker)
    return static_cast<int>(event.worker);
  int lane = lanes_.of(callOf(position));
  return lane ? kLanes + lane : kSchedulerTrack;
}

std::string_view TraceEventWriter::nameOf(const Node &node) const {
  const CodeletMember *member = node.codelet ? mostTelling(*node.codelet) : nullptr;
  return member ? member->name : node.name;
}

std::string TraceEventWriter::nameOf(const TraceEvent &event) const {
  if (event.kind == Kind::kCall)
    return "call " + std::to_string(event.number) + " of " + event.signature->info.name;
  if (!event.node)
    return "wait";
  std::string name(nameOf(*event.node));
  switch (event.kind) {
  case Kind::kSend:
    return "send " + name;
  case Kind::kReceive:
    return "receive " + name;
  case Kind::kArrival:
    return "arrival " + name;
  case Kind::kWait:
    return "wait for " + name;
  default:
    return name;
  }
}

} // namespace sluice::rt
