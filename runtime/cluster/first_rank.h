// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A cluster in one process, seen by its caller: what rank 0 says.
#pragma once

#include "runtime/api/recording_runner.h"

namespace sluice::rt {

template <typename Base = RecordingRunner> class FirstRank : public Base {
public:
  std::span<const SignatureInfo> signatures() const override { return first().signatures(); }
  std::span<Variable *const> variables() override { return first().variables(); }
  Result<std::vector<Tensor>> call(size_t signature, std::span<const Tensor> feeds) override {
    return first().call(signature, feeds);
  }
  Status allowCalls(unsigned count) override { return first().allowCalls(count); }
  Result<std::vector<Tensor>> callAmongOthers(size_t signature, std::span<const Tensor> feeds,
                                              std::optional<double> seconds,
                                              uint64_t &leftover) override {
    return first().callAmongOthers(signature, feeds, seconds, leftover);
  }
  void expectCalls(int change) override { first().expectCalls(change); }
  void expectMoreCalls(bool expects) override { first().expectMoreCalls(expects); }
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
