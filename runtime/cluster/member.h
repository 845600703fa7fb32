// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// One rank of a cluster: its executor, its transport, and what the ranks say to each other around
// calls. Nothing in here waits: `progress` does what can be done, and who drives it decides how to
// wait (a thread for each rank, a process for each, or one thread for all in a simulation).
//
// A call: rank 0 sends kStart; every rank runs its part, exchanging tokens with its peers directly,
// and sends one kReport to rank 0. The call is over when all have reported. A rank that fails
// reports that at once; rank 0 then sends kAbort to all, who drop what they have and report. Tokens
// of a call that is over are dropped, tokens of one that has not begun here are kept.
//
// Several calls may be under way, as many as rank 0 has said; each has its machine on each rank,
// and one thread drives them all in turn.
#pragma once

#include "runtime/cluster/call_part.h"
#include "runtime/cluster/cluster_call.h"
#include "runtime/cluster/kept_messages.h"
#include "runtime/cluster/rank_shards.h"
#include "runtime/cluster/token_codec.h"
#include "runtime/executor/executor.h"

#include <string_view>
#include <unordered_map>

namespace sluice::rt {

class Member final : public TokenExchange, private Transport::Handler {
public:
  // The program must have been compiled for `transport.rank()` of `transport.size()` ranks.
  Member(std::unique_ptr<Program> program, Threads &threads, Clock &clock);

  Executor &executor() { return executor_; }
  const Executor &executor() const { return executor_; }
  uint32_t rank() const { return executor_.program().rank(); }
  // Before anything below. Tells rank 0 which variables live here. Rank 0 ends the cluster if a
  // rank whose owner does not compute lets it wait for so long; 0: ranks may take any time.
  void attach(Transport &transport, uint64_t mostSilentNs = 0);

  // Where this rank's parts of checkpoints go; empty if nowhere. Before anything below.
  void keepShardsIn(const std::string &folder);

  // Does what can be done without waiting. False if nothing can be done until a message comes.
  bool progress() { return progress(~0u); }
  // The same with at most so many firings of each call, or only of one.
  bool progress(unsigned firings, std::optional<uint32_t> only = std::nullopt);
  // Ends calls whose time is over (RunOptions::timer, or what they were given).
  void endInTime();
  // Calls of which something can be done here without a message.
  std::vector<uint32_t> readyCalls() const;
  bool hasReadyCall() const;
  // One line for each rank's own report of who waits for whom.
  std::string describeWaiting() const;
  // The same for a rank that may well go on, with what is live.
  std::string describeProgress() const;
  Runner::Served served() const { return served_; }
  // All is over: rank 0 has ended, or something is wrong with the cluster.
  bool ended() const { return orderlyEnd_ || end_; }
  const ClusterEnd &end() const { return end_; }
  // Something that only this rank can know ends the cluster; all others are told.
  void endCluster(ClusterEnd::Kind kind, Status status);

  // ---- Rank 0 only.
  bool allReady() const { return ranksReady_ + 1 == transport_->size(); }
  // So many calls may be under way at a time, on all ranks. Before the first one.
  Status allowCalls(unsigned count);
  // Gives the call's number. `seconds` bounds it, if given.
  uint32_t startCall(size_t signature, std::span<const Tensor> feeds,
                     std::optional<double> seconds = std::nullopt);
  // Also when the cluster has ended.
  bool callOver(uint32_t call) const;
  bool callsOver() const;
  // Once, of a call that is over.
  Result<std::vector<Tensor>> takeResult(uint32_t call);
  // Asks all ranks at once whether the calls can go on.
  void askWhetherIdle();
  // Of the call whose result was taken last.
  uint64_t leftoverTokens() const { return leftoverTokens_; }
  // Copies of the variables of other ranks.
  std::span<const std::unique_ptr<Variable>> remoteVariables() const { return remoteVariables_; }
  void requestVariables();
  bool variablesHere() const { return end_ || variableAnswersMissing_ == 0; }
  // RESOURCE_EXHAUSTED when a variable was too large for a message in the last answers.
  Status takeVariablesStatus() { return std::exchange(variablesStatus_, okStatus()); }
  Status sendVariables();
  void requestShards(const ShardRequest &request);
  bool shardsDone() const { return end_ || shardAnswersMissing_ == 0; }
  Result<std::vector<ShardRecord>> takeShardRecords();

