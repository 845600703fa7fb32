// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// One rank of a cluster: its executor, its transport, and what the ranks say to each other around a
// call. Nothing in here waits: `progress` does what can be done, and who drives it decides how to
// wait (a thread for each rank, a process for each, or one thread for all in a simulation).
//
// A call: rank 0 sends kStart; every rank runs its part, exchanging tokens with its peers directly,
// and sends one kReport to rank 0. The call is over when all have reported. A rank that fails
// reports that at once; rank 0 then sends kAbort to all, who drop what they have and report. Tokens
// of a call that is over are dropped, tokens of one that has not begun here are kept.
#pragma once

#include "runtime/cluster/rank_shards.h"
#include "runtime/cluster/stall_probe.h"
#include "runtime/cluster/token_codec.h"
#include "runtime/executor/executor.h"

#include <deque>
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
  // The same with at most so many firings.
  bool progress(unsigned firings);
  // Ends a call whose time is over (RunOptions::timer).
  void endInTime();
  bool hasReadyNodes() const { return active_ && machine_->hasReady(); }
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
  void startCall(size_t signature, std::span<const Tensor> feeds);
  // Also when the cluster has ended.
  bool callOver() const { return end_ || (!active_ && reports_ == transport_->size()); }
  Result<std::vector<Tensor>> takeResult();
  // Ends the call as failed on all ranks.
  void failCall(Status status);
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

  bool fire(unsigned firings, uint64_t until);

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
  void receiveToken(uint32_t peer, const MessageHeader &header, std::span<const char> payload,
                    Tensor placed);
  void receiveRetirement(uint32_t peer, const MessageHeader &header, std::span<const char> payload);
  void keep(uint32_t peer, const MessageHeader &header, std::span<const char> payload);
  void receiveOrKeep(uint32_t peer, const MessageHeader &header, std::span<const char> payload,
                     Tensor placed = {});
  MessageHeader tokenHeader(MessageType type) const;
  // The last call that a peer can be in: rank 0 begins one when all have ended the one before.
  uint32_t latestCall() const { return rank() == 0 ? call_ : call_ + 1; }

  // Calls (member_calls.cpp).
  void beginPart(uint32_t call, size_t signature, std::span<const Tensor> feeds);
  void endPart(bool aborted = false);
  CallTimer *servedTimer() const;
  void abortPart(uint32_t call);
  void receiveReport(uint32_t peer, std::span<const char> payload);
  void noteReport(const Status &status, std::span<const uint64_t> sent, uint64_t received,
                  uint64_t leftover, uint32_t rank);
  void noteReady(uint32_t peer);
  void receiveProbeReply(uint32_t peer, uint32_t round, std::span<const char> payload);
  void receiveRootCause(uint32_t peer, const MessageHeader &header, std::span<const char> payload);
  void forbid(uint32_t peer, const Status &why);
  const char *answerMissing(uint32_t peer) const;
  void judgeSilence();
  bool judge(uint32_t peer, uint64_t now, const char *missing);
  void ask(uint32_t peer, MessageType question, uint32_t subject = 0);
  void askAll(MessageType question, uint32_t subject = 0);
  void askWhetherIdle();
  void answerProbe(uint32_t round);
  IdleReport idleReport() const;
  void noteIdleReport(uint32_t round, uint32_t rank, const IdleReport &report);

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

  void send(uint32_t peer, MessageType type, uint32_t subject, std::span<const char> payload,
            uint8_t flags = 0);
  void sendToAll(MessageType type, uint32_t subject, std::span<const char> payload,
                 uint8_t flags = 0);
  std::string deviceOf(uint32_t rank) const;

  Executor executor_;
  Runner::Served served_;
  uint64_t partBegan_ = 0;
  Clock &clock_;
  Transport *transport_ = nullptr;
  bool orderlyEnd_ = false;
  ClusterEnd end_;

  // The part of the call that runs here.
  uint32_t call_ = 0;
  size_t signature_ = 0;
  bool active_ = false;
  std::unique_ptr<Call> part_;         // of the last call
  TokenMachine *machine_ = nullptr;    // that of `part_`
  std::vector<uint64_t> tokensSentTo_; // in this call, by rank
  uint64_t tokensReceived_ = 0;
  ReceivedToken token_;
  std::vector<Tensor> placed_; // by peer: into which a long token is being received
  std::vector<std::vector<uint64_t>> largestTokens_; // by signature and edge
  // Messages about tokens of calls that have not begun here.
  struct KeptMessage {
    uint32_t peer;
    MessageHeader header;
    std::string payload;
  };
  std::deque<KeptMessage> kept_;
  uint64_t keptBytes_ = 0; // at most what the limit says

  // What each rank owes rank 0. All but the report at once.
  struct Debts {
    bool ready = true, report = false, idleReport = false, variables = false, shards = false;
    uint64_t asked = 0; // when it was last told to answer
  };
  std::vector<Debts> debts_;
  uint64_t mostSilentNs_ = 0, judged_ = 0;

  // Rank 0's view of the call.
  uint32_t reports_ = 0;
  bool aborting_ = false;
  Status callStatus_;
  std::vector<uint64_t> tokensSentToAll_, tokensReceivedByAll_;
  uint64_t leftoverTokens_ = 0;
  StallProbe probe_;
  uint64_t lastActivity_ = 0;
  uint64_t exchangeNs_ = kLeastFiringNs;             // that the last look at the network took
  uint64_t messagesSent_ = 0, messagesReceived_ = 0; // about tokens

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
