// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Clusters whose ranks are threads.
#include "runtime/cluster/in_process_cluster.h"

#include "runtime/cluster/cluster_runner.h"
#include "runtime/cluster/first_rank.h"
#include "runtime/cluster/rank_traces.h"
#include "runtime/cluster/simulation.h"
#include "runtime/transport/in_process/hub.h"

#include <algorithm>

namespace sluice::rt {

namespace {

// One rank on the thread that uses it.
class ThreadRank final : public ClusterRunner {
public:
  ThreadRank(std::unique_ptr<Program> program, Hub &hub)
      : ClusterRunner(std::move(program), systemThreads(), systemClock()) {
    transport_ = hub.endpoint(member_.rank());
  }
  ~ThreadRank() override { leave(); }

  ClusterEnd join(const ClusterOptions &) override {
    member_.attach(*transport_);
    return awaitRanks();
  }
  void leave() override {
    if (!std::exchange(closed_, true))
      transport_->close(kCloseNs);
  }

private:
  static constexpr uint64_t kCloseNs = 1'000'000'000;
  static constexpr uint64_t kWaitNs = 50'000'000; // `progress` looks for stalls now and then

  void drive() override {
    if (!member_.progress())
      transport_->wait(kWaitNs);
  }

  bool closed_ = false;
};

// Rank 0, which owns the threads of the others.
class ThreadCluster final : public FirstRank<> {
public:
  explicit ThreadCluster(std::vector<std::unique_ptr<Program>> programs)
      : hub_(static_cast<uint32_t>(programs.size())) {
    for (auto &program : programs)
      ranks_.push_back(std::make_unique<ThreadRank>(std::move(program), hub_));
  }
  ~ThreadCluster() override { leave(); }
  void leave() override {
    ranks_[0]->leave(); // the others end when rank 0 has
    threads_.clear();
  }
  bool stuck() override {
    leave();
    return std::any_of(ranks_.begin(), ranks_.end(), [](auto &rank) { return rank->stuck(); });
  }
  void record(uint64_t limit) override {
    for (auto &rank : ranks_)
      rank->record(limit);
  }
  std::string trace() const override { return traceOfRanks(ranks_); }
  uint64_t lostEvents() const override { return lostEventsOfRanks(ranks_); }

  Status openDevices() override {
    for (auto &rank : ranks_)
      SLUICE_RETURN_IF_ERROR(rank->openDevices());
    return okStatus();
  }
  void setOptions(const RunOptions &options) override {
    for (auto &rank : ranks_)
      rank->setOptions(options);
    if (joined_)
      return;
    joined_ = true;
    for (size_t i = 1; i < ranks_.size(); ++i)
      threads_.push_back(systemThreads().start("sluice-rank", [rank = ranks_[i].get()] {
        if (!rank->join({}))
          rank->serve();
      }));
    for (uint32_t i = 0; i < threads_.size(); ++i)
      if (!threads_[i]) // refused by the system: nobody plays that rank
        hub_.cut(i + 1);
    (void)ranks_[0]->join({});
  }

private:
  Runner &first() const override { return *ranks_[0]; }

  Hub hub_;
  std::vector<std::unique_ptr<ThreadRank>> ranks_;
  std::vector<std::unique_ptr<ThreadHandle>> threads_;
  bool joined_ = false;
};

} // namespace

std::unique_ptr<RecordingRunner>
makeInProcessCluster(std::vector<std::unique_ptr<Program>> programs, InProcessOptions options) {
  if (options.simulated)
    return makeSimulation(std::move(programs));
  return std::make_unique<ThreadCluster>(std::move(programs));
}

} // namespace sluice::rt