  // TokenExchange.
  void sendToken(const Node &send, const Iteration &tag, const Tensor *value, bool dead) override;
  void noteRetirement(FrameInstance &frame) override;
  void stepAside() override { transport_->stepAside(); }

private:
  static constexpr unsigned kMostFirings = 64; // between two looks at the clock
  // Between two looks at the network.
  static constexpr uint64_t kLeastFiringNs = 1'000, kMostFiringNs = 100'000;

  bool advanceParts(unsigned firings, std::optional<uint32_t> only, uint64_t now);
  bool fire(CallPart &part, unsigned firings, uint64_t until);

  // Transport::Handler.
  Result<uint64_t> admit(uint32_t peer, const MessageHeader &header) override;
  bool isAwaited(uint32_t peer, const MessageHeader &header) const;
  std::span<char> place(uint32_t peer, const MessageHeader &header,
                        std::span<const char> first) override;
  void receive(uint32_t peer, const MessageHeader &header, std::span<const char> payload) override;
  void lost(uint32_t peer, const Status &why) override;

  // Tokens (member_tokens.cpp).
  Result<uint64_t> admitToken(uint32_t peer, const MessageHeader &header) const;
  Result<uint64_t> admitRetirement(uint32_t peer, const MessageHeader &header) const;
  void receiveToken(CallPart &part, uint32_t peer, const MessageHeader &header,
                    std::span<const char> payload, Tensor placed);
  void receiveRetirement(CallPart &part, uint32_t peer, const MessageHeader &header,
                         std::span<const char> payload);
  void keep(uint32_t peer, const MessageHeader &header, std::span<const char> payload);
  void receiveOrKeep(uint32_t peer, const MessageHeader &header, std::span<const char> payload,
                     Tensor placed = {});
  void receiveAtPart(CallPart &part, uint32_t peer, const MessageHeader &header,
                     std::span<const char> payload, Tensor placed = {});
  MessageHeader tokenHeader(MessageType type) const;
  // The last call that a peer can be in: all that have not begun here are under way.
  uint32_t latestCall() const { return parts_.latest() + (rank() == 0 ? 0 : mostCalls_); }

  // This rank's parts (member_parts.cpp).
  void allowCallsHere(unsigned count);
  void beginPart(uint32_t number, size_t signature, std::span<const Tensor> feeds,
                 std::optional<double> seconds);
  void endPart(CallPart &ended, bool aborted = false);
  void concludePart(CallPart &part, bool aborted);
  bool concludeLingering();
  void abortPart(uint32_t call);
  void report(CallPart &part, const Status &status);
  CallTimer *servedTimer() const;
  Status tooLate(const CallPart &part, const std::string &where) const;
  std::string describe(const CallPart &part) const;
  template <typename Describe> std::string describeParts(const Describe &describe) const;

  // Calls as rank 0 sees them (member_calls.cpp).
  ClusterCall *findCall(uint32_t number) const;
  std::vector<ClusterCall *> callsUnderWay() const;
  void receiveReport(uint32_t peer, uint32_t number, std::span<const char> payload);
  void noteReport(ClusterCall &call, uint32_t rank, const Status &status, uint64_t leftover,
                  uint64_t received, std::span<const uint64_t> tokens,
                  std::span<const uint64_t> news);
  // Ends the call on all ranks.
  void fail(ClusterCall &call, Status status);
  void failLateCalls(const CallTimer *timer);

  // Whether calls can go on (member_stalls.cpp).
  void lookForStalls(uint64_t now);
  void askAbout(const std::vector<ClusterCall *> &calls);
  PartReport describePart(const CallPart &part) const;
  void answerProbe(uint32_t round, std::span<const char> payload);
  void receiveProbeReply(uint32_t peer, uint32_t round, std::span<const char> payload);
  void endRound();
  void failStalled(ClusterCall &call);

