// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// One call under way: a machine of its own, what its kernels may use, and where results go. Calls
// share the program's state and nothing else; what a failed one leaves of itself is dropped.
#pragma once

#include "runtime/executor/machine_pool.h"

namespace sluice::rt {

class Call {
public:
  // `environment` is that of this call.
  Call(MachinePool &machines, size_t signature, size_t fetches, Environment environment)
      : machines_(machines), signature_(signature), machine_(machines.take(signature)),
        fetches_(fetches), environment_(environment) {}
  // If it has begun, after `machine().finish()`.
  ~Call() { machines_.give(signature_, machine_); }
  Call(const Call &) = delete;
  Call &operator=(const Call &) = delete;

  // The feeds are those of the signature, in its order. Another time after `machine().finish()`:
  // the number is that of the call then.
  void begin(std::span<const Tensor> feeds, uint64_t number) {
    feeds_.assign(feeds.begin(), feeds.end());
    environment_.call = number;
    machine_.begin(feeds_, fetches_, environment_);
  }
  // After `machine().finish()`: nobody sees the feeds any more, but who has kept one.
  void dropFeeds() { feeds_.clear(); }

  TokenMachine &machine() { return machine_; }
  const TokenMachine &machine() const { return machine_; }
  size_t signature() const { return signature_; }
  uint64_t number() const { return environment_.call; }
  std::span<const Tensor> fetches() const { return fetches_; }
  std::vector<Tensor> takeFetches() { return std::move(fetches_); }

private:
  MachinePool &machines_;
  const size_t signature_;
  TokenMachine &machine_;
  std::vector<Tensor> feeds_;
  std::vector<Tensor> fetches_;
  Environment environment_;
};

} // namespace sluice::rt
