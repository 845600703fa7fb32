// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Kernels on maps: which keys are equal, order, copies, errors.
#include "runtime/state/handle.h"
#include "runtime/state/list.h"
#include "runtime/state/map.h"

#include "test/runtime/kernels/kernel_caller.h"
#include "test/runtime/kernels/kernel_case.h"

namespace sluice::rt {
namespace {

const std::string kInvalid = "INVALID_ARGUMENT: ";

Tensor handleOf(Object *object) { return Tensor::handle(Ref<Object>::adopt(object)); }

// What a kernel gives, or its error, as text; of a map, the map.
struct Outcome {
  std::string text;
  Tensor value;
};
Outcome run(const Kernel &kernel, std::vector<Tensor> inputs, DType type,
            const std::vector<Attr> &attrs = {}) {
  std::vector<const Tensor *> pointers;
  for (const Tensor &input : inputs)
    pointers.push_back(&input);
  std::vector<Tensor> outputs(1);
  const std::vector<DType> types{type};
  Status status = runKernel(kernel, pointers, outputs, attrs, types, nullptr);
  if (!status.ok())
    return {status.toString(), {}};
  return {type == DType::kHandle ? "" : textOf(outputs[0]), outputs[0]};
}

Attr required(bool value) { return intAttr(value); }

class MapTest : public testing::Test {
protected:
  Tensor map = handleOf(Map::make().take());

