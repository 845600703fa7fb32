// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Barriers as tensors, so that they can be saved: what is incomplete, and then the queue of what is
// not.
#include "runtime/state/barrier.h"
#include "runtime/state/saved_tuples.h"

#include <algorithm>

namespace sluice::rt {

static constexpr size_t kBeforeComponents = 2; // in elements of the queue: a number and a key

Result<std::vector<NamedTensor>> Barrier::content() const {
  std::lock_guard<std::mutex> lock(mutex_);
  auto count = static_cast<int64_t>(incomplete_.size());
  SLUICE_ASSIGN_OR_RETURN(Tensor keys, Tensor::allocate(DType::kString, Shape{count}));
  std::vector<int64_t> numbers;
  for (const auto &[key, tuple] : incomplete_) {
    keys.data<std::string>()[numbers.size()] = key;
    numbers.push_back(tuple.number);
  }
  std::vector<NamedTensor> content;
  content.emplace_back("next", Tensor::scalar(next_));
  content.emplace_back("closed", Tensor::scalar(static_cast<uint8_t>(closed_)));
  content.emplace_back("cancelled", Tensor::scalar(static_cast<uint8_t>(cancelled_)));
  content.emplace_back("keys", std::move(keys));
  content.emplace_back("numbers", Tensor::vector<int64_t>(numbers));
  std::vector<const Tensor *> cells(incomplete_.size());
  for (size_t i = 0; i < options_.components.size(); ++i) {
    std::ranges::transform(incomplete_, cells.begin(),
                           [&](const auto &entry) { return &entry.second.components[i]; });
    SLUICE_RETURN_IF_ERROR(
        addColumn("incomplete/" + std::to_string(i), options_.components[i], cells, content));
  }
  SLUICE_ASSIGN_OR_RETURN(std::vector<NamedTensor> ready, ready_->content());
  std::ranges::move(ready, std::back_inserter(content));
  return content;
}

Result<Ref<Barrier>> Barrier::ofContent(std::vector<NamedTensor> content) {
  // The queue says of what components it is.
  auto firstOfQueue = std::ranges::find(content, "title", &NamedTensor::first);
  std::vector<NamedTensor> ofQueue;
  std::move(firstOfQueue, content.end(), std::back_inserter(ofQueue));
  content.erase(firstOfQueue, content.end());
  SLUICE_ASSIGN_OR_RETURN(Ref<Queue> ready, Queue::ofContent(std::move(ofQueue)));
  ContentReader in("barrier", std::move(content));
  if (ready->components().size() <= kBeforeComponents ||
      ready->components()[1].dtype != DType::kString)
    return in.refuse("a queue without components");
  Options options{ready->title(), Components({ready->components().begin() + kBeforeComponents,
                                              ready->components().end()})};
  auto barrier = Ref<Barrier>::adopt(new Barrier(std::move(options), ready));
  barrier->next_ = in.scalar<int64_t>("next");
  barrier->closed_ = in.scalar<uint8_t>("closed") != 0;
  barrier->cancelled_ = in.scalar<uint8_t>("cancelled") != 0;
  Tensor keys = in.take("keys", DType::kString, 1), numbers = in.take("numbers", DType::kI64, 1);
  if (in.failed() || keys.elements() != numbers.elements())
    return in.refuse("keys without numbers");
  std::vector<Incomplete *> tuples;
  for (int64_t i = 0; i < keys.elements(); ++i) {
    auto [entry, isNew] = barrier->incomplete_.try_emplace(
        keys.data<std::string>()[i], Incomplete{numbers.data<int64_t>()[i], {}});
    if (!isNew)
      return in.refuse("a key twice");
    entry->second.components.resize(barrier->options_.components.size());
    tuples.push_back(&entry->second);
  }
  const Components &components = barrier->options_.components;
  std::vector<Tensor *> cells(tuples.size());
  for (size_t i = 0; i < components.size(); ++i) {
    std::ranges::transform(tuples, cells.begin(),
                           [&](Incomplete *tuple) { return &tuple->components[i]; });
    SLUICE_RETURN_IF_ERROR(takeColumn(in, "incomplete/" + std::to_string(i), components[i], cells));
  }
  SLUICE_RETURN_IF_ERROR(in.status());
  return barrier;
}

constexpr ObjectType kBarrierType = objectTypeOf<Barrier>("barrier");

} // namespace sluice::rt
