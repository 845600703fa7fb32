// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Gradient arrays through their kernels: sums, zeros, and what they know of the forward array.
#include "test/runtime/state/array_caller.h"

namespace sluice::rt {
namespace {

TEST(GradientArray, GradientsAddUp) {
  Array array(3);
  array.write(0, "f32[2] 1 2");
  array.write(1, "f32 3");
  array.read(0);
  Array gradient = array.gradient();
  EXPECT_EQ(gradient.write(0, "f32[2] 10 20"), kDone);
  EXPECT_EQ(gradient.write(0, "f32[2] 1 2"), kDone);
  EXPECT_EQ(gradient.write(1, "f32[1] 1"),
            "INVALID_ARGUMENT: TensorArray ta_#@gradients: Could not aggregate to TensorArray "
            "index 1 because the existing shape is [] but the new input shape is [1].");
  EXPECT_EQ(gradient.read(0), "f32[2] 11 22");
  EXPECT_EQ(gradient.read(1), "f32 0"); // written forward, no gradient
  EXPECT_EQ(gradient.read(2).substr(0, 16), "INVALID_ARGUMENT");
  EXPECT_EQ(gradient.makeGradient(),
            "INVALID_ARGUMENT: Unable to create a gradients TensorArray for ta_#@gradients.  "
            "Perhaps you used the multiple_writes_aggregate flag on a previous write?  Gradient "
            "calculation is impossible when multiple writes are performed to the same index.");
}

TEST(GradientArray, AggregationKeepsTheWritersTensor) {
  Array array(1);
  array.write(0, "f32[6] 0 0 0 0 0 0");
  Tensor value = tensorOf("f32[6] 1 2 3 4 5 6");
  Array gradient = array.gradient();
  auto *object = static_cast<TensorArray *>(gradient.handle().object());
  ASSERT_TRUE(object->write(0, value).ok());
  ASSERT_TRUE(object->write(0, value).ok());
  EXPECT_EQ(textOf(value), "f32[6] 1 2 3 4 5 6");
  EXPECT_EQ(gradient.read(0), "f32[6] 2 4 6 8 10 12");
}

TEST(GradientArray, GradientsBySource) {
  Array array(1);
  array.write(0, "f32 1");
  EXPECT_EQ(array.gradient("a").handle().object(), array.gradient("a").handle().object());
  EXPECT_NE(array.gradient("a").handle().object(), array.gradient("b").handle().object());
}

TEST(GradientArray, GradientOfSplitHasItsSize) {
  Array array(2);
  array.split("f32[3] 1 2 3", "i64[2] 1 2");
  Array gradient = array.gradient();
  gradient.write(1, "f32[2] 5 6");
  EXPECT_EQ(gradient.concat(), "f32[3] 0 5 6; i64[2] 1 2");
}

TEST(GradientArray, GradientOfAnEmptySplitStaysEmpty) {
  Array array(0, {.elementShape = "[2]"});
  EXPECT_EQ(array.split("f32[0]", "i64[0]"), kDone);
  Array gradient = array.gradient();
  EXPECT_EQ(gradient.read(1), "f32[2] 0 0"); // it grows
  EXPECT_EQ(gradient.concat("[3]"), "f32[0,3]; i64[0]");
}

TEST(GradientArray, GradientWithShape) {
  Array array(2, {.elementShape = "[2]"});
  array.write(0, "f32[2] 1 2");
  Array gradient = array.gradientWithShape("i32[1] 3");
  EXPECT_EQ(gradient.read(0), "f32[3,2] 0 0 0 0 0 0");
  EXPECT_EQ(gradient.read(1), "f32[3,2] 0 0 0 0 0 0");
}

// Nothing has flowed there; and what is read once is gone, whatever the forward array does.
TEST(GradientArray, GradientsBeyondTheEndAreZeros) {
  Array array(2, {.elementShape = "[2]", .clear = false});
  Array gradient = array.gradient();
  EXPECT_EQ(gradient.read(5), "f32[2] 0 0");
  EXPECT_EQ(gradient.size(), "i32 6");
  EXPECT_NE(gradient.read(5).find("Could not read index 5 twice"), std::string::npos);
}

TEST(GradientArray, GradientsKnowTheShapesOnlyOfWhatWasWritten) {
  Array array(3, {.clear = false});
  EXPECT_EQ(array.gather("i32[1] 0", "[2]"), "f32[1,2] 0 0"); // takes it for zeros
  EXPECT_EQ(array.write(1, "f32[3] 1 2 3"), kDone);
  EXPECT_EQ(array.gather("i32[1] 2", "[2]"), "f32[1,2] 0 0");
  Array gradient = array.gradient();
  EXPECT_EQ(gradient.read(0).substr(0, 80),
            "INVALID_ARGUMENT: TensorArray ta_#@gradients: Could not read from TensorArray in");
  EXPECT_EQ(gradient.read(1), "f32[3] 0 0 0");
}

TEST(GradientArray, ShapesOfGradientsMustNotOverflow) {
  Array array(1);
  array.write(0, "f32[4] 1 2 3 4");
  Array same = array.gradientWithShape("i64[2] 4294967296 1073741824");
  EXPECT_EQ(array.status().toString(),
            "INVALID_ARGUMENT: element count of shape [4294967296,1073741824,4] overflows 64 bits");
}

} // namespace
} // namespace sluice::rt
