// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Queues: orders, room, closing, and who waits for what.
#include "runtime/state/queue.h"
#include "test/runtime/state/waiter.h"

#include <gtest/gtest.h>

#include <thread>

namespace sluice::rt {
namespace {

constexpr DType f32 = DType::kF32;
const std::vector<DType> kOne = {f32};

Queue::Options options(Queue::Order order, Shape shape = Shape(), int64_t capacity = -1) {
  Queue::Options options;
  options.title = "queue 'q'";
  options.order = order;
  options.components = Components({{f32, std::move(shape)}});
  options.capacity = capacity;
  return options;
}
Ref<Queue> fifo(int64_t capacity = -1) {
  return *Queue::make(options(Queue::Order::kFifo, Shape(), capacity));
}
Tensor number(float value) { return Tensor::scalar(value); }

// What comes of it at once; parked firings must not end otherwise.
Code put(Queue &queue, float value) {
  Waiter waiter;
  Status status = queue.enqueue({number(value)}, false, waiter.client());
  if (!waiter.isParked())
    return status.code();
  EXPECT_TRUE(waiter.withdraw());
  return Code::kUnavailable;
}
Result<float> take(Queue &queue) {
  Waiter waiter(1);
  SLUICE_RETURN_IF_ERROR(queue.dequeue(kOne, waiter.client()));
  if (waiter.isParked()) {
    EXPECT_TRUE(waiter.withdraw());
    return Status(Code::kUnavailable, "it is parked");
  }
  return *waiter.results[0].data<float>();
}
std::vector<float> takeAll(Queue &queue) {
  std::vector<float> all;
  while (queue.size() > 0)
    all.push_back(*take(queue));
  return all;
}

TEST(Queue, GivesWhatCameFirst) {
  Ref<Queue> queue = fifo();
  for (float value : {3.f, 1.f, 2.f})
    EXPECT_EQ(put(*queue, value), Code::kOk);
  EXPECT_EQ(queue->size(), 3);
  EXPECT_EQ(takeAll(*queue), (std::vector<float>{3, 1, 2}));
  EXPECT_EQ(take(*queue).status().code(), Code::kUnavailable);
}

TEST(Queue, WhoWaitsIsServedInOrder) {
  Ref<Queue> queue = fifo();
  Waiter first(1), second(1);
  EXPECT_TRUE(queue->dequeue(kOne, first.client()).ok());
  EXPECT_TRUE(queue->dequeue(kOne, second.client()).ok());
  EXPECT_EQ(first.words(), "parked on queue 'q', dequeue");
  EXPECT_EQ(put(*queue, 1), Code::kOk);
  EXPECT_EQ(first.resumedWith(), Code::kOk);
  EXPECT_EQ(*first.results[0].data<float>(), 1);
  EXPECT_TRUE(second.isParked());
  EXPECT_EQ(put(*queue, 2), Code::kOk);
  EXPECT_EQ(*second.results[0].data<float>(), 2);
  EXPECT_EQ(queue->size(), 0);
}

TEST(Queue, ThoseWhoPutInWaitForRoom) {
  Ref<Queue> queue = fifo(2);
  EXPECT_EQ(put(*queue, 1), Code::kOk);
  EXPECT_EQ(put(*queue, 2), Code::kOk);
  Waiter third, fourth;
  EXPECT_TRUE(queue->enqueue({number(3)}, false, third.client()).ok());
  EXPECT_TRUE(queue->enqueue({number(4)}, false, fourth.client()).ok());
  EXPECT_EQ(third.words(), "parked on queue 'q', enqueue");
  EXPECT_EQ(queue->size(), 2);
  EXPECT_EQ(*take(*queue), 1);
  EXPECT_EQ(third.resumedWith(), Code::kOk);
  EXPECT_TRUE(fourth.isParked());
  EXPECT_TRUE(fourth.withdraw());
  EXPECT_FALSE(fourth.withdraw());
  EXPECT_EQ(takeAll(*queue), (std::vector<float>{2, 3}));
}

// Row by row, so that takers get what there is.
TEST(Queue, ManyGoInAsThereIsRoom) {
  Ref<Queue> queue = fifo(2);
  Waiter many;
  EXPECT_TRUE(queue->enqueue({floats(Shape{5}, {1, 2, 3, 4, 5})}, true, many.client()).ok());
  EXPECT_TRUE(many.isParked());
  EXPECT_EQ(queue->size(), 2);
  EXPECT_EQ(*take(*queue), 1);
  EXPECT_EQ(*take(*queue), 2);
  EXPECT_EQ(queue->size(), 2);
  EXPECT_EQ(*take(*queue), 3);
  EXPECT_EQ(many.resumedWith(), Code::kOk);
  EXPECT_EQ(takeAll(*queue), (std::vector<float>{4, 5}));
  EXPECT_TRUE(queue->enqueue({floats(Shape{0}, {})}, true, Waiter().client()).ok());
  EXPECT_EQ(queue->size(), 0);
}

TEST(Queue, ManyComeOutAsTheyCome) {
  Ref<Queue> queue = fifo(2);
  Waiter many(1), one(1);
  EXPECT_TRUE(queue->dequeueMany(3, false, kOne, many.client()).ok());
  EXPECT_TRUE(queue->dequeue(kOne, one.client()).ok());
  for (float value : {1.f, 2.f, 3.f, 4.f}) // more than there is room for
    EXPECT_EQ(put(*queue, value), Code::kOk);
  EXPECT_EQ(many.resumedWith(), Code::kOk);
  EXPECT_EQ(many.results[0].shape(), Shape{3});
  EXPECT_EQ(valuesOf<float>(many.results[0]), (std::vector<float>{1, 2, 3}));
  EXPECT_EQ(*one.results[0].data<float>(), 4);
  Waiter none(1);
  EXPECT_TRUE(queue->dequeueMany(0, false, kOne, none.client()).ok());
  EXPECT_EQ(none.results[0].shape(), Shape{0});
  EXPECT_EQ(queue->dequeueMany(-1, false, kOne, none.client()).code(), Code::kInvalidArgument);
}

// What a firing had taken already is there for the next one.
TEST(Queue, WhoIsWithdrawnGivesBack) {
  Ref<Queue> queue = fifo();
  Waiter many(1), one(1);
  put(*queue, 1);
  put(*queue, 2);
  EXPECT_TRUE(queue->dequeueMany(3, false, kOne, many.client()).ok());
  EXPECT_TRUE(queue->dequeue(kOne, one.client()).ok());
  EXPECT_EQ(queue->size(), 0);
  EXPECT_TRUE(many.withdraw());
  EXPECT_EQ(one.resumedWith(), Code::kOk);
  EXPECT_EQ(*one.results[0].data<float>(), 1);
  EXPECT_EQ(takeAll(*queue), (std::vector<float>{2}));
}

TEST(Queue, ClosedOnesGiveWhatTheyHave) {
  Ref<Queue> queue = fifo();
  put(*queue, 1);
  EXPECT_FALSE(queue->isClosed());
  EXPECT_TRUE(queue->close(false, Waiter().client()).ok());
  EXPECT_TRUE(queue->isClosed());
  EXPECT_EQ(put(*queue, 2), Code::kCancelled);
  EXPECT_EQ(queue->enqueue({floats(Shape{1}, {1})}, true, Waiter().client()).code(),
            Code::kCancelled);
  EXPECT_TRUE(queue->enqueue({floats(Shape{0}, {})}, true, Waiter().client()).ok());
  EXPECT_EQ(*take(*queue), 1);
  EXPECT_EQ(take(*queue).status().code(), Code::kOutOfRange);
  EXPECT_EQ(queue->close(false, Waiter().client()).code(), Code::kCancelled);
  EXPECT_TRUE(queue->close(true, Waiter().client()).ok());
}

TEST(Queue, ClosingEndsThoseThatWaitInVain) {
  Ref<Queue> queue = fifo();
  put(*queue, 1);
  Waiter many(1), fewer(1), one(1);
  EXPECT_TRUE(queue->dequeueMany(2, false, kOne, many.client()).ok());
  EXPECT_TRUE(queue->dequeueMany(2, true, kOne, fewer.client()).ok());
  EXPECT_TRUE(queue->dequeue(kOne, one.client()).ok());
  EXPECT_TRUE(queue->close(false, Waiter().client()).ok());
  EXPECT_EQ(many.resumedWith(), Code::kOutOfRange);
  EXPECT_EQ(fewer.resumedWith(), Code::kOk); // of what the first one gave back
  EXPECT_EQ(valuesOf<float>(fewer.results[0]), (std::vector<float>{1}));
  EXPECT_EQ(one.resumedWith(), Code::kOutOfRange);
  Waiter none(1);
  EXPECT_EQ(queue->dequeueMany(2, true, kOne, none.client()).code(), Code::kOutOfRange);
}

// Closing waits behind those that put in, unless it cancels them.
TEST(Queue, WhatWaitsToGoInIsInBeforeItCloses) {
  for (bool cancels : {false, true}) {
    Ref<Queue> queue = fifo(1);
    put(*queue, 1);
    Waiter waiting, closing;
    EXPECT_TRUE(queue->enqueue({number(2)}, false, waiting.client()).ok());
    EXPECT_TRUE(queue->close(cancels, closing.client()).ok());
    EXPECT_EQ(queue->isClosed(), cancels);
    EXPECT_EQ(*take(*queue), 1);
    EXPECT_EQ(waiting.resumedWith(), cancels ? Code::kCancelled : Code::kOk);
    EXPECT_EQ(closing.resumedWith(), cancels ? std::nullopt : std::optional(Code::kOk));
    EXPECT_TRUE(queue->isClosed());
    EXPECT_EQ(queue->size(), cancels ? 0 : 1);
  }
}

TEST(Queue, GivesByPriority) {
  Queue::Options given = options(Queue::Order::kPriority);
  given.components = Components({{DType::kI64, Shape()}, {f32, Shape{2}}});
  Ref<Queue> queue = *Queue::make(given);
  for (int64_t priority : {5, -1, 3, 4, 0})
    EXPECT_TRUE(queue
                    ->enqueue({Tensor::scalar(priority),
                               floats(Shape{2}, {static_cast<float>(priority), 0})},
                              false, Waiter().client())
                    .ok());
  Waiter many(2);
  std::vector<DType> types = {DType::kI64, f32};
  EXPECT_TRUE(queue->dequeueMany(4, false, types, many.client()).ok());
  EXPECT_EQ(valuesOf<int64_t>(many.results[0]), (std::vector<int64_t>{-1, 0, 3, 4}));
  EXPECT_EQ(valuesOf<float>(many.results[1]), (std::vector<float>{-1, 0, 0, 0, 3, 0, 4, 0}));
  EXPECT_EQ(queue->enqueue({i64s({1, 2}), floats(Shape{2}, {1, 2})}, false, {}).code(),
            Code::kInvalidArgument);
  EXPECT_FALSE(Queue::make(options(Queue::Order::kPriority)).ok());
}

// TensorFlow draws from the same stream: the first four numbers of Philox with these seeds.
TEST(Queue, GivesWhatIsDrawn) {
  Queue::Options given = options(Queue::Order::kRandom);
  given.seed = 87654321;
  given.seed2 = 12;
  Ref<Queue> queue = *Queue::make(given);
  std::vector<float> left;
  for (float value = 0; value < 6; ++value) {
    put(*queue, value);
    left.push_back(value);
  }
  Philox stream(87654321, 12, 0);
  for (uint32_t drawn : stream.next()) {
    size_t at = drawn % left.size();
    std::swap(left[at], left.back());
    EXPECT_EQ(*take(*queue), left.back());
    left.pop_back();
  }
  std::swap(left[stream.next()[0] % 2], left.back());
  EXPECT_EQ(*take(*queue), left.back());
}

TEST(Queue, LeavesSomeBehindToDrawFrom) {
  Queue::Options given = options(Queue::Order::kRandom, Shape(), 4);
  given.minAfterDequeue = 2;
  Ref<Queue> queue = *Queue::make(given);
  Waiter waiting(1);
  put(*queue, 1);
  put(*queue, 2);
  EXPECT_TRUE(queue->dequeue(kOne, waiting.client()).ok());
  EXPECT_TRUE(waiting.isParked());
  put(*queue, 3);
  EXPECT_EQ(waiting.resumedWith(), Code::kOk);
  Waiter many(1);
  EXPECT_TRUE(queue->dequeueMany(2, false, kOne, many.client()).ok());
  EXPECT_TRUE(many.isParked());
  EXPECT_TRUE(queue->close(false, Waiter().client()).ok());
  EXPECT_EQ(many.resumedWith(), Code::kOk);
  given.minAfterDequeue = 4;
  EXPECT_FALSE(Queue::make(given).ok());
  given.minAfterDequeue = -1;
  EXPECT_FALSE(Queue::make(given).ok());
}

TEST(Queue, PadsWhatDiffers) {
  Ref<Queue> queue = *Queue::make(options(Queue::Order::kPadding, Shape{-1, 2}));
  for (const Tensor &one : {floats(Shape{1, 2}, {1, 2}), floats(Shape{2, 2}, {3, 4, 5, 6})})
    EXPECT_TRUE(queue->enqueue({one}, false, Waiter().client()).ok());
  EXPECT_EQ(queue->enqueue({floats(Shape{1, 3}, {1, 2, 3})}, false, {}).code(),
            Code::kInvalidArgument);
  Waiter many(1), none(1);
  EXPECT_TRUE(queue->dequeueMany(2, false, kOne, many.client()).ok());
  EXPECT_EQ(many.results[0].shape(), (Shape{2, 2, 2}));
  EXPECT_EQ(valuesOf<float>(many.results[0]), (std::vector<float>{1, 2, 0, 0, 3, 4, 5, 6}));
  EXPECT_TRUE(queue->dequeueMany(0, false, kOne, none.client()).ok());
  EXPECT_EQ(none.results[0].shape(), (Shape{0, 0, 2}));
  EXPECT_FALSE(Queue::make(options(Queue::Order::kPadding, Shape::unknownRank())).ok());
  EXPECT_FALSE(Queue::make(options(Queue::Order::kFifo, Shape{-1})).ok());
}

TEST(Queue, RefusesOtherComponents) {
  Ref<Queue> queue = fifo();
  EXPECT_EQ(queue->enqueue({Tensor::scalar(1.0)}, false, {}).code(), Code::kInvalidArgument);
  EXPECT_EQ(queue->enqueue({number(1), number(2)}, false, {}).code(), Code::kInvalidArgument);
  EXPECT_EQ(queue->enqueue({floats(Shape{1}, {1})}, false, {}).code(), Code::kInvalidArgument);
  EXPECT_EQ(queue->enqueue({number(1)}, true, {}).code(), Code::kInvalidArgument);
  std::vector<DType> wrong = {DType::kF64};
  EXPECT_EQ(queue->dequeue(wrong, {}).code(), Code::kInvalidArgument);
  EXPECT_EQ(queue->dequeueMany(1, false, wrong, {}).code(), Code::kInvalidArgument);
  EXPECT_EQ(queue->size(), 0);
  Ref<Queue> free = *Queue::make(options(Queue::Order::kFifo, Shape::unknownRank()));
  EXPECT_TRUE(free->enqueue({floats(Shape{2}, {1, 2})}, false, Waiter().client()).ok());
  EXPECT_EQ(free->dequeueMany(1, false, kOne, {}).code(), Code::kInvalidArgument);
  EXPECT_EQ(free->dequeueMany(0, false, kOne, {}).code(), Code::kInvalidArgument);
}

TEST(Queue, IsAsItWasMade) {
  Queue::Options given = options(Queue::Order::kRandom, Shape{2}, 10);
  given.seed = 2;
  given.seed2 = 3;
  Ref<Queue> queue = *Queue::make(given);
  EXPECT_TRUE(queue->check(given).ok());
  given.seed = given.seed2 = 0; // whoever says none takes any
  EXPECT_TRUE(queue->check(given).ok());
  auto differs = [&](auto change) {
    Queue::Options other = given;
    change(other);
    return queue->check(other).code() == Code::kInvalidArgument;
  };
  EXPECT_TRUE(differs([](Queue::Options &o) { o.order = Queue::Order::kFifo; }));
  EXPECT_TRUE(differs([](Queue::Options &o) { o.capacity = 11; }));
  EXPECT_TRUE(differs([](Queue::Options &o) { o.minAfterDequeue = 1; }));
  EXPECT_TRUE(differs([](Queue::Options &o) { o.seed = 1; }));
  EXPECT_TRUE(differs([](Queue::Options &o) { o.seed2 = 1; }));
  EXPECT_TRUE(differs([](Queue::Options &o) { o.components = Components({{f32, Shape{3}}}); }));
  EXPECT_TRUE(
      differs([](Queue::Options &o) { o.components = Components({{DType::kI32, Shape{2}}}); }));
}

// Each element comes out once, and none waits for ever.
TEST(Queue, ManyThreadsPutInAndTakeOut) {
  constexpr int kThreads = 4, kElements = 2000;
  Ref<Queue> queue = fifo(3);
  std::vector<std::vector<float>> taken(kThreads);
  std::vector<std::thread> threads;
  for (int t = 0; t < kThreads; ++t) {
    threads.emplace_back([&, t] {
      for (int i = 0; i < kElements; ++i) {
        Waiter waiter;
        ASSERT_TRUE(
            queue->enqueue({number(static_cast<float>(t * kElements + i))}, false, waiter.client())
                .ok());
        waiter.await();
      }
    });
    threads.emplace_back([&, t] {
      for (int i = 0; i < kElements; ++i) {
        Waiter waiter(1);
        ASSERT_TRUE(queue->dequeue(kOne, waiter.client()).ok());
        waiter.await();
        taken[static_cast<size_t>(t)].push_back(*waiter.results[0].data<float>());
      }
    });
  }
  for (std::thread &thread : threads)
    thread.join();
  std::vector<float> all;
  for (const auto &some : taken)
    all.insert(all.end(), some.begin(), some.end());
  std::ranges::sort(all);
  ASSERT_EQ(all.size(), static_cast<size_t>(kThreads * kElements));
  for (size_t i = 0; i < all.size(); ++i)
    ASSERT_EQ(all[i], static_cast<float>(i));
}

} // namespace
} // namespace sluice::rt
