// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The executor: a loaded program with its state, behind the Runner interface. A rank of a cluster
// uses its machines and state directly (runtime/cluster/member.h).
#pragma once

#include "runtime/api/recording_runner.h"
#include "runtime/base/deadline_watch.h"
#include "runtime/base/threads.h"
#include "runtime/executor/call.h"
#include "runtime/executor/calls_under_way.h"

#include <atomic>
#include <memory>
#include <vector>

namespace sluice::rt {

class Executor final : public RecordingRunner {
public:
  explicit Executor(std::unique_ptr<Program> program, Threads &threads = systemThreads(),
                    TokenExchange *exchange = nullptr);

  ~Executor() override;

  const Program &program() const { return *program_; }
  const RunOptions &options() const { return options_; }
  // The first machine of the signature.
  TokenMachine &machine(size_t signature) { return machines_.first(signature); }
  // Call number `number`, which somebody else drives.
  std::unique_ptr<Call> begin(size_t signature, std::span<const Tensor> feeds, uint64_t number);
  // A call that has not begun, and may be made again and again with `runAmongOthers`, by one thread
  // at a time: what it needs is there from now on.
  std::unique_ptr<Call> prepare(size_t signature);
  // As `callAmongOthers`. Cancelled when somebody has asked its machine for it since it began. It
  // is at its workplace, if it has one, and still or no longer there in the end.
  Status runAmongOthers(Call &call, std::span<const Tensor> feeds, std::optional<double> seconds,
                        Workplace *workplace = nullptr);
  CallsUnderWay &callsUnderWay() { return underWay_; }
  DeadlineWatch &deadlines() { return deadlines_; }
  // Called on any thread when a firing that ended elsewhere has come back. Before the first call.
  void setCompletionNotifier(std::function<void()> notifier);
  // For what a receive awaits: pinned where it goes on to a card.
  Result<Tensor> allocateToken(const Node &recv, DType dtype, const Shape &shape);
  // Whenever somebody adds to `wanted`, each call tells through RunOptions::print how far it is.
  // Code of a codelet is not interrupted.
  void reportWhen(const std::atomic<unsigned> &wanted) { reportsWanted_ = &wanted; }
  // Null if nothing is recorded.
  const TraceBuffer *traceBuffer() const { return trace_.get(); }

  std::span<const SignatureInfo> signatures() const override { return infos_; }
  std::span<Variable *const> variables() override { return variables_; }
  void setOptions(const RunOptions &options) override;
  Status openDevices() override;
  Result<std::vector<Tensor>> call(size_t signature, std::span<const Tensor> feeds) override;
  Status allowCalls(unsigned count) override;
  Result<std::vector<Tensor>> callAmongOthers(size_t signature, std::span<const Tensor> feeds,
                                              std::optional<double> seconds,
                                              uint64_t &leftoverTokens) override;
  void expectCalls(int change) override { underWay_.expect(change); }
  void expectMoreCalls(bool expects) override { underWay_.expectMore(expects); }
  void attend() override;
  bool stuck() override { return machines_.stuck(); }
  uint64_t leftoverTokens() const override { return leftoverTokens_; }
  std::string_view programHash() const override { return program_->programHash(); }
  std::span<const LastingResource> lasting() const override { return lasting_; }
  Stats stats() const override;
  std::string_view programName() const override { return program_->name(); }
  std::string_view versionText() const override { return program_->version(); }

  void record(uint64_t limit) override { traceLimit_ = limit; }
  std::string trace() const override;
  uint64_t lostEvents() const override { return trace_ ? trace_->lost() : 0; }

private:
  void guardVariables();
  // Into the memory of the cards that are theirs.
  Status placeVariables();
  // What the compiler knows of memory: results of codelets in one iteration of each frame, and the
  // largest of their arenas. Sizes that depend on feeds are not in it.
  uint64_t plannedBytes() const;
  std::unique_ptr<TokenMachine> makeMachine(size_t signature);
  // Bounded by RunOptions::timer.
  Status runInTime(Call &call);
  template <typename EndInTime>
  void run(Call &call, const EndInTime &endInTime, Workplace *workplace = nullptr);
  // If it is asked for.
  void report(const Call &call, unsigned &reported);

  std::unique_ptr<Cards> cards_; // null where there are none; outlive what lies there, as constants
  std::unique_ptr<Program> program_;
  Threads &threads_;
  TokenExchange *exchange_;
  std::function<void()> completionNotifier_;
  const std::atomic<unsigned> *reportsWanted_ = nullptr;
  std::atomic<unsigned> idleReported_ = 0; // of these, while no call was running
  RunOptions options_;
  std::vector<SignatureInfo> infos_;
  std::vector<Ref<Object>> resources_;
  std::vector<Object *> resourcePointers_;
  std::vector<LastingResource> lasting_;
  std::vector<Variable *> variables_;
  std::unique_ptr<Workers> workers_;
  uint64_t traceLimit_ = 0;            // 0: nothing is recorded
  std::unique_ptr<TraceBuffer> trace_; // of all machines
  MachinePool machines_;
  CallsUnderWay underWay_;
  std::unique_ptr<SharedObjects> shared_; // if there may be several calls at once
  DeadlineWatch deadlines_;
  std::mutex printing_;
  std::atomic<uint64_t> calls_ = 0;
  std::atomic<uint64_t> leftoverTokens_ = 0;
};

} // namespace sluice::rt
