// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Stacks through their kernels.
#include "runtime/state/stack.h"
#include "test/runtime/kernels/kernel_case.h"

#include <regex>

namespace sluice::rt {
namespace {

class StackKernels : public testing::Test {
protected:
  void create(int64_t maxSize, DType dtype = DType::kF32) {
    call(sluice_kernel_array_stack_create_any, {tensorOf("i32 " + std::to_string(maxSize))},
         {caseDType(dtype), caseString("foo")}, {DType::kHandle});
    handle_ = output_;
  }
  std::string push(const std::string &value) {
    return call(sluice_kernel_array_stack_push_any, {handle_, tensorOf(value)}, {caseInt(0)},
                {tensorOf(value).dtype()});
  }
  std::string pop(DType dtype = DType::kF32) {
    return call(sluice_kernel_array_stack_pop_any, {handle_}, {}, {dtype});
  }
  std::string close() { return call(sluice_kernel_array_stack_close_any, {handle_}, {}, {}); }

  std::string call(const Kernel &kernel, const std::vector<Tensor> &inputs,
                   const std::vector<Attr> &attrs, const std::vector<DType> &types) {
    std::vector<const Tensor *> pointers;
    for (const Tensor &input : inputs)
      pointers.push_back(&input);
    std::vector<Tensor> outputs(types.size());
    Status status = runKernel(kernel, pointers, outputs, attrs, types, nullptr);
    if (!status.ok())
      return std::regex_replace(status.toString(), std::regex("foo_[0-9]+"), "foo_#");
    if (types.empty())
      return "";
    output_ = outputs[0];
    return types[0] == DType::kHandle ? "" : textOf(output_);
  }

  Tensor handle_, output_;
};

TEST_F(StackKernels, LastInFirstOut) {
  create(-1);
  EXPECT_EQ(push("f32[2] 1 2"), "f32[2] 1 2");
  EXPECT_EQ(push("f32 3"), "f32 3");
  EXPECT_EQ(pop(), "f32 3");
  EXPECT_EQ(pop(), "f32[2] 1 2");
  EXPECT_EQ(pop(), "INVALID_ARGUMENT: Stack[foo_#] is empty when calling Pop().");
}

TEST_F(StackKernels, Errors) {
  create(1);
  EXPECT_EQ(push("i32 1"), "INVALID_ARGUMENT: Must have type f32 but got i32");
  EXPECT_EQ(push("f32 1"), "f32 1");
  EXPECT_EQ(push("f32 1"), "INVALID_ARGUMENT: Stack[foo_#] overflowed its max_size (1)");
  EXPECT_EQ(pop(DType::kI32), "INVALID_ARGUMENT: Stack dtype is f32 but Op requested dtype i32.");
  EXPECT_EQ(close(), "");
  EXPECT_EQ(push("f32 1"), "INVALID_ARGUMENT: Stack[foo_#] has already been closed.");
  EXPECT_EQ(pop(), "INVALID_ARGUMENT: Stack[foo_#] has already been closed.");
  handle_ = tensorOf("f32 1");
  EXPECT_EQ(pop(), "INVALID_ARGUMENT: expected a handle to a stack but got a tensor of type f32");
  EXPECT_EQ(call(sluice_kernel_array_stack_create_any, {tensorOf("i32[2] 1 1")},
                 {caseDType(DType::kF32), caseString("")}, {DType::kHandle}),
            "INVALID_ARGUMENT: Stack size must be a scalar, but had shape: [2]");
}

TEST_F(StackKernels, MayHaveRoomForNothing) {
  create(0);
  EXPECT_EQ(push("f32 1"), "INVALID_ARGUMENT: Stack[foo_#] overflowed its max_size (0)");
}

TEST_F(StackKernels, HoldsHandles) {
  create(-1, DType::kHandle);
  Ref<Stack> inner = Ref<Stack>::adopt(new Stack("inner", DType::kF32, 1));
  auto *stack = static_cast<Stack *>(handle_.object());
  ASSERT_TRUE(stack->push(Tensor::handle(Ref<Object>::share(inner.get()))).ok());
  Result<Tensor> top = stack->pop();
  ASSERT_TRUE(top.ok());
  EXPECT_EQ(top->object(), inner.get());
}

} // namespace
} // namespace sluice::rt
