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

ClusterEnd ClusterRunner::awaitRanks() {
  if (member_.rank() == 0)
    while (!member_.allReady() && !member_.ended())
      drive();
  collectVariables();
  return member_.end();
}

ClusterEnd ClusterRunner::serve() {
  while (!member_.ended()) {
    member_.endInTime();
    drive();
  }
  return member_.end();
}

Result<std::vector<Tensor>> ClusterRunner::call(size_t signature, std::span<const Tensor> feeds) {
  if (member_.ended())
    return member_.end().status;
  member_.startCall(signature, feeds);
  while (!member_.callOver()) {
    member_.endInTime();
    drive();
  }
  return member_.takeResult();
}

Status ClusterRunner::readVariables() {
  if (member_.remoteVariables().empty())
    return okStatus();
  member_.requestVariables();
  while (!member_.variablesHere())
    drive();
  Status status = member_.takeVariablesStatus();
  return member_.end() ? member_.end().status : status;
}

Status ClusterRunner::writeVariables() {
  Status status = member_.sendVariables();
  return member_.end() ? member_.end().status : status;
}

} // namespace sluice::rt
