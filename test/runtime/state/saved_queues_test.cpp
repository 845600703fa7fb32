// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What queues, barriers, accumulators, staging areas and mutexes save makes them again what they
// were.
#include "runtime/program/node_kind.h"
#include "runtime/state/accumulator.h"
#include "runtime/state/barrier.h"
#include "runtime/state/mutex.h"
#include "runtime/state/object_slot.h"
#include "runtime/state/queue.h"
#include "runtime/state/staging_area.h"
#include "test/runtime/state/waiter.h"

#include <gtest/gtest.h>

namespace sluice::rt {
namespace {

using Content = std::vector<NamedTensor>;
constexpr DType f32 = DType::kF32;

template <typename T> Ref<T> copied(const T &object) {
  Result<Content> content = object.content();
  EXPECT_TRUE(content.ok()) << content.status().toString();
  Result<Ref<T>> copy = T::ofContent(std::move(*content));
  EXPECT_TRUE(copy.ok()) << copy.status().toString();
  return copy.ok() ? *copy : Ref<T>();
}

// No content that lacks a tensor, has one more, or one of another type, is taken; but tensors
// called like "complete/0/1" may be of any type.
template <typename T> void refusesDamaged(const T &object) {
  Content content = *object.content();
  for (size_t i = 0; i < content.size(); ++i) {
    Content missing = content, other = content, renamed = content;
    missing.erase(missing.begin() + static_cast<ptrdiff_t>(i));
    EXPECT_FALSE(T::ofContent(missing).ok()) << "without " << content[i].first;
    other[i].second = floats(Shape{1, 1, 1}, {1});
    bool isAny = content[i].first.starts_with("complete/0/") ||
                 content[i].first.starts_with("incomplete/0/");
    EXPECT_EQ(T::ofContent(other).ok(), isAny && T::kKind == Object::Kind::kStagingArea)
        << content[i].first;
    renamed[i].first += "?";
    EXPECT_FALSE(T::ofContent(renamed).ok()) << content[i].first;
  }
  content.emplace_back("more", Tensor::scalar(1.f));
  EXPECT_FALSE(T::ofContent(content).ok());
}

template <typename T> bool takes(const T &object, std::string_view name, Tensor value) {
  Content content = *object.content();
  for (NamedTensor &tensor : content)
    if (tensor.first == name)
      tensor.second = value;
  return T::ofContent(content).ok();
}

Queue::Options ofOrder(Queue::Order order) {
  Queue::Options options;
  options.title = "queue 'q'";
  options.order = order;
  options.components = Components({{DType::kI64, Shape()}, {DType::kString, Shape{-1}}});
  if (order != Queue::Order::kPadding)
    options.components =
        Components({{DType::kI64, Shape()}, {DType::kString, Shape::unknownRank()}});
  options.capacity = 30;
  options.seed = 3;
  options.seed2 = 4;
  return options;
}
Status put(Queue &queue, int64_t number) {
  std::vector<std::string> words(static_cast<size_t>(number) % 3, "word " + std::to_string(number));
  return queue.enqueue({Tensor::scalar(number), texts(words)}, false, Waiter().client());
}
int64_t take(Queue &queue) {
  Waiter waiter(2);
  std::vector<DType> types = {DType::kI64, DType::kString};
  EXPECT_TRUE(queue.dequeue(types, waiter.client()).ok());
  auto number = *waiter.results[0].data<int64_t>();
  EXPECT_EQ(waiter.results[1].elements(), number % 3);
  return number;
}

TEST(SavedContent, OfQueues) {
  for (Queue::Order order : {Queue::Order::kFifo, Queue::Order::kPadding, Queue::Order::kPriority,
                             Queue::Order::kRandom}) {
    Ref<Queue> queue = *Queue::make(ofOrder(order));
    for (int64_t number : {5, 2, 9, 4, 7, 1, 8, 8})
      ASSERT_TRUE(put(*queue, number).ok());
    for (int i = 0; i < 3; ++i) // so that the stream has moved
      take(*queue);
    Ref<Queue> copy = copied(*queue);
    EXPECT_TRUE(copy->check(ofOrder(order)).ok());
    EXPECT_FALSE(copy->isClosed());
    for (Queue *each : {queue.get(), copy.get()}) {
      ASSERT_TRUE(put(*each, 6).ok());
      ASSERT_TRUE(each->close(false, Waiter().client()).ok());
    }
    EXPECT_TRUE(copied(*copy)->isClosed());
    while (queue->size() > 0)
      EXPECT_EQ(take(*copy), take(*queue));
    EXPECT_EQ(copy->size(), 0);
    EXPECT_EQ(copied(*copy)->size(), 0);
  }
}

TEST(SavedContent, RefusesWhatIsNoQueue) {
  Ref<Queue> queue = *Queue::make(ofOrder(Queue::Order::kPriority));
  for (int64_t number : {2, 5, 4})
    ASSERT_TRUE(put(*queue, number).ok());
  refusesDamaged(*queue);
  EXPECT_TRUE(takes(*queue, "capacity", Tensor::scalar(int64_t{3})));
  EXPECT_FALSE(takes(*queue, "capacity", Tensor::scalar(int64_t{2})));
  EXPECT_FALSE(takes(*queue, "order", Tensor::scalar(uint8_t{4})));
  EXPECT_FALSE(takes(*queue, "count", Tensor::scalar(int64_t{-1})));
  EXPECT_FALSE(takes(*queue, "count", Tensor::scalar(INT64_MAX)));
  EXPECT_FALSE(takes(*queue, "components", i64s({})));
  EXPECT_FALSE(takes(*queue, "components", i64s({7})));
  EXPECT_FALSE(takes(*queue, "components", i64s({7, 2, 1})));
  EXPECT_FALSE(takes(*queue, "components", i64s({99, 0})));
  EXPECT_FALSE(takes(*queue, "components", i64s({7, -2})));
  EXPECT_FALSE(takes(*queue, "0/elements", i64s({5, 2, 4}))); // no heap
  EXPECT_FALSE(takes(*queue, "0/present", Tensor::vector<uint8_t>(std::vector<uint8_t>{1, 1, 0})));
  EXPECT_FALSE(takes(*queue, "0/shapes", i64s({0, 0})));
  EXPECT_FALSE(takes(*queue, "1/shapes", i64s({1, 2, 1, 2, 1, -1})));
  EXPECT_FALSE(takes(*queue, "1/shapes", i64s({1, 2, 1, 2, 1, 9})));
  EXPECT_FALSE(takes(*queue, "1/shapes", i64s({1, 2, 1, 2, 300, 1})));
  EXPECT_FALSE(takes(*queue, "1/shapes", i64s({1, 2, 1, 2, 1})));
}

TEST(SavedContent, OfBarriers) {
  Ref<Barrier> barrier =
      *Barrier::make({"barrier 'b'", Components({{f32, Shape()}, {f32, Shape{2}}})});
  ASSERT_TRUE(barrier->insert(texts({"x", "y"}), 0, floats(Shape{2}, {1, 2})).ok());
  ASSERT_TRUE(barrier->insert(texts({"z"}), 1, floats(Shape{1, 2}, {3, 4})).ok());
  ASSERT_TRUE(barrier->insert(texts({"y"}), 1, floats(Shape{1, 2}, {5, 6})).ok());
  Ref<Barrier> copy = copied(*barrier);
  EXPECT_EQ(copy->readySize(), 1);
  EXPECT_EQ(copy->incompleteSize(), 2);
  for (Barrier *each : {barrier.get(), copy.get()}) {
    EXPECT_FALSE(each->insert(texts({"x"}), 0, floats(Shape{1}, {9})).ok()); // it is there
    ASSERT_TRUE(each->close(false).ok());
    EXPECT_EQ(copied(*each)->insert(texts({"new"}), 0, floats(Shape{1}, {9})).code(),
              Code::kCancelled);
    ASSERT_TRUE(each->insert(texts({"z"}), 0, floats(Shape{1}, {7})).ok());
    ASSERT_TRUE(each->insert(texts({"x"}), 1, floats(Shape{1, 2}, {8, 9})).ok());
    Waiter waiter(4);
    std::vector<DType> types = {DType::kI64, DType::kString, f32, f32};
    ASSERT_TRUE(each->take(3, false, types, waiter.client()).ok());
    auto keys = valuesOf<std::string>(waiter.results[1]);
    EXPECT_EQ(keys.back(), "z");
    EXPECT_EQ(valuesOf<float>(waiter.results[3]).back(), 4);
    EXPECT_EQ(copied(*each)->take(1, false, types, {}).code(), Code::kOutOfRange);
  }
  refusesDamaged(*barrier);
  Ref<Barrier> open =
      *Barrier::make({"barrier 'b'", Components({{f32, Shape()}, {f32, Shape{2}}})});
  ASSERT_TRUE(open->insert(texts({"x", "y"}), 0, floats(Shape{2}, {1, 2})).ok());
  refusesDamaged(*open);
  EXPECT_FALSE(takes(*open, "keys", texts({"x", "x"})));
  EXPECT_FALSE(takes(*open, "numbers", i64s({1})));
}

TEST(SavedContent, OfAccumulators) {
  for (bool isSparse : {false, true}) {
    Accumulator::Options options{"accumulator 'a'", f32, Shape{4, 1}, isSparse, true};
    Ref<Accumulator> accumulator = *Accumulator::make(options);
    EXPECT_EQ(copied(*accumulator)->count(), 0);
    ASSERT_TRUE(accumulator->setStep(3).ok());
    auto add = [&](Accumulator &each, int64_t step) {
      Status status = isSparse ? each.applyRows(step, i64s({1}), floats(Shape{1, 1}, {6}), nullptr)
                               : each.apply(step, floats(Shape{4, 1}, {1, 2, 3, 4}));
      ASSERT_TRUE(status.ok()) << status.toString();
    };
    add(*accumulator, 3);
    add(*accumulator, 3);
    Ref<Accumulator> copy = copied(*accumulator);
    EXPECT_TRUE(copy->check(options).ok());
    add(*copy, 2); // stale
    EXPECT_EQ(copy->count(), 2);
    add(*copy, 3);
    Waiter waiter(3);
    ASSERT_TRUE(copy->take(3, f32, isSparse, waiter.client()).ok());
    EXPECT_EQ(valuesOf<float>(waiter.results[isSparse ? 1 : 0]),
              isSparse ? (std::vector<float>{6}) : (std::vector<float>{1, 2, 3, 4}));
    refusesDamaged(*accumulator);
    EXPECT_FALSE(takes(*accumulator, "count", Tensor::scalar(int64_t{-1})));
    EXPECT_FALSE(takes(*accumulator, "sum", floats(Shape{3, 2}, {1, 2, 3, 4, 5, 6})));
    EXPECT_FALSE(isSparse && takes(*accumulator, "counts", i64s({0})));
    EXPECT_FALSE(isSparse && takes(*accumulator, "counts", i64s({1, 2})));
    EXPECT_FALSE(isSparse && takes(*accumulator, "indices", i64s({4})));
  }
}

TEST(SavedContent, OfStagingAreas) {
  Ref<StagingArea> keyed = *StagingArea::make({"staging area 's'", true, 5, 100}),
                   ordered = *StagingArea::make({"staging area 't'", false, 0, 0});
  Tensor both = Tensor::vector<int32_t>(std::vector<int32_t>{0, 1});
  Tensor second = Tensor::vector<int32_t>(std::vector<int32_t>{1});
  std::vector<DType> types = {f32, DType::kI64};
  ASSERT_TRUE(keyed->putAt(7, 2, both, {Tensor::scalar(1.f), i64s({2, 3})}, {}).ok());
  ASSERT_TRUE(keyed->putAt(8, 2, second, {i64s({4})}, {}).ok());
  Ref<StagingArea> copy = copied(*keyed);
  EXPECT_TRUE(copy->check({"", true, 5, 100}).ok());
  EXPECT_EQ(copy->size(), 1);
  EXPECT_EQ(copy->incompleteSize(), 1);
  EXPECT_FALSE(copy->putAt(8, 2, second, {i64s({4})}, {}).ok());
  Waiter room; // all bytes count
  ASSERT_TRUE(copy->putAt(9, 1, Tensor::vector<int32_t>(std::vector<int32_t>{0}),
                          {*Tensor::allocate(DType::kU8, Shape{73})}, room.client())
                  .ok());
  EXPECT_TRUE(room.isParked());
  Waiter waiter(2);
  ASSERT_TRUE(copy->takeAt(7, both, false, types, waiter.client()).ok());
  EXPECT_EQ(valuesOf<int64_t>(waiter.results[1]), (std::vector<int64_t>{2, 3}));
  EXPECT_EQ(room.resumedWith(), Code::kOk);
  refusesDamaged(*keyed);
  EXPECT_FALSE(takes(*keyed, "capacity", Tensor::scalar(int64_t{-1})));
  EXPECT_FALSE(takes(*keyed, "keyed", Tensor::scalar(uint8_t{0})));

  ASSERT_TRUE(ordered->put({Tensor::scalar(1.f)}, {}).ok());
  ASSERT_TRUE(ordered->put({Tensor::scalar(2.f)}, {}).ok());
  Ref<StagingArea> other = copied(*ordered);
  ASSERT_TRUE(other->put({Tensor::scalar(3.f)}, {}).ok());
  for (float expected : {1.f, 2.f, 3.f}) {
    Waiter taking(1);
    ASSERT_TRUE(other->take(std::vector{f32}, taking.client()).ok());
    EXPECT_EQ(*taking.results[0].data<float>(), expected);
  }
  EXPECT_FALSE(takes(*ordered, "next", Tensor::scalar(int64_t{1})));
  EXPECT_FALSE(takes(*ordered, "complete", i64s({0, 0})));
}

TEST(SavedContent, OfMutexes) {
  Ref<Mutex> mutex = *Mutex::make({"mutex 'm'"});
  EXPECT_EQ(copied(*mutex)->title(), "mutex 'm'");
  refusesDamaged(*mutex);
}

TEST(ObjectSlot, KeepsOneObject) {
  auto slot = Ref<ObjectSlot>::adopt(new ObjectSlot(ObjectSlot::typeOf("queue")));
  EXPECT_TRUE(slot->save()->empty());
  Queue::Options options = ofOrder(Queue::Order::kFifo);
  Ref<Queue> queue = *slot->get<Queue>(options);
  EXPECT_EQ((*slot->get<Queue>(options)).get(), queue.get());
  options.capacity = 7;
  EXPECT_EQ(slot->get<Queue>(options).status().code(), Code::kInvalidArgument);
  ASSERT_TRUE(put(*queue, 5).ok());
  Content content = *slot->save();
  ASSERT_TRUE(slot->restore({}).ok());
  EXPECT_FALSE(slot->object());
  EXPECT_FALSE(slot->restore({{"title", Tensor::scalar(1.f)}}).ok());
  ASSERT_TRUE(slot->restore(content).ok());
  EXPECT_EQ(take(**slot->get<Queue>(ofOrder(Queue::Order::kFifo))), 5);
}

// All kinds that programs name but those of a variable and a generator have slots, and the other
// way round.
TEST(ObjectSlot, HasATypeForEachKind) {
  EXPECT_EQ(ObjectSlot::typeOf("variable"), nullptr);
  size_t count = 0;
  for (auto kind = static_cast<size_t>(ResourceKind::kTable);
       kind <= static_cast<size_t>(ResourceKind::kLast); ++kind, ++count)
    EXPECT_TRUE(ObjectSlot::typeOf(kindName(static_cast<ResourceKind>(kind))));
#define SLUICE_COUNT(Class) +1u
  EXPECT_EQ(count, 0u SLUICE_SHARED_OBJECTS(SLUICE_COUNT));
  EXPECT_EQ(resourceKindOf("generator"), ResourceKind::kGenerator);
  EXPECT_EQ(resourceKindOf("other"), std::nullopt);
}

} // namespace
} // namespace sluice::rt
