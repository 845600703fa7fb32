// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A firing that asks an object for something, and what becomes of it. From any thread.
#pragma once

#include "runtime/state/parking.h"
#include "test/runtime/state/numbers.h"

#include <condition_variable>
#include <mutex>
#include <optional>

namespace sluice::rt {

class Waiter final : public Parking {
public:
  explicit Waiter(size_t numOutputs = 0) : results(numOutputs) {}

  Client client() { return {results, this}; }
  std::unique_ptr<ParkedCall> park(Waitable &object, const char *what) override {
    on_ = Ref<Waitable>::share(&object);
    words_ = "parked on " + object.title() + ", " + what;
    auto parked = std::make_unique<Parked>(*this);
    parked_ = parked.get();
    return parked;
  }

  bool isParked() const {
    std::lock_guard<std::mutex> lock(mutex_);
    return parked_ && !status_;
  }
  const std::string &words() const { return words_; }
  // Of one that was parked and has been resumed.
  std::optional<Code> resumedWith() const {
    std::lock_guard<std::mutex> lock(mutex_);
    return status_ ? std::optional(status_->code()) : std::nullopt;
  }
  void await() {
    std::unique_lock<std::mutex> lock(mutex_);
    ended_.wait(lock, [&] { return !parked_ || status_; });
  }
  bool withdraw() { return on_->withdraw(*parked_); }

  std::vector<Tensor> results;

private:
  class Parked final : public ParkedCall {
  public:
    explicit Parked(Waiter &waiter) : waiter_(waiter) {}
    std::span<Tensor> outputs() override { return waiter_.results; }

  private:
    void end(std::unique_ptr<ParkedCall>, Status status) override {
      std::lock_guard<std::mutex> lock(waiter_.mutex_);
      waiter_.status_ = std::move(status);
      waiter_.ended_.notify_all();
    }
    Waiter &waiter_;
  };

  mutable std::mutex mutex_;
  std::condition_variable ended_;
  const ParkedCall *parked_ = nullptr;
  Ref<Waitable> on_;
  std::string words_;
  std::optional<Status> status_;
};

} // namespace sluice::rt
