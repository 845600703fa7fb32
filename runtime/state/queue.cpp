// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Queues: what their elements are, and in which order they come out.
#include "runtime/state/queue.h"

#include "runtime/state/batch.h"

#include <algorithm>

namespace sluice::rt {

static constexpr std::string_view kOrders[] = {"fifo", "padding", "priority", "random"};

std::optional<Queue::Order> Queue::orderOf(std::string_view name) {
  auto found = std::ranges::find(kOrders, name);
  if (found == std::end(kOrders))
    return std::nullopt;
  return static_cast<Order>(found - std::begin(kOrders));
}

Queue::Queue(Options options)
    : WaitingLines(kKind, Turns::kInOrder), options_(std::move(options)) {}

static Status checkShapes(const Queue::Options &options) {
  bool isPadding = options.order == Queue::Order::kPadding;
  for (const auto &[dtype, shape] : options.components)
    if (isPadding ? !shape.hasRank() : shape.hasRank() && !shape.isComplete())
      return invalidArgument(options.title + ": expected " +
                             (isPadding ? "the rank of each component" : "dims that are known") +
                             " but got " + shape.toString());
  return okStatus();
}

Result<Ref<Queue>> Queue::make(Options options) {
  SLUICE_RETURN_IF_ERROR(checkShapes(options));
  const Components &components = options.components;
  if (options.order == Order::kPriority &&
      (components.size() == 0 || components[0].dtype != DType::kI64 ||
       !components[0].shape.isScalar()))
    return invalidArgument(options.title + ": expected a scalar i64 as first component");
  if (options.minAfterDequeue < 0)
    return invalidArgument("min_after_dequeue " + std::to_string(options.minAfterDequeue) +
                           " must be >= 0");
  if (options.capacity >= 0 && options.minAfterDequeue >= options.capacity &&
      options.order == Order::kRandom)
    return invalidArgument("min_after_dequeue " + std::to_string(options.minAfterDequeue) +
                           " must be < capacity " + std::to_string(options.capacity));
  return Ref<Queue>::adopt(new Queue(std::move(options)));
}

Status Queue::check(const Options &options) const {
  auto differs = [&](const char *what, const std::string &has, const std::string &asked) {
    return invalidArgument("shared " + options_.title + " has " + what + " " + has +
                           " but requested " + what + " was " + asked);
  };
  auto differsInNumber = [&](const char *what, int64_t has, int64_t asked) {
    return differs(what, std::to_string(has), std::to_string(asked));
  };
  if (options.order != options_.order)
    return differs("order", std::string(kOrders[static_cast<size_t>(options_.order)]),
                   std::string(kOrders[static_cast<size_t>(options.order)]));
  if (std::max<int64_t>(options.capacity, -1) != std::max<int64_t>(options_.capacity, -1))
    return differsInNumber("capacity", options_.capacity, options.capacity);
  if (options.minAfterDequeue != options_.minAfterDequeue)
    return differsInNumber("min_after_dequeue", options_.minAfterDequeue, options.minAfterDequeue);
  bool saysSeeds = options.seed != 0 || options.seed2 != 0;
  if (saysSeeds && options.seed != options_.seed)
    return differsInNumber("seed", options_.seed, options.seed);
  if (saysSeeds && options.seed2 != options_.seed2)
    return differsInNumber("seed2", options_.seed2, options.seed2);
  if (!(options.components == options_.components))
    return differs("components", options_.components.toString(), options.components.toString());
  return okStatus();
}

Status Queue::closedError() const { return {Code::kCancelled, options_.title + " is closed"}; }

Status Queue::tooFewError(int64_t wanted) const {
  return outOfRange(format("%s is closed and has insufficient elements (requested %lld, current "
                           "size %lld)",
                           options_.title.c_str(), static_cast<long long>(wanted),
                           static_cast<long long>(count())));
}

// ---- Elements

int64_t Queue::available() const { return closed_ ? count() : count() - options_.minAfterDequeue; }

void Queue::put(Element element) {
  elements_.push_back(std::move(element));
  if (options_.order == Order::kPriority)
    std::push_heap(elements_.begin(), elements_.end(), isLater);
}

// The stream gives four numbers at each position.
uint32_t Queue::draw() {
  auto seed = [](int64_t number) { return static_cast<uint64_t>(number); };
  Philox stream(seed(options_.seed), seed(options_.seed2), drawn_ / 4);
  return stream.next()[drawn_++ % 4];
}

Queue::Element Queue::take() {
  bool isInOrder = options_.order == Order::kFifo || options_.order == Order::kPadding;
  if (options_.order == Order::kPriority)
    std::pop_heap(elements_.begin(), elements_.end(), isLater);
  else if (options_.order == Order::kRandom)
    std::swap(elements_[draw() % elements_.size()], elements_.back());
  Element element = std::move(isInOrder ? elements_.front() : elements_.back());
  if (isInOrder)
    elements_.pop_front();
  else
    elements_.pop_back();
  return element;
}

void Queue::putBack(std::vector<Element> elements) {
  bool isInOrder = options_.order == Order::kFifo || options_.order == Order::kPadding;
  for (Element &element : elements)
    if (!isInOrder)
      put(std::move(element));
  if (isInOrder)
    elements_.insert(elements_.begin(), std::move_iterator(elements.begin()),
                     std::move_iterator(elements.end()));
}

Status Queue::batches(std::span<const Element> elements, std::span<Tensor> outputs) const {
  std::vector<const Tensor *> rows(elements.size());
  for (size_t i = 0; i < outputs.size(); ++i) {
    for (size_t k = 0; k < elements.size(); ++k)
      rows[k] = &elements[k][i];
    const auto &[dtype, shape] = options_.components[i];
    SLUICE_ASSIGN_OR_RETURN(outputs[i], batchOf(rows, dtype, shape));
  }
  return okStatus();
}

int64_t Queue::size() const {
  std::lock_guard<std::mutex> lock(mutex_);
  return count();
}

bool Queue::isClosed() const {
  std::lock_guard<std::mutex> lock(mutex_);
  return closed_;
}

} // namespace sluice::rt
