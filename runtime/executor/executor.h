// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The executor: a loaded program with its state, behind the Runner interface. A rank of a cluster
// uses its machines and state directly (runtime/cluster/member.h).
#pragma once

#include "runtime/api/recording_runner.h"
#include "runtime/base/threads.h"
#include "runtime/executor/token_machine.h"

#include <atomic>
#include <memory>
#include <vector>

namespace sluice::rt {

class Executor final : public RecordingRunner {
public:
  explicit Executor(std::unique_ptr<Program> program, Threads &threads = systemThreads(),
                    TokenExchange *exchange = nullptr);

  const Program &program() const { return *program_; }
  const RunOptions &options() const { return options_; }
  TokenMachine &machine(size_t signature);
  // For call number `call`.
  Environment environment(uint64_t call) const;
  // Called by workers, on their threads, when a kernel has completed.
  void setCompletionNotifier(std::function<void()> notifier);
  // Whenever somebody sets `wanted`, tells through RunOptions::print how far the call is. Code of a
  // codelet is not interrupted.
  void reportWhen(std::atomic<bool> &wanted) { reportWanted_ = &wanted; }
  // Null if nothing is recorded.
  const TraceBuffer *traceBuffer() const { return trace_.get(); }

  std::span<const SignatureInfo> signatures() const override { return infos_; }
  std::span<Variable *const> variables() override { return variables_; }
  void setOptions(const RunOptions &options) override;
  Result<std::vector<Tensor>> call(size_t signature, std::span<const Tensor> feeds) override;
  void attend() override;
  bool stuck() override;
  uint64_t leftoverTokens() const override { return leftoverTokens_; }
  Stats stats() const override;
  std::string_view programName() const override { return program_->name(); }
  std::string_view versionText() const override { return program_->version(); }

  void record(uint64_t limit) override { traceLimit_ = limit; }
  std::string trace() const override;
  uint64_t lostEvents() const override { return trace_ ? trace_->lost() : 0; }

private:
  void guardVariables();
  // What the compiler knows of memory: results of codelets in one iteration of each frame, and the
  // largest of their arenas. Sizes that depend on feeds are not in it.
  uint64_t plannedBytes() const;
  StepCounters countersOfAllCalls() const;
  void report(const TokenMachine *machine);

  std::unique_ptr<Program> program_;
  Threads &threads_;
  TokenExchange *exchange_;
  std::function<void()> completionNotifier_;
  std::atomic<bool> *reportWanted_ = nullptr;
  RunOptions options_;
  std::vector<SignatureInfo> infos_;
  std::vector<Ref<Object>> resources_;
  std::vector<Object *> resourcePointers_;
  std::vector<Variable *> variables_;
  std::unique_ptr<Device> device_;
  uint64_t traceLimit_ = 0;            // 0: nothing is recorded
  std::unique_ptr<TraceBuffer> trace_; // of all machines
  // One machine for each signature, made at its first call, so that blocks are reused.
  std::vector<std::unique_ptr<TokenMachine>> machines_;
  uint64_t calls_ = 0;
  uint64_t leftoverTokens_ = 0;
};

} // namespace sluice::rt
