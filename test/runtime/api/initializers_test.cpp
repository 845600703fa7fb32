// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What a program does by itself before the first call.
#include "test/runtime/api/bench.h"
#include "test/runtime/io/safetensors_bytes.h"

#include <gtest/gtest.h>

using namespace sluice::rt;

namespace {

bool has(const std::string &text, std::string_view part) { return text.find(part) != text.npos; }

struct InitializedBench : Bench {
  InitializedBench() {
    runner.signatures_.push_back({"init", {}, {}, {"init"}, /*initializes=*/true});
  }
};

TEST(Initializers, RunOnceBeforeTheFirstCall) {
  InitializedBench b;
  EXPECT_EQ(b.run({"--signature=main", "--input=x=1x2xf32=1,2"}), 0) << b.err;
  EXPECT_EQ(b.out, "y:0 f32[1,2] =\n[[11, 12]]\n");
  EXPECT_EQ(b.run({"--run=train", "--steps=3"}), 0) << b.err;
  EXPECT_EQ(b.runner.variable("counter")->value.data<float>()[0], 13);
}

TEST(Initializers, RunBeforeRequests) {
  InitializedBench b;
  b.console.in.text = R"({"signature":"step"})"
                      "\n"
                      R"({"signature":"step"})"
                      "\n";
  EXPECT_EQ(b.run({"--calls=-"}), 0) << b.err;
  EXPECT_EQ(b.runner.variable("counter")->value.data<float>()[0], 12);
}

TEST(Initializers, LoadedValuesHaveTheLastWord) {
  InitializedBench b;
  auto file = encodeSafetensors({{"counter", Tensor::scalar(100.0f)}});
  ASSERT_TRUE(file.ok() && b.disk.write("w", *file).ok());
  EXPECT_EQ(b.run({"--signature=main", "--input=x=1x2xf32=1,2", "--load=w"}), 0) << b.err;
  EXPECT_EQ(b.out, "y:0 f32[1,2] =\n[[101, 102]]\n");
}

TEST(Initializers, EndTheProcessWhenTheyFail) {
  InitializedBench b;
  b.runner.variable("counter")->value = Tensor::scalar(13.0f);
  EXPECT_EQ(b.run({"--signature=main", "--input=x=1x2xf32=1,2"}), 1);
  EXPECT_TRUE(has(b.err, "node 'init': initializer 'init': unlucky")) << b.err;
  EXPECT_EQ(b.out, "");
}

TEST(Initializers, AreNobodysToCall) {
  InitializedBench b;
  EXPECT_EQ(b.run({"--signature=init"}), 2);
  EXPECT_TRUE(has(b.err, "the program has no signature 'init'")) << b.err;
  EXPECT_EQ(b.run({"--run=init"}), 2);
  EXPECT_EQ(b.run({"--help"}), 0);
  EXPECT_FALSE(has(b.out, "target init")) << b.out;
  EXPECT_EQ(b.run({"--describe"}), 0);
  EXPECT_FALSE(has(b.out, "init")) << b.out;
}

TEST(Initializers, LeaveAProgramWithOneSignature) {
  InitializedBench b;
  b.runner.signatures_.erase(b.runner.signatures_.begin() + 1, b.runner.signatures_.begin() + 4);
  EXPECT_EQ(b.run({"--input=x=1x2xf32=1,2"}), 0) << b.err;
  b.runner.signatures_.erase(b.runner.signatures_.begin());
  EXPECT_EQ(b.run(std::vector<const char *>()), 2);
  EXPECT_EQ(b.err, "error: USAGE: the program has no signature to call\n");
}

TEST(Signatures, TheOneForServingIsMeantWithoutAName) {
  Bench b;
  b.runner.signatures_[0].name = "infer";
  EXPECT_EQ(b.run(std::vector<const char *>()), 2);
  EXPECT_TRUE(has(b.err, "choose with --signature NAME")) << b.err;
  b.runner.signatures_[1].name = "serving_default"; // a training step
  b.runner.variable("counter")->value = Tensor::scalar(1.0f);
  EXPECT_EQ(b.run(std::vector<const char *>()), 0) << b.err;
  EXPECT_EQ(b.runner.variable("counter")->value.data<float>()[0], 2);
}

} // namespace
