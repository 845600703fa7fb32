// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Connectionist temporal classification: losses that can be counted out, and readings that are
// found; and how far sequences are from others.
#include "test/runtime/kernels/kernel_case.h"

namespace sluice::rt {
namespace {

const Attr kYes = caseInt(1), kNo = caseInt(0);
const std::vector<DType> kReadings = {DType::kI64, DType::kF32};

void checkTyped(const Kernel &kernel, const std::vector<DType> &types,
                std::vector<KernelCase> cases) {
  for (KernelCase &each : cases)
    each.types = types;
  checkCases(kernel, cases);
}

// In the order of their names: collapse_repeated, ignore_longer, merge_repeated.
const std::vector<Attr> kPlain = {kNo, kNo, kYes};
const char *const kEven = "f64[2,1,2] 0 0 0 0";
const char *const kOfThree =
    "f64[2,1,2] -0.16666666666666663 0.16666666666666663 -0.16666666666666663 0.16666666666666663";

// With two classes whose odds are even, three of four paths of two times have a label.
TEST(CtcLoss, Cases) {
  checkCases(sluice_kernel_nn_ctc_loss_f64,
             {
                 {{"f64[1,1,2] 0 0", "i64[1,2] 0 0", "i32[1] 0", "i32[1] 1"},
                  kPlain,
                  {"f64[1] 0.69314718055994529", "f64[1,1,2] -0.5 0.5"}},
                 {{kEven, "i64[2,2] 0 0 0 1", "i32[2] 0 0", "i32[1] 2"},
                  kPlain,
                  {"f64[1] inf", "f64[2,1,2] 0.5 0.5 0.5 0.5"}},
                 {{kEven, "i64[2,2] 0 0 0 1", "i32[2] 0 0", "i32[1] 2"},
                  {kYes, kNo, kYes},
                  {"f64[1] 0.2876820724517809", kOfThree}},
                 {{"f64[1,1,2] 0 0", "i64[2,2] 0 0 0 1", "i32[2] 0 0", "i32[1] 1"},
                  {kNo, kYes, kYes},
                  {"f64[1] 0", "f64[1,1,2] 0 0"}},
                 {{"f64[1,1,2] 0 0", "i64[2,2] 0 0 0 1", "i32[2] 0 0", "i32[1] 1"},
                  {kYes, kYes, kYes},
                  {"f64[1] 0", "f64[1,1,2] 0 0"}},
                 {{kEven, "i64[2,2] 0 0 0 1", "i32[2] 0 1", "i32[1] 2"},
                  kPlain,
                  {"f64[1] 0.2876820724517809", kOfThree}},
                 {{"f64[1,1,2] 0 0", "i64[1,2] 0 0", "i32[1] 1", "i32[1] 1"},
                  kPlain,
                  {"f64[1] 0.69314718055994529", "f64[1,1,2] 0.5 -0.5"}},
             });
}

TEST(CtcLoss, Refusals) {
  auto refused = [](std::vector<std::string> operands, const char *message) {
    checkTyped(sluice_kernel_nn_ctc_loss_f64, {DType::kF64, DType::kF64},
               {{operands, kPlain, {message}}});
  };
  const std::string one = "i64[1,2] 0 0", two = "i64[2,2] 0 0 0 1";
  refused({kEven, two, "i32[2] 0 0", "i32[1] 1"},
          "INVALID_ARGUMENT: Not enough time for target transition sequence (required: 2 of "
          "sequence 0, available: 1)");
  refused({kEven, two, "i32[2] 1 0", "i32[1] 2"},
          "INVALID_ARGUMENT: Saw a non-null label (index >= num_classes - 1) following a null "
          "label: 0 of sequence 0");
  refused({kEven, one, "i32[1] -1", "i32[1] 2"},
          "INVALID_ARGUMENT: All labels must be nonnegative integers, but got -1 of sequence 0");
  refused({kEven, "i64[0,2]", "i32[0]", "i32[1] 2"},
          "INVALID_ARGUMENT: Labels length is zero in batch 0");
  refused({kEven, "i64[1,2] 1 0", "i32[1] 0", "i32[1] 2"},
          "INVALID_ARGUMENT: labels batch index must be between 0 and 1 but saw: 1");
  refused({kEven, "i64[2,2] 0 1 0 0", "i32[2] 0 0", "i32[1] 2"},
          "INVALID_ARGUMENT: labels_indices must be in order, but row 1 is not behind the one "
          "before it");
  refused({kEven, one, "i32[1] 0", "i32[1] 3"},
          "INVALID_ARGUMENT: expected sequence lengths from 0 to 2 but got 3");
  refused({kEven, one, "i32[1] 0", "i32[1] -1"},
          "INVALID_ARGUMENT: expected sequence lengths from 0 to 2 but got -1");
  refused({kEven, one, "i32[1] 0", "i32[2] 1 1"},
          "INVALID_ARGUMENT: len(sequence_length) != batch_size. len(sequence_length): 2 "
          "batch_size: 1");
  refused({kEven, "i64[2] 0 0", "i32[1] 0", "i32[1] 2"},
          "INVALID_ARGUMENT: labels_indices is not a matrix, but has shape [2]");
  refused({kEven, two, "i32[1] 0", "i32[1] 2"},
          "INVALID_ARGUMENT: labels_indices and labels_values must contain the same number of "
          "rows, but got shapes [2,2] and [1]");
  refused({"f64[2,1] 0 0", one, "i32[1] 0", "i32[1] 2"},
          "INVALID_ARGUMENT: inputs is not a 3-Tensor, but has shape [2,1]");
  refused({"f64[2,0,2]", "i64[0,2]", "i32[0]", "i32[0]"},
          "INVALID_ARGUMENT: batch_size must not be 0");
}

// merge_repeated, paths, width. The label is taken at neither time, at both, or at one.
TEST(CtcBeamSearch, Cases) {
  const char *const logits = "f32[2,1,2] 0 1000 0 1000";
  checkTyped(sluice_kernel_nn_ctc_beam_search_f32, kReadings,
             {
                 {{logits, "i32[1] 2"}, {kNo, caseInt(1), caseInt(1)}, {"i64[1,0]", "f32[1,1] 0"}},
                 {{logits, "i32[1] 0"}, {kNo, caseInt(1), caseInt(3)}, {"i64[1,0]", "f32[1,1] 0"}},
                 {{"f32[2,1,2] 1000 0 1000 0", "i32[1] 2"},
                  {kNo, caseInt(2), caseInt(2)},
                  {"i64[2,1] 0 -1", "f32[1,2] 0 -2000"}},
                 {{"f32[3,1,2] 1000 0 0 1000 1000 0", "i32[1] 3"},
                  {kNo, caseInt(1), caseInt(4)},
                  {"i64[1,2] 0 0", "f32[1,1] 0"}},
                 {{"f32[3,1,2] 1000 0 0 1000 1000 0", "i32[1] 3"},
                  {kYes, caseInt(1), caseInt(4)},
                  {"i64[1,1] 0", "f32[1,1] 0"}},
                 {{logits, "i32[1] 0"},
                  {kNo, caseInt(2), caseInt(3)},
                  {"INVALID_ARGUMENT: Less leaves in the beam search than requested."}},
                 {{logits, "i32[1] 3"},
                  {kNo, caseInt(1), caseInt(3)},
                  {"INVALID_ARGUMENT: expected sequence lengths from 0 to 2 but got 3"}},
                 {{logits, "i32[2] 1 1"},
                  {kNo, caseInt(1), caseInt(3)},
                  {"INVALID_ARGUMENT: len(sequence_length) != batch_size. len(sequence_length): 2 "
                   "batch_size: 1"}},
             });
}

// Of each pair: what becomes what.
TEST(EditDistance, Cases) {
  const auto &kernel = sluice_kernel_nn_edit_distance_any;
  const std::vector<DType> types = {DType::kF32};
  // 1 2 3 4 to 2 3 5 4, nothing to 1 2, 7 8 9 to nothing, and nothing to nothing.
  const std::vector<std::string> operands = {"i64[7] 0 0 2 0 0 2 2", "i64[7] 1 2 7 3 4 8 9",
                                             "i64[6] 0 1 0 0 1 0", "i64[6] 2 1 3 5 2 4", "i64 4"};
  checkTyped(kernel, types,
             {
                 {operands, {kNo}, {"f32[4] 2 2 3 0"}},
                 {operands, {kYes}, {"f32[4] 0.5 1 inf 0"}},
                 {{"i64[0]", "i64[0]", "i64[0]", "i64[0]", "i64 0"}, {kNo}, {"f32[0]"}},
                 {{"i64[0]", "i64[0]", "i64[2] 0 0", "i64[2] 5 5", "i64 1"}, {kNo}, {"f32[1] 2"}},
                 {{"i64[3] 0 0 0", "i64[3] 1 2 1", "i64[2] 0 0", "i64[2] 2 1", "i64 1"},
                  {kNo},
                  {"f32[1] 1"}},
             });
  auto refused = [&](std::vector<std::string> wrong, const char *message) {
    checkTyped(kernel, types, {{wrong, {kNo}, {message}}});
  };
  const std::string one = "i64[1] 0";
  refused({one, "i64[2] 0 1", one, one, "i64 1"},
          "INVALID_ARGUMENT: expected a pair for each label but got shapes [1] and [2]");
  refused({one, one, one, "i64[1,1] 0", "i64 1"},
          "INVALID_ARGUMENT: expected vectors of pairs and labels but got shape [1,1]");
  refused({one, one, one, one, "i64[1] 1"},
          "INVALID_ARGUMENT: expected a scalar as the number of pairs but got shape [1]");
  refused({one, one, one, one, "i64 -1"},
          "INVALID_ARGUMENT: expected a number of pairs but got -1");
  refused({one, one, "i64[1] 1", one, "i64 1"}, "INVALID_ARGUMENT: expected pairs below 1");
  refused({"i64[1] -1", one, one, one, "i64 1"}, "INVALID_ARGUMENT: expected pairs below 1");
}

} // namespace
} // namespace sluice::rt
