// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Runs all ranks of a cluster to their end. One thread, one loop; nothing in it waits without a
// limit but for ranks that all run.
#pragma once

#include "tools/sluice-run/line_relay.h"
#include "tools/sluice-run/listening_socket.h"
#include "tools/sluice-run/manifest.h"
#include "tools/sluice-run/options.h"
#include "tools/sluice-run/rank_process.h"
#include "tools/sluice-run/verdict.h"

#include <chrono>
#include <string>
#include <vector>

struct pollfd;

namespace sluice::run {

class Launcher {
public:
  Launcher(std::vector<Rank> ranks, const Options &options, OutputQueue &out);
  ~Launcher();

  // Opens all sockets and starts all ranks. After a failure none runs.
  rt::Status start();
  // Returns when no rank runs any more.
  Verdict run();
  // The last words of a rank.
  const std::string &lastError(size_t rank) const {
    return relays_[relayOfErrors_[rank]].lastError();
  }
  const Rank &rank(size_t rank) const { return ranks_[rank]; }

private:
  using Clock = std::chrono::steady_clock;
  // Ranks that outlive the first end are asked more and more firmly.
  enum class Stage { kRunning, kWaiting, kTerminating, kKilling };

  std::string prefixOf(size_t rank) const;
  std::vector<std::string> argumentsOf(size_t rank, const std::vector<ListeningSocket> &sockets,
                                       const std::string &runId) const;
  rt::Status startRank(size_t rank, StartRequest request);
  void wait();
  void handleReady(const std::vector<pollfd> &waiting);
  void handleSignals();
  void reap();
  // `together`: how many ends had been seen before those that are seen now.
  void noteEnd(size_t rank, int status, size_t together);
  void beginEnding(std::chrono::duration<double> grace);
  void advance();
  void signalAll(int signal, bool stops);
  bool anyRuns() const { return ends_.size() < pids_.size(); }

  std::vector<Rank> ranks_;
  const Options &options_;
  OutputQueue &out_;
  int signals_ = -1;
  sigset_t oldMask_{};
  std::vector<pid_t> pids_;   // by rank; -1 once it has ended
  std::vector<bool> stopped_; // by rank: asked by us to end
  std::vector<LineRelay> relays_;
  std::vector<size_t> relayOfErrors_; // by rank
  std::vector<RankEnd> ends_;
  Stage stage_ = Stage::kRunning;
  int stopSignal_ = 0; // that came while all ranks ran
  Clock::time_point deadline_;
};

} // namespace sluice::run
