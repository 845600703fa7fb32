// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Barrier.
#include "runtime/state/barrier.h"

#include "runtime/state/batch.h"

#include <algorithm>

namespace sluice::rt {

Result<Ref<Barrier>> Barrier::make(Options options) {
  std::vector<Component> all = {{DType::kI64, Shape()}, {DType::kString, Shape()}};
  all.insert(all.end(), options.components.begin(), options.components.end());
  Queue::Options ready;
  ready.title = options.title;
  ready.order = Queue::Order::kPriority;
  ready.components = Components(std::move(all));
  SLUICE_ASSIGN_OR_RETURN(Ref<Queue> queue, Queue::make(std::move(ready)));
  return Ref<Barrier>::adopt(new Barrier(std::move(options), std::move(queue)));
}

Status Barrier::check(const Options &options) const {
  if (options.components == options_.components)
    return okStatus();
  return invalidArgument("shared " + options_.title + " has components " +
                         options_.components.toString() + " but requested components were " +
                         options.components.toString());
}

Status Barrier::closedError(int64_t keys) const {
  return {Code::kCancelled,
          format("%s is closed. Pending enqueues cancelled: %d. Number of new insertions: %lld. "
                 "Number of incomplete keys: %zu.",
                 options_.title.c_str(), cancelled_, static_cast<long long>(keys),
                 incomplete_.size())};
}

Status Barrier::checkRows(const Tensor &keys, int64_t component, const Tensor &values) const {
  if (component < 0 || static_cast<size_t>(component) >= options_.components.size())
    return invalidArgument(format("%s: expected a component below %zu but got %lld",
                                  options_.title.c_str(), options_.components.size(),
                                  static_cast<long long>(component)));
  Components one({options_.components[static_cast<size_t>(component)]});
  SLUICE_RETURN_IF_ERROR(one.check({&values, 1}, true));
  if (values.dim(0) != keys.elements())
    return invalidArgument(format("%s: expected a value for each of %lld keys but got %lld",
                                  options_.title.c_str(), static_cast<long long>(keys.elements()),
                                  static_cast<long long>(values.dim(0))));
  if (std::ranges::any_of(values.shape().dims().subspan(1), [](int64_t dim) { return dim == 0; }))
    return unimplemented(options_.title + ": Tensors with no elements are not supported");
  return okStatus();
}

Status Barrier::insert(const Tensor &keys, int64_t component, const Tensor &values) {
  SLUICE_RETURN_IF_ERROR(checkRows(keys, component, values));
  std::lock_guard<std::mutex> lock(mutex_);
  int64_t count = keys.elements();
  if (closed_ && (cancelled_ || (count > 0 && incomplete_.empty())))
    return closedError(count);
  Status status;
  bool isNew = false;
  for (int64_t i = 0; i < count && status.ok(); ++i) {
    Result<Tensor> row = rowOf(values, i);
    status = row.ok() ? insertOne(keys.data<std::string>()[i], static_cast<size_t>(component),
                                  std::move(*row), isNew)
                      : row.status();
  }
  next_ += isNew;
  // Nothing more can become complete.
  if (closed_ && incomplete_.empty() && !ready_->isClosed())
    (void)ready_->close(false, {});
  return status;
}

Status Barrier::insertOne(const std::string &key, size_t component, Tensor value, bool &isNew) {
  auto found = incomplete_.find(key);
  if (found == incomplete_.end()) {
    if (closed_)
      return {Code::kCancelled, options_.title +
                                    " is closed, but attempted to insert a brand new "
                                    "key: " +
                                    key};
    isNew = true;
    found = incomplete_.emplace(key, Incomplete{next_, {}}).first;
    found->second.components.resize(options_.components.size());
  }
  std::vector<Tensor> &components = found->second.components;
  if (components[component].valid())
    return invalidArgument(format("Key %s already has a value for component %zu in %s", key.c_str(),
                                  component, options_.title.c_str()));
  components[component] = std::move(value);
  if (!std::ranges::all_of(components, &Tensor::valid))
    return okStatus();
  std::vector<Tensor> element = {Tensor::scalar(found->second.number), Tensor::string(key)};
  std::ranges::move(components, std::back_inserter(element));
  incomplete_.erase(found);
  return ready_->enqueue(std::move(element), false, {});
}

Status Barrier::take(int64_t count, bool allowFewer, std::span<const DType> types, Client client) {
  {
    std::lock_guard<std::mutex> lock(mutex_);
    if (closed_) {
      int64_t available = ready_->size();
      if (allowFewer)
        count = std::min(count, available);
      else
        available += static_cast<int64_t>(incomplete_.size());
      if (available < std::max<int64_t>(count, 1))
        return outOfRange(
            format("%s is closed and has insufficient elements (requested %lld, total "
                   "size %lld)",
                   options_.title.c_str(), static_cast<long long>(count),
                   static_cast<long long>(available)));
    }
  }
  return ready_->dequeueMany(count, allowFewer, types, client);
}

// A second time only to cancel what the first one did not.
Status Barrier::close(bool cancels) {
  std::lock_guard<std::mutex> lock(mutex_);
  if (closed_ && (cancelled_ || !cancels))
    return {Code::kCancelled, options_.title + " is already closed"};
  closed_ = true;
  cancelled_ = cancels;
  if (cancels)
    incomplete_.clear();
  if (incomplete_.empty() && !ready_->isClosed())
    return ready_->close(cancels, {});
  return okStatus();
}

int64_t Barrier::incompleteSize() const {
  std::lock_guard<std::mutex> lock(mutex_);
  return static_cast<int64_t>(incomplete_.size());
}

} // namespace sluice::rt
