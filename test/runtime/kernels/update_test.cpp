// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Kernels that update rows and points of variables and tensors.
#include "runtime/state/variable.h"
#include "test/runtime/kernels/kernel_case.h"

#include <cmath>

namespace sluice::rt {
namespace {

class UpdateKernels : public testing::Test {
protected:
  void declare(const std::string &value) {
    Tensor tensor = value.empty() ? Tensor() : tensorOf(value);
    variables_.push_back(Ref<Variable>::adopt(new Variable("v" + std::to_string(variables_.size()),
                                                           tensor.dtype(), Shape::unknownRank())));
    variables_.back()->value = tensor;
  }
  // Handles to all variables come before the other operands.
  std::string run(const Kernel &kernel, const std::vector<std::string> &operands,
                  const std::vector<Attr> &attrs = {}, const std::vector<DType> &types = {}) {
    std::vector<Tensor> inputs;
    for (const auto &variable : variables_)
      inputs.push_back(Tensor::handle(Ref<Object>::share(variable.get())));
    for (const std::string &operand : operands)
      inputs.push_back(tensorOf(operand));
    std::vector<const Tensor *> pointers;
    for (const Tensor &input : inputs)
      pointers.push_back(&input);
    std::vector<Tensor> outputs(types.size());
    Status status = runKernel(kernel, pointers, outputs, attrs, types, nullptr);
    return !status.ok() ? status.toString() : types.empty() ? "" : textOf(outputs[0]);
  }
  std::string runRows(const char *rule, const std::vector<std::string> &operands) {
    return run(sluice_kernel_state_update_rows_any, operands, {caseString(rule)});
  }
  std::string valueOf(size_t i) const { return textOf(variables_[i]->value); }

