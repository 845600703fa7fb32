// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Queues as tensors, so that they can be saved: between calls nobody waits for them.
#include "runtime/state/queue.h"
#include "runtime/state/saved_tuples.h"

#include <algorithm>

namespace sluice::rt {

Result<std::vector<NamedTensor>> Queue::content() const {
  std::lock_guard<std::mutex> lock(mutex_);
  std::vector<NamedTensor> content;
  content.emplace_back("title", Tensor::string(options_.title));
  content.emplace_back("order", Tensor::scalar(static_cast<uint8_t>(options_.order)));
  content.emplace_back("capacity", Tensor::scalar(options_.capacity));
  content.emplace_back("min_after_dequeue", Tensor::scalar(options_.minAfterDequeue));
  content.emplace_back("seed", Tensor::scalar(options_.seed));
  content.emplace_back("seed2", Tensor::scalar(options_.seed2));
  content.emplace_back("drawn", Tensor::scalar(drawn_));
  content.emplace_back("closed", Tensor::scalar(static_cast<uint8_t>(closed_)));
  content.emplace_back("components", Tensor::vector<int64_t>(options_.components.numbers()));
  content.emplace_back("count", Tensor::scalar(count()));
  std::vector<const Tensor *> cells(elements_.size());
  for (size_t i = 0; i < options_.components.size(); ++i) {
    std::ranges::transform(elements_, cells.begin(), [&](const Element &one) { return &one[i]; });
    SLUICE_RETURN_IF_ERROR(addColumn(std::to_string(i), options_.components[i], cells, content));
  }
  return content;
}

Result<Ref<Queue>> Queue::ofContent(std::vector<NamedTensor> content) {
  ContentReader in("queue", std::move(content));
  Options options;
  options.title = in.text("title");
  auto order = in.scalar<uint8_t>("order");
  options.capacity = in.scalar<int64_t>("capacity");
  options.minAfterDequeue = in.scalar<int64_t>("min_after_dequeue");
  options.seed = in.scalar<int64_t>("seed");
  options.seed2 = in.scalar<int64_t>("seed2");
  auto drawn = in.scalar<uint64_t>("drawn");
  bool closed = in.scalar<uint8_t>("closed") != 0;
  Tensor components = in.take("components", DType::kI64, 1);
  SLUICE_RETURN_IF_ERROR(in.failed() ? in.status() : okStatus());
  options.components = Components::ofContent(components.values<int64_t>());
  if (order > static_cast<uint8_t>(Order::kRandom) || options.components.size() == 0)
    return in.refuse("an order or components that there are not");
  options.order = static_cast<Order>(order);
  SLUICE_ASSIGN_OR_RETURN(Ref<Queue> queue, make(std::move(options)));
  SLUICE_RETURN_IF_ERROR(queue->restoreElements(in));
  SLUICE_RETURN_IF_ERROR(in.status());
  queue->drawn_ = drawn;
  queue->closed_ = closed;
  return queue;
}

// Each has an entry in every column, so there cannot be many in a small file.
Status Queue::restoreElements(ContentReader &in) {
  auto count = in.scalar<int64_t>("count");
  int64_t most = in.nextElements(); // which of them are there
  if (count < 0 || count != most || (options_.capacity >= 0 && count > options_.capacity))
    return in.refuse("another number of elements than it says");
  elements_.resize(static_cast<size_t>(count), Element(options_.components.size()));
  std::vector<Tensor *> cells(elements_.size());
  for (size_t i = 0; i < options_.components.size(); ++i) {
    std::ranges::transform(elements_, cells.begin(), [&](Element &one) { return &one[i]; });
    SLUICE_RETURN_IF_ERROR(takeColumn(in, std::to_string(i), options_.components[i], cells));
    if (!std::ranges::all_of(cells, &Tensor::valid))
      return in.refuse("elements without a component");
  }
  bool isHeap = options_.order != Order::kPriority ||
                std::is_heap(elements_.begin(), elements_.end(), isLater);
  return isHeap ? okStatus() : in.refuse("elements that are no heap");
}

constexpr ObjectType kQueueType = objectTypeOf<Queue>("queue");

} // namespace sluice::rt
