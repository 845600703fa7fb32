// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Queues: what firings want of them.
#include "runtime/state/batch.h"
#include "runtime/state/queue.h"

#include <algorithm>

namespace sluice::rt {

class Queue::Put final : public Wish {
public:
  Put(Queue &queue, Element element) : queue_(queue), element_(std::move(element)) {}
  Outcome attempt(std::span<Tensor>, Status &status) override {
    if (queue_.closed_) {
      status = queue_.closedError();
      return Outcome::kEnded;
    }
    if (!queue_.hasRoom())
      return Outcome::kWaits;
    queue_.put(std::move(element_));
    return Outcome::kEnded;
  }

private:
  Queue &queue_;
  Element element_;
};

// Row by row, as there is room.
class Queue::PutMany final : public Wish {
public:
  PutMany(Queue &queue, std::vector<Tensor> batches)
      : queue_(queue), batches_(std::move(batches)) {}
  Outcome attempt(std::span<Tensor>, Status &status) override {
    if (queue_.closed_) {
      status = queue_.closedError();
      return Outcome::kEnded;
    }
    bool moved = false;
    for (; next_ < batches_[0].dim(0) && queue_.hasRoom(); moved = true) {
      status = putNext();
      if (!status.ok())
        return Outcome::kEnded;
    }
    return next_ == batches_[0].dim(0) ? Outcome::kEnded
           : moved                     ? Outcome::kMoved
                                       : Outcome::kWaits;
  }

private:
  Status putNext() {
    Element element;
    for (const Tensor &batch : batches_) {
      SLUICE_ASSIGN_OR_RETURN(Tensor row, rowOf(batch, next_));
      element.push_back(std::move(row));
    }
    queue_.put(std::move(element));
    ++next_;
    return okStatus();
  }

  Queue &queue_;
  std::vector<Tensor> batches_;
  int64_t next_ = 0;
};

class Queue::Close final : public Wish {
public:
  explicit Close(Queue &queue) : queue_(queue) {}
  Outcome attempt(std::span<Tensor>, Status &status) override {
    if (queue_.closed_)
      status = {Code::kCancelled, queue_.options_.title + " is closed already"};
    queue_.closed_ = true;
    return Outcome::kEnded;
  }

private:
  Queue &queue_;
};

class Queue::Take final : public Wish {
public:
  explicit Take(Queue &queue) : queue_(queue) {}
  Outcome attempt(std::span<Tensor> outputs, Status &status) override {
    if (queue_.available() > 0) {
      Element element = queue_.take();
      std::move(element.begin(), element.end(), outputs.begin());
      return Outcome::kEnded;
    }
    if (!queue_.closed_)
      return Outcome::kWaits;
    status = queue_.tooFewError(1);
    return Outcome::kEnded;
  }

private:
  Queue &queue_;
};

// Element by element, as they come, so that there is room for more.
class Queue::TakeMany final : public Wish {
public:
  TakeMany(Queue &queue, int64_t count, bool allowsFewer)
      : queue_(queue), count_(count), allowsFewer_(allowsFewer) {}
  Outcome attempt(std::span<Tensor> outputs, Status &status) override {
    if (queue_.closed_ && queue_.count() < missing())
      if (Outcome outcome = settle(status); outcome != Outcome::kMoved)
        return outcome;
    bool moved = false;
    for (; missing() > 0 && queue_.available() > 0; moved = true)
      taken_.push_back(queue_.take());
    if (missing() > 0)
      return moved ? Outcome::kMoved : Outcome::kWaits;
    status = queue_.batches(taken_, outputs);
    return Outcome::kEnded;
  }
  void giveBack() override { queue_.putBack(std::exchange(taken_, {})); }

private:
  int64_t missing() const { return count_ - static_cast<int64_t>(taken_.size()); }
  // There will not be enough. Moved: it goes on with what there is.
  Outcome settle(Status &status) {
    giveBack();
    if (allowsFewer_ && queue_.count() > 0) {
      count_ = queue_.count();
      return Outcome::kMoved;
    }
    status = queue_.tooFewError(count_);
    return Outcome::kEnded;
  }

  Queue &queue_;
  int64_t count_;
  const bool allowsFewer_;
  std::vector<Element> taken_;
};

Status Queue::enqueue(std::vector<Tensor> tuple, bool many, Client client) {
  SLUICE_RETURN_IF_ERROR(options_.components.check(tuple, many));
  if (!many)
    return ask(kPuts, Put(*this, std::move(tuple)), client, "enqueue");
  if (tuple[0].dim(0) == 0)
    return okStatus();
  return ask(kPuts, PutMany(*this, std::move(tuple)), client, "enqueue");
}

Status Queue::dequeue(std::span<const DType> types, Client client) {
  SLUICE_RETURN_IF_ERROR(options_.components.checkTypes(types));
  return ask(kTakes, Take(*this), client, "dequeue");
}

Status Queue::dequeueMany(int64_t count, bool allowFewer, std::span<const DType> types,
                          Client client) {
  SLUICE_RETURN_IF_ERROR(options_.components.checkTypes(types));
  if (count < 0)
    return invalidArgument(options_.title + ": expected to take at least 0 elements but got " +
                           std::to_string(count));
  if (!options_.components.haveShapes())
    return invalidArgument(
        options_.title + ": taking many elements requires the components to have specified shapes");
  if (count == 0)
    return batches({}, client.outputs);
  return ask(kTakes, TakeMany(*this, count, allowFewer), client, "dequeue");
}

Status Queue::close(bool cancels, Client client) {
  if (!cancels)
    return ask(kPuts, Close(*this), client, "close");
  std::unique_lock<std::mutex> lock(mutex_);
  closed_ = true;
  refuseAll(kPuts, {Code::kCancelled, options_.title + " was closed before the element was in"});
  serveOthers(lock);
  return okStatus();
}

} // namespace sluice::rt
