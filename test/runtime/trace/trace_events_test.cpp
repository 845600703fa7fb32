// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Every line that an event becomes, by events made by hand.
#include "runtime/io/machine_id.h"
#include "runtime/program/write_image.h"
#include "runtime/trace/trace_file.h"

#include <gtest/gtest.h>

namespace sluice::rt {
namespace {

using Kind = TraceEvent::Kind;

class NoClock final : public Clock {
public:
  uint64_t now() override { return 0; }
};

const Kernel kBusy{nullptr, nullptr, Kernel::kNone, nullptr,
                   [](const KernelCall &) -> uint64_t { return 1; }};
const Kernel kPlain{nullptr, nullptr};

Node nodeOf(NodeKind kind, const char *name) {
  Node node;
  node.kind = kind;
  node.name = name;
  return node;
}

// A rank's events, its program, and what the events are of.
class Recording {
public:
  explicit Recording(uint32_t rank = 0, uint32_t ranks = 1) : buffer(100, clock_) {
    ProgramDesc desc;
    desc.name = "alone";
    desc.rank = rank;
    desc.kernelOps = {"nd.busy"};
    for (uint32_t i = 0; ranks > 1 && i < ranks; ++i)
      desc.devices.push_back({"cpu" + std::to_string(i), "127.0.0.1:0"});
    image_ = writeImage(desc);
    program_ = std::move(*Program::load(image_, {kernels_, {}}));
    signature.info.name = "main";
    frame.name = "loop";
  }

  TraceEvent &add(Kind kind, uint64_t begin, uint64_t end, uint32_t within = TraceEvent::kNone) {
    next_ = TraceEvent();
    next_.kind = kind;
    next_.begin = begin;
    next_.end = end;
    next_.within = within;
    return next_;
  }
  // What `add` has begun.
  uint32_t done() { return buffer.add(next_); }
  uint32_t call(uint64_t begin, uint64_t end, uint64_t number = 1) {
    TraceEvent &call = add(Kind::kCall, begin, end);
    call.signature = &signature;
    call.number = number;
    call.amount = 5;
    return done();
  }
  TracedRank traced() const { return {*program_, buffer}; }
  // Without the lines before the first event.
  std::string events() {
    TracedRank rank = traced();
    std::string text = traceFile({&rank, 1});
    return text.substr(text.find("{\"ph\":\"X\""));
  }

  Signature signature;
  StaticFrame frame;

private:
  NoClock clock_;
  TraceEvent next_;
  const Kernel *kernels_[1] = {&kBusy};
  std::string image_;
  std::unique_ptr<Program> program_;

public:
  TraceBuffer buffer;
};

std::string headOf(const char *origin, const char *lost) {
  return R"({"displayTimeUnit":"ns","otherData":{"format":"sluice-trace-1","machine":")" +
         machineId() + R"(","origin_ns":")" + origin + R"(","lost_events":")" + lost +
         "\"},\"traceEvents\":[\n";
}

TEST(TraceEvents, tracksAreNamedAndInOrder) {
  Recording alone;
  TracedRank one = alone.traced();
  EXPECT_EQ(traceFile({&one, 1}),
            headOf("0", "0") +
                R"({"ph":"M","pid":0,"name":"process_name","args":{"name":"alone"}},
{"ph":"M","pid":0,"name":"process_sort_index","args":{"sort_index":0}},
{"ph":"M","pid":0,"tid":0,"name":"thread_name","args":{"name":"scheduler"}},
{"ph":"M","pid":0,"tid":0,"name":"thread_sort_index","args":{"sort_index":0}}
]}
)");
  Recording second(1, 2);
  second.add(Kind::kWait, 7, 8).worker = 2;
  second.done();
  second.add(Kind::kWait, 8, 9).worker = 1;
  second.done();
  TracedRank two = second.traced();
  std::string text = traceFile({&two, 1});
  EXPECT_EQ(text.substr(0, text.find("{\"ph\":\"X\"")),
            headOf("7", "0") +
                R"({"ph":"M","pid":1,"name":"process_name","args":{"name":"rank 1 cpu1"}},
{"ph":"M","pid":1,"name":"process_sort_index","args":{"sort_index":1}},
{"ph":"M","pid":1,"tid":0,"name":"thread_name","args":{"name":"scheduler"}},
{"ph":"M","pid":1,"tid":0,"name":"thread_sort_index","args":{"sort_index":0}},
{"ph":"M","pid":1,"tid":1,"name":"thread_name","args":{"name":"worker 1"}},
{"ph":"M","pid":1,"tid":1,"name":"thread_sort_index","args":{"sort_index":1}},
{"ph":"M","pid":1,"tid":2,"name":"thread_name","args":{"name":"worker 2"}},
{"ph":"M","pid":1,"tid":2,"name":"thread_sort_index","args":{"sort_index":2}},
{"ph":"M","pid":1,"tid":100000,"name":"thread_name","args":{"name":"network"}},
{"ph":"M","pid":1,"tid":100000,"name":"thread_sort_index","args":{"sort_index":100000}},
)");
}

