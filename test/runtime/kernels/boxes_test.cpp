// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Boxes that overlap, and boxes that are drawn.
#include "test/runtime/kernels/kernel_case.h"

namespace sluice::rt {
namespace {

const Attr kYes = caseInt(1), kNo = caseInt(0);
const std::vector<DType> kSuppressed = {DType::kI32, DType::kF32, DType::kI32};
const std::vector<DType> kOfClasses = {DType::kF32, DType::kF32, DType::kF32, DType::kI32};

void checkTyped(const Kernel &kernel, const std::vector<DType> &types,
                std::vector<KernelCase> cases) {
  for (KernelCase &each : cases)
    each.types = types;
  checkCases(kernel, cases);
}

// The second one has three quarters of the first, the last one is the first with its corners
// turned.
const char *const kBoxes = "f32[4,4] 0 0 1 1 0 0.25 1 1 0 1 1 2 1 1 0 0";
const char *const kScores = "f32[4] 0.5 0.75 0.25 0.5";

// In the order of their names: given, padded.
TEST(Suppress, Boxes) {
  checkTyped(sluice_kernel_nn_suppress_f32, kSuppressed,
             {
                 {{kBoxes, kScores, "i32 3", "f32 0.5", "f32 0.125", "f32 0"},
                  {kNo, kNo},
                  {"i32[2] 1 2", "f32[2] 0.75 0.25", "i32 2"}},
                 {{kBoxes, kScores, "i32 3", "f32 0.5", "f32 0.125", "f32 0"},
                  {kNo, kYes},
                  {"i32[3] 1 2 0", "f32[3] 0.75 0.25 0", "i32 2"}},
                 {{kBoxes, kScores, "i32 4", "f32 1", "f32 -1", "f32 0"},
                  {kNo, kNo},
                  {"i32[4] 1 0 3 2", "f32[4] 0.75 0.5 0.5 0.25", "i32 4"}},
                 {{kBoxes, kScores, "i32 4", "f32 1", "f32 0.5", "f32 0"},
                  {kNo, kNo},
                  {"i32[1] 1", "f32[1] 0.75", "i32 1"}},
                 {{kBoxes, "f32[4] 0.5 nan 0.25 0.5", "i32 3", "f32 0.5", "f32 0", "f32 0"},
                  {kNo, kNo},
                  {"i32[2] 0 2", "f32[2] 0.5 0.25", "i32 2"}},
                 {{"f32[3,4] 0 0 1 1 nan 0 1 1 0 0 1 1", "f32[3] 0.5 0.75 0.25", "i32 3", "f32 0.5",
                   "f32 0", "f32 0"},
                  {kNo, kNo},
                  {"i32[1] 1", "f32[1] 0.75", "i32 1"}},
                 {{kBoxes, kScores, "i32 0", "f32 0.5", "f32 0", "f32 0"},
                  {kNo, kYes},
                  {"i32[0]", "f32[0]", "i32 0"}},
                 {{"f32[0,4]", "f32[0]", "i32 3", "f32 0.5", "f32 0", "f32 0"},
                  {kNo, kNo},
                  {"i32[0]", "f32[0]", "i32 0"}},
             });
}

TEST(Suppress, Softly) {
  checkTyped(sluice_kernel_nn_suppress_f32, kSuppressed,
             {
                 {{kBoxes, kScores, "i32 3", "f32 0.5", "f32 0.125", "f32 0.5"},
                  {kNo, kNo},
                  {"i32[3] 1 0 2", "f32[3] 0.75 0.284891427 0.25", "i32 3"}},
             });
}

TEST(Suppress, Overlaps) {
  checkTyped(sluice_kernel_nn_suppress_f32, kSuppressed,
             {
                 {{"f32[2,2] 1 7 7 1", "f32[2] 0.5 0.75", "i32 3", "f32 6.5", "f32 0", "f32 0"},
                  {kYes, kNo},
                  {"i32[1] 1", "f32[1] 0.75", "i32 1"}},
                 {{"f32[2,2] 1 6 6 1", "f32[2] 0.5 0.75", "i32 3", "f32 6.5", "f32 0", "f32 0"},
                  {kYes, kNo},
                  {"i32[2] 1 0", "f32[2] 0.75 0.5", "i32 2"}},
             });
}

TEST(Suppress, Refusals) {
  auto refused = [](std::vector<std::string> operands, Attr given, const char *message) {
    checkTyped(sluice_kernel_nn_suppress_f32, kSuppressed, {{operands, {given, kNo}, {message}}});
  };
  const std::string boxes = kBoxes, scores = kScores;
  refused({"f32[4] 1 2 3 4", scores, "i32 1", "f32 0.5", "f32 0", "f32 0"}, kNo,
          "INVALID_ARGUMENT: boxes must be 2-D, but has shape [4]");
  refused({"f32[1,3] 1 2 3", "f32[1] 1", "i32 1", "f32 0.5", "f32 0", "f32 0"}, kNo,
          "INVALID_ARGUMENT: boxes must have 4 columns, but has shape [1,3]");
  refused({"f32[1,2] 1 2", "f32[1] 1", "i32 1", "f32 0.5", "f32 0", "f32 0"}, kYes,
          "INVALID_ARGUMENT: overlaps must have 1 columns, but has shape [1,2]");
  refused({boxes, "f32[3] 1 2 3", "i32 1", "f32 0.5", "f32 0", "f32 0"}, kNo,
          "INVALID_ARGUMENT: scores has incompatible shape [3] for 4 boxes");
  refused({boxes, "f32[1,4] 1 2 3 4", "i32 1", "f32 0.5", "f32 0", "f32 0"}, kNo,
          "INVALID_ARGUMENT: scores must be 1-D, but has shape [1,4]");
  refused({boxes, scores, "i32[1] 1", "f32 0.5", "f32 0", "f32 0"}, kNo,
          "INVALID_ARGUMENT: expected scalars as number and thresholds but got shape [1]");
  refused({boxes, scores, "i32 -1", "f32 0.5", "f32 0", "f32 0"}, kNo,
          "INVALID_ARGUMENT: output size must be non-negative, but is -1");
  refused({boxes, scores, "i32 1", "f32 1.5", "f32 0", "f32 0"}, kNo,
          "INVALID_ARGUMENT: iou_threshold must be in [0, 1], but is 1.500000");
}

// clipped, padded_by_class.
TEST(SuppressClasses, Cases) {
  const char *const boxes = "f32[1,4,1,4] 0 0 1 1 0 0.25 1 1 0 1 1 2 1 1 0 0";
  const char *const scores = "f32[1,4,2] 0.5 0.125 0.75 0.25 0.25 0.5 0.5 1";
  checkTyped(
      sluice_kernel_nn_suppress_classes_any, kOfClasses,
      {
          {{boxes, scores, "i32 2", "i32 5", "f32 0.5", "f32 0.2"},
           {kYes, kNo},
           {"f32[1,5,4] 1 1 0 0 0 0.25 1 1 0 1 1 1 0 1 1 1 0 0 0 0", "f32[1,5] 1 0.75 0.5 0.25 0",
            "f32[1,5] 1 0 1 0 0", "i32[1] 4"}},
          {{boxes, scores, "i32 1", "i32 5", "f32 0.5", "f32 0.2"},
           {kNo, kYes},
           {"f32[1,2,4] 1 1 0 0 0 0.25 1 1", "f32[1,2] 1 0.75", "f32[1,2] 1 0", "i32[1] 2"}},
          {{"f32[1,1,2,4] 0 0 1 1 0 0 2 2", "f32[1,1,2] 1 2", "i32 1", "i32 2", "f32 0", "f32 0"},
           {kNo, kNo},
           {"f32[1,2,4] 0 0 2 2 0 0 1 1", "f32[1,2] 2 1", "f32[1,2] 1 0", "i32[1] 2"}},
          {{"f32[0,1,1,4]", "f32[0,1,1]", "i32 1", "i32 2", "f32 0", "f32 0"},
           {kNo, kNo},
           {"f32[0,2,4]", "f32[0,2]", "f32[0,2]", "i32[0]"}},
          {{boxes, scores, "i32 0", "i32 5", "f32 0.5", "f32 0.2"},
           {kNo, kNo},
           {"INVALID_ARGUMENT: max_size_per_class must be positive, but is 0"}},
          {{boxes, scores, "i32 1", "i32 0", "f32 0.5", "f32 0.2"},
           {kNo, kNo},
           {"INVALID_ARGUMENT: max_total_size must be > 0, but is 0"}},
          {{boxes, scores, "i32 1", "i32 1", "f32 1.5", "f32 0.2"},
           {kNo, kNo},
           {"INVALID_ARGUMENT: iou_threshold must be in [0, 1], but is 1.500000"}},
          {{boxes, "f32[1,3,2] 1 2 3 4 5 6", "i32 1", "i32 1", "f32 0.5", "f32 0.2"},
           {kNo, kNo},
           {"INVALID_ARGUMENT: scores has incompatible shape [1,3,2] for boxes of shape "
            "[1,4,1,4]"}},
          {{"f32[1,4] 1 2 3 4", scores, "i32 1", "i32 1", "f32 0.5", "f32 0.2"},
           {kNo, kNo},
           {"INVALID_ARGUMENT: boxes must be 4-D with 4 columns, but has shape [1,4]"}},
      });
}

TEST(DrawBoxes, Cases) {
  checkCases(
      sluice_kernel_nn_draw_boxes_f32,
      {
          {{"f32[1,3,4,1] 0 0 0 0 0 0 0 0 0 0 0 0", "f32[1,1,4] 0 0 0.5 0.7", "f32[0,4]"},
           {},
           {"f32[1,3,4,1] 1 1 1 0 1 1 1 0 0 0 0 0"}},
          {{"f32[1,1,2,1] 0 0", "f32[1,2,4] 0 0 0 0 0 1 0 1", "f32[2,2] 5 6 7 8"},
           {},
           {"f32[1,1,2,1] 5 7"}},
          {{"f32[1,2,2,3] 0 0 0 0 0 0 0 0 0 0 0 0", "f32[1,2,4] 0 0 0 1 1 0.4 3 7",
            "f32[2,3] 1 2 3 4 5 6"},
           {},
           {"f32[1,2,2,3] 1 2 3 1 2 3 4 5 6 4 5 6"}},
          {{"f32[1,1,1,4] 7 7 7 7", "f32[1,2,4] nan 0 1 1 1 0 0 1", "f32[0,4]"},
           {},
           {"f32[1,1,1,4] 0 0 1 1"}},
          {{"f32[0,2,2,3]", "f32[0,1,4]", "f32[0,4]"}, {}, {"f32[0,2,2,3]"}},
          {{"f32[1,1,1,2] 0 0", "f32[1,0,4]", "f32[0,4]"},
           {},
           {"INVALID_ARGUMENT: Channel depth should be either 1 (GRY), 3 (RGB), or 4 (RGBA), but "
            "is 2"}},
          {{"f32[1,1,1] 0", "f32[1,0,4]", "f32[0,4]"},
           {},
           {"INVALID_ARGUMENT: The rank of the images should be 4, but the shape is [1,1,1]"}},
          {{"f32[1,1,1,1] 0", "f32[2,0,4]", "f32[0,4]"},
           {},
           {"INVALID_ARGUMENT: The batch sizes should be the same, but the shapes are [1,1,1,1] "
            "and [2,0,4]"}},
          {{"f32[1,1,1,1] 0", "f32[1,0,3]", "f32[0,4]"},
           {},
           {"INVALID_ARGUMENT: boxes must be 3-D with 4 columns, but has shape [1,0,3]"}},
          {{"f32[1,1,1,4] 0 0 0 0", "f32[1,0,4]", "f32[1,3] 1 2 3"},
           {},
           {"INVALID_ARGUMENT: colors must be a matrix with a column for each channel, but has "
            "shape [1,3]"}},
      });
}

} // namespace
} // namespace sluice::rt
