// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Handles to objects of every kind, sums and zeros of tensors, positions of generators.
#include "runtime/memory/guard_pages.h"
#include "runtime/state/addition.h"
#include "runtime/state/handle.h"
#include "runtime/state/stack.h"
#include "runtime/state/tensor_array.h"
#include "runtime/state/variable.h"
#include "test/runtime/kernels/tensor_text.h"

#include <gtest/gtest.h>

namespace sluice::rt {
namespace {

TEST(Handle, namesItsObject) {
  const std::pair<const char *, Tensor> objects[] = {
      {"variable", Tensor::handle(Ref<Object>::adopt(new Variable("v", DType::kF32, Shape{})))},
      {"random generator", Tensor::handle(Ref<Object>::adopt(new Generator()))},
      {"TensorArray", Tensor::handle(Ref<Object>::adopt(TensorArray::create("a", 1, {}).take()))},
      {"stack", Tensor::handle(Ref<Object>::adopt(new Stack("s", DType::kF32, 1)))},
  };
  for (const auto &[wanted, example] : objects) {
    Object::Kind kind = example.object()->kind();
    EXPECT_EQ(objectOf(Tensor::scalar(true), kind).status().toString(),
              std::string("INVALID_ARGUMENT: expected a handle to a ") + wanted +
                  " but got a tensor of type bool");
    for (const auto &[name, handle] : objects) {
      Result<Object *> found = objectOf(handle, kind);
      if (handle.object() == example.object())
        EXPECT_EQ(*found, handle.object());
      else
        EXPECT_EQ(found.status().toString(), std::string("INVALID_ARGUMENT: expected a handle to "
                                                         "a ") +
                                                 wanted + " but got one to a " + name);
    }
  }
}

TEST(Addition, leavesToOthersWhatTheyHold) {
  for (const char *type : {"f32", "i8", "c64"}) {
    auto vector = [&](const char *real, const char *complex) {
      bool isComplex = std::string_view(type) == "c64";
      return tensorOf(std::string(type) + "[3] " + (isComplex ? complex : real));
    };
    Tensor sum = vector("1 2 3", "(1,0) (2,0) (3,0)"), held = sum;
    ASSERT_TRUE(addInto(sum, vector("10 20 30", "(10,0) (20,0) (30,0)")).ok());
    EXPECT_EQ(textOf(sum), textOf(vector("11 22 33", "(11,0) (22,0) (33,0)")));
    EXPECT_EQ(textOf(held), textOf(vector("1 2 3", "(1,0) (2,0) (3,0)")));
    ASSERT_TRUE(subtractFrom(sum, held).ok());
    EXPECT_EQ(textOf(sum), textOf(vector("10 20 30", "(10,0) (20,0) (30,0)")));
  }
}

TEST(Addition, staysWithinItsTensors) {
  guardBuffers(GuardSide::kBehind);
  Tensor sum = tensorOf("i64[3] 1 2 3");
  Tensor value = tensorOf("i64[3] 10 20 30");
  guardBuffers(GuardSide::kNone);
  EXPECT_TRUE(addInto(sum, value).ok());
  EXPECT_TRUE(subtractFrom(sum, value).ok());
  EXPECT_EQ(textOf(sum), "i64[3] 1 2 3");
}

TEST(Addition, takesOnlyNumbersThatFit) {
  Tensor sum = tensorOf("f32[2] 1 2");
  for (const char *other : {"f32[1] 1", "i32[2] 1 2"})
    EXPECT_EQ(addInto(sum, tensorOf(other)).code(), Code::kInvalidArgument);
  EXPECT_EQ(addInto(sum, tensorOf("f32[2,1] 1 2")).message(),
            "expected equal types and shapes but got [2] and [2,1]");
  Tensor flags = tensorOf("bool[2] 1 0");
  EXPECT_EQ(subtractFrom(flags, flags).message(), "cannot add elements of type bool");
}

TEST(Addition, zerosAreOfEveryTypeThatHasOne) {
  EXPECT_EQ(textOf(*zeros(DType::kF64, Shape{3})), "f64[3] 0 0 0");
  EXPECT_EQ(textOf(*zeros(DType::kBool, Shape{2})), textOf(tensorOf("bool[2] 0 0")));
  EXPECT_STREQ(zeros(DType::kString, Shape{2})->values<std::string>()[1].c_str(), "");
  EXPECT_EQ(zeros(DType::kHandle, Shape{}).status().message(), "a handle has no zero");
}

TEST(Generator, goesOnBehindWhatTheLastCallHasUsed) {
  Generator generator;
  EXPECT_EQ(generator.position(1, 0), 0u);
  EXPECT_EQ(generator.position(1, 4), 4u);
  EXPECT_EQ(generator.position(1, 2), 2u); // iterations need not fire in order
  EXPECT_EQ(generator.position(2, 1), 6u);
  EXPECT_EQ(generator.position(3, 0), 7u);
  EXPECT_EQ(generator.position(4, 0), 8u);
}

} // namespace
} // namespace sluice::rt
