// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Sets in sparse tensors, and the order of rows.
#include "test/runtime/kernels/kernel_caller.h"
#include "test/runtime/kernels/long_firing.h"

namespace sluice::rt {
namespace {

using Numbers = std::vector<int64_t>;

Tensor rows(const Numbers &values, int64_t columns = 2) {
  return tensor<int64_t>({static_cast<int64_t>(values.size()) / columns, columns}, values);
}
template <typename T> Tensor vectorOf(const std::vector<T> &values) {
  return tensor<T>({static_cast<int64_t>(values.size())}, values);
}

TEST(RowOrder, IsStable) {
  auto order = [](const Tensor &x) {
    return valuesOf<int64_t>(*callKernel(sluice_kernel_sci_row_order_any, {x}, {DType::kI64}));
  };
  EXPECT_EQ(order(rows({2, 3, 0, 1, 2, 0, 0, 1, -1, 9})), (Numbers{4, 1, 3, 2, 0}));
  EXPECT_EQ(order(tensor<int8_t>({2, 1}, {3, -3})), (Numbers{1, 0}));
  EXPECT_EQ(order(rows({})), Numbers{});
  EXPECT_EQ(order(*Tensor::allocate(DType::kI64, Shape({3, 0}))), (Numbers{0, 1, 2}));
  EXPECT_EQ(errorOf(callKernel(sluice_kernel_sci_row_order_any, {vectorOf<int64_t>({1})})),
            "expected a matrix of rows but got shape [1]");
  EXPECT_EQ(inferShape(sluice_kernel_sci_row_order_any, {{4, 2}}), "[4]");
  EXPECT_EQ(inferShape(sluice_kernel_sci_row_order_any, {kAnyShape}), "[?]");
}

struct Sets {
  Tensor indices, values, dims;
};
KernelResult operate(const Sets &a, const Sets &b, const char *how, bool isChecked = true) {
  return callKernel(sluice_kernel_sci_set_operation_any,
                    {a.indices, a.values, a.dims, b.indices, b.values, b.dims},
                    {DType::kI64, a.values.dtype(), DType::kI64},
                    {intAttr(isChecked), textAttr(how)});
}

const Sets kFirst{rows({0, 0, 0, 2, 0, 3, 1, 1}), vectorOf<int32_t>({3, 1, 3, 2}),
                  vectorOf<int64_t>({3, 4})};
const Sets kSecond{rows({0, 0, 1, 0, 1, 1, 2, 0}), vectorOf<int32_t>({1, 2, 9, 5}),
                   vectorOf<int64_t>({3, 2})};

TEST(SetOperation, OfEachGroup) {
  KernelResult all = operate(kFirst, kSecond, "union");
  ASSERT_TRUE(all.ok()) << all.status.toString();
  EXPECT_EQ(valuesOf<int64_t>(*all), (Numbers{0, 0, 0, 1, 1, 0, 1, 1, 2, 0}));
  EXPECT_EQ(valuesOf<int32_t>(all.outputs[1]), (std::vector<int32_t>{1, 3, 2, 9, 5}));
  EXPECT_EQ(valuesOf<int64_t>(all.outputs[2]), (Numbers{3, 2}));
  auto values = [](const char *how) {
    return valuesOf<int32_t>(operate(kFirst, kSecond, how).outputs[1]);
  };
  EXPECT_EQ(values("intersection"), (std::vector<int32_t>{1, 2}));
  EXPECT_EQ(values("first_only"), (std::vector<int32_t>{3}));
  EXPECT_EQ(values("second_only"), (std::vector<int32_t>{9, 5}));
}

TEST(SetOperation, OfStringsAndOfNothing) {
  Sets a{rows({0, 0, 0, 1}), vectorOf<std::string>({"b", "a"}), vectorOf<int64_t>({1, 2})};
  EXPECT_EQ(valuesOf<std::string>(operate(a, a, "union").outputs[1]),
            (std::vector<std::string>{"a", "b"}));
  Sets none{rows({}), vectorOf<int32_t>({}), vectorOf<int64_t>({2, 0})};
  KernelResult result = operate(none, none, "union");
  EXPECT_EQ(result->shape(), Shape({0, 2}));
  EXPECT_EQ(valuesOf<int64_t>(result.outputs[2]), (Numbers{2, 0}));
}

TEST(SetOperation, Errors) {
  auto with = [](const Numbers &indices, const std::vector<int32_t> &values, const Numbers &dims,
                 bool isChecked = true) {
    return operate({rows(indices), vectorOf(values), vectorOf(dims)}, kSecond, "union", isChecked);
  };
  EXPECT_EQ(errorOf(with({1, 0, 0, 0}, {1, 2}, {3, 4})), "indices[1] = [0,0] is out of order");
  EXPECT_EQ(errorOf(with({1, 0, 0, 0}, {1, 2}, {3, 4}, false)),
            "indices[1] = [0,0] is out of order");
  EXPECT_EQ(errorOf(with({0, 1, 0, 1}, {1, 2}, {3, 4})), "indices[1] = [0,1] is repeated");
  EXPECT_EQ(errorOf(with({0, 1, 0, 0}, {1, 2}, {3, 4}, false)), "");
  EXPECT_EQ(errorOf(with({0, 4}, {1}, {3, 4})), "indices[0] = [0,4] is out of bounds");
  EXPECT_EQ(errorOf(with({-1, 0}, {1}, {3, 4})), "indices[0] = [-1,0] is out of bounds");
  EXPECT_EQ(errorOf(with({0, 0}, {1}, {2, 4})),
            "expected the same dims but the last but got [2 4] and [3 2]");
  EXPECT_EQ(errorOf(operate({rows({0}, 1), vectorOf<int32_t>({1}), vectorOf<int64_t>({3})}, kSecond,
                            "union")),
            "Invalid rank 1.");
  EXPECT_EQ(errorOf(with({0, 0}, {1, 2}, {3, 4})).substr(0, 40),
            "expected a row of indices for each value");
}

TEST(SetSize, CountsEachValueOnce) {
  auto sizes = [](const Sets &x, bool isChecked = true) {
    return callKernel(sluice_kernel_sci_set_size_any, {x.indices, x.values, x.dims}, {DType::kI32},
                      {intAttr(isChecked)});
  };
  EXPECT_EQ(valuesOf<int32_t>(*sizes(kFirst)), (std::vector<int32_t>{2, 1, 0}));
  Sets deep{rows({0, 1, 0, 1, 0, 1}, 3), vectorOf<std::string>({"a", "b"}),
            vectorOf<int64_t>({2, 2, 2})};
  KernelResult result = sizes(deep);
  EXPECT_EQ(result->shape(), Shape({2, 2}));
  EXPECT_EQ(valuesOf<int32_t>(*result), (std::vector<int32_t>{0, 1, 1, 0}));
  EXPECT_EQ(sizes({rows({}), vectorOf<int32_t>({}), vectorOf<int64_t>({INT64_MAX, 4})}).ok(),
            false);
  EXPECT_EQ(errorOf(sizes({rows({0, 9}), vectorOf<int32_t>({1}), vectorOf<int64_t>({3, 4})})),
            "indices[0] = [0,9] is out of bounds");
}

} // namespace
} // namespace sluice::rt
