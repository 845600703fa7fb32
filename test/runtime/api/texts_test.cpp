// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Lists that are cut, figures and tolerances as text, and traces on demand.
#include "runtime/api/comparison.h"
#include "runtime/api/describe.h"
#include "runtime/api/recording_runner.h"
#include "runtime/api/signatures.h"
#include "runtime/base/threads.h"
#include "test/runtime/api/bench.h"
#include "test/runtime/io/safetensors_bytes.h"

#include <gtest/gtest.h>

using namespace sluice::rt;

namespace {

TEST(Ports, ListsAreCut) {
  std::vector<Port> ports(22);
  for (size_t i = 0; i < ports.size(); ++i) {
    ports[i].name = "p" + std::to_string(i);
    ports[i].dtype = DType::kF32;
  }
  std::string text = portList(ports);
  EXPECT_TRUE(text.ends_with(", 'p19' f32[] and 2 more")) << text;
  EXPECT_TRUE(portList(std::span(ports).first(20)).ends_with("'p19' f32[]"));
  EXPECT_EQ(portList({}), "none");
}

TEST(Variables, ListsAreCut) {
  Bench b;
  std::vector<NamedTensor> tensors;
  for (char c = 'a'; c < 'a' + 10; ++c)
    tensors.emplace_back(std::string(1, c), Tensor::scalar(1.f));
  b.disk.files["others"] = *encodeSafetensors(tensors);
  EXPECT_EQ(b.run({"--load=others", "--input=x=1x2xf32=1,2"}), 1);
  EXPECT_EQ(b.err, "error: INVALID_ARGUMENT: 'others': the program has none of the variables 'a', "
                   "'b', 'c', 'd', 'e', 'f', 'g', 'h' and 2 more\n");
}

TEST(Stats, AreInTwoColumns) {
  const std::string name29(29, 'n'), name30(30, 'n'), name31(31, 'n');
  EXPECT_EQ(
      statsText(
          {{"a", 1}, {name29, -3}, {name30, 0.5}, {name31, 999999999999999}, {"large", 1e15}}),
      "a:                              1\n" + name29 + ":  -3\n" + name30 + ": 0.5\n" + name31 +
          ": 999999999999999\nlarge:                          1e+15\n");
}

TEST(Workers, AreAsManyAsProcessors) { EXPECT_EQ(RunOptions().workers, usableProcessors()); }

TEST(Tolerances, AreThoseOfTheDocumentation) {
  const struct {
    std::initializer_list<DType> dtypes;
    double rtol, atol;
  } table[] = {{{DType::kF16}, 2e-3, 1e-3},
               {{DType::kBF16}, 1e-2, 1e-2},
               {{DType::kF32, DType::kC64}, 1e-5, 1e-6},
               {{DType::kF64, DType::kC128}, 1e-12, 1e-13},
               {{DType::kI32, DType::kBool, DType::kString}, 0, 0}};
  for (const auto &row : table)
    for (DType dtype : row.dtypes) {
      EXPECT_EQ(defaultTolerance(dtype).rtol, row.rtol) << dtypeName(dtype);
      EXPECT_EQ(defaultTolerance(dtype).atol, row.atol) << dtypeName(dtype);
    }
}

// The sum of the absolute tolerance and the relative one, times what was expected.
TEST(Tolerances, AreExact) {
  const Tolerance tolerance{0.25, 0.5}; // of 2: 1
  auto agrees = [&](auto got, auto expected) {
    return describeMismatch("y", Tensor::scalar(got), Tensor::scalar(expected), tolerance).empty();
  };
  using C = std::complex<float>;
  for (float sign : {1.f, -1.f}) {
    EXPECT_TRUE(agrees(3 * sign, 2 * sign));
    EXPECT_TRUE(agrees(1 * sign, 2 * sign));
    EXPECT_FALSE(agrees(3.0625f * sign, 2 * sign));
    EXPECT_FALSE(agrees(0.9375f * sign, 2 * sign));
    EXPECT_TRUE(agrees(C(0, 3 * sign), C(0, 2 * sign)));
    EXPECT_TRUE(agrees(C(1, 2 * sign), C(0, 2 * sign)));
    EXPECT_FALSE(agrees(C(1, 2.25f * sign), C(0, 2 * sign)));
  }
  EXPECT_TRUE(agrees(int64_t{3}, int64_t{2}));
  EXPECT_FALSE(agrees(int64_t{4}, int64_t{2}));
  EXPECT_TRUE(agrees(int64_t{-3}, int64_t{-2}));
  const float inf = std::numeric_limits<float>::infinity();
  EXPECT_TRUE(agrees(C(inf, 3), C(inf, 2)));
  EXPECT_FALSE(agrees(C(inf, 3.0625f), C(inf, 2)));
  EXPECT_FALSE(agrees(C(1, inf), C(2, -inf)));
}

TEST(Comparison, TextsAreCut) {
  std::string got(70, 'g'), expected(70, 'e');
  EXPECT_EQ(describeMismatch("y", Tensor::string(got), Tensor::string(expected), {}),
            "output 'y' at []: expected \"" + expected.substr(0, 60) + "\"... but got \"" +
                got.substr(0, 60) + "\"...; 1 of 1 elements differ");
}

// Records nothing, and says that there was too much of it.
class Recorder final : public RecordingRunner {
public:
  std::span<const SignatureInfo> signatures() const override { return fake_.signatures(); }
  std::span<Variable *const> variables() override { return fake_.variables(); }
  void setOptions(const RunOptions &options) override { fake_.setOptions(options); }
  Result<std::vector<Tensor>> call(size_t signature, std::span<const Tensor> feeds) override {
    return fake_.call(signature, feeds);
  }
  uint64_t leftoverTokens() const override { return 0; }
  Stats stats() const override { return {}; }
  std::string_view programName() const override { return "recorder"; }
  std::string_view versionText() const override { return ""; }
  void record(uint64_t limit) override { limit_ = limit; }
  void leave() override { left = true; }
  std::string trace() const override { return "limit " + std::to_string(limit_); }
  uint64_t lostEvents() const override { return 3; }
  bool left = false;

private:
  FakeRunner fake_;
  uint64_t limit_ = 0;
};

TEST(Trace, HasALimit) {
  for (const char *limit : {"200000", "7"}) {
    Recorder recorder;
    MemoryDisk disk;
    MemoryConsole console;
    std::string flag = std::string("--trace-limit=") + limit;
    std::vector<const char *> arguments{"--input=x=1x2xf32=1,2", "--trace=t", flag.c_str()};
    if (std::string_view(limit) == "200000") // by default
      arguments.pop_back();
    EXPECT_EQ(runCommandLine(std::span<const char *const>(arguments),
                             {recorder, disk, console, "./p", &recorder}),
              0);
    EXPECT_EQ(disk.files["t"], std::string("limit ") + limit);
    EXPECT_EQ(console.err,
              std::string("warning: the trace has the first ") + limit +
                  " events of a rank; 3 later ones were left out, see --trace-limit\n");
  }
}

TEST(Trace, WhatCannotBeWrittenCountsIfNothingElseHasFailed) {
  for (const char *flag : {"--input=x=1x2xf32=1,2", "--run=train"}) {
    Recorder recorder;
    MemoryDisk disk;
    MemoryConsole console;
    disk.failingWrites["t"] = Status(Code::kUnavailable, "no room");
    const char *const arguments[] = {"--trace=t", flag};
    bool fails = std::string_view(flag) == "--run=train";
    EXPECT_EQ(runCommandLine(arguments, {recorder, disk, console, "./p", &recorder}),
              fails ? 1 : 3);
    EXPECT_TRUE(console.err.ends_with("error: UNAVAILABLE: no room\n")) << console.err;
    EXPECT_EQ(console.err.starts_with("error: FAILED_PRECONDITION"), fails) << console.err;
  }
}

TEST(Trace, HasAFileOfItsOwn) {
  for (const char *save : {"--save=./t", "--save=s"}) {
    Recorder recorder;
    MemoryDisk disk;
    MemoryConsole console;
    const char *const arguments[] = {"--trace=t", "--calls=-", save};
    bool same = std::string_view(save) == "--save=./t";
    EXPECT_EQ(runCommandLine(arguments, {recorder, disk, console, "./p", &recorder}), same ? 2 : 0);
    EXPECT_EQ(console.err.starts_with("error: USAGE: 't' is to be written twice"), same);
    EXPECT_EQ(recorder.left, !same); // what it writes then keeps nobody waiting
  }
}

TEST(Trace, IsLeftByCallsAlone) {
  Recorder recorder;
  MemoryDisk disk;
  MemoryConsole console;
  const char *const arguments[] = {"--trace=t", "--signature=none"};
  EXPECT_EQ(runCommandLine(arguments, {recorder, disk, console, "./p", &recorder}), 2);
  EXPECT_TRUE(disk.files.empty());
}

} // namespace