  std::vector<Ref<Variable>> variables_;
};

// A row that is named twice is updated twice, the second time with what the first left.
TEST_F(UpdateKernels, RowsFollowEachOther) {
  declare("f64[3,1] 1 2 3");
  declare("f64[3,1] 0 5 12");
  EXPECT_EQ(runRows("adagrad", {"f64 0.5", "f64[3,1] 4 2 3", "i32[3] 0 2 0"}), "");
  EXPECT_EQ(valueOf(1), "f64[3,1] 25 5 16");
  // 1 - 4·0.5/4 - 3·0.5/5; 3 - 2·0.5/4
  EXPECT_NEAR(variables_[0]->value.data<double>()[0], 0.2, 1e-15);
  EXPECT_EQ(variables_[0]->value.data<double>()[1], 2);
  EXPECT_EQ(variables_[0]->value.data<double>()[2], 2.75);
}

TEST_F(UpdateKernels, SixteenBitsAreRoundedAfterEachOperation) {
  declare("bf16[1] 1");
  declare("bf16[1] 0");
  // 0·1 + 1.0078125, times 0.4980469 rounded to 8 bits, from 1
  EXPECT_EQ(runRows("momentum", {"bf16 0.498046875", "bf16 1", "bf16[1] 1.0078125", "i64[1] 0"}),
            "");
  float step = float(BFloat16(1.0078125f * 0.498046875f));
  EXPECT_EQ(float(variables_[0]->value.data<BFloat16>()[0]), float(BFloat16(1 - step)));
}

TEST_F(UpdateKernels, ErrorsOfRowsChangeNothing) {
  declare("f32[2,2] 1 2 3 4");
  declare("f32[2,2] 1 1 1 1");
  const std::string rate = "f32 0.5", gradient = "f32[1,2] 1 1", at = "i32[1] 1";
  const struct {
    std::vector<std::string> operands;
    const char *error;
  } rows[] = {
      {{"f32[1] 0.5", gradient, at},
       "INVALID_ARGUMENT: scalar 0 is not a scalar of type f32: f32 [1]"},
      {{rate, gradient, "i32[1,1] 1"},
       "INVALID_ARGUMENT: indices must be one-dimensional, got var [2,2], grad [1,2], indices "
       "[1,1]"},
      {{rate, "f32[1,3] 1 1 1", at},
       "INVALID_ARGUMENT: var and grad must match in all dims but the first, got var [2,2], grad "
       "[1,3], indices [1]"},
      {{rate, "f32[2,2] 1 1 1 1", at},
       "INVALID_ARGUMENT: grad must be the same size as indices in the first dimension, got var "
       "[2,2], grad [2,2], indices [1]"},
      {{rate, "f32[2,2] 1 1 1 1", "i32[2] 0 2"},
       "INVALID_ARGUMENT: index 2 at offset 1 in indices is out of range [0, 2)"},
      {{rate, gradient, "i64[1] -1"},
       "INVALID_ARGUMENT: index -1 at offset 0 in indices is out of range [0, 2)"},
      {{rate, "f64[1,2] 1 1", at},
       "INVALID_ARGUMENT: var and grad must have the same type: f32 vs. f64"},
  };
  for (const auto &row : rows)
    EXPECT_EQ(runRows("adagrad", row.operands), row.error);
  EXPECT_EQ(runRows("proximal_adagrad", {"f32 0", rate, rate, gradient, at}),
            "INVALID_ARGUMENT: scalar 0 must be above 0 but is 0");
  EXPECT_EQ(runRows("proximal_adagrad", {rate, "f32 -1", rate, gradient, at}),
            "INVALID_ARGUMENT: scalar 1 must be at least 0 but is -1");
  EXPECT_EQ(valueOf(0), "f32[2,2] 1 2 3 4");
  EXPECT_EQ(runRows("adagrad", {rate, "f32[0,2]", "i32[0]"}), "");
  declare("f32[2] 1 1");
  EXPECT_EQ(runRows("ftrl", {rate, rate, rate, rate, gradient, at}),
            "INVALID_ARGUMENT: variables 0 and 2 do not have the same type and shape: f32 [2,2] "
            "vs. f32 [2]");
  variables_[2]->value = tensorOf("f32[2,2] 1 1 1 1");
  EXPECT_EQ(runRows("ftrl", {rate, rate, rate, rate, gradient, at}),
            "INVALID_ARGUMENT: scalar 3 must be at most 0 but is 0.5");
  variables_[1]->value.reset();
  EXPECT_EQ(runRows("ftrl", {rate, rate, rate, "f32 -0.5", gradient, at}),
            "FAILED_PRECONDITION: Attempting to use uninitialized value v1");
}

// ---- Scatters

TEST_F(UpdateKernels, RowsOfOneVariable) {
  declare("i32[3] 6 7 -8");
  EXPECT_EQ(run(sluice_kernel_state_scatter_mul_any, {"i32[2] 0 0", "i32[2] 2 3"}), "");
  EXPECT_EQ(valueOf(0), "i32[3] 36 7 -8");
  EXPECT_EQ(run(sluice_kernel_state_scatter_div_any, {"i32[2] 0 2", "i32[2] 5 3"}), "");
  EXPECT_EQ(valueOf(0), "i32[3] 7 7 -2");
  EXPECT_EQ(run(sluice_kernel_state_scatter_div_any, {"i32[2] 0 2", "i32[2] 5 0"}),
            "INVALID_ARGUMENT: Integer division by zero: updates[1]");
  EXPECT_EQ(run(sluice_kernel_state_scatter_max_any, {"i32[2] 0 2", "i32 1"}), "");
  EXPECT_EQ(valueOf(0), "i32[3] 7 7 1");
  EXPECT_EQ(run(sluice_kernel_state_scatter_min_any, {"i32[3] 0 2 2", "i32[3] 9 -1 0"}), "");
  EXPECT_EQ(valueOf(0), "i32[3] 7 7 -1");
  variables_.clear();
  declare("string[1] a");
  EXPECT_EQ(run(sluice_kernel_state_scatter_max_any, {"i32[1] 0", "string[1] b"}),
            "INVALID_ARGUMENT: cannot update elements of type string so");
}

TEST_F(UpdateKernels, Points) {
  auto how = [](const char *name, bool ignore = false) {
    return std::vector<Attr>{caseString(name), caseInt(ignore)};
  };
  const std::string matrix = "i32[2,2] 1 2 3 4", rows = "i32[3,1] 1 0 1",
                    updates = "i32[3,2] 5 1 9 9 0 7";
  checkCases(sluice_kernel_nd_update_points_any,
             {{{matrix, rows, updates}, how("update"), {"i32[2,2] 9 9 0 7"}},
              {{matrix, rows, updates}, how("add"), {"i32[2,2] 10 11 8 12"}},
              {{matrix, rows, updates}, how("sub"), {"i32[2,2] -8 -7 -2 -4"}},
              {{matrix, rows, updates}, how("max"), {"i32[2,2] 9 9 5 7"}},
              {{matrix, rows, updates}, how("min"), {"i32[2,2] 1 2 0 1"}},
              {{matrix, "i64[1,2] 1 0", "i32[1] 8"}, how("update"), {"i32[2,2] 1 2 8 4"}},
              {{"string[2] a b", "i32[1,1] 1", "string[1] z"}, how("update"), {"string[2] a z"}},
              {{"i32[2] 1 2", "i32[1] 1", "i32[1] 5"}, how("add"), {"i32[2] 1 7"}},
              {{"bool[2] 1 1", "i32[2] 0 1", "bool[2] 1 0"}, how("add"), {"bool[2] 1 1"}},
              {{"bool[2] 1 1", "i32[2] 0 1", "bool[2] 1 0"}, how("sub"), {"bool[2] 0 1"}},
              {{matrix, "i32[2,2] 1 2 0 0", "i32[2] 8 9"}, how("add", true), {"i32[2,2] 10 2 3 4"}},
              {{matrix, "i32[2,2] 0 0 1 2", "i32[2] 8 9"},
               how("add"),
               {"INVALID_ARGUMENT: indices[1] = [1,2] does not index into shape [2,2]"}},
              {{matrix, "i32[1,3] 0 0 0", "i32[1] 8"},
               how("add"),
               {"INVALID_ARGUMENT: index innermost dimension length must be <= output rank; saw: "
                "3 vs. 2"}},
              {{"string[1] a", "i32[1,1] 0", "string[1] b"},
               how("add"),
               {"INVALID_ARGUMENT: elements of type string cannot be combined so"}}});
  declare(matrix);
  EXPECT_EQ(run(sluice_kernel_state_update_points_any, {rows, updates}, how("add")), "");
  EXPECT_EQ(valueOf(0), "i32[2,2] 10 11 8 12");
  EXPECT_EQ(
      run(sluice_kernel_state_update_points_any, {"i32[2,1] 0 2", "i32[2,2] 1 1 1 1"}, how("add")),
      "INVALID_ARGUMENT: indices[1] = [2] does not index into shape [2,2]");
  EXPECT_EQ(valueOf(0), "i32[2,2] 10 11 8 12");
}

TEST_F(UpdateKernels, CountUpTo) {
  const Kernel &kernel = sluice_kernel_state_count_up_to_any;
  declare("i64 5");
  EXPECT_EQ(run(kernel, {}, {caseInt(6)}, {DType::kI64}), "i64 5");
  EXPECT_EQ(valueOf(0), "i64 6");
  EXPECT_EQ(run(kernel, {}, {caseInt(6)}, {DType::kI64}), "OUT_OF_RANGE: Reached limit of 6");
  EXPECT_EQ(valueOf(0), "i64 6");
  variables_[0]->value = tensorOf("i64[1] 0");
  EXPECT_EQ(run(kernel, {}, {caseInt(6)}, {DType::kI64}),
            "INVALID_ARGUMENT: input is not a scalar: [1]");
}

} // namespace
} // namespace sluice::rt
