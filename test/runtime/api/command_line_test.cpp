// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The flags of the command line, one by one, on a small program.
#include "runtime/base/threads.h"
#include "runtime/io/json.h"
#include "runtime/io/npy.h"
#include "runtime/io/npz.h"
#include "test/runtime/api/bench.h"
#include "test/runtime/io/safetensors_bytes.h"

#include <gtest/gtest.h>

using namespace sluice::rt;

namespace {

constexpr const char *kX = "x=1x2xf32=1,2";

bool has(const std::string &text, std::string_view part) { return text.find(part) != text.npos; }

TEST(CommandLine, PrintsAllFetches) {
  Bench b;
  EXPECT_EQ(b.run({"--input", "x=2x2xf32=1,2,3,4.5"}), 0) << b.err;
  EXPECT_EQ(b.out, "y:0 f32[2,2] =\n[[1, 2],\n [3, 4.5]]\n");
  EXPECT_EQ(b.err, "");
}

TEST(CommandLine, NamesWithAndWithoutOutputIndexAreTheSame) {
  Bench b;
  EXPECT_EQ(b.run({"--input=x:0=1x2xf32=1,2", "--output=y=-"}), 0) << b.err;
  EXPECT_EQ(b.out, "y:0 f32[1,2] =\n[[1, 2]]\n");
}

TEST(CommandLine, HelpListsSignaturesAndFlags) {
  Bench b;
  EXPECT_EQ(b.run({"--help"}), 0);
  for (const char *part : {"usage: ./fake", "feed   x:0 f32[?,2]", "fetch  y:0 f32[?,2]",
                           "target train", "--schedule-seed", "exit codes:\n   0  success\n",
                           "  12  a call took longer", "--input x=@input.npy"})
    EXPECT_TRUE(has(b.out, part)) << part << " in " << b.out;
  std::string text = b.out;
  // A program that runs alone loses no peers.
  EXPECT_FALSE(has(text, "  10  ")) << text;
  EXPECT_EQ(b.run({"-h"}), 0);
  EXPECT_EQ(b.out, text);
}

TEST(CommandLine, VersionAndDescribe) {
  Bench b;
  EXPECT_EQ(b.run({"--version"}), 0);
  EXPECT_EQ(b.out, "fake 0.1 (graph 1234, x86-64)\n");
  EXPECT_EQ(b.run({"--describe"}), 0);
  Result<Json> json = parseJson(b.out);
  ASSERT_TRUE(json.ok()) << b.out;
  const Json *signatures = json->find("signatures");
  ASSERT_EQ(signatures->items.size(), 4u);
  const Json &feed = signatures->items[0].find("feeds")->items[0];
  EXPECT_EQ(feed.find("name")->string, "x:0");
  EXPECT_EQ(feed.find("dtype")->string, "float32");
  EXPECT_TRUE(feed.find("shape")->items[0].is(Json::Kind::kNull));
  EXPECT_EQ(feed.find("shape")->items[1].integer, 2);
  EXPECT_EQ(signatures->items[1].find("targets")->items[0].string, "train");
  EXPECT_EQ(json->find("variables")->items[2].find("dtype")->string, "string");
}

TEST(CommandLine, ProgramWithoutSignatures) {
  Bench b;
  b.runner.signatures_.clear();
  EXPECT_EQ(b.run({"--help"}), 0);
  EXPECT_EQ(b.run({"--describe"}), 0);
  EXPECT_EQ(b.run(std::vector<const char *>()), 2);
  EXPECT_EQ(b.err, "error: USAGE: the program has no signature to call\n");
}

TEST(CommandLine, SelectsTheSignatureByTarget) {
  Bench b;
  b.runner.variable("counter")->value = Tensor::scalar(1.0f);
  EXPECT_EQ(b.run({"--run", "train", "--steps", "3"}), 0) << b.err;
  EXPECT_EQ(b.runner.variable("counter")->value.data<float>()[0], 4);
  EXPECT_EQ(b.err, "trained\ntrained\ntrained\n");
  EXPECT_EQ(b.out, "");
}

TEST(CommandLine, SelectsTheSignatureByOutputs) {
  Bench b;
  b.runner.variable("counter")->value = Tensor::scalar(1.0f);
  EXPECT_EQ(b.run({"--input", kX, "--output", "loss=-"}), 0) << b.err;
  EXPECT_EQ(b.out, "loss:0 f32[] = 0.5\n");
  // Both `main` and `both` have y; only `main` has nothing else.
  EXPECT_EQ(b.run({"--input", kX, "--output", "y=-"}), 0) << b.err;
  EXPECT_EQ(b.runner.variable("counter")->value.data<float>()[0], 2);
  EXPECT_EQ(b.run({"--signature", "both", "--input", kX, "--output", "y=-"}), 0) << b.err;
  EXPECT_EQ(b.runner.variable("counter")->value.data<float>()[0], 3);
}

TEST(CommandLine, SignatureErrors) {
  Bench b;
  EXPECT_EQ(b.run({"--signature", "mian"}), 2);
  EXPECT_TRUE(has(b.err, "no signature 'mian' (did you mean 'main'?); it has 'main', 'step'"))
      << b.err;
  EXPECT_EQ(b.run({"--output", "nothing=-", "--input", kX}), 2);
  EXPECT_TRUE(has(b.err, "--output: no signature has the fetch 'nothing'")) << b.err;
  EXPECT_EQ(b.run({"--output", "s=-", "--run", "train"}), 2);
  EXPECT_TRUE(has(b.err, "no signature has all the given")) << b.err;
  b.runner.signatures_[0].name = "other";
  EXPECT_EQ(b.run(std::vector<const char *>()), 2);
  EXPECT_TRUE(has(b.err, "'other', 'step', 'echo', 'both'; choose with --signature NAME"));
}

TEST(CommandLine, TargetsAndFetchesAreToldApart) {
  Bench b;
  EXPECT_EQ(b.run({"--signature=both", "--input", kX, "--output", "train=-"}), 2);
  EXPECT_TRUE(has(b.err, "'train' is a target, which has no output: use --run train")) << b.err;
  EXPECT_EQ(b.run({"--signature=both", "--input", kX, "--run", "y"}), 2);
  EXPECT_TRUE(has(b.err, "'y' has an output: use --output y=-")) << b.err;
  EXPECT_EQ(b.run({"--signature=both", "--input", kX, "--run", "trian"}), 2);
  EXPECT_TRUE(has(b.err, "no target 'trian' (did you mean 'train'?)")) << b.err;
  EXPECT_EQ(b.run({"--signature=main", "--input", kX, "--output", "y:1=-"}), 2);
  EXPECT_TRUE(has(b.err, "no fetch 'y:1'")) << b.err;
}

TEST(CommandLine, WritesArraysOfOneArchive) {
  Bench b;
  b.runner.variable("counter")->value = Tensor::scalar(1.0f);
  EXPECT_EQ(b.run({"--input", kX, "--output", "y=@o.npz[y]", "--output=loss=@o.npz[a/loss]"}), 0)
      << b.err;
  for (const char *key : {"y", "a/loss"}) {
    Result<NpzArray> array = NpzArray::open(b.disk.files["o.npz"], key);
    ASSERT_TRUE(array.ok()) << array.status().toString();
    EXPECT_TRUE(array->read().ok());
  }
  EXPECT_EQ(b.run({"--input=x=@o.npz[y]", "--output=y=@y.npy"}), 0) << b.err;
  b.disk.files.clear();
  EXPECT_EQ(b.run({"--input", kX, "--output", "y=@o.npz[y]", "--output=loss=@o.npz[y]"}), 2);
  EXPECT_TRUE(has(b.err, "'o.npz' is to be written twice")) << b.err;
  for (const char *bad : {"y=@o.npz[]", "y=o.npz[y]", "y=@o.npz", "y=", "y=@", "y=]"})
    EXPECT_EQ(b.run({"--input", kX, "--output", bad}), 2) << bad;
  EXPECT_TRUE(b.disk.files.empty());
}

TEST(CommandLine, WritesFiles) {
  Bench b;
  EXPECT_EQ(b.run({"--input", kX, "--output", "y=@y.npy", "--output=loss=@l.json",
                   "--signature=both", "--load=s"}),
            3);
  b.runner.variable("counter")->value = Tensor::scalar(1.0f);
  EXPECT_EQ(b.run({"--input", kX, "--output", "y=@y.npy", "--output=loss=@l.json"}), 0) << b.err;
  EXPECT_EQ(b.out, "");
  Result<Tensor> y = decodeNpy(b.disk.files["y.npy"]);
  ASSERT_TRUE(y.ok());
  EXPECT_EQ(y->data<float>()[1], 4);
  EXPECT_EQ(b.disk.files["l.json"], "{\"dtype\":\"float32\",\"shape\":[],\"b64\":\"AAAAPw==\"}\n");
  // What was written can be fed again, from the same file that is replaced.
  EXPECT_EQ(b.run({"--input=x=@y.npy", "--output=y=@y.npy"}), 0) << b.err;
  EXPECT_EQ(decodeNpy(b.disk.files["y.npy"])->data<float>()[1], 6);
}

TEST(CommandLine, WritesNothingWhenACallFails) {
  Bench b;
  EXPECT_EQ(b.run({"--signature=both", "--input", kX, "--output", "y=@y.npy", "--save=s"}), 1);
  EXPECT_EQ(b.err, "error: FAILED_PRECONDITION: node 'train': Attempting to use uninitialized "
                   "value counter\n");
  EXPECT_TRUE(b.disk.files.empty());
}

TEST(CommandLine, OutputErrors) {
  Bench b;
  EXPECT_EQ(b.run({"--input", kX, "--output", "y=file.npy"}), 2);
  EXPECT_TRUE(has(b.err, "expected @FILE.npy, @FILE.npz[KEY], @FILE.json or - but got 'file.npy'"))
      << b.err;
  EXPECT_EQ(b.run({"--input", kX, "--output", "y=@file.txt"}), 2);
  EXPECT_EQ(b.run({"--input", kX, "--output", "y=@a.npy", "--save", "a.npy"}), 2);
  EXPECT_TRUE(has(b.err, "'a.npy' is to be written twice")) << b.err;
  EXPECT_EQ(b.run({"--input=s=string=a", "--input=n=zeros", "--output=s=@s.npy"}), 2);
  EXPECT_TRUE(has(b.err, "npy files cannot hold string tensors: use a .json file")) << b.err;
  EXPECT_EQ(b.runner.calls, 0u);
  b.disk.failingWrites["full.npy"] = Status(Code::kUnavailable, "cannot write 'full.npy'");
  EXPECT_EQ(b.run({"--input", kX, "--output", "y=@full.npy"}), 3);
  EXPECT_EQ(b.err, "error: UNAVAILABLE: cannot write 'full.npy'\n");
  b.console.writeFailure = Status(Code::kUnavailable, "cannot write 'standard output'");
  EXPECT_EQ(b.run({"--input", kX}), 3);
  EXPECT_EQ(b.run({"--help"}), 3);
}

TEST(CommandLine, InputErrors) {
  Bench b;
  EXPECT_EQ(b.run(std::vector<const char *>()), 2);
  EXPECT_EQ(b.err, "error: USAGE: 1 feed has no value: 'x:0' f32[?,2]; give --input NAME=VALUE\n");
  EXPECT_EQ(b.run({"--signature", "echo"}), 2);
  EXPECT_TRUE(has(b.err, "2 feeds have no value: 's:0' string[], 'n:0' i32[2]")) << b.err;
  EXPECT_EQ(b.run({"--signature=main", "--input", "z=zeros"}), 2);
  EXPECT_TRUE(has(b.err, "no feed 'z' (did you mean 'x'?); it has 'x:0' f32[?,2]")) << b.err;
  EXPECT_EQ(b.run({"--input", kX, "--input", "x:0=zeros"}), 2);
  EXPECT_TRUE(has(b.err, "--input is given twice for 'x:0'")) << b.err;
  EXPECT_EQ(b.run({"--input", "x=zeros"}), 2);
  EXPECT_TRUE(has(b.err, "shape [?,2] is not complete")) << b.err;
  EXPECT_EQ(b.run({"--input", "x=1x3xf32=1,2,3"}), 1);
  EXPECT_EQ(b.err, "error: INVALID_ARGUMENT: --input 'x:0': expected f32[?,2] but got f32[1,3]\n");
  EXPECT_EQ(b.run({"--input", "x=1x2xf64=1,2"}), 1);
  EXPECT_TRUE(has(b.err, "expected f32[?,2] but got f64[1,2]")) << b.err;
  EXPECT_EQ(b.run({"--input", "x=2xf32=1,2"}), 1);
  EXPECT_EQ(b.run({"--input", "x=1x2xf32=1"}), 0) << b.err; // one value fills
  EXPECT_EQ(b.run({"--input", "x=1x2xf32=1,2,3"}), 2);
  EXPECT_TRUE(has(b.err, "--input 'x': expected 2 values or one for all but got 3")) << b.err;
  EXPECT_EQ(b.run({"--input", "x=1x2xf32=1,two"}), 2);
  EXPECT_EQ(b.run({"--input", "x=@missing.npy"}), 3);
  EXPECT_EQ(b.err, "error: NOT_FOUND: cannot read 'missing.npy': No such file or directory\n");
  EXPECT_EQ(b.run({"--input", "x=@x.txt"}), 2);
  b.disk.files["bad.npy"] = "not numpy";
  EXPECT_EQ(b.run({"--input", "x=@bad.npy"}), 1);
  EXPECT_TRUE(has(b.err, "'bad.npy': expected an npy file")) << b.err;
  b.disk.files["bad.json"] = "{";
  EXPECT_EQ(b.run({"--input", "x=@bad.json"}), 1);
  EXPECT_TRUE(has(b.err, "'bad.json': not a JSON text")) << b.err;
}

TEST(CommandLine, AcceptsNanAndInfinityAndFlushesDenormals) {
  Bench b;
  EXPECT_EQ(b.run({"--input", "x=2x2xf32=nan,inf,-inf,1e-45"}), 0) << b.err;
  EXPECT_EQ(b.out, "y:0 f32[2,2] =\n[[nan, inf],\n [-inf, 0]]\n");
}

TEST(CommandLine, RandomInputsDependOnTheSeed) {
  Bench b;
  EXPECT_EQ(b.run({"--input", "x=4x2xf32=rand"}), 0) << b.err;
  std::string first = b.out;
  EXPECT_EQ(b.run({"--input", "x=4x2xf32=rand"}), 0);
  EXPECT_EQ(b.out, first);
  EXPECT_EQ(b.run({"--input", "x=4x2xf32=rand", "--random-seed=1"}), 0);
  EXPECT_NE(b.out, first);
}

TEST(CommandLine, ExpectedValues) {
  Bench b;
  EXPECT_EQ(b.run({"--input", kX, "--expected", "y=1x2xf32=1.000001,2"}), 0) << b.err;
  EXPECT_EQ(b.out, "");
  EXPECT_EQ(b.run({"--input", kX, "--expected", "y=1x2xf32=1,2.5"}), 5);
  EXPECT_EQ(b.err, "error: MISMATCH: output 'y:0' at [0,1]: expected 2.5 but got 2; 1 of 2 "
                   "elements differ (rtol 1e-05, atol 1e-06)\n");
  EXPECT_EQ(b.run({"--input", kX, "--expected=y=1x2xf32=1,2.5", "--atol=0.5", "--rtol=0"}), 0);
  EXPECT_EQ(b.run({"--input", kX, "--expected=y=2x2xf32=1,2,3,4"}), 5);
  EXPECT_TRUE(has(b.err, "expected f32[2,2] but got f32[1,2]")) << b.err;
  EXPECT_EQ(b.run({"--input", kX, "--expected=y=1x2xf64=1,2"}), 1);
  // The outputs are still written, to be looked at.
  EXPECT_EQ(b.run({"--input", kX, "--expected=y=1x2xf32=0,0", "--output=y=@y.npy"}), 5);
  EXPECT_EQ(b.disk.files.count("y.npy"), 1u);
}

TEST(CommandLine, LoadsAndSavesVariables) {
  Bench b;
  b.runner.variable("counter")->value = Tensor::scalar(4.0f);
  EXPECT_EQ(b.run({"--run=train", "--save=state"}), 0) << b.err;
  Bench other;
  other.disk.files = b.disk.files;
  EXPECT_EQ(other.run({"--load=state", "--input", kX}), 0) << other.err;
  EXPECT_EQ(other.out, "y:0 f32[1,2] =\n[[6, 7]]\n");
  EXPECT_FALSE(other.runner.variable("table")->initialized());
}

std::string stateOf(std::vector<NamedTensor> tensors) {
  Result<std::string> bytes = encodeSafetensors(std::move(tensors));
  return bytes.ok() ? *bytes : "";
}

TEST(CommandLine, LoadErrors) {
  Bench b;
  EXPECT_EQ(b.run({"--load=missing", "--input", kX}), 3);
  b.disk.files["bad"] = "12345678901234";
  EXPECT_EQ(b.run({"--load=bad", "--input", kX}), 1);
  b.disk.files["wrong"] = stateOf({{"counter", Tensor::scalar(1.0)}});
  EXPECT_EQ(b.run({"--load=wrong", "--input", kX}), 1);
  EXPECT_TRUE(has(b.err, "'wrong': variable 'counter': expected f32[] but got f64[]")) << b.err;
  b.disk.files["other"] = stateOf({{"weights", Tensor::scalar(1.0f)}});
  EXPECT_EQ(b.run({"--load=other", "--input", kX}), 1);
  EXPECT_TRUE(has(b.err, "the program has none of the variables 'weights'")) << b.err;
  b.disk.files["more"] =
      stateOf({{"weights", Tensor::scalar(1.0f)}, {"counter", Tensor::scalar(1.0f)}});
  EXPECT_EQ(b.run({"--load=more", "--input", kX}), 0);
  EXPECT_EQ(b.err, "warning: 'more': the program has no variables 'weights': their values are "
                   "ignored\n");
  b.runner.variable("label")->value = Tensor::string("text");
  EXPECT_EQ(b.run({"--save=s", "--input", kX}), 1);
  EXPECT_TRUE(has(b.err, "tensor 'label': safetensors files cannot hold string tensors")) << b.err;
}

TEST(CommandLine, PassesOptionsOn) {
  Bench b;
  EXPECT_EQ(b.run({"--input", kX, "--parallel-iterations=3", "--schedule-seed=18446744073709551615",
                   "--workers", "2"}),
            0)
      << b.err;
  EXPECT_EQ(b.runner.options_.parallelIterations, 3);
  EXPECT_EQ(b.runner.options_.scheduleSeed, UINT64_MAX);
  EXPECT_EQ(b.runner.options_.workers, 2);
}

TEST(CommandLine, Stats) {
  Bench b;
  EXPECT_EQ(b.run({"--input", kX, "--stats", "--steps=5"}), 0);
  EXPECT_TRUE(has(b.err, "firings:                        12\n")) << b.err;
  EXPECT_TRUE(has(b.err, "calls:                          5\n")) << b.err;
  EXPECT_FALSE(has(b.err, "{")) << b.err;
  uint64_t start = systemClock().now();
  EXPECT_EQ(b.run({"--input", kX, "--stats-json"}), 0);
  Result<Json> json = parseJson(b.err);
  ASSERT_TRUE(json.ok()) << b.err;
  EXPECT_LE(json->find("call_seconds")->real,
            static_cast<double>(systemClock().now() - start) / 1e9);
  EXPECT_EQ(json->find("seconds")->real, 0.25);
  EXPECT_EQ(json->find("firings")->integer, 12);
  EXPECT_EQ(json->find("calls")->integer, 1);
  for (const char *name : {"call_seconds", "buffer_allocations", "system_allocations", "live_bytes",
                           "peak_bytes", "held_bytes", "peak_held_bytes", "memory_limit_bytes",
                           "packed_matrices", "packed_matrices_reused", "packed_bytes"})
    EXPECT_TRUE(json->find(name)) << name;
  EXPECT_EQ(b.err.find(' '), b.err.npos) << b.err;
}

TEST(CommandLine, StatsOfARankThatServes) {
  Bench b;
  b.runner.rank = 1;
  EXPECT_EQ(b.run({"--stats-json"}), 0);
  Result<Json> json = parseJson(b.err);
  ASSERT_TRUE(json.ok()) << b.err;
  EXPECT_EQ(json->find("calls")->integer, 7);
  EXPECT_EQ(json->find("call_seconds")->real, 1.5);
}

TEST(CommandLine, OtherRanksRefuseFlagsOfRank0) {
  Bench b;
  std::vector<const char *> ofRank0 = {"--signature=s", "--input=x=1",    "--output=y=-",
                                       "--run=t",       "--expected=y=1", "--rtol=1",
                                       "--atol=1",      "--steps=3",      "--load=f",
                                       "--save=f",      "--calls=-",      "--random-seed=1"};
  b.runner.rank = 1;
  EXPECT_EQ(b.run({"--help"}), 0);
  std::string help = b.out;
  EXPECT_TRUE(has(help, "--peers"));
  EXPECT_FALSE(has(help, "example:"));
  for (const char *flag : ofRank0) {
    std::string name(flag, std::strcspn(flag, "="));
    EXPECT_EQ(b.run({flag, "--workers=1"}), 2) << flag;
    EXPECT_EQ(b.err, "error: USAGE: " + name + " is a flag of rank 0\n");
    EXPECT_FALSE(has(help, "  " + name + ' ')) << name;
  }
  for (const char *flag : {"--workers=1", "--timeout=9", "--limit=request-bytes=9",
                           "--parallel-iterations=3", "--schedule-seed=1", "--peer-timeout=3",
                           "--diagnostics-format=text", "--insecure", "--run-id=a"})
    EXPECT_EQ(b.run({flag}), 0) << b.err;
  b.runner.rank = 0;
  EXPECT_EQ(b.run({"--input", kX, "--steps=2", "--peer-timeout=3"}), 0) << b.err;
}

TEST(CommandLine, LeftoverTokensAreReported) {
  Bench b;
  b.runner.leftover = b.runner.leftoverLater = 2;
  EXPECT_EQ(b.run({"--input", kX, "--steps=3"}), 0);
  EXPECT_EQ(b.err, "warning: 2 tokens were left unconsumed by a call\n");
}

TEST(CommandLine, LeftoverTokensOfAnyCallAreReported) {
  Bench b;
  b.runner.leftover = 3;
  b.runner.leftoverLater = 0;
  EXPECT_EQ(b.run({"--input", kX, "--steps=3"}), 0);
  EXPECT_EQ(b.err, "warning: 3 tokens were left unconsumed by a call\n");
}

TEST(CommandLine, MemoryLimit) {
  Bench b;
  EXPECT_EQ(b.run({"--input=x=1000000x2xf32=zeros", "--memory-limit=1M"}), 14);
  EXPECT_TRUE(has(b.err, "error: RESOURCE_EXHAUSTED: --input 'x': cannot allocate 8000000 bytes"))
      << b.err;
  EXPECT_EQ(b.run({"--input=x=1000000000000x2xf32=zeros"}), 14);
  setMemoryLimit(0);
}

TEST(CommandLine, JsonDiagnostics) {
  Bench b;
  EXPECT_EQ(b.run({"--diagnostics-format=json", "--run=train"}), 1);
  EXPECT_EQ(b.err,
            "{\"severity\":\"error\",\"exit_code\":1,\"code\":\"FAILED_PRECONDITION\",\"node\":"
            "\"train\",\"message\":\"Attempting to use uninitialized value counter\"}\n");
  // Also where the fault lies in an earlier flag.
  EXPECT_EQ(b.run({"--\xff\n", "--diagnostics-format", "json"}), 2);
  ASSERT_TRUE(parseJson(b.err).ok()) << b.err;
  EXPECT_EQ(parseJson(b.err)->find("code")->string, "USAGE");
  EXPECT_EQ(b.run({"--diagnostics-format=text", "--run=train"}), 1);
  EXPECT_TRUE(b.err.starts_with("error: FAILED_PRECONDITION")) << b.err;
}

} // namespace
