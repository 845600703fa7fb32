// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What variables, generators and tables save makes them again what they were.
#include "runtime/base/splitmix.h"
#include "runtime/state/object_slot.h"
#include "runtime/state/table.h"
#include "runtime/state/variable.h"

#include <gtest/gtest.h>

namespace sluice::rt {
namespace {

Tensor i64s(std::vector<int64_t> values) { return Tensor::vector<int64_t>(values); }

std::vector<int64_t> keysOf(const Table &table) {
  Tensor keys, values;
  EXPECT_TRUE(table.exportAll(keys, values).ok());
  return {keys.data<int64_t>(), keys.data<int64_t>() + keys.elements()};
}

Ref<Table> copied(const Table &table) {
  auto content = table.content();
  EXPECT_TRUE(content.ok()) << content.status().toString();
  auto copy = Table::ofContent(std::move(*content));
  EXPECT_TRUE(copy.ok()) << copy.status().toString();
  return copy.ok() ? *copy : Ref<Table>();
}

Table::Options mapOptions() {
  Table::Options options;
  options.name = "map";
  options.form = Table::Form::kMutable;
  options.key = options.value = DType::kI64;
  return options;
}

TEST(SavedContent, OfVariables) {
  auto variable = Ref<Variable>::adopt(new Variable("v", DType::kF32, Shape{Shape::kUnknown}));
  EXPECT_TRUE(variable->save()->empty());
  variable->value = Tensor::vector<float>(std::vector<float>{1, 2});
  auto content = variable->save();
  ASSERT_EQ(content->size(), 1u);
  variable->value.reset();
  ASSERT_TRUE(variable->restore(*content).ok());
  EXPECT_EQ(variable->value.data<float>()[1], 2);
  EXPECT_FALSE(variable->restore({{"value", i64s({1})}}).ok());
  EXPECT_FALSE(variable->restore({{"other", variable->value}}).ok());
  EXPECT_TRUE(variable->initialized());
  ASSERT_TRUE(variable->restore({}).ok());
  EXPECT_FALSE(variable->initialized());
}

TEST(SavedContent, OfGenerators) {
  auto generator = Ref<Generator>::adopt(new Generator()),
       other = Ref<Generator>::adopt(new Generator());
  for (uint64_t call : {1, 2})
    for (uint64_t iteration : {0, 2, 1})
      (void)generator->position(call, iteration);
  ASSERT_TRUE(other->restore(*generator->save()).ok());
  EXPECT_EQ(generator->position(3, 1), 7u);
  EXPECT_EQ(other->position(1, 1), 7u);
  EXPECT_EQ(other->position(2, 0), 8u);
  EXPECT_FALSE(other->restore({}).ok());
  EXPECT_FALSE(other->restore({{"position", Tensor::scalar(1.0f)}}).ok());
}

// The order of a map shows in exports, and goes on showing when more comes.
TEST(SavedContent, OfMapsKeepsTheirOrder) {
  SplitMix64 random(1);
  for (int size : {0, 1, 5, 13, 100, 1000}) {
    Ref<Table> table = *Table::make(mapOptions());
    for (int i = 0; i < size; ++i)
      ASSERT_TRUE(table
                      ->insert(Tensor::scalar(static_cast<int64_t>(random.below(500))),
                               Tensor::scalar(int64_t{i}))
                      .ok());
    for (int i = 0; i < size / 3; ++i)
      ASSERT_TRUE(table->remove(Tensor::scalar(static_cast<int64_t>(random.below(500)))).ok());
    Ref<Table> copy = copied(*table);
    ASSERT_TRUE(copy);
    EXPECT_EQ(keysOf(*copy), keysOf(*table)) << size;
    for (int i = 0; i < 400; ++i) {
      Tensor key = Tensor::scalar(static_cast<int64_t>(random.below(5000)));
      for (Table *each : {table.get(), copy.get()})
        ASSERT_TRUE(i % 5 ? each->insert(key, key).ok() : each->remove(key).ok());
      ASSERT_EQ(keysOf(*copy), keysOf(*table)) << size << ", then " << i;
    }
  }
}

TEST(SavedContent, OfStaticTables) {
  Table::Options options;
  options.key = DType::kString;
  options.value = DType::kI64;
  Ref<Table> table = *Table::make(options);
  EXPECT_FALSE(copied(*table)->isFilled());
  Tensor keys = *Tensor::allocate(DType::kString, Shape{2});
  keys.data<std::string>()[0] = "a";
  keys.data<std::string>()[1] = std::string("b\0c", 3);
  ASSERT_TRUE(table->fill(keys, i64s({4, 5}), true).ok());
  Ref<Table> copy = copied(*table);
  EXPECT_TRUE(copy->isFilled());
  EXPECT_TRUE(copy->check(options).ok());
  EXPECT_EQ(copy->find(keys, Tensor::scalar(int64_t{0}))->data<int64_t>()[1], 5);
}

TEST(SavedContent, OfDenseTablesKeepsPlaces) {
  Table::Options options;
  options.form = Table::Form::kDense;
  options.key = options.value = DType::kI64;
  options.valueShape = Shape{2};
  options.places = 8;
  options.maxLoad = 0.8f;
  options.emptyKey = Tensor::scalar(int64_t{-1});
  options.deletedKey = Tensor::scalar(int64_t{-2});
  Ref<Table> table = *Table::make(options);
  for (int64_t key = 0; key < 20; key += 3)
    ASSERT_TRUE(table->insert(Tensor::scalar(key), i64s({key, 1})).ok());
  ASSERT_TRUE(table->remove(Tensor::scalar(int64_t{6})).ok());
  Ref<Table> copy = copied(*table);
  for (int64_t key = 30; key < 60; key += 7)
    for (Table *each : {table.get(), copy.get()})
      ASSERT_TRUE(each->insert(Tensor::scalar(key), i64s({key, 1})).ok());
  EXPECT_EQ(keysOf(*copy), keysOf(*table));
  EXPECT_EQ(copy->size(), table->size());
}

TEST(SavedContent, RefusesWhatIsNone) {
  Ref<Table> table = *Table::make(mapOptions());
  ASSERT_TRUE(table->insert(i64s({1, 2}), i64s({3, 4})).ok());
  auto change = [&](std::string_view name, Tensor value) {
    auto content = *table->content();
    for (NamedTensor &tensor : content)
      if (tensor.first == name)
        tensor.second = value;
    return Table::ofContent(content).status().code();
  };
  EXPECT_EQ(change("form", Tensor::scalar(uint8_t{3})), Code::kInvalidArgument);
  EXPECT_EQ(change("form", Tensor::scalar(3.0f)), Code::kInvalidArgument);
  EXPECT_EQ(change("buckets", Tensor::scalar(int64_t{0})), Code::kInvalidArgument);
  EXPECT_EQ(change("buckets", Tensor::scalar(INT64_MAX)), Code::kInvalidArgument);
  EXPECT_EQ(change("room", *Tensor::allocate(DType::kU8, Shape{1'000'000})),
            Code::kInvalidArgument);
  EXPECT_EQ(change("value_shape", i64s({-1})), Code::kInvalidArgument);
  EXPECT_EQ(change("value_shape", i64s({INT64_MAX, INT64_MAX})), Code::kInvalidArgument);
  EXPECT_EQ(change("keys", i64s({1, 1})), Code::kInvalidArgument);
  EXPECT_EQ(change("keys", i64s({1})), Code::kInvalidArgument);
  EXPECT_EQ(change("values", Tensor()), Code::kInvalidArgument);
  auto content = *table->content();
  content.pop_back();
  EXPECT_FALSE(Table::ofContent(content).ok());
  auto slot = Ref<ObjectSlot>::adopt(new ObjectSlot(ObjectSlot::typeOf("table")));
  Ref<Table> kept = *slot->get<Table>(mapOptions());
  EXPECT_FALSE(slot->restore(content).ok());
  EXPECT_EQ(slot->object().get(), kept.get());
}

} // namespace
} // namespace sluice::rt
