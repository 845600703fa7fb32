// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Texts of failed assertions and of print ops.
#include "runtime/state/stack.h"
#include "test/runtime/kernels/kernel_case.h"

namespace sluice::rt {
namespace {

TEST(Summary, EscapesWhatCannotBePrinted) {
  Tensor text = *Tensor::allocate(DType::kString, {});
  *text.data<std::string>() = "a ~\x7f\x1f\n'";
  EXPECT_EQ(summarize(text, -1), "a ~\\177\\037\\n\\'");
}

TEST(Summary, Texts) {
  const struct {
    const char *tensor;
    int64_t limit;
    const char *text;
  } rows[] = {
      {"f32 1.5", 3, "1.5"},
      {"f32 -nan", 3, "nan"},
      {"f64 -nan", 3, "nan"},
      {"i32[4] 1 2 3 4", 3, "1 2 3..."},
      {"i32[4] 1 2 3 4", -1, "1 2 3 4"},
      {"i32[4] 1 2 3 4", 0, "..."},
      {"i32[3,2] 1 2 3 4 5 6", -1, "[1 2][3 4][5 6]"},
      {"i32[3,2] 1 2 3 4 5 6", 3, "[1 2][3...]..."},
      {"i32[2,2,2] 1 2 3 4 5 6 7 8", -1, "[[1 2][3 4]][[5 6][7 8]]"},
      {"i32[2,2,2] 1 2 3 4 5 6 7 8", 2, "[[1 2]]..."},
      {"i32[2,2,2] 1 2 3 4 5 6 7 8", 5, "[[1 2][3 4]][[5...]]..."},
      {"i32[2,0]", 3, ""},
      {"bool[2] 1 0", 3, "1 0"},
      {"f32[4] 0.1 1e10 nan -inf", -1, "0.1 1e+10 nan -inf"},
      {"f32[2] 16777217 0.33333334", -1, "16777216 0.333333343"},
      {"f64[2] 0.1 1e100", -1, "0.1 1e+100"},
      {"f16[2] 0.5 65504", -1, "0.5 65504"},
      {"i8[2] -128 127", -1, "-128 127"},
      {"c64[1] (1,-2)", -1, "(1,-2)"},
      {"string[2] it's a\\b", -1, "it\\'s a\\\\b"},
      {"string[1] \xc3\xa9\x01", -1, "\\303\\251\\001"},
  };
  for (const auto &row : rows)
    EXPECT_EQ(summarize(tensorOf(row.tensor), row.limit), row.text) << row.tensor;
  EXPECT_EQ(summarize(Tensor::string("a\n\t\r\""), 1), "a\\n\\t\\r\\\"");
  EXPECT_EQ(summarize(Tensor::handle(Ref<Object>::adopt(new Stack("s", DType::kF32, 1))), 1), "?");
}

TEST(AssertKernel, Texts) {
  const std::vector<Attr> three = {caseInt(3)};
  const std::vector<DType> none = {};
  std::vector<KernelCase> rows = {
      {{"bool 1", "i32 1"}, three, {}, none},
      {{"bool 0", "string fail", "i32[2] 3 1", "bool[2] 1 1"},
       three,
       {"INVALID_ARGUMENT: assertion failed: [fail] [3 1] [1 1]"},
       none},
      {{"bool 0", "i32[5] 1 2 3 4 5"},
       {caseInt(2)},
       {"INVALID_ARGUMENT: assertion failed: [1 2...]"},
       none},
      {{"bool[2] 0 1"}, three, {"INVALID_ARGUMENT: In[0] should be a scalar: [2]"}, none},
      {{"i32 0"}, three, {"INVALID_ARGUMENT: In[0] should be a scalar: []"}, none}};
  for (const KernelCase &row : rows) {
    std::vector<Tensor> inputs;
    std::vector<const Tensor *> pointers;
    for (const std::string &text : row.inputs)
      inputs.push_back(tensorOf(text));
    for (const Tensor &input : inputs)
      pointers.push_back(&input);
    Status status = runKernel(sluice_kernel_state_assert_any, pointers, {}, row.attrs, {}, nullptr);
    EXPECT_EQ(status.toString(), row.expected.empty() ? "OK" : row.expected[0]);
  }
}

TEST(CheckRangeKernel, Texts) {
  const struct {
    const char *indices;
    int64_t allowsNegative, dim;
    const char *expected;
  } rows[] = {{"i32[3] 0 4 2", 0, 0, "OK"},
              {"i32[0]", 0, 0, "OK"},
              {"i64[2] 1 -1", 1, 1, "OK"},
              {"i32[2,2] 0 1 5 7", 0, 0, "INVALID_ARGUMENT: at[1,0] = 5 is beyond [0, 5)"},
              {"i32[2] 1 -1", 0, 0, "INVALID_ARGUMENT: at[1] = -1 is beyond [0, 5)"},
              {"i64 2", 1, 1, "INVALID_ARGUMENT: at = 2 is beyond [0, 2)"}};
  const Tensor of = tensorOf("f32[5,2] 0 0 0 0 0 0 0 0 0 0");
  for (const auto &row : rows) {
    Tensor indices = tensorOf(row.indices);
    const Tensor *inputs[] = {&indices, &of};
    const Attr attrs[] = {caseInt(row.allowsNegative), caseInt(row.dim), caseString("is beyond"),
                          caseString("at")};
    Status status = runKernel(sluice_kernel_state_check_range_any, inputs, {}, attrs, {}, nullptr);
    EXPECT_EQ(status.toString(), row.expected) << row.indices;
  }
}

TEST(CheckPointsKernel, Texts) {
  const struct {
    const char *indices;
    int64_t columns;
    const char *expected;
  } rows[] = {{"i32[3,2] 0 0 4 1 2 1", 0, "OK"},
              {"i32[0,2]", 0, "OK"},
              {"i64[2,0]", 0, "OK"},
              {"i32[2] 4 1", 0, "OK"},
              {"i32[2] 0 4", 1, "OK"},
              {"i32[2,2] 0 1 5 0", 0, "INVALID_ARGUMENT: indices[1] = [5,0] misses [5,2]"},
              {"i32[1,2,2] 0 1 0 -1", 0, "INVALID_ARGUMENT: indices[0,1] = [0,-1] misses [5,2]"},
              {"i32[2] 4 2", 0, "INVALID_ARGUMENT: indices = [4,2] misses [5,2]"},
              {"i32[2] 0 5", 1, "INVALID_ARGUMENT: indices[1] = [5] misses [5,2]"}};
  const Tensor of = tensorOf("f32[5,2] 0 0 0 0 0 0 0 0 0 0");
  for (const auto &row : rows) {
    Tensor indices = tensorOf(row.indices);
    const Tensor *inputs[] = {&indices, &of};
    const Attr attrs[] = {caseInt(row.columns), caseString("misses")};
    Status status = runKernel(sluice_kernel_state_check_points_any, inputs, {}, attrs, {}, nullptr);
    EXPECT_EQ(status.toString(), row.expected) << row.indices;
  }
}

TEST(CheckNumbersKernel, Texts) {
  const struct {
    const char *numbers, *of, *refused, *expected;
  } rows[] = {{"i32[3] 1 -4 2", "i32[1] 0", "zero", "OK"},
              {"i64[0]", "i32[1] 0", "zero", "OK"},
              {"ui8[2] 200 1", "i32[1] 0", "negative", "OK"},
              {"i32[2] 0 7", "i32[1] 0", "negative", "OK"},
              {"i32[2] 0 -7", "i32[0]", "zero", "OK"},
              {"i32[2] 7 0", "i32[1] 0", "zero", "INVALID_ARGUMENT: Integer division by zero"},
              {"i64[2] 7 -1", "i32[1] 0", "negative",
               "INVALID_ARGUMENT: Integers to negative integer powers are not allowed"}};
  for (const auto &row : rows) {
    Tensor numbers = tensorOf(row.numbers), of = tensorOf(row.of);
    const Tensor *inputs[] = {&numbers, &of};
    const Attr attrs[] = {caseString(row.refused)};
    Status status =
        runKernel(sluice_kernel_state_check_numbers_any, inputs, {}, attrs, {}, nullptr);
    EXPECT_EQ(status.toString(), row.expected) << row.numbers;
  }
}

TEST(PrintKernel, Line) {
  std::string printed;
  std::function<void(std::string_view)> print = [&](std::string_view text) {
    printed += std::string(text) + ";";
  };
  Environment environment;
  environment.print = &print;
  Tensor a = tensorOf("i32[2,2] 1 2 3 4"), b = tensorOf("string x");
  const Tensor *inputs[] = {&a, &b};
  const Attr attrs[] = {caseInt(2), caseString("now: "), caseInt(3)};
  for (uint64_t outer : {0, 1})
    for (uint64_t iteration = 0; iteration < 4; ++iteration) {
      environment.firing = FiringNumber().inFrame(outer).inFrame(iteration);
      EXPECT_TRUE(
          runKernel(sluice_kernel_state_print_any, inputs, {}, attrs, {}, &environment).ok());
    }
  EXPECT_EQ(printed, "now: [[1 2][3...]...][x];now: [[1 2][3...]...][x];");
}

TEST(PrintKernel, Text) {
  std::string printed;
  std::function<void(std::string_view)> print = [&](std::string_view text) {
    printed += std::string(text) + ";";
  };
  Environment environment;
  environment.print = &print;
  auto run = [&](const Tensor &text, const char *end) {
    const Tensor *inputs[] = {&text};
    const Attr attrs[] = {caseString(end)};
    return runKernel(sluice_kernel_state_print_text_any, inputs, {}, attrs, {}, &environment);
  };
  EXPECT_TRUE(run(tensorOf("string a"), "\n").ok());
  EXPECT_TRUE(run(tensorOf("string a"), "").ok());
  EXPECT_TRUE(run(tensorOf("string a"), "b\n\n").ok());
  EXPECT_EQ(printed, "a;a;ab\n;");
  EXPECT_EQ(run(tensorOf("string[2] a b"), "").toString(),
            "INVALID_ARGUMENT: Input is expected to be scalar, but got [2]");
}

} // namespace
} // namespace sluice::rt
