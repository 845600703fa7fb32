// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The machines of a program: of each signature as many as there have been calls at once, kept so
// that their blocks are reused. From any thread.
#pragma once

#include "runtime/executor/token_machine.h"

#include <functional>
#include <memory>
#include <mutex>
#include <vector>

namespace sluice::rt {

class MachinePool {
public:
  using Make = std::function<std::unique_ptr<TokenMachine>(size_t signature)>;
  MachinePool(size_t signatures, Make make) : make_(std::move(make)), machines_(signatures) {}

  // One that nobody uses. After a call whose workers are stuck that very machine, which fails
  // again.
  TokenMachine &take(size_t signature);
  void give(size_t signature, TokenMachine &machine);
  // The first of the signature's machines.
  TokenMachine &first(size_t signature);
  bool stuck() const;
  // Of all calls that are over.
  StepCounters counters() const;
  // While no call is under way.
  void clear();

private:
  struct Machines {
    std::vector<std::unique_ptr<TokenMachine>> all;
    std::vector<TokenMachine *> free;
  };
  TokenMachine &add(size_t signature);

  Make make_;
  mutable std::mutex mutex_;
  std::vector<Machines> machines_; // by signature
};

} // namespace sluice::rt
