// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Kernels on variables and optimizers.
#include "runtime/state/stack.h"
#include "runtime/state/variable.h"
#include "test/runtime/kernels/kernel_case.h"

#include <cmath>

namespace sluice::rt {
namespace {

// Variables v0, v1, … with the given declared shapes and values ("" leaves one uninitialised).
class VariableKernels : public testing::Test {
protected:
  void declare(const char *shape, DType dtype, const std::string &value = "") {
    variables_.push_back(Ref<Variable>::adopt(
        new Variable("v" + std::to_string(variables_.size()), dtype, shapeOf(shape))));
    if (!value.empty())
      variables_.back()->value = tensorOf(value);
  }
  Tensor handle(size_t i) const { return Tensor::handle(Ref<Object>::share(variables_[i].get())); }
  // Handles to the first `numVariables` variables come before the other operands.
  std::string run(const Kernel &kernel, size_t numVariables,
                  const std::vector<std::string> &operands, const std::vector<Attr> &attrs = {},
                  const std::vector<DType> &types = {}) {
    std::vector<Tensor> inputs;
    for (size_t i = 0; i < numVariables; ++i)
      inputs.push_back(handle(i));
    for (const std::string &operand : operands)
      inputs.push_back(tensorOf(operand));
    return runOn(kernel, inputs, attrs, types);
  }
  std::string runOn(const Kernel &kernel, const std::vector<Tensor> &inputs,
                    const std::vector<Attr> &attrs = {}, const std::vector<DType> &types = {}) {
    std::vector<const Tensor *> pointers;
    for (const Tensor &input : inputs)
      pointers.push_back(&input);
    outputs_.assign(types.size(), Tensor());
    Status status = runKernel(kernel, pointers, outputs_, attrs, types, &environment_);
    return !status.ok() ? status.toString() : types.empty() ? "" : textOf(outputs_[0]);
  }
  std::string valueOf(size_t i) const { return textOf(variables_[i]->value); }

