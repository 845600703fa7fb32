// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A program's state that tells which step it is of, in each of its objects.
#pragma once

#include "runtime/state/object_slot.h"
#include "runtime/state/table.h"
#include "runtime/state/variable.h"

#include <optional>
#include <vector>

namespace sluice::rt {

class SavedState {
public:
  explicit SavedState(int64_t elements = 5) : elements_(elements) {
    add("variable", "weights", new Variable("weights", DType::kF32, Shape{Shape::kUnknown}));
    add("variable", "names", new Variable("names", DType::kString, Shape{2}));
    add("variable", "later", new Variable("later", DType::kBool, Shape{}));
    add("generator", "dice", new Generator());
    add("table", "words", new ObjectSlot(ObjectSlot::typeOf("table")));
  }

  // All objects say so now; "later" has a value from step 2 on.
  void become(uint64_t step) {
    Tensor weights = *Tensor::allocate(DType::kF32, Shape{elements_});
    std::fill_n(weights.data<float>(), elements_, static_cast<float>(step));
    variable(0)->value = weights;
    Tensor names = *Tensor::allocate(DType::kString, Shape{2});
    names.data<std::string>()[0] = std::to_string(step);
    names.data<std::string>()[1] = "";
    variable(1)->value = names;
    variable(2)->value = step < 2 ? Tensor() : Tensor::scalar(true);
    (void)resources_[3].object->restore({{"position", Tensor::scalar(step)}});
    Table::Options options;
    options.form = Table::Form::kMutable;
    options.key = DType::kI64;
    options.value = DType::kI64;
    Ref<Table> table = *slot()->get<Table>(options);
    (void)table->insert(Tensor::scalar(int64_t{7}), Tensor::scalar(static_cast<int64_t>(step)));
  }

  // The step that all objects say; nothing if they differ.
  std::optional<uint64_t> step() const {
    uint64_t step = *(*resources_[3].object->save())[0].second.data<uint64_t>();
    const Tensor &weights = variable(0)->value, &names = variable(1)->value;
    Ref<Object> table = slot()->object();
    if (!weights.valid() || weights.elements() != elements_ || !names.valid() || !table)
      return std::nullopt;
    for (float weight : weights.values<float>())
      if (weight != static_cast<float>(step))
        return std::nullopt;
    Result<Tensor> found =
        static_cast<Table &>(*table).find(Tensor::scalar(int64_t{7}), Tensor::scalar(int64_t{-1}));
    bool same = names.data<std::string>()[0] == std::to_string(step) && found.ok() &&
                *found->data<int64_t>() == static_cast<int64_t>(step) &&
                variable(2)->initialized() == (step >= 2);
    return same ? std::optional(step) : std::nullopt;
  }

  std::span<const LastingResource> resources() const { return resources_; }
  Variable *variable(size_t i) const { return static_cast<Variable *>(resources_[i].object); }
  ObjectSlot *slot() const { return static_cast<ObjectSlot *>(resources_[4].object); }

private:
  void add(const char *kind, const char *key, LastingObject *object) {
    owned_.push_back(Ref<Object>::adopt(object));
    resources_.push_back({kind, key, object});
  }

  int64_t elements_;
  std::vector<Ref<Object>> owned_;
  std::vector<LastingResource> resources_;
};

} // namespace sluice::rt
