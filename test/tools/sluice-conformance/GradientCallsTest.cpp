// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Recorded gradient calls become requests, whose text is that of the compiler's flag.
#include "tools/sluice-conformance/gradient_calls.h"

#include "tools/sluice-conformance/fixture.h"

#include "gtest/gtest.h"

using namespace sluice::conformance;
namespace json = llvm::json;

namespace {

#define ONE R"({"dtype":"float32","shape":[],"b64":"AACAPw=="})"

using Names = std::vector<std::string>;

llvm::Expected<GradientCall> read(const std::string &text) {
  json::Value value = llvm::cantFail(json::parse("[" + text + "]"));
  llvm::Expected<std::vector<GradientCall>> calls = readGradientCalls(*value.getAsArray());
  if (!calls)
    return calls.takeError();
  return std::move(calls->front());
}

TEST(GradientRequest, TextsHaveSeedsAndStopsWhereGiven) {
  EXPECT_EQ((GradientRequest{{{"y:0", ""}}, {"x:0"}, {}}.text()), "y:0=x:0");
  GradientRequest full{{{"y:0", "s:0"}, {"z", ""}}, {"x:0", "w"}, {"c:0", "d:1"}};
  EXPECT_EQ(full.text(), "y:0*s:0+z=x:0,w!c:0,d:1");
  EXPECT_EQ(full.tensors(), (Names{"y:0", "s:0", "z", "x:0", "w", "c:0", "d:1"}));
}

TEST(GradientRequest, FetchesAreCountedFromTheSecondOn) {
  EXPECT_EQ(gradientFetch(0, "w"), "gradients/w:0");
  EXPECT_EQ(gradientFetch(0, "scope/w:1"), "gradients/scope/w:1");
  EXPECT_EQ(gradientFetch(2, "w:0"), "gradients_2/w:0");
}

TEST(GradientCalls, NoneAndUnrecordedValuesAreNotCompared) {
  GradientCall call =
      llvm::cantFail(read(R"({"ys":["y:0"],"xs":["a:0","b:0","c:0"],"grads":["g:0",null,"h:0"],
               "values":[)" ONE "," ONE R"(,null]})"));
  EXPECT_EQ(call.request.text(), "y:0=a:0,b:0,c:0");
  EXPECT_TRUE(call.values[0] && !call.values[1] && !call.values[2]);
}

TEST(GradientCalls, SeedsAndStopsAreRead) {
  GradientCall call = llvm::cantFail(
      read(R"({"ys":["y:0","z:0"],"xs":["a:0"],"grads":["g:0"],"grad_ys":[null,"s:0"],
               "stop_gradients":["c:0"],"values":[)" ONE "]}"));
  EXPECT_EQ(call.request.text(), "y:0+z:0*s:0=a:0!c:0");
}

TEST(GradientCalls, AnXIsAskedForOnce) {
  GradientCall call =
      llvm::cantFail(read(R"({"ys":["y:0"],"xs":["a:0","a:0","b:0"],"grads":["g:0","g:0","h:0"],
               "values":[)" ONE "," ONE ",null]}"));
  EXPECT_EQ(call.request.xs, (Names{"a:0", "b:0"}));
  ASSERT_EQ(call.values.size(), 2u);
  EXPECT_TRUE(call.values[0] && !call.values[1]);
}

TEST(GradientCalls, ScopesAreRecordedOrThoseOfTheNames) {
  auto scope = [](const std::string &more) {
    return llvm::cantFail(read(R"({"ys":["y:0"],"xs":["a:0"],"values":[null],)" + more + "}"))
        .scope;
  };
  EXPECT_EQ(scope(R"("grads":["gradients_1/g:0"],"scope":"train/gradients")"), "train/gradients");
  EXPECT_EQ(scope(R"("grads":["gradients_1/x/g:0"])"), "gradients_1");
  EXPECT_EQ(scope(R"("grads":[{"values":"gradients/v:0","indices":"i:0"}])"), "gradients");
  EXPECT_EQ(scope(R"("grads":["while/gradients/g:0"])"), "");
  EXPECT_EQ(scope(R"("grads":[null])"), "");
}

TEST(GradientCalls, ScopesHoldWhatIsBelowThem) {
  EXPECT_TRUE(isInScope("gradients", "gradients"));
  EXPECT_TRUE(isInScope("gradients/a", "gradients"));
  EXPECT_FALSE(isInScope("gradients_1/a", "gradients"));
  EXPECT_FALSE(isInScope("b/gradients/a", "gradients"));
  EXPECT_TRUE(isInGradientScope("gradients_1/a"));
  EXPECT_FALSE(isInGradientScope("while/gradients/a"));
}

TEST(GradientCalls, IncompleteOnesAreRefused) {
  for (const char *text : {R"({"xs":["a:0"],"grads":["g:0"],"values":[null]})",
                           R"({"ys":["y:0"],"xs":[],"grads":[],"values":[]})",
                           R"({"ys":["y:0"],"xs":["a:0"],"grads":["g:0"]})",
                           R"({"ys":["y:0"],"xs":["a:0"],"grads":["g:0"],"values":[null,null]})",
                           R"({"ys":["y:0"],"xs":["a:0"],"grads":["g:0"],"values":[7]})", "7"})
    EXPECT_TRUE(llvm::errorToBool(read(text).takeError())) << text;
}

TEST(GradientCalls, OfTrainingAreThoseOfTheLoss) {
  RecordedTest test;
  json::Value root = llvm::cantFail(json::parse(R"({"graph":"g.pb","loss":"loss:0",
    "gradient_xs":["w:0","b:0"],"gradient_names":["gradients/g:0",null],
    "gradient_values":[)" ONE ",null]}"));
  llvm::cantFail(readTraining(*root.getAsObject(), test));
  ASSERT_EQ(test.runs.size(), 1u);
  std::vector<GradientCall> calls = llvm::cantFail(readGradientCalls(test.runs[0].gradientCalls));
  ASSERT_EQ(calls.size(), 1u);
  EXPECT_EQ(calls[0].request.text(), "loss:0=w:0,b:0");
  EXPECT_EQ(calls[0].scope, "gradients");
}

} // namespace
