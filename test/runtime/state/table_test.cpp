// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Tables of all kinds.
#include "runtime/state/table.h"
#include "test/runtime/kernels/tensor_text.h"

#include <gtest/gtest.h>

namespace sluice::rt {
namespace {

using Form = Table::Form;

Table::Options options(Form form, DType key, DType value, Shape shape = {}) {
  Table::Options options;
  options.name = "t";
  options.form = form;
  options.key = key;
  options.value = value;
  options.valueShape = shape;
  return options;
}

Table::Options denseOptions(const char *empty, const char *deleted) {
  Table::Options made = options(Form::kDense, DType::kI64, DType::kI32);
  made.places = 4;
  made.maxLoad = 0.75f;
  made.emptyKey = tensorOf(empty);
  made.deletedKey = tensorOf(deleted);
  return made;
}

Ref<Table> make(Table::Options options) {
  Result<Ref<Table>> table = Table::make(std::move(options));
  EXPECT_TRUE(table.ok()) << table.status().toString();
  return *table;
}

std::string errorOf(const Status &status) { return status.ok() ? "" : status.toString(); }

std::string find(const Table &table, const char *keys, const char *otherwise) {
  Result<Tensor> found = table.find(tensorOf(keys), tensorOf(otherwise));
  return found.ok() ? textOf(*found) : found.status().toString();
}

std::string exported(const Table &table) {
  Tensor keys, values;
  Status status = table.exportAll(keys, values);
  return status.ok() ? textOf(keys) + " -> " + textOf(values) : status.toString();
}

TEST(Table, StaticOnesAreFilledOnce) {
  Ref<Table> table = make(options(Form::kStatic, DType::kString, DType::kI64));
  const Tensor keys = tensorOf("string[2] a b"), values = tensorOf("i64[2] 1 2");
  EXPECT_EQ(find(*table, "string a", "i64 -1"), "FAILED_PRECONDITION: Table not initialized.");
  EXPECT_EQ(exported(*table), "ABORTED: HashTable is not initialized.");
  EXPECT_EQ(table->size(), 0);
  EXPECT_EQ(errorOf(table->fill(tensorOf("string[0]"), tensorOf("i64[0]"), false)),
            "INVALID_ARGUMENT: keys and values cannot be empty tensors.");
  EXPECT_EQ(errorOf(table->fill(keys, values, true)), "");
  EXPECT_EQ(table->size(), 2);
  EXPECT_EQ(find(*table, "string[2,2] b a c b", "i64 -1"), "i64[2,2] 2 1 -1 2");
  EXPECT_EQ(exported(*table), "string[2] b a -> i64[2] 2 1");
  // As many entries count as the same.
  EXPECT_EQ(errorOf(table->fill(keys, values, false)), "");
  EXPECT_EQ(errorOf(table->fill(tensorOf("string[1] a"), tensorOf("i64[1] 1"), false)),
            "FAILED_PRECONDITION: Table was already initialized with different data.");
  EXPECT_EQ(table->insert(keys, values).code(), Code::kUnimplemented);
  EXPECT_EQ(table->remove(keys).code(), Code::kUnimplemented);
}

TEST(Table, OneKeyHasOneValue) {
  Ref<Table> table = make(options(Form::kStatic, DType::kI64, DType::kString));
  EXPECT_EQ(errorOf(table->fill(tensorOf("i64[3] 1 1 2"), tensorOf("string[3] a b c"), true)),
            "FAILED_PRECONDITION: table 't' has another value for the key at position 1");
  EXPECT_EQ(find(*table, "i64 1", "string x"), "FAILED_PRECONDITION: Table not initialized.");
  EXPECT_EQ(errorOf(table->fill(tensorOf("i64[3] 1 1 2"), tensorOf("string[3] a a c"), true)), "");
  EXPECT_EQ(table->size(), 2);
}

TEST(Table, TypesAndShapesAreChecked) {
  Ref<Table> table = make(options(Form::kMutable, DType::kString, DType::kI64, {2}));
  EXPECT_EQ(find(*table, "i64 1", "i64[2] 0 0"),
            "INVALID_ARGUMENT: table 't' is string->i64 but was asked for i64->i64");
  EXPECT_EQ(find(*table, "string[1] a", "i64 0"),
            "INVALID_ARGUMENT: Expected shape [2] or [1,2] for default value, got []");
  EXPECT_EQ(errorOf(table->insert(tensorOf("string[1] a"), tensorOf("i64[1,3] 1 2 3"))),
            "INVALID_ARGUMENT: Expected shape [1,2] for value, got [1,3]");
  EXPECT_EQ(errorOf(table->fill(tensorOf("string[1] a"), tensorOf("i64[1,2] 1 2"), true)),
            "INVALID_ARGUMENT: Table t is not initializable");
  EXPECT_EQ(errorOf(table->check(options(Form::kMutable, DType::kString, DType::kI64, {3}))),
            "INVALID_ARGUMENT: table 't' has been made with other types: string->i64 [2] vs. "
            "string->i64 [3]");
  EXPECT_EQ(
      errorOf(Table::make(options(Form::kMutable, DType::kI64, DType::kI64, Shape::unknownDims(1)))
                  .status()),
      "INVALID_ARGUMENT: table 't': the shape [?] of values is not fully defined");
}

TEST(Table, MutableOnesChange) {
  Ref<Table> table = make(options(Form::kMutable, DType::kString, DType::kI64, {2}));
  auto insert = [&](const char *keys, const char *values) {
    return errorOf(table->insert(tensorOf(keys), tensorOf(values)));
  };
  EXPECT_EQ(find(*table, "string a", "i64[2] -1 -2"), "i64[2] -1 -2");
  EXPECT_EQ(insert("string[1,2] b a", "i64[1,2,2] 1 2 3 4"), "");
  EXPECT_EQ(insert("string[2] b c", "i64[2,2] 5 6 7 8"), "");
  EXPECT_EQ(exported(*table), "string[3] c a b -> i64[3,2] 7 8 3 4 5 6");
  EXPECT_EQ(errorOf(table->remove(tensorOf("string[2] a x"))), "");
  // A default for each key.
  EXPECT_EQ(find(*table, "string[2] a c", "i64[2,2] 1 1 2 2"), "i64[2,2] 1 1 7 8");
  EXPECT_EQ(errorOf(table->fill(tensorOf("string[1] z"), tensorOf("i64[1,2] 9 9"), false)), "");
  EXPECT_EQ(exported(*table), "string[1] z -> i64[1,2] 9 9");
}

TEST(Table, DenseOnesShowTheirPlaces) {
  Ref<Table> table = make(denseOptions("i64 0", "i64 -1"));
  auto insert = [&](const char *keys, const char *values) {
    return errorOf(table->insert(tensorOf(keys), tensorOf(values)));
  };
  EXPECT_EQ(insert("i64[2] 6 2", "i32[2] 10 20"), "");
  // Both want place 2; the second one takes the next.
  EXPECT_EQ(exported(*table), "i64[4,1] 0 0 6 2 -> i32[4,1] 0 0 10 20");
  EXPECT_EQ(errorOf(table->remove(tensorOf("i64[2] 6 9"))), "");
  EXPECT_EQ(exported(*table), "i64[4,1] 0 0 -1 2 -> i32[4,1] 0 0 10 20");
  EXPECT_EQ(find(*table, "i64[2] 2 6", "i32 7"), "i32[2] 20 7");
  EXPECT_EQ(table->size(), 1);
  // More than three quarters of four.
  EXPECT_EQ(insert("i64[3] 3 5 8", "i32[3] 30 50 80"), "");
  EXPECT_EQ(exported(*table), "i64[8,1] 8 0 2 3 0 5 0 0 -> i32[8,1] 80 0 20 30 0 50 0 0");
  EXPECT_EQ(insert("i64[1] 0", "i32[1] 1"),
            "INVALID_ARGUMENT: Using the empty_key as a table key is not allowed");
  EXPECT_EQ(find(*table, "i64[1] -1", "i32 1"),
            "INVALID_ARGUMENT: Using the deleted_key as a table key is not allowed");
}

// Deleted places never leave a search without an end.
TEST(Table, DenseOnesSurviveManyRemovals) {
  Ref<Table> table = make(denseOptions("i64 0", "i64 -1"));
  for (int i = 1; i < 100; ++i) {
    std::string key = "i64[1] " + std::to_string(i);
    EXPECT_EQ(errorOf(table->insert(tensorOf(key), tensorOf("i32[1] 1"))), "");
    EXPECT_EQ(errorOf(table->remove(tensorOf(key))), "");
    EXPECT_EQ(find(*table, key.c_str(), "i32 5"), "i32[1] 5");
  }
  EXPECT_EQ(table->size(), 0);
}

TEST(Table, DenseOnesHaveKeysOfOneShape) {
  Ref<Table> table = make(denseOptions("i64[2] 0 0", "i64[2] -1 0"));
  EXPECT_EQ(errorOf(table->insert(tensorOf("i64[2,2] 1 2 3 4"), tensorOf("i32[2] 5 6"))), "");
  EXPECT_EQ(find(*table, "i64[2,2] 3 4 1 1", "i32 0"), "i32[2] 6 0");
  EXPECT_EQ(find(*table, "i64[3] 3 4 1", "i32 0"),
            "INVALID_ARGUMENT: Input key shape [3] must end with the shape of a key, [2]");
  Tensor keys, values;
  ASSERT_TRUE(table->exportAll(keys, values).ok());
  Ref<Table> other = make(denseOptions("i64[2] 0 0", "i64[2] -1 0"));
  EXPECT_EQ(errorOf(other->fill(keys, values, false)), "");
  EXPECT_EQ(exported(*other), exported(*table));
  EXPECT_EQ(other->size(), 2);
}

TEST(Table, DenseOnesAskForSensibleOptions) {
  EXPECT_EQ(errorOf(Table::make(denseOptions("i64 1", "i64 1")).status()),
            "INVALID_ARGUMENT: Empty and deleted keys cannot be equal");
  EXPECT_EQ(errorOf(Table::make(denseOptions("i64[2] 1 2", "i64 1")).status()),
            "INVALID_ARGUMENT: Empty and deleted keys must have same shape, got shapes: [2] and "
            "[]");
  Table::Options twelve = denseOptions("i64 1", "i64 2");
  twelve.places = 12;
  EXPECT_EQ(errorOf(Table::make(std::move(twelve)).status()),
            "INVALID_ARGUMENT: Number of buckets must be at least 4 and a power of 2, got: 12");
  Table::Options full = denseOptions("i64 1", "i64 2");
  full.maxLoad = 1.5f;
  EXPECT_EQ(errorOf(Table::make(std::move(full)).status()),
            "INVALID_ARGUMENT: max_load_factor must be between 0 and 1, got: 1.5");
}

} // namespace
} // namespace sluice::rt