TEST(TraceEvents, callsAndIterationsSayWhereTheyAre) {
  Recording r;
  StaticFrame inner;
  inner.name = "inner";
  Node node = nodeOf(NodeKind::kForward, "pivot");
  r.call(1000, 0);
  TraceEvent &outer = r.add(Kind::kIteration, 1500, 9500, 0);
  outer.frame = &r.frame;
  outer.number = 2;
  outer.amount = 3;
  uint32_t position = r.done();
  TraceEvent &nested = r.add(Kind::kIteration, 2000, 0, position);
  nested.frame = &inner;
  nested.number = 4;
  position = r.done();
  TraceEvent &firing = r.add(Kind::kFiring, 3001, 3050, position);
  firing.node = &node;
  firing.dead = firing.bailed = firing.failed = true;
  firing.worker = 1;
  r.buffer.note(r.done(), "why");
  EXPECT_EQ(
      r.events(),
      R"({"ph":"X","ts":0.000,"pid":0,"tid":0,"cat":"call","dur":8.500,"name":"call 1 of main",)"
      R"("args":{"call":1,"signature":"main","dead_firings":5,"unfinished":true}},
{"ph":"b","ts":0.500,"pid":0,"tid":0,"cat":"iteration","id2":{"local":"0x1"},"name":"loop",)"
      R"("args":{"iteration":2,"dead_firings":3}},
{"ph":"e","ts":8.500,"pid":0,"tid":0,"cat":"iteration","id2":{"local":"0x1"},"name":"loop","args":{}},
{"ph":"b","ts":1.000,"pid":0,"tid":0,"cat":"iteration","id2":{"local":"0x2"},"name":"inner",)"
      R"("args":{"iteration":4,"within":"loop[2]","dead_firings":0,"unfinished":true}},
{"ph":"e","ts":8.500,"pid":0,"tid":0,"cat":"iteration","id2":{"local":"0x2"},"name":"inner","args":{}},
{"ph":"X","ts":2.001,"pid":0,"tid":1,"cat":"kernel","dur":0.049,"name":"pivot",)"
      R"("args":{"call":1,"frame":"inner","iteration":4,"tag":"loop[2] inner[4]","node":"pivot",)"
      R"("dead":true,"bailed":true,"failed":true,"error":"why"}}
]}
)");
}

TEST(TraceEvents, callsAtTheSameTimeHaveALaneEach) {
  Recording r;
  Node node = nodeOf(NodeKind::kForward, "node");
  // The third takes the lane of the first, the fourth needs one of its own; the fifth is not over.
  uint64_t times[][2] = {{10, 20}, {15, 40}, {20, 30}, {25, 28}, {28, 0}};
  std::string expected[] = {"0", "200001", "0", "200002", "200002"};
  std::vector<uint32_t> positions;
  for (auto [begin, end] : times)
    positions.push_back(r.call(begin, end, positions.size() + 1));
  for (uint32_t position : positions) {
    r.add(Kind::kFiring, 50 + position, 51 + position, position).node = &node;
    r.done();
  }
  TracedRank rank = r.traced();
  std::string text = traceFile({&rank, 1});
  for (size_t i = 0; i < positions.size(); ++i) {
    std::string number = std::to_string(i + 1), tid = R"("tid":)" + expected[i] + ",";
    size_t call = text.find("\"name\":\"call " + number + " of main\"");
    EXPECT_NE(text.substr(text.rfind('\n', call), call).find(tid), std::string::npos) << number;
    size_t firing = text.find("\"args\":{\"call\":" + number + ",\"node\":\"node\"");
    ASSERT_NE(firing, std::string::npos) << text;
    size_t line = text.rfind('\n', firing);
    EXPECT_NE(text.substr(line, firing - line).find(tid), std::string::npos) << number;
  }
  auto has = [&](const char *part) { return text.find(part) != std::string::npos; };
  EXPECT_TRUE(has(R"("tid":200001,"name":"thread_name","args":{"name":"scheduler, lane 2"})"));
  EXPECT_TRUE(has(R"("tid":200002,"name":"thread_name","args":{"name":"scheduler, lane 3"})"));
  EXPECT_FALSE(has("lane 4"));
}

