// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Barriers: tuples that become complete, who waits for them, and closing.
#include "runtime/state/barrier.h"
#include "test/runtime/state/waiter.h"

#include <gtest/gtest.h>

#include <thread>

namespace sluice::rt {
namespace {

constexpr DType f32 = DType::kF32;
const std::vector<DType> kTypes = {DType::kI64, DType::kString, f32, f32};

Ref<Barrier> barrier() {
  return *Barrier::make({"barrier 'b'", Components({{f32, Shape()}, {f32, Shape{2}}})});
}
Tensor column(size_t component, std::vector<float> values) {
  auto count = static_cast<int64_t>(values.size());
  return component == 0 ? floats(Shape{count}, values) : floats(Shape{count / 2, 2}, values);
}

TEST(Barrier, GivesCompleteTuplesInTheirOrder) {
  Ref<Barrier> b = barrier();
  EXPECT_TRUE(b->insert(texts({"x", "y"}), 0, column(0, {1, 2})).ok());
  EXPECT_TRUE(b->insert(texts({"z"}), 1, column(1, {5, 6})).ok());
  EXPECT_EQ(b->readySize(), 0);
  EXPECT_EQ(b->incompleteSize(), 3);
  EXPECT_TRUE(b->insert(texts({"z"}), 0, column(0, {3})).ok());
  EXPECT_TRUE(b->insert(texts({"y"}), 1, column(1, {7, 8})).ok());
  EXPECT_EQ(b->readySize(), 2);
  EXPECT_EQ(b->incompleteSize(), 1);
  Waiter waiter(4); // "y" came first
  EXPECT_TRUE(b->take(2, false, kTypes, waiter.client()).ok());
  EXPECT_EQ(valuesOf<int64_t>(waiter.results[0]), (std::vector<int64_t>{INT64_MIN, INT64_MIN + 1}));
  EXPECT_EQ(valuesOf<std::string>(waiter.results[1]), (std::vector<std::string>{"y", "z"}));
  EXPECT_EQ(valuesOf<float>(waiter.results[2]), (std::vector<float>{2, 3}));
  EXPECT_EQ(valuesOf<float>(waiter.results[3]), (std::vector<float>{7, 8, 5, 6}));
}

TEST(Barrier, WhoTakesWaitsUntilTuplesAreComplete) {
  Ref<Barrier> b = barrier();
  Waiter waiter(4);
  EXPECT_TRUE(b->take(1, false, kTypes, waiter.client()).ok());
  EXPECT_EQ(waiter.words(), "parked on barrier 'b', dequeue");
  EXPECT_TRUE(b->insert(texts({"x"}), 1, column(1, {1, 2})).ok());
  EXPECT_TRUE(waiter.isParked());
  EXPECT_TRUE(b->insert(texts({"x"}), 0, column(0, {3})).ok());
  EXPECT_EQ(waiter.resumedWith(), Code::kOk);
  EXPECT_EQ(valuesOf<float>(waiter.results[3]), (std::vector<float>{1, 2}));
}

TEST(Barrier, RefusesWhatDoesNotFit) {
  Ref<Barrier> b = barrier();
  EXPECT_TRUE(b->insert(texts({"x"}), 0, column(0, {1})).ok());
  EXPECT_EQ(b->insert(texts({"x"}), 0, column(0, {1})).code(), Code::kInvalidArgument);
  EXPECT_EQ(b->insert(texts({"x"}), 2, column(0, {1})).code(), Code::kInvalidArgument);
  EXPECT_EQ(b->insert(texts({"x"}), -1, column(0, {1})).code(), Code::kInvalidArgument);
  EXPECT_EQ(b->insert(texts({"x", "y"}), 1, column(1, {1, 2})).code(), Code::kInvalidArgument);
  EXPECT_EQ(b->insert(texts({"x"}), 1, column(0, {1})).code(), Code::kInvalidArgument);
  EXPECT_EQ(b->insert(texts({"x"}), 1, i64s({1})).code(), Code::kInvalidArgument);
  EXPECT_EQ(b->take(-1, false, kTypes, {}).code(), Code::kInvalidArgument);
  Ref<Barrier> free = *Barrier::make({"barrier 'f'", Components({{f32, Shape::unknownRank()}})});
  EXPECT_EQ(free->insert(texts({"x"}), 0, floats(Shape{1, 0}, {})).code(), Code::kUnimplemented);
  EXPECT_TRUE(b->check({"other", Components({{f32, Shape()}, {f32, Shape{2}}})}).ok());
  EXPECT_FALSE(b->check({"other", Components({{f32, Shape()}, {f32, Shape{3}}})}).ok());
}

TEST(Barrier, ClosedOnesTakeNoNewKeys) {
  Ref<Barrier> b = barrier();
  EXPECT_TRUE(b->insert(texts({"x", "y"}), 0, column(0, {1, 2})).ok());
  EXPECT_TRUE(b->insert(texts({"x"}), 1, column(1, {1, 2})).ok());
  EXPECT_TRUE(b->close(false).ok());
  EXPECT_EQ(b->close(false).code(), Code::kCancelled);
  EXPECT_EQ(b->insert(texts({"z"}), 0, column(0, {1})).code(), Code::kCancelled);
  EXPECT_EQ(b->take(3, false, kTypes, {}).code(), Code::kOutOfRange);
  Waiter fewer(4), both(4);
  EXPECT_TRUE(b->take(3, true, kTypes, fewer.client()).ok());
  EXPECT_EQ(valuesOf<std::string>(fewer.results[1]), (std::vector<std::string>{"x"}));
  EXPECT_TRUE(b->take(1, false, kTypes, both.client()).ok());
  EXPECT_TRUE(both.isParked());
  EXPECT_TRUE(b->insert(texts({"y"}), 1, column(1, {3, 4})).ok());
  EXPECT_EQ(both.resumedWith(), Code::kOk);
  EXPECT_EQ(b->insert(texts({"y"}), 1, column(1, {3, 4})).code(), Code::kCancelled);
  EXPECT_TRUE(b->insert(texts({}), 0, column(0, {})).ok());
  EXPECT_EQ(b->take(0, true, kTypes, {}).code(), Code::kOutOfRange);
}

TEST(Barrier, CancelledOnesForgetWhatIsIncomplete) {
  Ref<Barrier> b = barrier();
  EXPECT_TRUE(b->insert(texts({"x", "y"}), 0, column(0, {1, 2})).ok());
  Waiter waiter(4);
  EXPECT_TRUE(b->take(1, false, kTypes, waiter.client()).ok());
  EXPECT_TRUE(b->close(false).ok());
  EXPECT_TRUE(waiter.isParked());
  EXPECT_TRUE(b->close(true).ok());
  EXPECT_EQ(waiter.resumedWith(), Code::kOutOfRange);
  EXPECT_EQ(b->incompleteSize(), 0);
  EXPECT_EQ(b->insert(texts({"x"}), 1, column(1, {1, 2})).code(), Code::kCancelled);
  EXPECT_EQ(b->insert(texts({}), 0, column(0, {})).code(), Code::kCancelled);
  EXPECT_EQ(b->close(true).code(), Code::kCancelled);
}

TEST(Barrier, ManyThreadsBringComponents) {
  constexpr int kKeys = 500;
  Ref<Barrier> b = barrier();
  auto bring = [&](int64_t component) {
    for (int i = 0; i < kKeys; ++i)
      EXPECT_TRUE(b->insert(texts({std::to_string(i)}), component,
                            component ? column(1, {0, static_cast<float>(i)})
                                      : column(0, {static_cast<float>(i)}))
                      .ok());
  };
  std::thread one([&] { bring(0); }), two([&] { bring(1); });
  for (int i = 0; i < kKeys; ++i) {
    Waiter waiter(4);
    ASSERT_TRUE(b->take(1, false, kTypes, waiter.client()).ok());
    waiter.await();
    EXPECT_EQ(waiter.results[2].data<float>()[0], waiter.results[3].data<float>()[1]);
  }
  one.join();
  two.join();
  EXPECT_EQ(b->readySize() + b->incompleteSize(), 0);
}

} // namespace
} // namespace sluice::rt
