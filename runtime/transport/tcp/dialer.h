// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Calls one lower rank until it answers: ranks may start in any order.
#pragma once

#include "runtime/transport/tcp/address.h"
#include "runtime/transport/tcp/greeting.h"

namespace sluice::rt {

class Dialer {
public:
  Dialer(const Party &party, uint32_t rank, std::string name)
      : party_(party), rank_(rank), name_(std::move(name)) {}

  // `addresses`: what the name stands for as far as known. kDone: take it from `greeting`. kRefused
  // ends it all. What may be tried again is not told but remembered as trouble.
  Outcome step(uint64_t now, const std::vector<SocketAddress> &addresses);

  // -1: there is only the time to wait for.
  int fd() const;
  bool waitsToWrite() const { return !greeting_ || greeting_->hasOutput(); }
  uint64_t wakeTime() const { return greeting_ ? greeting_->deadline() : wakeTime_; }
  bool isDone() const { return done_; }
  uint32_t rank() const { return rank_; }
  const std::string &name() const { return name_; }
  const std::string &trouble() const { return trouble_; }
  Greeting &greeting() { return *greeting_; }

private:
  void start(uint64_t now, const std::vector<SocketAddress> &addresses);
  void finishConnecting(uint64_t now);
  void retryLater(uint64_t now, const std::string &trouble);
  void greet(uint64_t now);

  const Party &party_;
  uint32_t rank_;
  std::string name_;
  std::string trouble_ = "not tried yet";
  Socket connecting_;
  std::unique_ptr<Greeting> greeting_;
  uint64_t wakeTime_ = 0; // when to try again, or to give up this attempt
  uint64_t backoffNs_ = 0;
  size_t attempts_ = 0;
  bool done_ = false;
};

} // namespace sluice::rt
