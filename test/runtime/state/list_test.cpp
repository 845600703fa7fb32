// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Lists whose elements lie apart: states of elements, lengths, copies, errors.
#include "runtime/state/list.h"

#include "test/runtime/kernels/tensor_text.h"

#include <gtest/gtest.h>

#include <cmath>

namespace sluice::rt {
namespace {

constexpr List::GetMode kRead{.dtype = DType::kF32};
constexpr List::GetMode kTake{.dtype = DType::kF32, .clear = true};
constexpr List::SetMode kOnce{.once = true};
constexpr List::SetMode kGrow{.grow = true};
constexpr List::SetMode kAdd{.accumulate = true};

Ref<List> listOf(int64_t length, const std::string &shape = "<unknown>", bool identical = false) {
  return List::make(length, shapeOf(shape), identical);
}
std::string get(List &list, int64_t index, List::GetMode mode = kRead) {
  Result<Tensor> value = list.get(index, mode, list.elementShape());
  return value.ok() ? textOf(*value) : value.status().toString();
}
std::string set(List &list, int64_t index, const std::string &value, List::SetMode mode = {}) {
  Status status = list.set(index, tensorOf(value), mode);
  return status.ok() ? "" : status.toString();
}
std::string pop(List &list) {
  Result<Tensor> value = list.pop(DType::kF32);
  return value.ok() ? textOf(*value) : value.status().toString();
}

TEST(List, SetAndGet) {
  Ref<List> list = listOf(3);
  EXPECT_EQ(list->length(), 3);
  EXPECT_EQ(set(*list, 0, "f32[2] 1 2"), "");
  EXPECT_EQ(set(*list, 2, "f32 7"), "");
  EXPECT_EQ(get(*list, 0), "f32[2] 1 2");
  EXPECT_EQ(get(*list, 0), "f32[2] 1 2");
  EXPECT_EQ(set(*list, 0, "f32 3"), "");
  EXPECT_EQ(get(*list, 0), "f32 3");
  EXPECT_EQ(get(*list, 2), "f32 7");
}

TEST(List, IndicesOutOfRange) {
  Ref<List> list = listOf(2);
  const std::string wrong = "INVALID_ARGUMENT: Tried to ";
  for (int64_t i : {int64_t{-1}, int64_t{2}, INT64_MAX, INT64_MIN}) {
    std::string number = std::to_string(i);
    EXPECT_EQ(get(*list, i), wrong + "read from index " + number + " but array size is: 2");
    EXPECT_EQ(set(*list, i, "f32 1"),
              wrong + "write to index " + number + " but array is not resizeable and size is: 2");
  }
}

TEST(List, ElementsOfSeveralTypes) {
  Ref<List> list = listOf(3);
  EXPECT_EQ(set(*list, 0, "i32 1"), "");
  ASSERT_TRUE(list->set(1, Tensor::handle(Ref<Object>::adopt(listOf(1).take())), {}).ok());
  const std::string wrong = "INVALID_ARGUMENT: Invalid data types: expected element ";
  EXPECT_EQ(get(*list, 0), wrong + "0 to be a tensor of f32 but it is a tensor of i32.");
  EXPECT_EQ(get(*list, 0, {.dtype = DType::kI32}), "i32 1");
  EXPECT_EQ(get(*list, 1), wrong + "1 to be a tensor of f32 but it is a list.");
  EXPECT_EQ(get(*list, 0, {.dtype = DType::kHandle}),
            wrong + "0 to be a list but it is a tensor of i32.");
  EXPECT_EQ(list->at(0, DType::kF32).status().toString(),
            wrong + "0 to be a tensor of f32 but it is a tensor of i32.");
  EXPECT_TRUE(list->at(1, DType::kHandle).ok());
  Result<Ref<List>> rows = List::unstack(tensorOf("i32[2] 1 2"));
  ASSERT_TRUE(rows.ok());
  EXPECT_EQ(get(**rows, 1), wrong + "1 to be a tensor of f32 but it is a tensor of i32.");
  EXPECT_EQ((*rows)->at(1, DType::kF32).status().toString(),
            wrong + "1 to be a tensor of f32 but it is a tensor of i32.");
}

TEST(List, EmptyElements) {
  Ref<List> list = listOf(2);
  EXPECT_EQ(get(*list, 1),
            "INVALID_ARGUMENT: Could not read index 1: nothing was written to it, and the element "
            "shape is not fully defined: <unknown>. With a full element_shape it would be zeros.");
  Ref<List> known = listOf(2, "[2]");
  EXPECT_EQ(get(*known, 1), "f32[2] 0 0");
  EXPECT_EQ(get(*known, 1, kTake), "f32[2] 0 0");
  EXPECT_EQ(get(*known, 1).substr(0, 39), "INVALID_ARGUMENT: Could not read index ");
  Ref<List> texts = listOf(1, "[]");
  EXPECT_EQ(get(*texts, 0, {.dtype = DType::kString}), "string"); // an empty one
}

TEST(List, AnOpMayKnowMoreOfTheShape) {
  Ref<List> list = listOf(1, "[?,3]");
  EXPECT_EQ(list->narrowedElementShape(shapeOf("[2,?]"))->toString(), "[2,3]");
  EXPECT_EQ(list->narrowedElementShape(shapeOf("<unknown>"))->toString(), "[?,3]");
  EXPECT_EQ(list->narrowedElementShape(shapeOf("[2,4]")).status().message(),
            "PartialTensorShape: Incompatible shapes during merge: [?,3] vs. [2,4]");
  EXPECT_EQ(list->narrowedElementShape(shapeOf("[2]")).status().message(),
            "PartialTensorShape: Incompatible ranks during merge: 2 vs. 1");
  EXPECT_EQ(listOf(1)->narrowedElementShape(shapeOf("[2]"))->toString(), "[2]");
  EXPECT_EQ(textOf(*list->get(0, kRead, shapeOf("[1,3]"))), "f32[1,3] 0 0 0");
  EXPECT_EQ(list->elementShape().toString(), "[?,3]");
}

TEST(List, Clear) {
  Ref<List> list = listOf(2);
  set(*list, 0, "f32[2] 1 2");
  EXPECT_EQ(get(*list, 0, kTake), "f32[2] 1 2");
  EXPECT_EQ(
      get(*list, 0),
      "INVALID_ARGUMENT: Could not read index 0 twice because it was cleared after a previous "
      "read (perhaps try setting clear_after_read = false?).");
  EXPECT_EQ(set(*list, 0, "f32[2] 3 4", kOnce),
            "INVALID_ARGUMENT: Could not write to index 0 because it has already been read.");
  EXPECT_EQ(set(*list, 0, "f32[2] 3 4", kAdd),
            "INVALID_ARGUMENT: Could not write to index 0 because it has already been read.");
  EXPECT_EQ(set(*list, 0, "f32[3] 5 6 7"), ""); // whoever may write often may write again
  EXPECT_EQ(get(*list, 0), "f32[3] 5 6 7");
}

TEST(List, ClearedElementsAreHeldNoLonger) {
  Ref<List> list = listOf(1);
  Tensor value = tensorOf("f32[6] 1 2 3 4 5 6");
  ASSERT_TRUE(list->set(0, value, {}).ok());
  EXPECT_FALSE(value.solelyOwned());
  EXPECT_TRUE(list->get(0, kTake, Shape::unknownRank()).ok());
  EXPECT_TRUE(value.solelyOwned());
}

TEST(List, Once) {
  Ref<List> list = listOf(1);
  EXPECT_EQ(set(*list, 0, "f32 1", kOnce), "");
  EXPECT_EQ(set(*list, 0, "f32 2", kOnce),
            "INVALID_ARGUMENT: Could not write to index 0 because it has already been written to.");
  EXPECT_EQ(get(*list, 0), "f32 1");
}

TEST(List, Grow) {
  Ref<List> list = listOf(0);
  EXPECT_EQ(set(*list, 2, "f32 1", kGrow), "");
  EXPECT_EQ(list->length(), 3);
  EXPECT_EQ(set(*list, 1, "f32 2", kGrow), "");
  EXPECT_EQ(list->length(), 3);
  EXPECT_EQ(set(*list, -1, "f32 1", kGrow).substr(0, 24), "INVALID_ARGUMENT: Tried ");
  EXPECT_EQ(set(*list, List::kMostElements, "f32 1", kGrow).substr(0, 24),
            "INVALID_ARGUMENT: Tried ");
  EXPECT_EQ(list->length(), 3);
}

TEST(List, LengthsCostNoMemory) {
  Ref<List> list = listOf(List::kMostElements, "[]");
  EXPECT_EQ(list->length(), 2147483647);
  EXPECT_EQ(set(*list, 2147483646, "f32 1"), "");
  EXPECT_EQ(get(*list, 2147483646), "f32 1");
  EXPECT_EQ(get(*list, 7), "f32 0");
  EXPECT_TRUE(list->resize(3).ok());
  EXPECT_TRUE(list->resize(List::kMostElements).ok());
  EXPECT_EQ(get(*list, 2147483646), "f32 0");
  Ref<List> large = listOf(List::kMostElements, "[]");
  EXPECT_EQ((*large->clone())->length(), 2147483647);
  EXPECT_EQ((*large->zerosLike())->length(), 2147483647);
  EXPECT_EQ(large->push(tensorOf("f32 1")).code(), Code::kInvalidArgument);
}

TEST(List, Accumulate) {
  Ref<List> list = listOf(1);
  EXPECT_EQ(set(*list, 0, "f32[2] 1 2", kAdd), "");
  EXPECT_EQ(set(*list, 0, "f32[2] 10 20", kAdd), "");
  EXPECT_EQ(get(*list, 0), "f32[2] 11 22");
  EXPECT_EQ(
      set(*list, 0, "f32[1] 1", kAdd),
      "INVALID_ARGUMENT: Could not aggregate to index 0 because the existing shape is [2] but "
      "the new input shape is [1].");
  EXPECT_EQ(get(*list, 0), "f32[2] 11 22");
}

TEST(List, AccumulateLeavesWhatWasAddedAsItIs) {
  Ref<List> list = listOf(1);
  Tensor first = tensorOf("f32[2] 1 2");
  ASSERT_TRUE(list->set(0, first, kAdd).ok());
  EXPECT_EQ(set(*list, 0, "f32[2] 10 20", kAdd), "");
  EXPECT_EQ(textOf(first), "f32[2] 1 2");
  EXPECT_EQ(get(*list, 0), "f32[2] 11 22");
}

TEST(List, Beyond) {
  List::GetMode mode{.dtype = DType::kF32, .beyond = true};
  Ref<List> list = listOf(1, "[2]");
  EXPECT_EQ(get(*list, 3, mode), "f32[2] 0 0");
  EXPECT_EQ(list->length(), 4);
  EXPECT_EQ(get(*list, -1, mode).substr(0, 24), "INVALID_ARGUMENT: Tried ");
  EXPECT_EQ(get(*list, List::kMostElements, mode).substr(0, 24), "INVALID_ARGUMENT: Tried ");
  Ref<List> unknown = listOf(1);
  EXPECT_EQ(get(*unknown, 3, mode).substr(0, 24), "INVALID_ARGUMENT: Could ");
}

TEST(List, PushAndPop) {
  Ref<List> list = listOf(0);
  EXPECT_EQ(pop(*list), "INVALID_ARGUMENT: Stack is empty when calling Pop().");
  for (int i = 0; i < 200; ++i) // more than a page
    ASSERT_TRUE(list->push(tensorOf("f32 " + std::to_string(i))).ok());
  EXPECT_EQ(list->length(), 200);
  for (int i = 200; i-- > 0;)
    EXPECT_EQ(pop(*list), "f32 " + std::to_string(i));
  EXPECT_EQ(list->length(), 0);
  EXPECT_EQ(pop(*listOf(1)).substr(0, 39), "INVALID_ARGUMENT: Could not read index ");
  EXPECT_EQ(pop(*listOf(1, "[2]")), "f32[2] 0 0");
}

TEST(List, PoppedElementsAreHeldNoLonger) {
  Ref<List> list = listOf(0);
  Tensor value = tensorOf("f32[6] 1 2 3 4 5 6");
  ASSERT_TRUE(list->push(value).ok());
  EXPECT_TRUE(list->pop(DType::kF32).ok());
  EXPECT_TRUE(value.solelyOwned());
}

TEST(List, Resize) {
  Ref<List> list = listOf(2, "[]");
  set(*list, 0, "f32 1");
  set(*list, 1, "f32 2");
  EXPECT_TRUE(list->resize(1).ok());
  EXPECT_TRUE(list->resize(3).ok());
  EXPECT_EQ(get(*list, 0), "f32 1");
  EXPECT_EQ(get(*list, 1), "f32 0");
  EXPECT_EQ(set(*list, 2, "f32 3", kOnce), "");
  EXPECT_EQ(list->resize(-1).toString(),
            "INVALID_ARGUMENT: expected a length of 0 to 2147483647 but got -1");
  EXPECT_EQ(list->resize(int64_t{1} << 31).code(), Code::kInvalidArgument);
  EXPECT_EQ(list->length(), 3);
}

TEST(List, Shapes) {
  Ref<List> list = listOf(2, "[?]");
  EXPECT_EQ(set(*list, 1, "f32 1"),
            "INVALID_ARGUMENT: Could not write to index 1 because the value shape is [] which is "
            "incompatible with the inferred element shape: [?] (consider setting "
            "infer_shape=False).");
  EXPECT_EQ(set(*list, 0, "f32[1] 1"), "");
  EXPECT_EQ(set(*list, 1, "f32[2] 1 2"), "");
}

TEST(List, IdenticalShapes) {
  Ref<List> list = listOf(3, "[?]", /*identical=*/true);
  EXPECT_EQ(set(*list, 0, "f32[2] 1 2"), "");
  EXPECT_EQ(set(*list, 1, "f32[3] 1 2 3").substr(0, 24), "INVALID_ARGUMENT: Could ");
  EXPECT_EQ(get(*list, 2), "f32[2] 0 0"); // since then
  Ref<List> copy = *list->clone();
  EXPECT_EQ(set(*copy, 1, "f32[3] 1 2 3").substr(0, 24), "INVALID_ARGUMENT: Could ");
}

TEST(List, ClonesGoTheirOwnWays) {
  Ref<List> list = listOf(100);
  set(*list, 0, "f32[2] 1 2");
  set(*list, 99, "f32 9");
  Ref<List> copy = *list->clone();
  EXPECT_EQ(set(*copy, 0, "f32[2] 10 20", kAdd), "");
  EXPECT_EQ(get(*copy, 0), "f32[2] 11 22");
  EXPECT_EQ(get(*list, 0), "f32[2] 1 2");
  EXPECT_EQ(get(*list, 99, kTake), "f32 9");
  EXPECT_EQ(get(*copy, 99), "f32 9");
  EXPECT_TRUE(copy->resize(1).ok());
  EXPECT_EQ(list->length(), 100);
}

TEST(List, ZerosOfWhatIsOrWasThere) {
  Ref<List> list = listOf(4);
  set(*list, 0, "f32[2] 1 2");
  set(*list, 1, "f32[3] 1 2 3");
  EXPECT_EQ(get(*list, 1, kTake), "f32[3] 1 2 3");
  Ref<List> zeros = *list->zerosLike();
  EXPECT_EQ(zeros->length(), 4);
  EXPECT_EQ(get(*zeros, 0), "f32[2] 0 0");
  EXPECT_EQ(get(*zeros, 1), "f32[3] 0 0 0");
  EXPECT_EQ(get(*zeros, 2).substr(0, 24), "INVALID_ARGUMENT: Could ");
  EXPECT_EQ(
      set(*zeros, 0, "f32 1", kAdd),
      "INVALID_ARGUMENT: Could not aggregate to index 0 because the existing shape is [2] but "
      "the new input shape is [].");
  Ref<List> again = *zeros->zerosLike();
  EXPECT_EQ(get(*again, 1), "f32[3] 0 0 0");
}

// 0 + -0 is 0, but nothing is added to zeros.
TEST(List, WhatIsAddedFirstKeepsItsBits) {
  Ref<List> list = listOf(1);
  set(*list, 0, "f32 1");
  Ref<List> zeros = *list->zerosLike();
  ASSERT_TRUE(zeros->set(0, Tensor::scalar(-0.0f), kAdd).ok());
  EXPECT_TRUE(std::signbit(zeros->get(0, kRead, Shape{})->data<float>()[0]));
  EXPECT_EQ(set(*zeros, 0, "f32 2", kAdd), "");
  EXPECT_EQ(get(*zeros, 0), "f32 2");
}

TEST(List, EmptyElementsThatWereReadHaveNoZeros) {
  Ref<List> list = listOf(1, "[2]");
  EXPECT_EQ(get(*list, 0, kTake), "f32[2] 0 0");
  Ref<List> zeros = *list->zerosLike();
  EXPECT_EQ(set(*zeros, 0, "f32[2] 1 2", kOnce), ""); // else it would have been written to
}

TEST(List, Unstack) {
  Ref<List> list = *List::unstack(tensorOf("f32[2,2] 1 2 3 4"));
  EXPECT_EQ(list->length(), 2);
  EXPECT_EQ(get(*list, 1), "f32[2] 3 4");
  EXPECT_EQ(textOf(*list->asTensor()), "f32[2,2] 1 2 3 4");
  Ref<List> texts = *List::unstack(tensorOf("string[2,1] a b"));
  EXPECT_EQ(get(*texts, 1, {.dtype = DType::kString}), "string[1] b");
  EXPECT_FALSE(texts->asTensor());
  EXPECT_EQ(List::unstack(tensorOf("f32 1")).status().toString(),
            "INVALID_ARGUMENT: Input value for unpack must be at least a vector but received "
            "shape: []");
  EXPECT_EQ((*List::unstack(tensorOf("f32[0,3]")))->length(), 0);
  Ref<List> empty = *List::unstack(tensorOf("f32[3,0]"));
  EXPECT_EQ(empty->length(), 3);
  EXPECT_EQ(get(*empty, 2), "f32[0]");
}

TEST(List, UnstackedElementsAreCopies) {
  Tensor value = tensorOf("f32[2] 1 2");
  Ref<List> list = *List::unstack(value);
  EXPECT_EQ(set(*list, 0, "f32 7"), "");
  EXPECT_EQ(textOf(value), "f32[2] 1 2");
  EXPECT_EQ(get(*list, 0), "f32 7");
}

} // namespace
} // namespace sluice::rt