  Tensor with(const Tensor &before, const std::string &key, const std::string &value) {
    Outcome after = run(sluice_kernel_list_map_insert_any, {before, tensorOf(key), tensorOf(value)},
                        DType::kHandle);
    EXPECT_EQ(after.text, "");
    return after.value;
  }
  void insert(const std::string &key, const std::string &value) { map = with(map, key, value); }
  std::string lookup(const std::string &key, DType type = DType::kF32) {
    return run(sluice_kernel_list_map_lookup_any, {map, tensorOf(key)}, type).text;
  }
  std::string hasKey(const std::string &key) {
    return run(sluice_kernel_list_map_has_key_any, {map, tensorOf(key)}, DType::kBool).text;
  }
  std::string keys(DType type = DType::kI32) {
    return run(sluice_kernel_list_map_keys_any, {map}, type).text;
  }
  std::string size(const Tensor &of) {
    return run(sluice_kernel_list_map_size_any, {of}, DType::kI32).text;
  }
  std::string erase(const std::string &key, bool isRequired = true) {
    Outcome after = run(sluice_kernel_list_map_erase_any, {map, tensorOf(key)}, DType::kHandle,
                        {required(isRequired)});
    if (after.text.empty())
      map = after.value;
    return after.text;
  }
};

TEST_F(MapTest, GivesKeysValues) {
  insert("i32 3", "f32[2] 1 2");
  insert("i32 1", "f32 5");
  insert("i32 3", "f32 7"); // instead
  EXPECT_EQ(lookup("i32 3"), "f32 7");
  EXPECT_EQ(lookup("i32 1"), "f32 5");
  EXPECT_EQ(size(map), "i32 2");
  EXPECT_EQ(keys(), "i32[2] 3 1");
}

TEST_F(MapTest, TellsKeysByTypeShapeAndElements) {
  insert("f32 0", "f32 1");
  EXPECT_EQ(hasKey("f32 -0"), "bool 1");
  EXPECT_EQ(hasKey("f64 0"), "bool 0");
  EXPECT_EQ(hasKey("f32[1] 0"), "bool 0");
  EXPECT_EQ(hasKey("f32 1"), "bool 0");
  insert("f32[2] 1 2", "f32 2");
  EXPECT_EQ(hasKey("f32[2] 1 2"), "bool 1");
  EXPECT_EQ(hasKey("f32[2] 2 1"), "bool 0");
  EXPECT_EQ(hasKey("f32[1,2] 1 2"), "bool 0");
  insert("bool 1", "f32 3");
  EXPECT_EQ(hasKey("bool 0"), "bool 0");
  EXPECT_EQ(lookup("bool 1"), "f32 3");
}

// Where one string ends and the next begins.
TEST_F(MapTest, TellsStringsApart) {
  std::vector<Tensor> pairs;
  for (auto [a, b] : {std::pair("ab", "c"), std::pair("a", "bc")}) {
    Tensor pair = *Tensor::allocate(DType::kString, Shape{2});
    pair.data<std::string>()[0] = a;
    pair.data<std::string>()[1] = b;
    pairs.push_back(pair);
  }
  Tensor of =
      run(sluice_kernel_list_map_insert_any, {map, pairs[0], tensorOf("i32 1")}, DType::kHandle)
          .value;
  for (size_t i : {0, 1})
    EXPECT_EQ(run(sluice_kernel_list_map_has_key_any, {of, pairs[i]}, DType::kBool).text,
              i == 0 ? "bool 1" : "bool 0");
}

TEST_F(MapTest, LeavesMapsThatOthersHold) {
  insert("i32 1", "f32 1");
  Tensor before = map;
  insert("i32 2", "f32 2");
  EXPECT_EQ(erase("i32 1"), "");
  EXPECT_EQ(size(before), "i32 1");
  EXPECT_EQ(keys(), "i32[1] 2");
  map = before;
  EXPECT_EQ(keys(), "i32[1] 1");
}

TEST_F(MapTest, Erases) {
  insert("i32 1", "f32 1");
  EXPECT_EQ(erase("i32 2"),
            kInvalid + "Trying to erase non-existent item. Could not find key \"2\".");
  EXPECT_EQ(erase("i32 2", false), "");
  EXPECT_EQ(size(map), "i32 1");
  EXPECT_EQ(erase("i32 1"), "");
  EXPECT_EQ(size(map), "i32 0");
  insert("i32 1", "f32 4");
  EXPECT_EQ(lookup("i32 1"), "f32 4");
}

TEST_F(MapTest, LooksUpOrElse) {
  insert("i32 1", "f32 1");
  auto lookupOr = [&](const std::string &key, const std::string &other, DType type) {
    return run(sluice_kernel_list_map_lookup_or_any, {map, tensorOf(key), tensorOf(other)}, type)
        .text;
  };
  EXPECT_EQ(lookupOr("i32 1", "f32 9", DType::kF32), "f32 1");
  EXPECT_EQ(lookupOr("i32 2", "f32[2] 8 9", DType::kF32), "f32[2] 8 9");
  EXPECT_EQ(lookupOr("i32 1", "i32 9", DType::kI32),
            kInvalid + "Type mismatch: actual f32 vs. expect i32");
}

TEST_F(MapTest, AddsValuesOfKeysThatBothHave) {
  insert("i32 1", "f32 1");
  Tensor other = with(with(handleOf(Map::make().take()), "i32 2", "f32 20"), "i32 1", "f32 10");
  Tensor before = map;
  map = run(sluice_kernel_list_add_any, {map, other}, DType::kHandle).value;
  EXPECT_EQ(lookup("i32 1"), "f32 11");
  EXPECT_EQ(lookup("i32 2"), "f32 20");
  map = before; // its values are no others now
  EXPECT_EQ(lookup("i32 1"), "f32 1");
  Tensor shaped = with(handleOf(Map::make().take()), "i32 1", "f32[2] 1 2");
  EXPECT_EQ(run(sluice_kernel_list_add_any, {map, shaped}, DType::kHandle).text,
            kInvalid + "Trying to add two tensors with incompatible element shapes. One is [] and "
                       "the other is [2]");
  EXPECT_EQ(size(run(sluice_kernel_list_zeros_like_any, {map}, DType::kHandle).value), "i32 0");
}

TEST_F(MapTest, RefusesWhatItHasNot) {
  EXPECT_EQ(keys(), kInvalid + "TensorMapStackKeys cannot be called on empty map.");
  EXPECT_EQ(lookup("i32[2] 1 2"),
            kInvalid + "Trying to lookup non-existent key. Could not find key \"1 2\".");
  insert("i32 1", "f32 1");
  EXPECT_EQ(lookup("i32 1", DType::kI64), kInvalid + "Type mismatch: actual f32 vs. expect i64");
  EXPECT_EQ(keys(DType::kF32), kInvalid + "Key does not match requested dtype.");
  insert("i32[2] 1 2", "f32 1");
  EXPECT_EQ(keys(), kInvalid + "Keys must all have the same shape.");
  EXPECT_EQ(
      run(sluice_kernel_list_map_insert_any, {map, map, tensorOf("f32 1")}, DType::kHandle).text,
      kInvalid + "expected a tensor as the key of a map but got a handle");
  EXPECT_EQ(run(sluice_kernel_list_map_make_any, {tensorOf("i32 -1")}, DType::kHandle).text,
            kInvalid + "expected a number of entries, 0 or more, but got -1");
}

TEST_F(MapTest, IsNoList) {
  Tensor list = handleOf(List::make(0, Shape::unknownRank(), false).take());
  EXPECT_EQ(size(list), kInvalid + "expected a handle to a map but got one to a list");
  EXPECT_EQ(run(sluice_kernel_list_length_any, {map}, DType::kI32).text,
            kInvalid + "expected a handle to a list but got one to a map");
}

} // namespace
} // namespace sluice::rt