  std::vector<Ref<Variable>> variables_;
  std::vector<Tensor> outputs_;
  Environment environment_;
};

TEST_F(VariableKernels, HandlesNameResources) {
  declare("[]", DType::kF32, "f32 1");
  Object *resources[] = {variables_[0].get()};
  environment_.resources = resources;
  const Kernel &kernel = sluice_kernel_state_reference_any;
  runOn(kernel, {}, {caseInt(0)}, {DType::kHandle});
  EXPECT_EQ(outputs_[0].object(), variables_[0].get());
  EXPECT_EQ(runOn(kernel, {}, {caseInt(1)}, {DType::kHandle}),
            "INTERNAL: no resource has the index 1");
}

TEST_F(VariableKernels, GiveChangesAllThatWasTakenOrNothing) {
  declare("[2]", DType::kI32);
  Tensor v = handle(0);
  Tensor yes = Tensor::scalar(true), no = Tensor::scalar(false);
  const Kernel &take = sluice_kernel_state_take_any, &give = sluice_kernel_state_give_any;
  EXPECT_EQ(runOn(take, {yes, v}, {}, {DType::kI32}),
            "FAILED_PRECONDITION: Attempting to use uninitialized value v0");
  EXPECT_EQ(runOn(take, {no, v}, {}, {DType::kI32}), "i32[2] 0 0");
  EXPECT_EQ(runOn(give, {no, v, tensorOf("i32[2] 5 6")}), "");
  EXPECT_FALSE(variables_[0]->initialized());
  EXPECT_EQ(runOn(give, {yes, v, tensorOf("i32[2] 5 6")}), "");
  EXPECT_EQ(runOn(take, {no, v}, {}, {DType::kI32}), "i32[2] 5 6");
  EXPECT_NE(runOn(give, {yes, v, v, tensorOf("i32[2] 1 2"), tensorOf("i32[3] 1 2 3")}), "");
  EXPECT_EQ(valueOf(0), "i32[2] 5 6");
}

TEST_F(VariableKernels, ReadKeepsWhatItRead) {
  const Kernel &read = sluice_kernel_state_read_any;
  declare("[2]", DType::kI32);
  EXPECT_EQ(run(read, 1, {}, {}, {DType::kI32}),
            "FAILED_PRECONDITION: Attempting to use uninitialized value v0");
  EXPECT_EQ(run(sluice_kernel_state_is_initialized_any, 1, {}, {}, {DType::kBool}), "bool 0");
  std::string large = "i32[6] 1 2 3 4 5 6";
  variables_[0]->value = tensorOf(large);
  EXPECT_EQ(run(sluice_kernel_state_is_initialized_any, 1, {}, {}, {DType::kBool}), "bool 1");
  EXPECT_EQ(run(read, 1, {}, {}, {DType::kI32}), large);
  EXPECT_EQ(run(read, 1, {}, {}, {DType::kF32}),
            "INVALID_ARGUMENT: expected a value of type i32 for variable 'v0' but got f32");
  run(read, 1, {}, {}, {DType::kI32});
  Tensor before = outputs_[0];
  EXPECT_EQ(run(sluice_kernel_state_assign_add_any, 1, {large}), "");
  EXPECT_EQ(valueOf(0), "i32[6] 2 4 6 8 10 12");
  EXPECT_EQ(textOf(before), large);
  // Nobody else holds the new elements, so they are updated in place.
  const void *elements = variables_[0]->value.raw();
  EXPECT_EQ(run(sluice_kernel_state_assign_sub_any, 1, {large}), "");
  EXPECT_EQ(valueOf(0), large);
  EXPECT_EQ(variables_[0]->value.raw(), elements);
}

// Whatever writes a variable, in parts or as a whole, leaves what was read before it.
TEST_F(VariableKernels, NoWriteChangesWhatWasRead) {
  const std::string value = "f32[3,2] 1 2 3 4 5 6", rate = "f32 0.5";
  const std::vector<std::string> rows = {"i32[1] 1", "f32[1,2] 7 7"};
  const struct {
    const char *name;
    const Kernel &kernel;
    size_t variables;
    std::vector<std::string> operands;
    std::vector<Attr> attrs;
  } writers[] = {
      {"assign", sluice_kernel_state_assign_any, 1, {"f32[3,2] 7 7 7 7 7 7"}, {caseInt(1)}},
      {"assign_add", sluice_kernel_state_assign_add_any, 1, {value}, {}},
      {"assign_sub", sluice_kernel_state_assign_sub_any, 1, {value}, {}},
      {"scatter_update", sluice_kernel_state_scatter_update_any, 1, rows, {}},
      {"scatter_add", sluice_kernel_state_scatter_add_any, 1, rows, {}},
      {"scatter_sub", sluice_kernel_state_scatter_sub_any, 1, rows, {}},
      {"scatter_mul", sluice_kernel_state_scatter_mul_any, 1, rows, {}},
      {"update_points",
       sluice_kernel_state_update_points_any,
       1,
       {"i32[1,1] 1", "f32[1,2] 7 7"},
       {caseString("update"), caseInt(0)}},
      {"update_rows",
       sluice_kernel_state_update_rows_any,
       2,
       {rate, "f32[1,2] 7 7", "i32[1] 1"},
       {caseString("adagrad")}},
      {"gradient_descent", sluice_kernel_state_apply_gradient_descent_any, 1, {rate, value}, {}},
      {"momentum", sluice_kernel_state_apply_momentum_any, 2, {rate, value, rate}, {caseInt(0)}},
      {"adam",
       sluice_kernel_state_apply_adam_any,
       3,
       {rate, rate, rate, rate, rate, rate, "f32[3,2] 9 9 9 9 9 9"},
       {caseInt(0)}},
  };
  for (const auto &writer : writers) {
    variables_.clear();
    std::vector<Tensor> before;
    for (size_t i = 0; i < writer.variables; ++i) {
      declare("[3,2]", DType::kF32, value);
      EXPECT_EQ(runOn(sluice_kernel_state_read_any, {handle(i)}, {}, {DType::kF32}), value);
      before.push_back(outputs_[0]);
    }
    EXPECT_EQ(run(writer.kernel, writer.variables, writer.operands, writer.attrs), "");
    for (size_t i = 0; i < writer.variables; ++i) {
      EXPECT_EQ(textOf(before[i]), value) << writer.name << ", variable " << i;
      EXPECT_NE(valueOf(i), value) << writer.name << ", variable " << i;
    }
  }
}

TEST_F(VariableKernels, Assign) {
  const Kernel &assign = sluice_kernel_state_assign_any;
  declare("[2]", DType::kI32);
  EXPECT_EQ(run(assign, 1, {"i32[3] 1 2 3"}, {caseInt(1)}),
            "INVALID_ARGUMENT: Assign requires shapes of both tensors to match. lhs shape= [2] rhs "
            "shape= [3]");
  EXPECT_EQ(run(assign, 1, {"f32[2] 1 2"}, {caseInt(1)}),
            "INVALID_ARGUMENT: Trying to assign variable with wrong dtype. Expected i32 got f32");
  EXPECT_EQ(run(assign, 1, {"i32[2] 1 2"}, {caseInt(1)}), "");
  EXPECT_EQ(run(assign, 1, {"i32[3] 1 2 3"}, {caseInt(0)}),
            "INVALID_ARGUMENT: variable 'v0': expected i32[2] but got i32[3]");
}

TEST_F(VariableKernels, AssignAnyShape) {
  const Kernel &assign = sluice_kernel_state_assign_any;
  declare("[?]", DType::kI32);
  EXPECT_EQ(run(assign, 1, {"i32[2] 1 2"}, {caseInt(0)}), "");
  EXPECT_EQ(run(assign, 1, {"i32[3] 1 2 3"}, {caseInt(1)}),
            "INVALID_ARGUMENT: Assign requires shapes of both tensors to match. lhs shape= [2] rhs "
            "shape= [3]");
  EXPECT_EQ(run(assign, 1, {"i32[3] 1 2 3"}, {caseInt(0)}), "");
  EXPECT_EQ(valueOf(0), "i32[3] 1 2 3");
  EXPECT_EQ(run(assign, 1, {"i32[3] 4 5 6"}, {caseInt(1)}), "");
  EXPECT_EQ(run(sluice_kernel_state_variable_shape_any, 1, {}, {}, {DType::kI64}), "i64[1] 3");
}

TEST_F(VariableKernels, ShapesAreNumbersOfTheTypeThatIsAskedFor) {
  const Kernel &shape = sluice_kernel_state_variable_shape_any;
  declare("[?,0]", DType::kI32);
  variables_[0]->value = *Tensor::allocate(DType::kI32, Shape{2147483647, 0});
  EXPECT_EQ(run(shape, 1, {}, {}, {DType::kI32}), "i32[2] 2147483647 0");
  variables_[0]->value = *Tensor::allocate(DType::kI32, Shape{2147483648, 0});
  EXPECT_EQ(run(shape, 1, {}, {}, {DType::kI64}), "i64[2] 2147483648 0");
  EXPECT_EQ(run(shape, 1, {}, {}, {DType::kI32}),
            "INVALID_ARGUMENT: size 2147483648 does not fit into i32; ask for i64");
}

TEST_F(VariableKernels, UpdateErrors) {
  declare("[2]", DType::kI32);
  for (const Kernel *kernel :
       {&sluice_kernel_state_assign_add_any, &sluice_kernel_state_assign_sub_any})
    EXPECT_EQ(run(*kernel, 1, {"i32[2] 1 2"}),
              "FAILED_PRECONDITION: Attempting to use uninitialized value v0");
  EXPECT_EQ(run(sluice_kernel_state_variable_shape_any, 1, {}, {}, {DType::kI32}),
            "FAILED_PRECONDITION: Attempting to use uninitialized value v0");
  variables_[0]->value = tensorOf("i32[2] 1 2");
  EXPECT_EQ(run(sluice_kernel_state_assign_add_any, 1, {"i32[1] 1"}),
            "INVALID_ARGUMENT: Cannot update variable with shape [2] using a Tensor with shape "
            "[1], shapes must be equal.");
  declare("[]", DType::kString, "string a");
  EXPECT_EQ(runOn(sluice_kernel_state_assign_add_any, {handle(1), tensorOf("string b")}),
            "INVALID_ARGUMENT: cannot add elements of type string");
}

TEST_F(VariableKernels, WrongHandles) {
  Tensor stack = Tensor::handle(Ref<Object>::adopt(new Stack("s", DType::kF32, 1)));
  EXPECT_EQ(runOn(sluice_kernel_state_read_any, {stack}, {}, {DType::kF32}),
            "INVALID_ARGUMENT: expected a handle to a variable but got one to a stack");
  EXPECT_EQ(runOn(sluice_kernel_state_read_any, {tensorOf("f32 1")}, {}, {DType::kF32}),
            "INVALID_ARGUMENT: expected a handle to a variable but got a tensor of type f32");
}

TEST_F(VariableKernels, Scatter) {
  declare("[3,2]", DType::kI32, "i32[3,2] 1 2 3 4 5 6");
  EXPECT_EQ(run(sluice_kernel_state_scatter_update_any, 1, {"i32[2] 2 0", "i32[2,2] 7 8 9 9"}), "");
  EXPECT_EQ(valueOf(0), "i32[3,2] 9 9 3 4 7 8");
  EXPECT_EQ(run(sluice_kernel_state_scatter_add_any, 1, {"i64[2] 1 1", "i32[2,2] 1 2 3 4"}), "");
  EXPECT_EQ(valueOf(0), "i32[3,2] 9 9 7 10 7 8");
  EXPECT_EQ(run(sluice_kernel_state_scatter_sub_any, 1, {"i32 1", "i32 5"}), "");
  EXPECT_EQ(valueOf(0), "i32[3,2] 9 9 2 5 7 8");
  EXPECT_EQ(run(sluice_kernel_state_scatter_update_any, 1, {"i32[0]", "i32[0,2]"}), "");
  const struct {
    std::vector<std::string> operands;
    const char *error;
  } rows[] = {
      {{"i32[1] 9", "i32[1,2] 1 2"}, "INVALID_ARGUMENT: indices[0] = 9 is not in [0, 3)"},
      {{"i32 -1", "i32[2] 1 2"}, "INVALID_ARGUMENT: indices = -1 is not in [0, 3)"},
      {{"i32[1] 0", "i32[2] 1 2"},
       "INVALID_ARGUMENT: Must have updates.shape = indices.shape + params.shape[1:] or "
       "updates.shape = [], got updates.shape [2], indices.shape [1], params.shape [3,2]"},
      {{"i32 0", "f32[2] 1 2"},
       "INVALID_ARGUMENT: expected a value of type i32 for variable 'v0' but got f32"},
  };
  for (const auto &row : rows)
    EXPECT_EQ(run(sluice_kernel_state_scatter_add_any, 1, row.operands), row.error);
  EXPECT_EQ(valueOf(0), "i32[3,2] 9 9 2 5 7 8");
  declare("[2]", DType::kString, "string[2] a b");
  EXPECT_EQ(runOn(sluice_kernel_state_scatter_update_any,
                  {handle(1), tensorOf("i32[1] 1"), tensorOf("string[1] z")}),
            "");
  EXPECT_EQ(valueOf(1), "string[2] a z");
  declare("[]", DType::kI32, "i32 1");
  EXPECT_EQ(
      runOn(sluice_kernel_state_scatter_add_any, {handle(2), tensorOf("i32 0"), tensorOf("i32 1")}),
      "INVALID_ARGUMENT: params must be at least 1-D, got shape []");
}

TEST_F(VariableKernels, ScatterOfOneValue) {
  declare("[3,2]", DType::kI32, "i32[3,2] 1 2 3 4 5 6");
  EXPECT_EQ(run(sluice_kernel_state_scatter_update_any, 1, {"i32[2] 1 0", "i32 7"}), "");
  EXPECT_EQ(valueOf(0), "i32[3,2] 7 7 7 7 5 6");
  EXPECT_EQ(run(sluice_kernel_state_scatter_update_any, 1, {"i32 3", "i32 7"}),
            "INVALID_ARGUMENT: indices = 3 is not in [0, 3)");
}

TEST_F(VariableKernels, GradientDescent) {
  declare("[2]", DType::kF32, "f32[2] 1 2");
  const Kernel &kernel = sluice_kernel_state_apply_gradient_descent_any;
  EXPECT_EQ(run(kernel, 1, {"f32 0.5", "f32[2] 1 -1"}), "");
  EXPECT_EQ(valueOf(0), "f32[2] 0.5 2.5");
  EXPECT_EQ(run(kernel, 1, {"f32[1] 0.5", "f32[2] 1 -1"}),
            "INVALID_ARGUMENT: operand 1 is not a scalar of type f32: f32 [1]");
  EXPECT_EQ(run(kernel, 1, {"f32 0.5", "f32[1] 1"}),
            "INVALID_ARGUMENT: var and gradient do not have the same type and shape: f32 [2] vs. "
            "f32 [1]");
  for (DType dtype : {DType::kF16, DType::kBF16, DType::kF64}) {
    std::string type(dtypeName(dtype));
    variables_.clear();
    declare("[1]", dtype, type + "[1] 1");
    EXPECT_EQ(run(kernel, 1, {type + " 0.5", type + "[1] 1"}), "");
    EXPECT_EQ(valueOf(0), type + "[1] 0.5");
  }
  variables_.clear();
  declare("[1]", DType::kI32, "i32[1] 1");
  EXPECT_EQ(run(kernel, 1, {"i32 1", "i32[1] 1"}),
            "INVALID_ARGUMENT: cannot optimize elements of type i32");
}

// Each scalar on its own, and the gradient; nothing has changed then.
TEST_F(VariableKernels, OptimizersCheckEveryOperand) {
  for (int i = 0; i < 3; ++i)
    declare("[1]", DType::kF32, "f32[1] 1");
  const struct {
    const Kernel &kernel;
    size_t variables, operands, gradient;
  } rows[] = {{sluice_kernel_state_apply_gradient_descent_any, 1, 3, 2},
              {sluice_kernel_state_apply_momentum_any, 2, 5, 3},
              {sluice_kernel_state_apply_adam_any, 3, 10, 9}};
  for (const auto &row : rows)
    for (size_t wrong = row.variables; wrong < row.operands; ++wrong) {
      std::vector<std::string> operands;
      for (size_t i = row.variables; i < row.operands; ++i)
        operands.push_back(i == row.gradient ? "f32[1] 1" : "f32 0.5");
      bool isGradient = wrong == row.gradient;
      for (const char *other : {"f32[2] 1 1", "f64 1"}) {
        operands[wrong - row.variables] = other;
        Tensor tensor = tensorOf(other);
        std::string what = std::string(dtypeName(tensor.dtype())) + " " + tensor.shape().toString();
        EXPECT_EQ(run(row.kernel, row.variables, operands, {caseInt(0)}),
                  isGradient ? "INVALID_ARGUMENT: var and gradient do not have the same type and "
                               "shape: f32 [1] vs. " +
                                   what
                             : "INVALID_ARGUMENT: operand " + std::to_string(wrong) +
                                   " is not a scalar of type f32: " + what);
      }
      for (size_t i = 0; i < 3; ++i)
        EXPECT_EQ(valueOf(i), "f32[1] 1");
    }
}

TEST_F(VariableKernels, Momentum) {
  const Kernel &kernel = sluice_kernel_state_apply_momentum_any;
  declare("[1]", DType::kF64, "f64[1] 1");
  declare("[1]", DType::kF64, "f64[1] 2");
  std::vector<std::string> operands = {"f64 0.5", "f64[1] 4", "f64 0.25"};
  EXPECT_EQ(run(kernel, 2, operands, {caseInt(0)}), "");
  EXPECT_EQ(valueOf(1), "f64[1] 4.5");
  EXPECT_EQ(valueOf(0), "f64[1] -1.25");
  // nesterov: accum = 4.5·0.25 + 4; var -= 4·0.5 + 5.125·0.25·0.5
  EXPECT_EQ(run(kernel, 2, operands, {caseInt(1)}), "");
  EXPECT_EQ(valueOf(1), "f64[1] 5.125");
  EXPECT_EQ(valueOf(0), "f64[1] -3.890625");
  variables_[1]->value.reset();
  EXPECT_EQ(run(kernel, 2, operands, {caseInt(1)}),
            "FAILED_PRECONDITION: Attempting to use uninitialized value v1");
}

TEST_F(VariableKernels, Adam) {
  const Kernel &kernel = sluice_kernel_state_apply_adam_any;
  for (int i = 0; i < 3; ++i)
    declare("[1]", DType::kF64, i ? "f64[1] 0" : "f64[1] 1");
  // beta1_power, beta2_power, lr, beta1, beta2, epsilon, gradient
  std::vector<std::string> operands = {"f64 0.5",  "f64 0.75", "f64 0.5", "f64 0.5",
                                       "f64 0.75", "f64 0.5",  "f64[1] 2"};
  // alpha = 0.5·sqrt(0.25)/0.5 = 0.5; m = 1; v = 1; var = 1 - 0.5·1/(1 + 0.5)
  EXPECT_EQ(run(kernel, 3, operands, {caseInt(0)}), "");
  EXPECT_EQ(valueOf(1), "f64[1] 1");
  EXPECT_EQ(valueOf(2), "f64[1] 1");
  EXPECT_NEAR(*variables_[0]->value.data<double>(), 1 - 0.5 / 1.5, 1e-15);
  // nesterov: m = 1.5; v = 1.75; step = 0.5·(2·0.5 + 0.5·1.5)/(sqrt(1.75) + 0.5)
  variables_[0]->value = tensorOf("f64[1] 0");
  EXPECT_EQ(run(kernel, 3, operands, {caseInt(1)}), "");
  EXPECT_NEAR(*variables_[0]->value.data<double>(), -0.875 / (std::sqrt(1.75) + 0.5), 1e-15);
  // All different: alpha = 2·sqrt(0.0625)/0.5 = 1; m = 0.75·4; v = 0.125·16
  for (size_t i = 0; i < 3; ++i)
    variables_[i]->value = tensorOf(i ? "f64[1] 0" : "f64[1] 1");
  operands = {"f64 0.5", "f64 0.9375", "f64 2", "f64 0.25", "f64 0.875", "f64 0.125", "f64[1] 4"};
  EXPECT_EQ(run(kernel, 3, operands, {caseInt(0)}), "");
  EXPECT_EQ(valueOf(1), "f64[1] 3");
  EXPECT_EQ(valueOf(2), "f64[1] 2");
  EXPECT_NEAR(*variables_[0]->value.data<double>(), 1 - 3 / (std::sqrt(2) + 0.125), 1e-15);
}

} // namespace
} // namespace sluice::rt
