// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Recorded calls of a model's signatures: how they are read, compiled and judged.
#include "tools/sluice-conformance/plan.h"

#include "test/tools/sluice-conformance/RecordFolder.h"
#include "tools/sluice-conformance/replay.h"

#include "llvm/Support/FileSystem.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/raw_ostream.h"
#include "gtest/gtest.h"

using namespace sluice::conformance;
namespace fs = llvm::sys::fs;
namespace json = llvm::json;

namespace {

#define TENSOR(BYTE) R"({"dtype":"bool","shape":[],"b64":")" BYTE R"("})"
#define FALSE_TENSOR TENSOR("AA==")
#define TRUE_TENSOR TENSOR("AQ==")

// A run of signature `a` with outputs z and b.
std::string run(const std::string &stateAfter) {
  return R"({"signature":"a","inputs":{"x":)" TRUE_TENSOR R"(},"expect":{"z":)" TRUE_TENSOR
         R"(,"b":)" FALSE_TENSOR R"(},"state_after":{)" +
         stateAfter + "}}";
}

// A field of a message that holds few bytes.
std::string field(int number, const std::string &value) {
  return std::string(1, static_cast<char>(number << 3 | 2)) +
         std::string(1, static_cast<char>(value.size())) + value;
}

class ModelFolder : public RecordFolder {
protected:
  void SetUp() override {
    RecordFolder::SetUp();
    fs::create_directory(path("model"));
    // A SavedModel with a node "n" of op "Neg", and a function with one of op "Foo".
    std::string neg = field(1, "n") + field(2, "Neg"), foo = field(1, "m") + field(2, "Foo");
    std::string graph = field(1, neg) + field(2, field(1, field(3, foo)));
    write("model/saved_model.pb", "\x08\x01" + field(2, field(2, graph)));
    settings_.deadline = std::chrono::seconds(5);
  }
  void record(const std::vector<std::string> &runs) const {
    std::string all;
    for (const std::string &one : runs)
      all += (all.empty() ? "" : ",") + one;
    write("runs.json", R"({"model":"model","tags":["serve"],"runs":[)" + all + "]}");
  }
  Outcome replayWith(const std::string &compiler) {
    write("compiler", "#!/bin/sh\n" + compiler);
    fs::setPermissions(path("compiler"), fs::all_all);
    settings_.compiler = path("compiler");
    return replay({"t", std::string(root_), path("runs.json")}, settings_, std::string(root_));
  }
  // A compiler whose program answers with these states.
  Outcome replayAnswers(const std::vector<std::string> &states) {
    std::string body;
    for (const std::string &state : states)
      body += R"(echo '{"outputs":[)" FALSE_TENSOR "," TRUE_TENSOR R"(],"state":{)" + state +
              R"(},"leftover_tokens":0}'
)";
    return replayWith("for o in \"$@\"; do :; done\n"
                      "while [ \"$1\" != -o ]; do echo \"$1\" >> " +
                      path("flags") + "; shift; done\ncat > $2 <<'END'\n#!/bin/sh\n" + body +
                      "END\nchmod +x $2\n");
  }

  Settings settings_;
};

TEST_F(ModelFolder, OutputsAreSortedAndVariablesAreNodes) {
  record({run(R"("v:0":)" TRUE_TENSOR), run("")});
  RecordedTest test = llvm::cantFail(loadTest({"t", std::string(root_), path("runs.json")}));
  EXPECT_TRUE(test.isModel);
  EXPECT_EQ(test.tags, (std::vector<std::string>{"serve"}));
  EXPECT_EQ(test.runs[0].fetches, (std::vector<std::string>{"b", "z"}));
  EXPECT_TRUE(test.runs[0].stateAfter->get("v"));
  EXPECT_FALSE(test.runs[0].keepsState);
  EXPECT_FALSE(test.runs[1].stateAfter);
  EXPECT_TRUE(test.runs[1].keepsState);
  Plan plan = planCalls(test, Sharing::kOneProgram);
  ASSERT_EQ(plan.programs.size(), 1u);
  ASSERT_EQ(plan.programs[0].signatures.size(), 1u);
  EXPECT_EQ(plan.programs[0].signatures[0].name, "a");
  json::Value request = callJson(plan, test, plan.calls[0], nullptr);
  EXPECT_EQ(request.getAsObject()->getString("signature"), "a");
  EXPECT_FALSE(request.getAsObject()->get("state"));
}

TEST_F(ModelFolder, GoodProgramsPass) {
  record({run(R"("v:0":)" TRUE_TENSOR), run("")});
  Outcome outcome = replayAnswers({R"("v":)" TRUE_TENSOR, R"("v":)" TRUE_TENSOR});
  EXPECT_EQ(outcome.reason, "");
  EXPECT_EQ(outcome.verdict, Verdict::kPassed);
  auto flags = llvm::MemoryBuffer::getFile(path("flags"));
  EXPECT_EQ((*flags)->getBuffer(), path("model") + "\n--tag\nserve\n--signature\na\n");
}

TEST_F(ModelFolder, VariablesAreCompared) {
  record({run(R"("v:0":)" TRUE_TENSOR)});
  EXPECT_EQ(replayAnswers({R"("v":)" FALSE_TENSOR}).verdict, Verdict::kFailed);
  record({run(""), run("")});
  Outcome outcome = replayAnswers({R"("v":)" TRUE_TENSOR, R"("v":)" FALSE_TENSOR});
  EXPECT_EQ(outcome.reason, "run 2: expected variables as they were before but some have changed");
}

TEST_F(ModelFolder, OpsOfFunctionsMayBeUnsupported) {
  record({run("")});
  Outcome outcome = replayWith("echo 'error: op Foo is not supported' >&2; exit 4");
  EXPECT_EQ(outcome.verdict, Verdict::kSkipped);
  EXPECT_EQ(outcome.reason, "Foo");
  EXPECT_EQ(replayWith("echo 'error: op Neg is not supported' >&2; exit 4").verdict,
            Verdict::kFailed);
  EXPECT_EQ(replayWith("echo 'error: op Bar is not supported' >&2; exit 4").verdict,
            Verdict::kFailed);
}

TEST_F(ModelFolder, DamagedRecords) {
  for (const char *text : {R"({"model":"model"})", R"({"model":"model","runs":[1]})",
                           R"({"model":"model","runs":[{"inputs":{}}]})",
                           R"({"model":"model","runs":[{"signature":"a"}]})"}) {
    write("runs.json", text);
    EXPECT_EQ(replayWith("exit 1").verdict, Verdict::kFailed) << text;
  }
  record({run("")});
  fs::remove(path("model/saved_model.pb"));
  EXPECT_EQ(replayWith("exit 1").verdict, Verdict::kFailed);
}

} // namespace
