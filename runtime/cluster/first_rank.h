// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A cluster in one process, seen by its caller: what rank 0 says.
#pragma once

#include "runtime/api/recording_runner.h"

namespace sluice::rt {

class FirstRank : public RecordingRunner {
public:
  std::span<const SignatureInfo> signatures() const override { return first().signatures(); }
  std::span<Variable *const> variables() override { return first().variables(); }
  Result<std::vector<Tensor>> call(size_t signature, std::span<const Tensor> feeds) override {
    return first().call(signature, feeds);
  }
  uint64_t leftoverTokens() const override { return first().leftoverTokens(); }
  Stats stats() const override { return first().stats(); }
  std::string_view programName() const override { return first().programName(); }
  std::string_view versionText() const override { return first().versionText(); }
  ClusterEnd clusterEnd() const override { return first().clusterEnd(); }
  Status readVariables() override { return first().readVariables(); }
  Status writeVariables() override { return first().writeVariables(); }

protected:
  virtual Runner &first() const = 0;
};

} // namespace sluice::rt
