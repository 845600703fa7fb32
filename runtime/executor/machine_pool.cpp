// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// MachinePool.
#include "runtime/executor/machine_pool.h"

#include <algorithm>

namespace sluice::rt {

void StepCounters::add(const StepCounters &other) {
  firings += other.firings;
  deadFirings += other.deadFirings;
  kernels += other.kernels;
  floatKernels += other.floatKernels;
  codelets += other.codelets;
  codeletBails += other.codeletBails;
  codeletFloatOps += other.codeletFloatOps;
  offloaded += other.offloaded;
  iterations += other.iterations;
  framesEntered += other.framesEntered;
  leftoverTokens += other.leftoverTokens;
  tokensSent += other.tokensSent;
  deadTokensSent += other.deadTokensSent;
  tokensReceived += other.tokensReceived;
  maxEarlyTokens = std::max(maxEarlyTokens, other.maxEarlyTokens);
  maxLiveIterations = std::max(maxLiveIterations, other.maxLiveIterations);
}

TokenMachine &MachinePool::add(size_t signature) {
  std::vector<std::unique_ptr<TokenMachine>> &all = machines_[signature].all;
  all.push_back(make_(signature));
  all.back()->setFirstStream(all.size() - 1); // so that calls at a time are not behind each other
  return *all.back();
}

TokenMachine &MachinePool::take(size_t signature) {
  std::lock_guard<std::mutex> lock(mutex_);
  Machines &machines = machines_[signature];
  for (const auto &machine : machines.all)
    if (machine->stuck())
      return *machine;
  if (machines.free.empty())
    return add(signature);
  TokenMachine &machine = *machines.free.back();
  machines.free.pop_back();
  return machine;
}

void MachinePool::give(size_t signature, TokenMachine &machine) {
  std::lock_guard<std::mutex> lock(mutex_);
  if (!machine.stuck())
    machines_[signature].free.push_back(&machine);
}

TokenMachine &MachinePool::first(size_t signature) {
  std::lock_guard<std::mutex> lock(mutex_);
  Machines &machines = machines_[signature];
  if (machines.all.empty())
    machines.free.push_back(&add(signature));
  return *machines.all.front();
}

bool MachinePool::stuck() const {
  std::lock_guard<std::mutex> lock(mutex_);
  return std::any_of(machines_.begin(), machines_.end(), [](const Machines &machines) {
    return std::any_of(machines.all.begin(), machines.all.end(),
                       [](const auto &machine) { return machine->stuck(); });
  });
}

StepCounters MachinePool::counters() const {
  std::lock_guard<std::mutex> lock(mutex_);
  StepCounters sum;
  for (const Machines &machines : machines_)
    for (const auto &machine : machines.all)
      sum.add(machine->counters());
  return sum;
}

void MachinePool::clear() {
  std::lock_guard<std::mutex> lock(mutex_);
  for (Machines &machines : machines_)
    machines = {};
}

} // namespace sluice::rt