// The arrow across the wire, and the one from the arrival to the firing of the receive.
TEST(TraceEvents, messagesHaveArrows) {
  Recording r(1, 2);
  Node send = nodeOf(NodeKind::kSend, "out"), recv = nodeOf(NodeKind::kRecv, "in");
  send.edge = 7;
  recv.edge = 8;
  for (auto [kind, node, begin] : {std::tuple(Kind::kSend, &send, 0),
                                   {Kind::kArrival, &recv, 40},
                                   {Kind::kReceive, &recv, 60}}) {
    TraceEvent &event = r.add(kind, static_cast<uint64_t>(begin), static_cast<uint64_t>(begin + 9));
    event.node = node;
    event.number = kind == Kind::kSend ? 0x12 : 0x34;
    event.amount = 4;
    r.done();
  }
  r.add(Kind::kWait, 80, 89).node = &recv;
  r.buffer.note(r.done(), "rank 0");
  EXPECT_EQ(r.events(),
            R"({"ph":"X","ts":0.000,"pid":1,"tid":0,"cat":"message","dur":0.009,"name":"send out",)"
            R"("args":{"node":"out","to_rank":0,"edge":7,"bytes":4}},
{"ph":"s","ts":0.000,"pid":1,"tid":0,"cat":"message","id":"0x0000000000000012","name":"message",)"
            R"("args":{"bytes":4}},
{"ph":"X","ts":0.040,"pid":1,"tid":100000,"cat":"message","dur":0.009,"name":"arrival in",)"
            R"("args":{"node":"in","from_rank":0,"edge":8,"bytes":4}},
{"ph":"f","ts":0.040,"pid":1,"tid":100000,"cat":"message","id":"0x0000000000000034","bp":"e",)"
            R"("name":"message","args":{"bytes":4}},
{"ph":"X","ts":0.060,"pid":1,"tid":0,"cat":"message","dur":0.009,"name":"receive in",)"
            R"("args":{"node":"in","from_rank":0,"edge":8,"bytes":4}},
{"ph":"s","ts":0.040,"pid":1,"tid":100000,"cat":"delivery","id":"0xffffffffffffffcb",)"
            R"("name":"delivery","args":{"bytes":4}},
{"ph":"f","ts":0.060,"pid":1,"tid":0,"cat":"delivery","id":"0xffffffffffffffcb","bp":"e",)"
            R"("name":"delivery","args":{"bytes":4}},
{"ph":"X","ts":0.080,"pid":1,"tid":0,"cat":"wait","dur":0.009,"name":"wait for in",)"
            R"("args":{"node":"in","from_rank":0,"edge":8,"waits":"rank 0"}}
]}
)");
}

TEST(TraceEvents, arrowsOfSeveralRanksHaveBothEnds) {
  Recording first(0, 2), second(1, 2);
  Node node = nodeOf(NodeKind::kSend, "m");
  auto add = [&](Recording &rank, Kind kind, uint64_t key) {
    TraceEvent &event = rank.add(kind, 5, 6);
    event.node = &node;
    event.number = key;
    rank.done();
  };
  add(first, Kind::kSend, 1);
  add(first, Kind::kSend, 2);
  add(second, Kind::kArrival, 1);
  add(second, Kind::kArrival, 3);
  TracedRank ranks[] = {first.traced(), second.traced()};
  std::string text = traceFile(ranks);
  auto has = [&](const char *part) { return text.find(part) != std::string::npos; };
  EXPECT_TRUE(has(R"("id":"0x0000000000000001","name")")) << text;
  EXPECT_TRUE(has(R"("id":"0x0000000000000001","bp")")) << text;
  EXPECT_FALSE(has(R"("id":"0x0000000000000002")")) << text;
  EXPECT_FALSE(has(R"("id":"0x0000000000000003")")) << text;
}

TEST(TraceEvents, codeHasTheNameOfWhatSaysMost) {
  Recording r;
  Codelet plain, mixed, loop;
  for (const auto &[name, kernel] :
       {std::pair("a", &kPlain), {"b", &kBusy}, {"c", &kBusy}, {"d", &kPlain}}) {
    mixed.members.emplace_back();
    mixed.members.back().name = name;
    mixed.members.back().kernel = kernel;
  }
  plain.members = {mixed.members.front(), mixed.members.back()};
  loop.errorMembers = {"x", "y", "x"};
  Node kernel = nodeOf(NodeKind::kKernel, "product"), unknown = nodeOf(NodeKind::kKernel, "other");
  kernel.kernel = &kBusy;
  unknown.kernel = &kPlain;
  Node group = nodeOf(NodeKind::kCodelet, "group"), whole = nodeOf(NodeKind::kCodelet, "whole");
  Node sum = nodeOf(NodeKind::kCodelet, "sum");
  group.codelet = &mixed;
  sum.codelet = &plain;
  whole.codelet = &loop;
  for (const Node *node : {&kernel, &unknown, &group, &sum, &whole}) {
    r.add(Kind::kFiring, 0, 1).node = node;
    r.done();
  }
  EXPECT_EQ(r.events(), R"({"ph":"X","ts":0.000,"pid":0,"tid":0,"cat":"kernel","dur":0.001,)"
                        R"("name":"product","args":{"node":"product","op":"nd.busy"}},
{"ph":"X","ts":0.000,"pid":0,"tid":0,"cat":"kernel","dur":0.001,"name":"other","args":{"node":"other"}},
{"ph":"X","ts":0.000,"pid":0,"tid":0,"cat":"codelet","dur":0.001,"name":"c",)"
                        R"("args":{"node":"group","members":["a","b","c","d"]}},
{"ph":"X","ts":0.000,"pid":0,"tid":0,"cat":"codelet","dur":0.001,"name":"d",)"
                        R"("args":{"node":"sum","members":["a","d"]}},
{"ph":"X","ts":0.000,"pid":0,"tid":0,"cat":"loop","dur":0.001,"name":"whole",)"
                        R"("args":{"node":"whole","members":["x","y"]}}
]}
)");
}

} // namespace
} // namespace sluice::rt
