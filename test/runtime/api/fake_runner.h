// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A program for tests of the command line: y = x + counter, a training step and a string echo.
#pragma once

#include "runtime/api/runner.h"

namespace sluice::rt {

// Signatures:
//   main   x:0 f32[?,2] -> y:0 f32[?,2]      y = x + counter (0 while that is not initialised)
//   step   -> targets "train"                counter += 1; fails while it is not initialised
//   echo   s:0 string[] , n:0 i32[2] -> s:0 , n:1
//   both   x:0 f32[?,2] -> y:0 , loss:0 f32[] ; targets "train"
// A signature behind these that initializes sets counter to 10, or fails if counter is 13.
// Variables: counter f32[], table f32[2], label string[].
class FakeRunner final : public Runner {
public:
  FakeRunner();
  std::span<const SignatureInfo> signatures() const override { return signatures_; }
  std::span<Variable *const> variables() override { return variables_; }
  void setOptions(const RunOptions &options) override { options_ = options; }
  Result<std::vector<Tensor>> call(size_t signature, std::span<const Tensor> feeds) override;
  uint64_t leftoverTokens() const override { return calls == 1 ? leftover : leftoverLater; }
  Stats stats() const override { return {{"firings", 12}, {"seconds", 0.25}}; }
  std::string_view programName() const override { return "fake"; }
  std::string_view versionText() const override { return "0.1 (graph 1234, x86-64)"; }

  bool isMember() const override { return rank.has_value(); }
  bool serves() const override { return rank.value_or(0) != 0; }
  ClusterEnd join(const ClusterOptions &) override { return end; }
  ClusterEnd clusterEnd() const override { return end; }
  void attend() override {
    if (++attended == endsAt)
      end = {ClusterEnd::Kind::kLost, Status(Code::kUnavailable, "lost rank 1")};
  }
  Served served() const override { return {7, 1.5}; }

  Variable *variable(std::string_view name);

  std::optional<uint32_t> rank; // of a cluster
  ClusterEnd end;               // how that ends

  int attended = 0, endsAt = 0;

  uint64_t leftover = 0, leftoverLater = 0; // of the first call, and of others
  uint64_t calls = 0;
  std::vector<Tensor> feeds; // of the last call
  RunOptions options_;
  std::vector<SignatureInfo> signatures_;

private:
  Result<Tensor> addCounter(const Tensor &x);
  Status train();
  Result<std::vector<Tensor>> initialize();

  std::vector<Ref<Variable>> owned_;
  std::vector<Variable *> variables_;
};

} // namespace sluice::rt
