// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Firings of several pieces or many turns: kernels on arrays, lists, variables and tables.
#include "test/runtime/kernels/long_firing.h"

#include "runtime/state/map.h"
#include "runtime/state/tensor_array.h"

#include <cmath>
#include <fstream>

namespace sluice::rt {
namespace {

constexpr int64_t kElements = 300, kSize = 700;
const Shape kElement{kSize}, kWhole{kElements, kSize};

// Elements apart from each other, or as rows; in any case of their own.
Tensor listOf(const Tensor &whole) { return handleTo(*List::unstack(whole)); }
Tensor listOfNothing(int64_t length) {
  return handleTo(List::make(length, Shape::unknownRank(), false));
}
Tensor listApart() {
  Ref<List> list = List::make(kElements, Shape::unknownRank(), false);
  for (int64_t i = 0; i < kElements; ++i)
    EXPECT_TRUE(list->set(i, fractions(kElement, static_cast<uint32_t>(i)), {}).ok());
  return handleTo(std::move(list));
}

// A map that others hold, too, so that changes copy it.
Tensor mapOf(int64_t size, bool withOther = false) {
  Ref<Map> map = Map::make(size);
  for (int64_t i = 0; i < size; ++i)
    EXPECT_TRUE(map->insert(number(i), fractions({3}, static_cast<uint32_t>(i))).ok());
  if (withOther)
    EXPECT_TRUE(map->insert(texts(50'000), number(1)).ok());
  return handleTo(std::move(map));
}

void addMaps(std::vector<LongCase> &cases) {
  const std::vector<DType> map = {DType::kHandle}, value = {DType::kI32};
  cases.push_back({"list.map_insert",
                   [=] { return LongFiring{{mapOf(5000), number(7), fractions({3})}, map}; }});
  cases.push_back(
      {"list.map_erase", [=] { return LongFiring{{mapOf(5000), number(7)}, map, {intAttr(1)}}; }});
  cases.push_back(
      {"list.map_lookup", [=] { return LongFiring{{mapOf(2, true), texts(50'000)}, value}; }});
  cases.push_back({"list.map_lookup_or",
                   [=] { return LongFiring{{mapOf(2), fractions({200'003}), number(3)}, value}; }});
  cases.push_back({"list.map_has_key",
                   [=] { return LongFiring{{mapOf(2), fractions({200'003})}, {DType::kBool}}; }});
  cases.push_back({"list.map_keys", [=] { return LongFiring{{mapOf(5000)}, value}; }});
  cases.push_back({"list.add", [=] { return LongFiring{{mapOf(5000), mapOf(4000)}, map}; }});
}

void addLists(std::vector<LongCase> &cases) {
  const std::vector<DType> list = {DType::kHandle}, whole = {DType::kF32};
  const std::vector<Attr> any = {anyShapeAttr()};
  const std::vector<Attr> modes(3, intAttr(0));
  cases.push_back({"list.zeros_like", [=] { return LongFiring{{listApart()}, list}; }});
  cases.push_back({"list.unstack", [=] { return LongFiring{{texts(5000)}, list, any}; }});
  cases.push_back({"list.accumulate", [=] {
                     return LongFiring{
                         {listOf(fractions({2, 200'003})), number(1), fractions({200'003}, 2)},
                         list};
                   }});
  cases.push_back(
      {"list.add", [=] { return LongFiring{{listApart(), listOf(fractions(kWhole))}, list}; }});
  cases.push_back({"list.append", [=] {
                     return LongFiring{{listOf(fractions(kWhole)), listOf(fractions(kWhole, 2))},
                                       list};
                   }});
  cases.push_back({"list.gather", [=] {
                     return LongFiring{{listOf(fractions(kWhole)), indices({600}, kElements)},
                                       {DType::kF32, DType::kHandle},
                                       {intAttr(0), intAttr(0), anyShapeAttr()}};
                   }});
  cases.push_back({"list.scatter", [=] {
                     return LongFiring{{listOfNothing(kElements), indices({kElements}, kElements),
                                        fractions(kWhole)},
                                       list,
                                       modes};
                   }});
  cases.push_back({"list.concat", [=] {
                     return LongFiring{{listApart()},
                                       {DType::kF32, DType::kI64, DType::kHandle},
                                       {intAttr(0), anyShapeAttr()}};
                   }});
  cases.push_back(
      {"list.split", [=] {
         return LongFiring{
             {listOfNothing(3), fractions(kWhole), integers({1, 200, 99})}, list, modes};
       }});
  cases.push_back({"list.stack", [=] {
                     return LongFiring{{listApart()}, whole, {anyShapeAttr(), intAttr(-1)}};
                   }});
  cases.push_back({"list.rows", [=] {
                     return LongFiring{{listApart(), indices({600}, kElements)}, whole, any};
                   }});
  cases.push_back(
      {"list.join",
       [=] { return LongFiring{{listApart(), integers({})}, {DType::kF32, DType::kI64}, any}; }});
}

Tensor arrayOf(bool isFull) {
  Ref<TensorArray> array =
      TensorArray::create("a", kElements, {.dtype = DType::kF32, .clearAfterRead = false});
  for (int32_t i = 0; isFull && i < kElements; ++i)
    EXPECT_TRUE(array->write(i, fractions(kElement, static_cast<uint32_t>(i))).ok());
  return handleTo(std::move(array));
}

void addArrays(std::vector<LongCase> &cases) {
  const std::vector<Attr> any = {anyShapeAttr()};
  cases.push_back(
      {"array.gather", [=] {
         return LongFiring{
             {arrayOf(true), indices({600}, kElements), Tensor::scalar(0.0f)}, {DType::kF32}, any};
       }});
  cases.push_back({"array.concat", [=] {
                     return LongFiring{
                         {arrayOf(true), Tensor::scalar(0.0f)}, {DType::kF32, DType::kI64}, any};
                   }});
  cases.push_back({"array.scatter", [=] {
                     return LongFiring{{arrayOf(false), indices({kElements}, kElements),
                                        fractions(kWhole), Tensor::scalar(0.0f)},
                                       {DType::kF32}};
                   }});
  cases.push_back({"array.split", [=] {
                     Tensor lengths = *Tensor::allocate(DType::kI64, {kElements});
                     for (int64_t i = 0; i < kElements; ++i)
                       lengths.data<int64_t>()[i] = 1;
                     return LongFiring{
                         {arrayOf(false), fractions(kWhole), lengths, Tensor::scalar(0.0f)},
                         {DType::kF32}};
                   }});
}

Ref<Variable> variableOf(Tensor value) {
  auto variable = Ref<Variable>::adopt(new Variable("v", value.dtype(), Shape::unknownRank()));
  variable->value = std::move(value);
  return variable;
}
LongFiring onVariables(size_t count, const Shape &shape, std::vector<Tensor> inputs,
                       std::vector<Attr> attrs = {}) {
  LongFiring firing{std::move(inputs), {}, std::move(attrs)};
  for (size_t i = 0; i < count; ++i) {
    firing.variables.push_back(variableOf(fractions(shape, static_cast<uint32_t>(i))));
    for (float &x :
         std::span(firing.variables[i]->value.data<float>(), static_cast<size_t>(shape.elements())))
      x = std::abs(x);
  }
  return firing;
}

void addVariables(std::vector<LongCase> &cases) {
  static constexpr int64_t kMany = 120'011;
  for (const char *op : {"state.assign_add", "state.assign_sub"})
    cases.push_back({op, [] { return onVariables(1, {kMany}, {fractions({kMany})}); }});
  for (const char *op :
       {"state.scatter_update", "state.scatter_add", "state.scatter_sub", "state.scatter_mul",
        "state.scatter_div", "state.scatter_max", "state.scatter_min"})
    for (int64_t row : {int64_t{3}, kMany})
      cases.push_back({op, [row] {
                         const int64_t rows = row == 3 ? kMany / 10 : 3;
                         return onVariables(1, {rows, row},
                                            {indices({rows}, rows), fractions({rows, row}, 7)});
                       }});
  cases.push_back({"state.update_points", [] {
                     return onVariables(1, {kMany},
                                        {indices({kMany, 1}, kMany), fractions({kMany})},
                                        {textAttr("sub"), intAttr(0)});
                   }});
  for (int64_t row : {int64_t{3}, kMany})
    cases.push_back({"state.update_rows", [row] {
                       const int64_t rows = row == 3 ? kMany / 10 : 3;
                       return onVariables(
                           2, {rows, row},
                           {Tensor::scalar(0.1f), fractions({rows, row}, 7), indices({rows}, rows)},
                           {textAttr("adagrad")});
                     }});
  const Tensor rate = Tensor::scalar(0.1f);
  cases.push_back({"state.apply_gradient_descent",
                   [=] { return onVariables(1, {kMany}, {rate, fractions({kMany})}); }});
  for (int nesterov : {0, 1}) {
    cases.push_back({"state.apply_momentum", [=] {
                       return onVariables(2, {kMany}, {rate, fractions({kMany}), rate},
                                          {intAttr(nesterov)});
                     }});
    cases.push_back({"state.apply_adam", [=] {
                       return onVariables(3, {kMany},
                                          {rate, rate, rate, rate, rate, rate, fractions({kMany})},
                                          {intAttr(nesterov)});
                     }});
  }
  for (DType dtype : {DType::kF16, DType::kBF16, DType::kF32, DType::kF64})
    cases.push_back({"state.random_uniform", [=] {
                       return LongFiring{
                           {integers({200'003})}, {dtype}, {intAttr(0), intAttr(5), intAttr(6)}};
                     }});
}

void addCheckpoints(std::vector<LongCase> &cases) {
  static const std::string prefix = folderOfFiles() + "/checkpoint";
  static auto firing = [](const std::string &where, std::vector<Tensor> more,
                          std::vector<DType> types, const char *form) {
    std::vector<Tensor> inputs = {Tensor::string(where), tensor<std::string>({1}, {"x"}),
                                  tensor<std::string>({1}, {""})};
    inputs.insert(inputs.end(), more.begin(), more.end());
    return LongFiring{std::move(inputs), std::move(types), {textAttr(form)}};
  };
  static auto save = [](const std::string &where) {
    return firing(where, {fractions({500, 700})}, {}, "bundle");
  };
  static auto saved = [](const std::string &where) {
    LongRun run({"state.save_tensors", [&] { return save(where); }});
    EXPECT_TRUE(run.status.ok()) << run.status.toString();
  };
  cases.push_back({"state.save_tensors", [] { return save(prefix); }});
  cases.push_back({"state.save_tensors",
                   [] { return firing(prefix + ".table", {fractions({500, 700})}, {}, "table"); }});
  cases.push_back({"state.restore_tensors", [] {
                     saved(prefix);
                     return firing(prefix, {}, {DType::kF32}, "any");
                   }});
  cases.push_back({"state.merge_checkpoints", [] {
                     saved(prefix + "_part");
                     return LongFiring{{tensor<std::string>({1}, {prefix + "_part"}),
                                        Tensor::string(prefix + "_all")},
                                       {},
                                       {intAttr(0), intAttr(0)}};
                   }});
}

void addTexts(std::vector<LongCase> &cases) {
  cases.push_back({"nd.join_texts", [] {
                     return LongFiring{
                         {texts(5000), Tensor::string("x")}, {DType::kString}, {textAttr("/")}};
                   }});
  cases.push_back({"nd.decimal", [] {
                     return LongFiring{{indices({5000}, 7000)}, {DType::kString}, {intAttr(5)}};
                   }});
  cases.push_back({"state.print", [] {
                     return LongFiring{
                         {fractions({3000})}, {}, {intAttr(-1), textAttr(""), intAttr(-1)}};
                   }});
  cases.push_back({"state.check_numbers", [] {
                     const Tensor ones = integers(std::vector<int32_t>(400'000, 1));
                     return LongFiring{{ones, ones}, {}, {textAttr("zero")}};
                   }});
  cases.push_back({"state.check_points", [] {
                     return LongFiring{
                         {indices({200'000, 1}, 25), integers(std::vector<int32_t>(25))},
                         {},
                         {intAttr(0), textAttr("")}};
                   }});
  cases.push_back({"state.check_range", [] {
                     return LongFiring{{indices({200'000}, 25), integers(std::vector<int32_t>(25))},
                                       {},
                                       {intAttr(0), intAttr(0), textAttr(""), textAttr("")}};
                   }});
  cases.push_back(
      {"state.assert",
       [] { return LongFiring{{Tensor::scalar(false), fractions({3000})}, {}, {intAttr(-1)}}; }});
}

} // namespace

std::vector<LongCase> longObjectCases() {
  std::vector<LongCase> cases;
  addLists(cases);
  addMaps(cases);
  addArrays(cases);
  addVariables(cases);
  addCheckpoints(cases);
  addTexts(cases);
  return cases;
}

const std::vector<std::string_view> &shortOps() {
  static const std::vector<std::string_view> ops = {
      // Shapes, and the same elements with another shape.
      "nd.shape",
      "nd.rank",
      "nd.size",
      "nd.reshape",
      "nd.expand_dims",
      "nd.squeeze",
      "nd.match_shape",
      "nd.stop_gradient",
      "nd.assume_shape",
      "nd.broadcast_args",
      "nd.broadcast_gradient_args",
      "nd.concat_offset",
      // One element, which is not copied, or a copy that asks by itself (runtime/base/pieces.h).
      "array.create",
      "array.write",
      "array.read",
      "array.size",
      "array.close",
      "array.grad",
      "array.grad_with_shape",
      "array.stack_create",
      "array.stack_push",
      "array.stack_pop",
      "array.stack_close",
      "list.make",
      "list.length",
      "list.map_make",
      "list.map_size",
      "list.get",
      "list.set",
      "list.push",
      "list.pop",
      "list.resize",
      "list.declare_shape",
      "list.declare_limit",
      "list.peek",
      "list.only",
      "list.element_shape",
      // A handle, a value that is shared, or a scalar.
      "state.reference",
      "state.handle",
      "state.read",
      "state.assign",
      "state.take",
      "state.give",
      "state.count_up_to",
      "state.random_position",
      "sci.random_key",
      "sci.random_stream",
      "state.is_initialized",
      "state.print_text",
      "state.variable_shape",
      "state.table_handle",
      "state.make_table",
      "state.table_size",
      // What firings wait for: copied at most, with the object's lock.
      "state.queue_handle",
      "state.enqueue",
      "state.dequeue",
      "state.dequeue_many",
      "state.queue_close",
      "state.queue_size",
      "state.queue_is_closed",
      "state.pack_handles",
      "state.choose_handle",
      "state.barrier_handle",
      "state.barrier_insert",
      "state.barrier_take",
      "state.barrier_close",
      "state.barrier_size",
      "state.accumulator_handle",
      "state.accumulator_take",
      "state.accumulator_take_rows",
      "state.accumulator_count",
      "state.accumulator_set_step",
      "state.mutex_handle",
      "state.mutex_lock",
      "state.mutex_release",
      "state.stage_handle",
      "state.stage_put",
      "state.stage_put_at",
      "state.stage_take",
      "state.stage_peek",
      "state.stage_take_at",
      "state.stage_take_least",
      "state.stage_size",
      "state.stage_clear",
      "state.reader_handle",
      "state.reader_await",
      "state.reader_count",
      "state.reader_save",
      "state.reader_restore",
      "state.reader_reset",
  };
  return ops;
}

} // namespace sluice::rt
