// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Staging areas, in order and by keys.
#include "runtime/state/staging_area.h"
#include "test/runtime/state/waiter.h"

#include <gtest/gtest.h>

#include <thread>

namespace sluice::rt {
namespace {

const std::vector<DType> kOne = {DType::kF32}, kTwo = {DType::kF32, DType::kI64};

Ref<StagingArea> area(bool keyed = false, int64_t capacity = 0, int64_t memoryLimit = 0) {
  return *StagingArea::make({"staging area 's'", keyed, capacity, memoryLimit});
}
std::vector<Tensor> pair(float a, int64_t b) { return {Tensor::scalar(a), Tensor::scalar(b)}; }
Tensor places(std::vector<int32_t> indices) { return Tensor::vector<int32_t>(indices); }

TEST(StagingArea, GivesWhatCameFirst) {
  Ref<StagingArea> s = area();
  Waiter first(2), second(2), looking(2), waiting(2);
  EXPECT_TRUE(s->put(pair(1, 2), {}).ok());
  EXPECT_TRUE(s->put(pair(3, 4), {}).ok());
  EXPECT_TRUE(s->peek(1, kTwo, looking.client()).ok());
  EXPECT_EQ(*looking.results[1].data<int64_t>(), 4);
  EXPECT_EQ(s->size(), 2);
  EXPECT_TRUE(s->take(kTwo, first.client()).ok());
  EXPECT_EQ(*first.results[0].data<float>(), 1);
  EXPECT_TRUE(s->take(kTwo, second.client()).ok());
  EXPECT_EQ(*second.results[0].data<float>(), 3);
  EXPECT_TRUE(s->take(kTwo, waiting.client()).ok());
  EXPECT_EQ(waiting.words(), "parked on staging area 's', take");
  EXPECT_TRUE(s->put(pair(5, 6), {}).ok());
  EXPECT_EQ(waiting.resumedWith(), Code::kOk);
}

TEST(StagingArea, WhoLooksFurtherDoesNotHoldUpOthers) {
  Ref<StagingArea> s = area();
  Waiter looking(1), taking(1);
  EXPECT_TRUE(s->peek(1, kOne, looking.client()).ok());
  EXPECT_TRUE(s->take(kOne, taking.client()).ok());
  EXPECT_TRUE(s->put({Tensor::scalar(1.f)}, {}).ok());
  EXPECT_EQ(taking.resumedWith(), Code::kOk);
  EXPECT_TRUE(looking.isParked());
  EXPECT_EQ(looking.words(), "parked on staging area 's', peek");
  EXPECT_TRUE(s->put({Tensor::scalar(1.f)}, {}).ok());
  EXPECT_TRUE(s->put({Tensor::scalar(2.f)}, {}).ok());
  EXPECT_EQ(looking.resumedWith(), Code::kOk);
  EXPECT_EQ(*looking.results[0].data<float>(), 2);
  EXPECT_EQ(s->size(), 2);
}

TEST(StagingArea, HasRoomForSoManyTuplesAndBytes) {
  for (bool byBytes : {false, true}) {
    Ref<StagingArea> s = byBytes ? area(false, 0, 8) : area(false, 2, 0);
    Waiter third, taking(1);
    EXPECT_TRUE(s->put({Tensor::scalar(1.f)}, {}).ok());
    EXPECT_TRUE(s->put({Tensor::scalar(2.f)}, {}).ok());
    EXPECT_TRUE(s->put({Tensor::scalar(3.f)}, third.client()).ok());
    EXPECT_TRUE(third.isParked());
    EXPECT_TRUE(s->take(kOne, taking.client()).ok());
    EXPECT_EQ(third.resumedWith(), Code::kOk);
    Waiter fourth;
    EXPECT_TRUE(s->put({Tensor::scalar(4.f)}, fourth.client()).ok());
    EXPECT_TRUE(fourth.isParked());
    s->clear();
    EXPECT_EQ(fourth.resumedWith(), Code::kOk);
    EXPECT_EQ(s->size(), 1);
  }
  EXPECT_EQ(area(false, 0, 8)->put({i64s({1, 2})}, {}).code(), Code::kResourceExhausted);
}

TEST(StagingArea, RefusesWhatDoesNotFit) {
  Ref<StagingArea> s = area(), keyed = area(true);
  EXPECT_TRUE(s->put(pair(1, 2), {}).ok());
  Waiter waiter(2);
  EXPECT_EQ(s->take(kOne, waiter.client()).code(), Code::kInvalidArgument);
  std::vector<DType> turned = {DType::kI64, DType::kF32};
  EXPECT_EQ(s->take(turned, waiter.client()).code(), Code::kInvalidArgument);
  EXPECT_EQ(s->size(), 1);
  EXPECT_EQ(s->putAt(1, 1, places({0}), {Tensor::scalar(1.f)}, {}).code(), Code::kInvalidArgument);
  EXPECT_EQ(s->takeAt(1, places({0}), false, kOne, {}).code(), Code::kInvalidArgument);
  EXPECT_EQ(s->takeLeast(places({0}), kTwo, {}).code(), Code::kInvalidArgument);
  EXPECT_EQ(keyed->put(pair(1, 2), {}).code(), Code::kInvalidArgument);
  EXPECT_EQ(keyed->take(kTwo, {}).code(), Code::kInvalidArgument);
  EXPECT_EQ(keyed->peek(0, kTwo, {}).code(), Code::kInvalidArgument);
  EXPECT_TRUE(s->check({"other", false, 0, 0}).ok());
  EXPECT_FALSE(s->check({"other", true, 0, 0}).ok());
  EXPECT_FALSE(s->check({"other", false, 1, 0}).ok());
  EXPECT_FALSE(s->check({"other", false, 0, 1}).ok());
}

TEST(StagingArea, GivesByKeys) {
  Ref<StagingArea> s = area(true);
  EXPECT_TRUE(s->putAt(5, 2, places({0, 1}), pair(1, 2), {}).ok());
  EXPECT_TRUE(s->putAt(3, 2, places({0, 1}), pair(3, 4), {}).ok());
  Waiter at(2), least(3), looking(1), waiting(2);
  EXPECT_TRUE(s->takeAt(5, places({1}), true, std::vector{DType::kI64}, looking.client()).ok());
  EXPECT_EQ(*looking.results[0].data<int64_t>(), 2);
  EXPECT_EQ(s->size(), 2);
  std::vector<DType> withKey = {DType::kI64, DType::kF32, DType::kI64};
  EXPECT_TRUE(s->takeLeast(places({0, 1}), withKey, least.client()).ok());
  EXPECT_EQ(*least.results[0].data<int64_t>(), 3);
  EXPECT_EQ(*least.results[1].data<float>(), 3);
  EXPECT_TRUE(s->takeAt(3, places({0, 1}), false, kTwo, waiting.client()).ok());
  EXPECT_TRUE(waiting.isParked());
  EXPECT_TRUE(s->takeAt(5, places({0, 1}), false, kTwo, at.client()).ok());
  EXPECT_EQ(*at.results[1].data<int64_t>(), 2);
  EXPECT_EQ(s->size(), 0);
  EXPECT_TRUE(s->putAt(3, 2, places({0, 1}), pair(7, 8), {}).ok());
  EXPECT_EQ(waiting.resumedWith(), Code::kOk);
}

TEST(StagingArea, TuplesComeAndGoInParts) {
  Ref<StagingArea> s = area(true);
  Waiter one(1), other(1), gone(1);
  EXPECT_TRUE(s->putAt(1, 2, places({1}), {Tensor::scalar(int64_t{2})}, {}).ok());
  EXPECT_EQ(s->incompleteSize(), 1);
  EXPECT_EQ(s->size(), 0);
  EXPECT_EQ(s->putAt(1, 2, places({1}), {Tensor::scalar(int64_t{2})}, {}).code(),
            Code::kInvalidArgument);
  EXPECT_EQ(s->putAt(1, 2, places({2}), {Tensor::scalar(1.f)}, {}).code(), Code::kInvalidArgument);
  EXPECT_EQ(s->putAt(1, 2, places({1, 0}), pair(1, 2), {}).code(), Code::kInvalidArgument);
  EXPECT_EQ(s->putAt(1, 2, places({-1}), {Tensor::scalar(1.f)}, {}).code(), Code::kInvalidArgument);
  EXPECT_EQ(s->putAt(1, 2, places({0}), pair(1, 2), {}).code(), Code::kInvalidArgument);
  EXPECT_TRUE(s->putAt(1, 2, places({0}), {Tensor::scalar(1.f)}, {}).ok());
  EXPECT_EQ(s->incompleteSize(), 0);
  EXPECT_EQ(s->size(), 1);
  EXPECT_TRUE(s->takeAt(1, places({0}), false, kOne, one.client()).ok());
  EXPECT_EQ(s->size(), 1);
  EXPECT_EQ(s->takeAt(1, places({0}), false, kOne, gone.client()).code(), Code::kInvalidArgument);
  EXPECT_EQ(s->takeAt(1, places({2}), false, kOne, gone.client()).code(), Code::kInvalidArgument);
  EXPECT_TRUE(s->takeAt(1, places({1}), false, std::vector{DType::kI64}, other.client()).ok());
  EXPECT_EQ(s->size(), 0);
}

TEST(StagingArea, WhatBecomesCompleteWaitsForRoom) {
  Ref<StagingArea> s = area(true, 1);
  Waiter complete, taking(2);
  EXPECT_TRUE(s->putAt(1, 2, places({0, 1}), pair(1, 2), {}).ok());
  EXPECT_TRUE(s->putAt(2, 2, places({0}), {Tensor::scalar(3.f)}, {}).ok());
  EXPECT_TRUE(s->putAt(2, 2, places({1}), {Tensor::scalar(int64_t{4})}, complete.client()).ok());
  EXPECT_TRUE(complete.isParked());
  EXPECT_TRUE(s->takeAt(1, places({0, 1}), false, kTwo, taking.client()).ok());
  EXPECT_EQ(complete.resumedWith(), Code::kOk);
  EXPECT_EQ(s->incompleteSize(), 0);
}

TEST(StagingArea, ManyThreadsPutInAndTakeOut) {
  constexpr int kTuples = 1000;
  Ref<StagingArea> s = area(false, 2);
  std::thread other([&] {
    for (int i = 0; i < kTuples; ++i) {
      Waiter waiter;
      EXPECT_TRUE(s->put({Tensor::scalar(static_cast<float>(i))}, waiter.client()).ok());
      waiter.await();
    }
  });
  for (int i = 0; i < kTuples; ++i) {
    Waiter waiter(1);
    ASSERT_TRUE(s->take(kOne, waiter.client()).ok());
    waiter.await();
    ASSERT_EQ(*waiter.results[0].data<float>(), static_cast<float>(i));
  }
  other.join();
}

} // namespace
} // namespace sluice::rt
