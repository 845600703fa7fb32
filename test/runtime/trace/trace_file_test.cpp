// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The recorder and the text that it becomes.
#include "runtime/io/json.h"
#include "runtime/trace/trace_file.h"
#include "test/runtime/cluster/split_loop.h"
#include "test/runtime/executor/late_workers.h"
#include "test/runtime/executor/products.h"

namespace sluice::rt {
namespace {

class SteppingClock final : public Clock {
public:
  uint64_t now() override { return time += 10; }
  uint64_t time = 0;
};

// All events of a trace file, each an object.
std::vector<Json> eventsOf(const std::string &text) {
  Result<Json> file = parseJson(text);
  EXPECT_TRUE(file.ok()) << file.status().toString() << text;
  const Json *events = file.ok() ? file->find("traceEvents") : nullptr;
  EXPECT_NE(events, nullptr);
  return events ? events->items : std::vector<Json>();
}

std::string textOf(const Json &event, const char *member) {
  const Json *text = event.find(member);
  return text ? text->string : "";
}

std::vector<Json> named(const std::string &text, std::string_view name) {
  std::vector<Json> found;
  for (const Json &event : eventsOf(text))
    if (textOf(event, "name") == name)
      found.push_back(event);
  return found;
}

TEST(TraceBuffer, keepsTheFirstEventsAndCountsTheOthers) {
  SteppingClock clock;
  TraceBuffer buffer(5000, clock);
  for (uint64_t i = 0; i < 6000; ++i) {
    TraceEvent event;
    event.number = i;
    EXPECT_EQ(buffer.add(event), i < 5000 ? i : TraceEvent::kNone);
  }
  EXPECT_EQ(buffer.size(), 5000u);
  EXPECT_EQ(buffer.lost(), 1000u);
  for (uint64_t i = 0; i < 5000; ++i)
    EXPECT_EQ(buffer[i].number, i);
}

TEST(TraceBuffer, whatHadNoRoomMayEnd) {
  SteppingClock clock;
  TraceBuffer buffer(1, clock);
  buffer.add({});
  uint32_t none = buffer.add({});
  buffer.end(none);
  buffer.countDead(none);
  buffer.note(none, "nothing");
  EXPECT_EQ(buffer[0].end, 0u);
  EXPECT_EQ(buffer[0].amount, 0u);
  EXPECT_TRUE(buffer.notes().empty());
  buffer.end(0);
  EXPECT_NE(buffer[0].end, 0u);
}

TEST(MessageKey, tellsMessagesApart) {
  auto key = [](uint64_t call, uint32_t edge, uint64_t iteration) {
    MessageKey key(call, edge);
    key.add(iteration);
    return key.value();
  };
  EXPECT_EQ(key(1, 2, 3), key(1, 2, 3));
  EXPECT_NE(key(1, 2, 3), key(2, 1, 3));
  EXPECT_NE(key(1, 2, 3), key(1, 3, 2));
  EXPECT_NE(key(1, 2, 0), MessageKey(1, 2).value());
}

TEST(TraceFile, oddNamesStayValid) {
  constexpr const char *odd = "a\"b\\c\n\x01\xff/\xc3\xa9";
  GraphBuilder g;
  auto negated = g.kernel("nd.neg", odd, 0, {g.feed("x", DType::kI32)}, {DType::kI32}, DType::kI32);
  g.fetch("y", negated, DType::kI32);
  auto executor = g.build();
  executor->record(100);
  executor->setOptions({});
  Tensor feed = Tensor::scalar<int32_t>(1);
  ASSERT_TRUE(executor->call(0, std::span(&feed, 1)).ok());
  std::string text = executor->trace();
  EXPECT_EQ(named(text, "a\"b\\c\n\x01\xef\xbf\xbd/\xc3\xa9").size(), 1u) << text;
}

TEST(TraceFile, aRunnerThatRecordsNothingHasNone) {
  GraphBuilder g;
  g.fetch("y", g.feed("x", DType::kI32), DType::kI32);
  auto executor = g.build();
  executor->setOptions({});
  EXPECT_EQ(executor->trace(), "");
  EXPECT_EQ(executor->lostEvents(), 0u);
}

TEST(TraceFile, tellsThatAWorkerIsWaitedFor) {
  Products products;
  auto program = products.program();
  LateWorkers workers;
  TraceBuffer buffer(100, systemClock());
  TokenMachine machine(*program->signatures()[0], {}, {}, workers, nullptr, &buffer);
  Tensor feed = Products::feed(), fetches[2];
  Environment environment;
  Status status = runToEnd(machine, std::span(&feed, 1), fetches, environment);
  ASSERT_TRUE(status.ok()) << status.toString();
  TracedRank rank{*program, buffer};
  std::vector<Json> waits = named(traceFile({&rank, 1}), "wait for a");
  ASSERT_EQ(waits.size(), 1u);
  EXPECT_EQ(textOf(*waits[0].find("args"), "for"), "a worker");
}

// A loop over two ranks; the trace after `limits` calls, one with each limit.
std::string traceOf(SplitLoop &loop, bool simulated, std::initializer_list<int32_t> limits) {
  testing::internal::CaptureStderr();
  std::string text;
  {
    auto runner = makeInProcessCluster(loop.programs(), {simulated});
    runner->record(100'000);
    runner->setOptions({});
    for (int32_t limit : limits) {
      Tensor feed = Tensor::scalar<int32_t>(limit);
      (void)runner->call(0, std::span(&feed, 1));
    }
    runner->leave();
    text = runner->trace();
  }
  testing::internal::GetCapturedStderr();
  return text;
}

TEST(TraceFile, everyMessageHasItsArrow) {
  for (bool simulated : {false, true}) {
    SplitLoop loop;
    std::string text = traceOf(loop, simulated, {5, 0});
    int starts = 0, ends = 0;
    for (const Json &event : eventsOf(text)) {
      starts += textOf(event, "ph") == "s" && textOf(event, "cat") == "message";
      ends += textOf(event, "ph") == "f" && textOf(event, "cat") == "message";
    }
    // In each iteration and the last one: body and predicate go out, the sum comes back.
    EXPECT_EQ(starts, 3 * (6 + 1));
    EXPECT_EQ(ends, starts);
    EXPECT_EQ(named(text, "add").size(), 5u);
  }
}

TEST(TraceFile, aFailureLeavesWhatHappened) {
  for (bool simulated : {false, true}) {
    SplitLoop loop(10, SplitLoop::Addition::kFailsAtThree);
    std::string text = traceOf(loop, simulated, {100});
    std::vector<Json> divisions = named(text, "divide");
    ASSERT_EQ(divisions.size(), 4u);
    EXPECT_TRUE(divisions.back().find("args")->find("failed"));
    std::vector<Json> calls = named(text, "call 1 of main");
    ASSERT_EQ(calls.size(), 2u);
    int told = 0;
    for (const Json &call : calls)
      told += textOf(*call.find("args"), "error").find("'divide'") != std::string::npos;
    EXPECT_EQ(told, 1) << "the rank that has failed, and not the one that was told";
  }
}

} // namespace
} // namespace sluice::rt
