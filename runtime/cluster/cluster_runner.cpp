// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// ClusterRunner: calls as loops around the member.
#include "runtime/cluster/cluster_runner.h"

#include <algorithm>

namespace sluice::rt {

void ClusterRunner::setOptions(const RunOptions &options) {
  RunOptions own = options;
  if (own.scheduleSeed) // every rank draws another order
    own.scheduleSeed = *own.scheduleSeed * 1024 + member_.rank();
  own.workers = std::max(own.workers, leastWorkers());
  member_.executor().setOptions(own);
  collectVariables();
}

void ClusterRunner::collectVariables() {
  std::span<Variable *const> own = member_.executor().variables();
  variables_.assign(own.begin(), own.end());
  for (const auto &variable : member_.remoteVariables())
    variables_.push_back(variable.get());
  std::sort(variables_.begin(), variables_.end(),
            [](const Variable *a, const Variable *b) { return a->name < b->name; });
}

//===-- Who leads -----------------------------------------------------------------------------===//

ClusterRunner::Lead::Lead(ClusterRunner &runner) : runner_(runner) {
  std::unique_lock lock(runner.mutex_);
  runner.changed_.wait(lock, [&] { return !runner.led_; });
  runner.led_ = true;
}

ClusterRunner::Lead::Lead(ClusterRunner &runner, std::try_to_lock_t) : runner_(runner) {
  std::lock_guard lock(runner.mutex_);
  taken_ = !std::exchange(runner.led_, true);
}

ClusterRunner::Lead::~Lead() {
  if (!taken_)
    return;
  std::lock_guard lock(runner_.mutex_);
  runner_.led_ = false;
  if (!runner_.noted_)
    runner_.noted_ = runner_.member_.end();
  runner_.changed_.notify_all();
}

ClusterEnd ClusterRunner::clusterEnd() const {
  std::lock_guard lock(mutex_);
  return noted_;
}

//===-- Without calls -------------------------------------------------------------------------===//

ClusterEnd ClusterRunner::awaitRanks() {
  Lead lead(*this);
  if (member_.rank() == 0)
    while (!member_.allReady() && !member_.ended())
      drive();
  collectVariables();
  return member_.end();
}

ClusterEnd ClusterRunner::serve() {
  Lead lead(*this);
  while (!member_.ended())
    goOn();
  return member_.end();
}

Status ClusterRunner::readVariables() {
  if (member_.remoteVariables().empty())
    return okStatus();
  Lead lead(*this);
  member_.requestVariables();
  while (!member_.variablesHere())
    drive();
  Status status = member_.takeVariablesStatus();
  return member_.end() ? member_.end().status : status;
}

Status ClusterRunner::writeVariables() {
  Lead lead(*this);
  Status status = member_.sendVariables();
  return member_.end() ? member_.end().status : status;
}

//===-- Calls ---------------------------------------------------------------------------------===//

Status ClusterRunner::allowCalls(unsigned count) {
  Lead lead(*this);
  return member_.allowCalls(count);
}

Result<std::vector<Tensor>> ClusterRunner::call(size_t signature, std::span<const Tensor> feeds) {
  Lead lead(*this);
  if (member_.ended())
    return member_.end().status;
  uint32_t call = member_.startCall(signature, feeds);
  while (!member_.callOver(call))
    goOn();
  return member_.takeResult(call);
}

Result<std::vector<Tensor>> ClusterRunner::callAmongOthers(size_t signature,
                                                           std::span<const Tensor> feeds,
                                                           std::optional<double> seconds,
                                                           uint64_t &leftover) {
  Request request{signature, feeds, seconds};
  std::unique_lock lock(mutex_);
  asked_.push_back(&request);
  if (led_)
    transport_->wake(); // whoever leads begins it
  while (!request.result) {
    changed_.wait(lock, [&] { return request.result || !led_; });
    if (request.result)
      break;
    lock.unlock();
    leadUntilOver(request);
    lock.lock();
  }
  leftover = request.leftover;
  return std::move(*request.result);
}

// Or until somebody else leads.
void ClusterRunner::leadUntilOver(const Request &request) {
  Lead lead(*this, std::try_to_lock);
  while (lead.isTaken() && !request.result) {
    beginRequests();
    if (!underWay_.empty())
      goOn();
    endRequests();
  }
}

void ClusterRunner::beginRequests() {
  std::vector<Request *> asked;
  {
    std::lock_guard lock(mutex_);
    asked.swap(asked_);
  }
  for (Request *request : asked) {
    if (!member_.ended())
      request->number = member_.startCall(request->signature, request->feeds, request->seconds);
    underWay_.push_back(request);
  }
}

void ClusterRunner::endRequests() {
  for (size_t i = 0; i < underWay_.size();) {
    Request &request = *underWay_[i];
    if (request.number && !member_.callOver(*request.number)) {
      ++i;
      continue;
    }
    Result<std::vector<Tensor>> result = member_.end().status;
    if (request.number)
      result = member_.takeResult(*request.number);
    underWay_.erase(underWay_.begin() + static_cast<ptrdiff_t>(i));
    std::lock_guard lock(mutex_);
    request.leftover = member_.leftoverTokens();
    request.result.emplace(std::move(result));
    changed_.notify_all();
  }
}

} // namespace sluice::rt