  // Ranks that are silent, and the end (member_silence.cpp, member.cpp).
  struct MissingAnswer {
    const char *what;
    uint64_t since;
  };
  std::optional<MissingAnswer> answerMissing(uint32_t peer) const;
  void judgeSilence();
  bool judge(uint32_t peer, uint64_t now, const MissingAnswer &missing);
  void noteReady(uint32_t peer);
  void receiveRootCause(uint32_t peer, const MessageHeader &header, std::span<const char> payload);
  void forbid(uint32_t peer, const Status &why);

  // Variables (member_variables.cpp).
  void declareVariables();
  void receiveDeclaration(uint32_t peer, std::span<const char> payload);
  void receiveWrite(std::span<const char> payload);
  void answerVariables();
  void receiveVariable(uint32_t peer, std::span<const char> payload);
  void receiveVariablesEnd(uint32_t peer, std::span<const char> payload);
  Status sendValue(uint32_t peer, MessageType type, const Variable &variable);

  // Shards (member_shards.cpp).
  void receiveShardRequest(std::span<const char> payload);
  void receiveShardReply(uint32_t peer, std::span<const char> payload);

  void send(uint32_t peer, MessageType type, std::span<const char> payload = {}) {
    transport_->send(peer, headerOf(type), payload);
  }
  void sendToAll(const MessageHeader &header, std::span<const char> payload = {});
  std::string deviceOf(uint32_t rank) const;

  Executor executor_;
  Runner::Served served_;
  Clock &clock_;
  Transport *transport_ = nullptr;
  bool orderlyEnd_ = false;
  ClusterEnd end_;

  uint32_t mostCalls_ = 1; // at a time
  CallParts parts_;
  // Parts that are over but for work on the device, which still uses what they have.
  struct LingeringPart {
    std::unique_ptr<CallPart> part;
    bool aborted;
  };
  std::vector<LingeringPart> lingering_;
  CallPart *at_ = nullptr; // whose machine is at work
  KeptMessages kept_;
  ReceivedToken token_;
  const AllocateToken allocate_ = [this](const Node &recv, DType dtype, const Shape &shape) {
    return executor_.allocateToken(recv, dtype, shape);
  };
  std::vector<Tensor> placed_; // by peer: into which a long token is being received
  std::vector<std::vector<uint64_t>> largestTokens_; // by signature and edge
  uint64_t exchangeNs_ = kLeastFiringNs;             // that the last look at the network took

  // What each rank owes rank 0 besides its reports, at once.
  struct Debts {
    bool ready = true, idleReport = false, variables = false, shards = false;
    uint64_t asked = 0; // when it was last told to answer, but in rounds of probes
  };
  std::vector<Debts> debts_;
  uint64_t mostSilentNs_ = 0, judged_ = 0;

  // Rank 0's view.
  std::vector<std::unique_ptr<ClusterCall>> calls_; // whose results have not been taken
  uint64_t leftoverTokens_ = 0;
  uint32_t round_ = 0, roundAnswersMissing_ = 0; // of probes
  uint64_t roundBegan_ = 0, lookedForStalls_ = 0;

  uint32_t ranksReady_ = 0;
  std::unordered_map<std::string_view, Variable *> ownVariables_; // by name
  std::vector<std::unique_ptr<Variable>> remoteVariables_;
  std::vector<uint32_t> remoteRanks_; // of remoteVariables_
  std::unordered_map<std::string_view, size_t> remoteByName_;
  uint64_t declaredBytes_ = 0; // of them all, at most what the limit says
  uint32_t variableAnswersMissing_ = 0;
  Status variablesStatus_;
  Status writeStatus_; // of values that rank 0 has sent since it was last told
  std::optional<RankShards> shards_;
  uint32_t shardAnswersMissing_ = 0;
  Status shardsStatus_;
  std::vector<ShardRecord> shardRecords_; // by rank
};

} // namespace sluice::rt
