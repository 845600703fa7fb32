// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Requests and responses of --calls.
#include "runtime/base/threads.h"
#include "runtime/io/json.h"
#include "runtime/io/safetensors.h"
#include "test/runtime/api/bench.h"
#include "test/runtime/io/safetensors_bytes.h"

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

TEST(Calls, TakePlainNumbers) {
  Bench b;
  b.console.in.text =
      R"({"state":{"counter":1.5},"inputs":{"x":[[1,2],[3,-0.5]]},"want_state":true,"plain":true})"
      "\n"
      R"({"signature":"echo","inputs":{"s:0":"\u00e4","n":[-7,8]},"plain":true})";
  EXPECT_EQ(b.run({"--calls=-"}), 0);
  EXPECT_EQ(b.out, R"({"outputs":[{"dtype":"float32","shape":[2,2],"data":[2.5,3.5,4.5,1]}],)"
                   R"("leftover_tokens":0,)"
                   R"("state":{"counter":{"dtype":"float32","shape":[],"data":[1.5]}}})"
                   "\n"
                   R"({"outputs":[{"dtype":"string","shape":[],"data":["w6Q="]},)"
                   R"({"dtype":"int32","shape":[2],"data":[-7,8]}],"leftover_tokens":0})"
                   "\n");
}

TEST(Calls, BadRequestsGetErrorsAndTheNextIsAnswered) {
  const struct {
    std::string request;
    const char *message; // its beginning
  } rows[] = {
      {"{", "not a JSON text: "},
      {"[]", "expected an object as request"},
      {"17", "expected an object as request"},
      {"\xff\xfe", "not a JSON text: "},
      {R"({"signature":"nothing"})", "the program has no signature 'nothing'"},
      {R"({"signature":1})", "expected a string as 'signature'"},
      {R"({"inputs":[]})", "expected an object as 'inputs'"},
      {R"({"inputs":{}})", "1 feed has no value: 'x:0'"},
      {R"({"inputs":{"z":1}})",
       "signature 'main' has no feed 'z' (did you mean 'x'?); it has 'x:0' f32[?,2]"},
      {R"({"inputs":{"x":1}})", "feed 'x:0': expected f32[?,2] but got f32[]"},
      {R"({"inputs":{"x":null}})", "feed 'x': expected a tensor object"},
      {R"({"inputs":{"x":[[1,2],[3]]}})",
       "feed 'x': expected lists of equal lengths but got one of 2 and one of 1"},
      {R"({"inputs":{"x":[[1,1e40]]}})",
       "feed 'x': expected a value of f32 within its range as element 1 but got \"1e40\""},
      {std::string(R"({"inputs":{"x":)") + kX + R"(,"x:0":)" + kX + "}}",
       "feed 'x:0' is given twice"},
      {std::string(R"({"inputs":{"x":)") + kOne + "}}",
       "feed 'x:0': expected f32[?,2] but got f32[]"},
      {R"({"inputs":{"x":{"dtype":"float64","shape":[0,2],"b64":""}}})",
       "feed 'x:0': expected f32[?,2] but got f64[0,2]"},
      {R"({"signature":"step","outputs":["y"]})",
       "expected the members 'signature', 'inputs', 'state', 'want_state' and 'plain' but got "
       "'outputs'"},
      {R"({"signature":"step","state":[]})", "expected an object as 'state'"},
      {R"({"signature":"step","state":{"counter":{}}})", "variable 'counter': expected"},
      {R"({"signature":"step","state":{"counter":"x"}})",
       "variable 'counter': expected a value of f32"},
      {R"({"signature":"step","state":{"counter":[1]}})",
       "variable 'counter': expected f32[] but got f32[1]"},
      {R"({"signature":"step","state":{"counter":{"dtype":"float64","shape":[0],"b64":""}}})",
       "variable 'counter': expected f32[] but got f64[0]"},
      {R"({"signature":"step","want_state":1})", "expected true or false as 'want_state'"},
      {R"({"signature":"step","plain":"yes"})", "expected true or false as 'plain'"},
      {R"({"signature":"step","signature":"step"})",
       "not a JSON text: member 'signature' occurs twice"},
      {std::string(100'000, '['), "not a JSON text: nested deeper than 64 levels"},
  };
  Bench b;
  b.runner.variable("counter")->value = Tensor::scalar(1.0f);
  for (const auto &row : rows)
    b.console.in.text += row.request + '\n';
  b.console.in.text += R"({"signature":"step"})";
  EXPECT_EQ(b.run({"--calls=-"}), 1);
  std::vector<std::string> lines = linesOf(b.out);
  ASSERT_EQ(lines.size(), std::size(rows) + 1);
  for (size_t i = 0; i < std::size(rows); ++i) {
    Result<Json> response = parseJson(lines[i]);
    ASSERT_TRUE(response.ok()) << lines[i];
    ASSERT_EQ(response->keys, std::vector<std::string>{"error"});
    const Json &error = response->items[0];
    EXPECT_EQ(error.find("code")->string, "INVALID_ARGUMENT");
    EXPECT_TRUE(error.find("message")->string.starts_with(rows[i].message)) << lines[i];
  }
  EXPECT_EQ(lines.back(), R"({"outputs":[],"leftover_tokens":0})");
  // A refused request changes no variable.
  EXPECT_EQ(b.runner.variable("counter")->value.data<float>()[0], 2);
}

TEST(Calls, StateHasWhatIsInitialized) {
  Bench b;
  b.runner.variable("table")->value = *Tensor::allocate(DType::kF32, Shape{0});
  b.runner.variable("label")->value = *Tensor::allocate(DType::kString, Shape{0});
  b.console.in.text = std::string(R"({"inputs":{"x":)") + kX + R"(},"want_state":true})";
  EXPECT_EQ(b.run({"--calls=-"}), 0);
  EXPECT_TRUE(b.out.ends_with(R"("state":{"table":{"dtype":"float32","shape":[0],"b64":""},)"
                              R"("label":{"dtype":"string","shape":[0],"data":[]}}})"
                              "\n"))
      << b.out;
}

TEST(Calls, StateThatCannotBeToldIsLeftOut) {
  Bench b;
  b.runner.variable("counter")->value = Tensor::scalar(1.0f);
  b.runner.variable("label")->value = Tensor::handle(Ref<Object>::adopt(new Generator));
  b.console.in.text = R"({"signature":"step","want_state":true})";
  EXPECT_EQ(b.run({"--calls=-"}), 1);
  Result<Json> response = parseJson(b.out);
  ASSERT_TRUE(response.ok()) << b.out;
  EXPECT_EQ(response->keys, std::vector<std::string>{"error"});
}

TEST(Calls, AreTimed) {
  Bench b;
  b.console.in.text = std::string(R"({"inputs":{"x":)") + kX + "}}";
  uint64_t start = systemClock().now();
  EXPECT_EQ(b.run({"--calls=-", "--stats-json"}), 0);
  double most = static_cast<double>(systemClock().now() - start) / 1e9;
  Result<Json> stats = parseJson(b.err);
  ASSERT_TRUE(stats.ok()) << b.err;
  EXPECT_GT(stats->find("call_seconds")->real, 0);
  EXPECT_LE(stats->find("call_seconds")->real, most);
}

// A rank that waits for a line notices when the cluster ends, and goes on when one comes.
TEST(Calls, WaitForLines) {
  Bench b;
  b.runner.rank = 0;
  b.runner.variable("counter")->value = Tensor::scalar(1.0f);
  b.console.in.text = "{\"signature\":\"step\"}\n";
  b.console.in.looks = 3;
  EXPECT_EQ(b.run({"--calls=-"}), 0) << b.err;
  EXPECT_EQ(b.out, "{\"outputs\":[],\"leftover_tokens\":0}\n");
  EXPECT_EQ(b.runner.attended, 3);
  b.console.in.text += "{\"signature\":\"step\"}\n";
  b.console.in.looks = 100;
  b.runner.endsAt = 10;
  EXPECT_EQ(b.run({"--calls=-"}), 10);
  EXPECT_EQ(b.out, "");
  EXPECT_EQ(b.err, "error: UNAVAILABLE: lost rank 1\n");
  EXPECT_EQ(b.runner.attended, 10);
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
  EXPECT_EQ(b.run({"--calls=-", "--save=no/"}), 3); // before the first call
  EXPECT_EQ(b.out, "");
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
