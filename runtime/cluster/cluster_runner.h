// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A rank of a cluster as a Runner: rank 0 makes calls that run on all ranks, the others serve.
//
// One thread at a time leads: it uses the member. Where several threads make calls, one of them
// leads for all until its own call is over; then another one does. So a call that is alone is never
// handed over.
#pragma once

#include "runtime/checkpoint/remote_shards.h"
#include "runtime/cluster/member.h"

#include <condition_variable>
#include <mutex>

namespace sluice::rt {

class ClusterRunner : public RecordingRunner, private RemoteShards {
public:
  ClusterRunner(std::unique_ptr<Program> program, Threads &threads, Clock &clock)
      : member_(std::move(program), threads, clock) {}

  std::span<const SignatureInfo> signatures() const override {
    return member_.executor().signatures();
  }
  // Sorted by name: which rank a variable lives on is nobody's concern.
  std::span<Variable *const> variables() override { return variables_; }
  void setOptions(const RunOptions &options) override;
  Status openDevices() override { return member_.executor().openDevices(); }
  Result<std::vector<Tensor>> call(size_t signature, std::span<const Tensor> feeds) override;
  Status allowCalls(unsigned count) override;
  Result<std::vector<Tensor>> callAmongOthers(size_t signature, std::span<const Tensor> feeds,
                                              std::optional<double> seconds,
                                              uint64_t &leftover) override;
  void expectCalls(int change) override { member_.executor().expectCalls(change); }
  void expectMoreCalls(bool expects) override { member_.executor().expectMoreCalls(expects); }
  uint64_t leftoverTokens() const override { return member_.leftoverTokens(); }
  Stats stats() const override { return member_.executor().stats(); }
  const Executor &executor() const { return member_.executor(); }
  std::string_view programName() const override { return member_.executor().programName(); }
  std::string_view versionText() const override { return member_.executor().versionText(); }

  bool isMember() const override { return true; }
  bool serves() const override { return member_.rank() != 0; }
  ClusterEnd serve() override;
  Served served() const override { return member_.served(); }
  bool stuck() override { return member_.executor().stuck(); }
  ClusterEnd clusterEnd() const override;
  Status readVariables() override;
  Status writeVariables() override;
  std::string_view programHash() const override {
    return member_.executor().program().programHash();
  }
  std::span<const LastingResource> lasting() const override { return member_.executor().lasting(); }
  RemoteShards *remoteShards() override { return this; }

  void record(uint64_t limit) override { member_.executor().record(limit); }
  std::string trace() const override { return member_.executor().trace(); }
  uint64_t lostEvents() const override { return member_.executor().lostEvents(); }

protected:
  // Makes the cluster go on: does something, or waits for something that can be done.
  virtual void drive() = 0;
  // Acts as the leader, unless there is one.
  template <typename Act> void leadIfFree(const Act &act) {
    if (Lead lead(*this, std::try_to_lock); lead.isTaken())
      act();
  }
  // One, so that the member hears others while it computes.
  virtual int leastWorkers() const { return 1; }
  // To be called by `join` once the transport is attached; returns when all ranks are ready.
  ClusterEnd awaitRanks();

  // Outlives the member's workers, which wake it.
  std::unique_ptr<Transport> transport_;
  Member member_;

private:
  // Of a thread that uses the member.
  class Lead {
  public:
    explicit Lead(ClusterRunner &runner);
    Lead(ClusterRunner &runner, std::try_to_lock_t);
    ~Lead();
    Lead(const Lead &) = delete;
    Lead &operator=(const Lead &) = delete;
    bool isTaken() const { return taken_; }

  private:
    ClusterRunner &runner_;
    bool taken_ = true;
  };
  // A call that a thread waits for.
  struct Request {
    size_t signature;
    std::span<const Tensor> feeds;
    std::optional<double> seconds;
    std::optional<uint32_t> number = std::nullopt; // none: it could not begin
    std::optional<Result<std::vector<Tensor>>> result = std::nullopt;
    uint64_t leftover = 0;
  };

  void goOn() {
    member_.endInTime();
    drive();
  }
  void leadUntilOver(const Request &request);
  void beginRequests();
  void endRequests();

  // RemoteShards.
  uint32_t ranks() const override { return transport_->size(); }
  void ask(const ShardRequest &request) override {
    Lead lead(*this);
    member_.requestShards(request);
  }
  Result<std::vector<ShardRecord>> await() override {
    Lead lead(*this);
    while (!member_.shardsDone())
      drive();
    return member_.takeShardRecords();
  }

  void collectVariables();
  std::vector<Variable *> variables_;

  mutable std::mutex mutex_;
  std::condition_variable changed_; // nobody leads any more, or a request has its result
  bool led_ = false;
  std::vector<Request *> asked_;    // that have not begun
  ClusterEnd noted_;                // the member's, as of the last lead
  std::vector<Request *> underWay_; // of whoever leads
};

} // namespace sluice::rt
