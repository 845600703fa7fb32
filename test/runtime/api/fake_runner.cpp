// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// FakeRunner.
#include "test/runtime/api/fake_runner.h"

namespace sluice::rt {

FakeRunner::FakeRunner() {
  Port x{"x:0", DType::kF32, Shape{Shape::kUnknown, 2}};
  Port y{"y:0", DType::kF32, Shape{Shape::kUnknown, 2}};
  Port loss{"loss:0", DType::kF32, Shape{}};
  Port text{"s:0", DType::kString, Shape{}};
  Port numbers{"n:0", DType::kI32, Shape{2}};
  Port copy{"n:1", DType::kI32, Shape{2}};
  signatures_ = {{"main", {x}, {y}, {}},
                 {"step", {}, {}, {"train"}},
                 {"echo", {text, numbers}, {text, copy}, {}},
                 {"both", {x}, {y, loss}, {"train"}}};
  auto add = [&](const char *name, DType dtype, Shape shape) {
    owned_.push_back(Ref<Variable>::adopt(new Variable(name, dtype, std::move(shape))));
    variables_.push_back(owned_.back().get());
  };
  add("counter", DType::kF32, Shape{});
  add("table", DType::kF32, Shape{2});
  add("label", DType::kString, Shape{});
}

Variable *FakeRunner::variable(std::string_view name) {
  for (Variable *v : variables_)
    if (v->name == name)
      return v;
  return nullptr;
}

Result<Tensor> FakeRunner::addCounter(const Tensor &x) {
  SLUICE_ASSIGN_OR_RETURN(Tensor y, x.clone());
  const Tensor &counter = variable("counter")->value;
  float add = counter.valid() ? counter.data<float>()[0] : 0;
  for (int64_t i = 0; i < y.elements(); ++i)
    y.data<float>()[i] += add;
  return y;
}

Status FakeRunner::train() {
  Variable *counter = variable("counter");
  if (!counter->initialized())
    return failedPrecondition("Attempting to use uninitialized value counter").atNode("train");
  counter->value = Tensor::scalar(counter->value.data<float>()[0] + 1);
  if (options_.print)
    options_.print("trained");
  return {};
}

Result<std::vector<Tensor>> FakeRunner::initialize() {
  Tensor &value = variable("counter")->value;
  if (value.valid() && value.data<float>()[0] == 13)
    return failedPrecondition("unlucky").atNode("init");
  value = Tensor::scalar(10.0f);
  return std::vector<Tensor>();
}

Result<std::vector<Tensor>> FakeRunner::call(size_t signature, std::span<const Tensor> given) {
  if (signatures_[signature].initializes)
    return initialize();
  ++calls;
  feeds.assign(given.begin(), given.end());
  if (signature == 1 || signature == 3)
    SLUICE_RETURN_IF_ERROR(train());
  if (signature == 1)
    return std::vector<Tensor>();
  if (signature == 2)
    return std::vector<Tensor>{feeds[0], feeds[1]};
  SLUICE_ASSIGN_OR_RETURN(Tensor y, addCounter(feeds[0]));
  std::vector<Tensor> fetches{y};
  if (signature == 3)
    fetches.push_back(Tensor::scalar(0.5f));
  return fetches;
}

} // namespace sluice::rt
