// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Requests and responses of --calls.
#include "runtime/io/json.h"
#include "runtime/io/safetensors.h"
#include "test/runtime/api/bench.h"

#include <gtest/gtest.h>

using namespace sluice::rt;

namespace {

constexpr const char *kX = R"({"dtype":"float32","shape":[1,2],"b64":"AACAPwAAAEA="})"; // 1, 2
constexpr const char *kOne = R"({"dtype":"float32","shape":[],"b64":"AACAPw=="})";

std::vector<std::string> linesOf(const std::string &text) {
  std::vector<std::string> lines;
  for (size_t at = 0; at < text.size();) {
    size_t end = text.find('\n', at);
    lines.push_back(text.substr(at, end - at));
    at = end + 1;
  }
  return lines;
}

TEST(Calls, StateLivesOnBetweenCalls) {
  Bench b;
  b.console.in.text = std::string(R"({"signature":"step","inputs":{},"state":{"counter":)") + kOne +
                      "}}\n\n" + R"({"inputs":{"x":)" + kX + R"(},"want_state":true})";
  EXPECT_EQ(b.run({"--calls", "-"}), 0) << b.err;
  std::vector<std::string> lines = linesOf(b.out);
  ASSERT_EQ(lines.size(), 2u);
  EXPECT_EQ(lines[0], R"({"outputs":[],"leftover_tokens":0})");
  EXPECT_EQ(lines[1], R"({"outputs":[{"dtype":"float32","shape":[1,2],"b64":"AABAQAAAgEA="}],)"
                      R"("leftover_tokens":0,"state":{"counter":)"
                      R"({"dtype":"float32","shape":[],"b64":"AAAAQA=="}}})");
}

TEST(Calls, StateReplacesAllVariables) {
  Bench b;
  b.runner.variable("table")->value = *Tensor::allocate(DType::kF32, Shape{2});
  b.disk.files["calls"] = R"({"signature":"step","state":{},"want_state":true})";
  EXPECT_EQ(b.run({"--calls=calls"}), 1);
  EXPECT_EQ(b.out, R"({"error":{"code":"FAILED_PRECONDITION","node":"train","message":)"
                   R"("Attempting to use uninitialized value counter"},"state":{}})"
                   "\n");
  EXPECT_EQ(b.err, "error: ABORTED: 1 of 1 calls failed\n");
}

TEST(Calls, UnknownVariablesAreNamed) {
  Bench b;
  b.console.in.text = std::string(R"({"signature":"step","state":{"counter":)") + kOne +
                      R"(,"slot":)" + kOne + "}}\n";
  EXPECT_EQ(b.run({"--calls=-"}), 0);
  EXPECT_EQ(b.out, R"({"outputs":[],"leftover_tokens":0,"ignored_state":["slot"]})"
                   "\n");
}

TEST(Calls, StringsTravelAsBase64) {
  Bench b;
  b.console.in.text =
      R"({"signature":"echo","inputs":{"s:0":{"dtype":"string","shape":[],"data":["/w=="]},)"
      R"("n":{"dtype":"int32","shape":[2],"b64":"AQAAAAIAAAA="}}})";
  EXPECT_EQ(b.run({"--calls=-"}), 0);
  EXPECT_EQ(b.out, R"({"outputs":[{"dtype":"string","shape":[],"data":["/w=="]},)"
                   R"({"dtype":"int32","shape":[2],"b64":"AQAAAAIAAAA="}],"leftover_tokens":0})"
                   "\n");
}

TEST(Calls, BadRequestsGetErrorsAndTheNextIsAnswered) {
  const std::string requests[] = {
      "{",
      "[]",
      "17",
      "\xff\xfe",
      R"({"signature":"nothing"})",
      R"({"signature":1})",
      R"({"inputs":[]})",
      R"({"inputs":{}})",
      R"({"inputs":{"z":1}})",
      R"({"inputs":{"x":1}})",
      std::string(R"({"inputs":{"x":)") + kX + R"(,"x:0":)" + kX + "}}",
      std::string(R"({"inputs":{"x":)") + kOne + "}}",
      R"({"inputs":{"x":{"dtype":"float64","shape":[0,2],"b64":""}}})",
      R"({"outputs":["y"]})",
      R"({"signature":"step","state":[]})",
      R"({"signature":"step","state":{"counter":1}})",
      R"({"signature":"step","state":{"counter":{"dtype":"float64","shape":[0],"b64":""}}})",
      R"({"signature":"step","want_state":1})",
      R"({"signature":"step","signature":"step"})",
      std::string(100'000, '['),
  };
  Bench b;
  b.runner.variable("counter")->value = Tensor::scalar(1.0f);
  for (const std::string &request : requests)
    b.console.in.text += request + '\n';
  b.console.in.text += R"({"signature":"step"})";
  EXPECT_EQ(b.run({"--calls=-"}), 1);
  std::vector<std::string> lines = linesOf(b.out);
  ASSERT_EQ(lines.size(), std::size(requests) + 1);
  for (size_t i = 0; i < std::size(requests); ++i) {
    EXPECT_TRUE(lines[i].starts_with(R"({"error":{"code":"INVALID_ARGUMENT")"))
        << requests[i].substr(0, 100) << lines[i];
    EXPECT_TRUE(parseJson(lines[i]).ok()) << lines[i];
  }
  EXPECT_EQ(lines.back(), R"({"outputs":[],"leftover_tokens":0})");
  // A refused request changes no variable.
  EXPECT_EQ(b.runner.variable("counter")->value.data<float>()[0], 2);
}

TEST(Calls, LoadAndSave) {
  Bench b;
  b.disk.files["in"] = *encodeSafetensors({{"counter", Tensor::scalar(1.0f)}});
  b.console.in.text = "{\"signature\":\"step\"}\n{\"signature\":\"step\"}\n";
  EXPECT_EQ(b.run({"--calls=-", "--load=in", "--save=out", "--stats"}), 0) << b.err;
  Result<std::vector<NamedTensor>> saved = decodeSafetensors(b.disk.files["out"]);
  ASSERT_TRUE(saved.ok());
  EXPECT_EQ((*saved)[0].second.data<float>()[0], 3);
  EXPECT_NE(b.err.find("calls:                          2\n"), std::string::npos) << b.err;
  b.disk.files.erase("out");
  b.console.in.text += "{\n";
  EXPECT_EQ(b.run({"--calls=-", "--save=out"}), 1);
  EXPECT_EQ(b.disk.files.count("out"), 0u);
  EXPECT_EQ(b.err, "error: ABORTED: 1 of 1 calls failed; variables were not saved\n");
}

TEST(Calls, InputAndOutputFailures) {
  Bench b;
  EXPECT_EQ(b.run({"--calls=missing"}), 3);
  b.console.in.text = "{\"signature\":\"step\"}\n";
  b.console.writeFailure = Status(Code::kUnavailable, "cannot write 'standard output'");
  EXPECT_EQ(b.run({"--calls=-"}), 3);
  b.console.in.failure = Status(Code::kUnavailable, "cannot read 'standard input'");
  EXPECT_EQ(b.run({"--calls=-"}), 3);
}

TEST(Calls, NoRequestsAreNoError) {
  Bench b;
  EXPECT_EQ(b.run({"--calls=-"}), 0);
  EXPECT_EQ(b.out, "");
}

} // namespace
