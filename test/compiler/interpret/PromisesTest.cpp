// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Result types are promises: a kernel that gives something else is a mistake of the compiler's.
#include "test/compiler/interpret/Program.h"

namespace sluice::interpret {
namespace {

TEST(Promises, AnotherShapeIsAnErrorAtTheNode) {
  Program program(R"(
flow.graph @main {
  %shape = flow.feed {name = "shape"} : () -> tensor<2xi32>
  %x = nd.constant {value = dense<1.0> : tensor<6xf32>} : () -> tensor<6xf32>
  %y = nd.reshape %x, %shape : (tensor<6xf32>, tensor<2xi32>) -> tensor<2x3xf32> loc("folded")
  flow.fetch %y {name = "y"} : (tensor<2x3xf32>) -> ()
})");
  auto call = [&](int32_t rows, int32_t columns) {
    rt::Tensor shape = *rt::Tensor::allocate(rt::DType::kI32, rt::Shape({2}));
    shape.data<int32_t>()[0] = rows;
    shape.data<int32_t>()[1] = columns;
    return program.call({shape}).status();
  };
  EXPECT_TRUE(call(2, 3).ok());
  rt::Status broken = call(3, 2);
  EXPECT_EQ(broken.code(), rt::Code::kInternal);
  EXPECT_EQ(broken.node(), "folded");
  EXPECT_EQ(broken.message(), "expected a result of shape [2,3] and type f32, as the compiler "
                              "inferred, but got [3,2] and f32");
}

} // namespace
} // namespace sluice::interpret
