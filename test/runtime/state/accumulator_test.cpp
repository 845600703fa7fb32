// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Accumulators: sums and means of gradients and of their rows.
#include "runtime/state/accumulator.h"
#include "test/runtime/state/waiter.h"

#include <gtest/gtest.h>

#include <thread>

namespace sluice::rt {
namespace {

constexpr DType f32 = DType::kF32;

Ref<Accumulator> accumulator(bool averages, Shape shape, bool isSparse = false, DType dtype = f32) {
  return *Accumulator::make({"accumulator 'a'", dtype, std::move(shape), isSparse, averages});
}
std::vector<float> taken(Accumulator &a, int64_t count) {
  Waiter waiter(1);
  EXPECT_TRUE(a.take(count, f32, false, waiter.client()).ok());
  EXPECT_FALSE(waiter.isParked());
  return valuesOf<float>(waiter.results[0]);
}

TEST(Accumulator, GivesSumsAndMeans) {
  for (bool averages : {false, true}) {
    Ref<Accumulator> a = accumulator(averages, Shape{2});
    Tensor first = floats(Shape{2}, {1, 2});
    EXPECT_TRUE(a->apply(0, first).ok());
    EXPECT_TRUE(a->apply(0, floats(Shape{2}, {3, 5})).ok());
    EXPECT_EQ(a->count(), 2);
    EXPECT_EQ(taken(*a, 1), averages ? (std::vector<float>{2, 3.5}) : (std::vector<float>{4, 7}));
    EXPECT_EQ(valuesOf<float>(first), (std::vector<float>{1, 2})); // it is somebody else's
    EXPECT_EQ(a->count(), 0);
  }
}

TEST(Accumulator, WhoTakesWaitsForEnough) {
  Ref<Accumulator> a = accumulator(false, Shape());
  Waiter two(1), one(1);
  EXPECT_TRUE(a->take(2, f32, false, two.client()).ok());
  EXPECT_EQ(two.words(), "parked on accumulator 'a', take");
  EXPECT_TRUE(a->take(1, f32, false, one.client()).ok());
  EXPECT_TRUE(a->apply(0, Tensor::scalar(1.f)).ok());
  EXPECT_TRUE(one.isParked()); // it came later
  EXPECT_TRUE(a->apply(0, Tensor::scalar(2.f)).ok());
  EXPECT_EQ(two.resumedWith(), Code::kOk);
  EXPECT_EQ(*two.results[0].data<float>(), 3);
  EXPECT_TRUE(one.withdraw());
  EXPECT_EQ(a->take(0, f32, false, {}).code(), Code::kInvalidArgument);
}

TEST(Accumulator, ForgetsStaleGradients) {
  Ref<Accumulator> a = accumulator(false, Shape());
  EXPECT_TRUE(a->apply(0, Tensor::scalar(1.f)).ok());
  EXPECT_EQ(taken(*a, 1), (std::vector<float>{1}));
  EXPECT_TRUE(a->apply(0, Tensor::scalar(2.f)).ok()); // of the step before
  EXPECT_EQ(a->count(), 0);
  EXPECT_TRUE(a->apply(1, Tensor::scalar(3.f)).ok());
  EXPECT_TRUE(a->setStep(5).ok());
  EXPECT_TRUE(a->apply(4, Tensor::scalar(4.f)).ok());
  EXPECT_TRUE(a->apply(5, Tensor::scalar(5.f)).ok());
  EXPECT_EQ(taken(*a, 2), (std::vector<float>{8}));
}

TEST(Accumulator, RefusesWhatDoesNotFit) {
  Ref<Accumulator> a = accumulator(false, Shape{2, Shape::kUnknown});
  EXPECT_EQ(a->apply(0, floats(Shape{3, 1}, {1, 2, 3})).code(), Code::kInvalidArgument);
  EXPECT_EQ(a->apply(0, Tensor::scalar(1.0)).code(), Code::kInvalidArgument);
  EXPECT_TRUE(a->apply(0, floats(Shape{2, 1}, {1, 2})).ok());
  EXPECT_EQ(a->apply(0, floats(Shape{2, 2}, {1, 2, 3, 4})).code(), Code::kInvalidArgument);
  EXPECT_EQ(a->applyRows(0, i64s({0}), floats(Shape{1, 1}, {1}), nullptr).code(),
            Code::kInvalidArgument);
  EXPECT_EQ(a->take(1, DType::kF64, false, {}).code(), Code::kInvalidArgument);
  EXPECT_EQ(a->take(1, f32, true, {}).code(), Code::kInvalidArgument);
  taken(*a, 1);
  EXPECT_TRUE(a->apply(1, floats(Shape{2, 2}, {1, 2, 3, 4})).ok()); // nothing is there to differ
  Accumulator::Options same{"other", f32, Shape{2, Shape::kUnknown}, false, false};
  EXPECT_TRUE(a->check(same).ok());
  same.averages = true;
  EXPECT_FALSE(a->check(same).ok());
}

TEST(Accumulator, HasMeansOfIntegersWhereThereAreSome) {
  Ref<Accumulator> a = accumulator(true, Shape(), false, DType::kU8);
  Waiter waiter(1);
  for (int i = 0; i < 256; ++i)
    EXPECT_TRUE(a->apply(0, Tensor::scalar(uint8_t{1})).ok());
  EXPECT_EQ(a->take(1, DType::kU8, false, waiter.client()).code(), Code::kInvalidArgument);
}

TEST(Accumulator, AddsRowsInOrder) {
  Ref<Accumulator> a = accumulator(true, Shape{9, 2}, true);
  Tensor dims = i64s({9, 2});
  EXPECT_TRUE(a->applyRows(0, i64s({1, 4}), floats(Shape{2, 2}, {1, 2, 3, 4}), &dims).ok());
  EXPECT_TRUE(
      a->applyRows(0, i64s({0, 4, 7}), floats(Shape{3, 2}, {9, 9, 5, 6, 7, 8}), nullptr).ok());
  EXPECT_EQ(a->count(), 2);
  Waiter waiter(3);
  EXPECT_TRUE(a->take(2, f32, true, waiter.client()).ok());
  EXPECT_EQ(valuesOf<int64_t>(waiter.results[0]), (std::vector<int64_t>{0, 1, 4, 7}));
  EXPECT_EQ(valuesOf<float>(waiter.results[1]), (std::vector<float>{9, 9, 1, 2, 4, 5, 7, 8}));
  EXPECT_EQ(valuesOf<int64_t>(waiter.results[2]), (std::vector<int64_t>{9, 2}));
  EXPECT_EQ(a->count(), 0);
}

TEST(Accumulator, SumsRowsOfUnknownTensors) {
  Ref<Accumulator> a = accumulator(false, Shape::unknownRank(), true);
  EXPECT_TRUE(a->applyRows(0, i64s({3}), floats(Shape{1, 2}, {1, 2}), nullptr).ok());
  EXPECT_TRUE(a->applyRows(0, i64s({3}), floats(Shape{1, 2}, {3, 4}), nullptr).ok());
  Waiter waiter(3);
  EXPECT_TRUE(a->take(1, f32, true, waiter.client()).ok());
  EXPECT_EQ(valuesOf<float>(waiter.results[1]), (std::vector<float>{4, 6}));
  EXPECT_EQ(valuesOf<int64_t>(waiter.results[2]), (std::vector<int64_t>{-1, 2}));
}

TEST(Accumulator, RefusesRowsThatDoNotFit) {
  Ref<Accumulator> a = accumulator(false, Shape{5, 2}, true);
  Tensor row = floats(Shape{1, 2}, {1, 2});
  auto refused = [&](const Tensor &indices, const Tensor &values, std::vector<int64_t> dims = {}) {
    Tensor shape = i64s(dims);
    return a->applyRows(0, indices, values, dims.empty() ? nullptr : &shape).code() ==
           Code::kInvalidArgument;
  };
  EXPECT_TRUE(refused(Tensor::scalar(int64_t{0}), row));
  EXPECT_TRUE(refused(i64s({0}), Tensor::scalar(1.f)));
  EXPECT_TRUE(refused(i64s({0, 1}), row));
  EXPECT_TRUE(refused(i64s({0}), floats(Shape{1, 3}, {1, 2, 3})));
  EXPECT_TRUE(refused(i64s({5}), row));
  EXPECT_TRUE(refused(i64s({-1}), row));
  EXPECT_TRUE(refused(i64s({0}), row, {4, 2}));
  EXPECT_TRUE(refused(i64s({0}), row, {5, 3}));
  EXPECT_FALSE(refused(i64s({0}), row, {5, 2}));
  EXPECT_EQ(a->apply(0, row).code(), Code::kInvalidArgument);
}

TEST(Accumulator, ManyThreadsAdd) {
  constexpr int kThreads = 4, kGradients = 500;
  Ref<Accumulator> a = accumulator(false, Shape());
  std::vector<std::thread> threads;
  for (int t = 0; t < kThreads; ++t)
    threads.emplace_back([&] {
      for (int i = 0; i < kGradients; ++i)
        EXPECT_TRUE(a->apply(0, Tensor::scalar(1.f)).ok());
    });
  Waiter waiter(1);
  ASSERT_TRUE(a->take(kThreads * kGradients, f32, false, waiter.client()).ok());
  waiter.await();
  for (std::thread &thread : threads)
    thread.join();
  EXPECT_EQ(*waiter.results[0].data<float>(), kThreads * kGradients);
}

} // namespace
} // namespace sluice::rt
