// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// One thread or two that do the same to parts of a range.
#pragma once

#include <atomic>
#include <cstdint>
#include <functional>
#include <thread>

namespace sluice::bench {

class Team {
public:
  explicit Team(int threads) {
    if (threads > 1)
      other_ = std::thread([this] { help(); });
  }
  ~Team() {
    if (!other_.joinable())
      return;
    part_ = nullptr;
    begin();
    other_.join();
  }
  Team(const Team &) = delete;

  // part(first, last) of halves of the range, at the same time; or of all of it.
  void split(int64_t count, const std::function<void(int64_t, int64_t)> &part) {
    if (!other_.joinable())
      return part(0, count);
    part_ = &part;
    middle_ = count / 2;
    count_ = count;
    done_.store(false, std::memory_order_relaxed);
    begin();
    part(0, middle_);
    while (!done_.load(std::memory_order_acquire))
      ;
  }

private:
  void begin() {
    begun_.fetch_add(1, std::memory_order_release);
    begun_.notify_one();
  }
  void help() {
    for (unsigned known = 0;; ++known) {
      begun_.wait(known, std::memory_order_acquire);
      if (!part_)
        return;
      (*part_)(middle_, count_);
      done_.store(true, std::memory_order_release);
    }
  }

  std::thread other_;
  std::atomic<unsigned> begun_{0};
  std::atomic<bool> done_{false};
  const std::function<void(int64_t, int64_t)> *part_ = nullptr;
  int64_t middle_ = 0, count_ = 0;
};

} // namespace sluice::bench
