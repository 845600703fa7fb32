// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The simulated world: one action at a time, drawn among all that are possible. An action is the
// firing of one node of some call on some rank, the arrival of the oldest message of some channel,
// or the beginning of a call. Each rank and each channel has a weight, drawn anew for each call
// that is alone, so that some are a thousand times slower than others.
#include "runtime/cluster/simulation.h"

#include "runtime/base/splitmix.h"
#include "runtime/cluster/cluster_runner.h"
#include "runtime/cluster/first_rank.h"
#include "runtime/cluster/rank_traces.h"
#include "runtime/transport/in_process/hub.h"

#include <algorithm>
#include <cstdio>

namespace sluice::rt {

namespace {

// Time stands still: nothing in a simulation may depend on it.
class StoppedClock final : public Clock {
public:
  uint64_t now() override { return 0; }
};

class Simulation;

class SimulatedRank final : public ClusterRunner {
public:
  SimulatedRank(std::unique_ptr<Program> program, Hub &hub, Clock &clock, Simulation &world)
      : ClusterRunner(std::move(program), systemThreads(), clock), world_(world) {
    transport_ = hub.endpoint(member_.rank());
  }

  ClusterEnd join(const ClusterOptions &) override {
    member_.attach(*transport_);
    return {};
  }
  ClusterEnd awaitOthers() { return awaitRanks(); }
  Member &member() { return member_; }
  template <typename Act> void lead(const Act &act) { leadIfFree(act); }

private:
  void drive() override;
  int leastWorkers() const override { return 0; } // all is one thread
  Simulation &world_;
};

class Simulation final : public FirstRank<SimulatedCluster> {
public:
  explicit Simulation(std::vector<std::unique_ptr<Program>> programs)
      : hub_(static_cast<uint32_t>(programs.size()), Hub::Delivery::kOnDemand) {
    for (auto &program : programs)
      ranks_.push_back(std::make_unique<SimulatedRank>(std::move(program), hub_, clock_, *this));
  }
  ~Simulation() override {
    std::fprintf(stderr, "trace digest: %016llx\n", static_cast<unsigned long long>(digest()));
  }

  void setOptions(const RunOptions &options) override;
  Status openDevices() override {
    for (auto &rank : ranks_)
      SLUICE_RETURN_IF_ERROR(rank->openDevices());
    return okStatus();
  }
  Result<std::vector<Tensor>> call(size_t signature, std::span<const Tensor> feeds) override {
    drawWeights();
    return FirstRank::call(signature, feeds);
  }
  std::vector<Result<std::vector<Tensor>>>
  callTogether(std::span<const CallRequest> requests) override;
  Status allowCalls(unsigned count) override {
    mostCalls_ = count;
    return FirstRank::allowCalls(count);
  }

  void record(uint64_t limit) override {
    for (auto &rank : ranks_)
      rank->record(limit);
  }
  std::string trace() const override { return traceOfRanks(ranks_); }
  uint64_t lostEvents() const override { return lostEventsOfRanks(ranks_); }

  void act();

private:
  Runner &first() const override { return *ranks_[0]; }

  // What may happen next: a rank fires a node of a call (from == to), or a message arrives.
  struct Action {
    Hub::Channel channel;
    uint32_t call;
    uint64_t weight;
  };
  static constexpr uint64_t kSpeeds[] = {1000, 1000, 100, 1};

  Member &member() { return ranks_[0]->member(); }
  void drawWeights();
  uint64_t drawSpeed() { return kSpeeds[random_.next() % std::size(kSpeeds)]; }
  uint64_t collectActions();
  std::vector<Result<std::vector<Tensor>>> lead(std::span<const CallRequest> requests);
  uint64_t weightOf(const Hub::Channel &channel) const {
    return weights_[channel.from * ranks_.size() + channel.to];
  }
  void perform(const Action &action);
  uint64_t digest() const;

  StoppedClock clock_;
  Hub hub_;
  std::vector<std::unique_ptr<SimulatedRank>> ranks_;
  std::vector<uint64_t> weights_; // of channels, and of ranks on the diagonal
  std::vector<Action> actions_;
  SplitMix64 random_;
  uint64_t deliveries_ = 0; // hash of their order
  bool joined_ = false;
  unsigned mostCalls_ = 1;
};

void SimulatedRank::drive() { world_.act(); }

void Simulation::setOptions(const RunOptions &options) {
  uint64_t seed = options.scheduleSeed.value_or(0);
  random_ = SplitMix64(seed);
  RunOptions own = options;
  own.scheduleSeed = seed;
  own.workers = 0; // one thread
  for (auto &rank : ranks_)
    rank->setOptions(own);
  drawWeights();
  if (std::exchange(joined_, true))
    return;
  for (auto &rank : ranks_)
    (void)rank->join({});
  (void)ranks_[0]->awaitOthers();
}

void Simulation::drawWeights() {
  weights_.resize(ranks_.size() * ranks_.size());
  for (uint64_t &weight : weights_)
    weight = drawSpeed();
}

// The sum of their weights.
uint64_t Simulation::collectActions() {
  actions_.clear();
  uint64_t sum = 0;
  auto add = [&](Hub::Channel channel, uint32_t call) {
    actions_.push_back({channel, call, weightOf(channel)});
    sum += actions_.back().weight;
  };
  for (uint32_t rank = 0; rank < ranks_.size(); ++rank)
    for (uint32_t call : ranks_[rank]->member().readyCalls())
      add({rank, rank}, call);
  for (const Hub::Channel &channel : hub_.channels())
    add(channel, 0);
  return sum;
}

void Simulation::perform(const Action &action) {
  auto [from, to] = action.channel;
  if (from != to) {
    hub_.deliverOne(from, to);
    deliveries_ = (deliveries_ ^ (uint64_t{from} << 32 | to)) * 0x100000001b3;
    (void)ranks_[to]->member().progress(0); // takes the message, fires nothing
    return;
  }
  (void)ranks_[from]->member().progress(1, action.call);
}

void Simulation::act() {
  uint64_t sum = collectActions();
  if (actions_.empty())
    return member().askWhetherIdle(); // time stands still, so nobody does by himself
  uint64_t at = random_.next() % sum;
  const Action *chosen = actions_.data();
  while (at >= chosen->weight)
    at -= chosen++->weight;
  perform(*chosen);
}

std::vector<Result<std::vector<Tensor>>>
Simulation::callTogether(std::span<const CallRequest> requests) {
  drawWeights();
  std::vector<Result<std::vector<Tensor>>> results;
  ranks_[0]->lead([&] { results = lead(requests); });
  return results;
}

std::vector<Result<std::vector<Tensor>>> Simulation::lead(std::span<const CallRequest> requests) {
  std::vector<uint32_t> numbers;
  std::vector<Result<std::vector<Tensor>>> results;
  size_t over = 0;
  uint64_t patience = drawSpeed(); // actions between two beginnings, on average
  while (over < requests.size() && !member().ended()) {
    bool mayBegin = numbers.size() < requests.size() && numbers.size() - over < mostCalls_;
    bool nothingElse = mayBegin && collectActions() == 0;
    if (mayBegin && (nothingElse || random_.next() % patience == 0)) {
      const CallRequest &request = requests[numbers.size()];
      numbers.push_back(member().startCall(request.signature, request.feeds));
      continue;
    }
    act();
    over = static_cast<size_t>(std::count_if(
        numbers.begin(), numbers.end(), [&](uint32_t call) { return member().callOver(call); }));
  }
  for (size_t i = 0; i < requests.size(); ++i)
    results.push_back(i < numbers.size() ? member().takeResult(numbers[i])
                                         : Result<std::vector<Tensor>>(member().end().status));
  return results;
}

uint64_t Simulation::digest() const {
  uint64_t hash = deliveries_;
  for (const auto &rank : ranks_)
    for (size_t i = 0; i < rank->signatures().size(); ++i)
      hash = (hash ^ rank->member().executor().machine(i).counters().trace) * 0x100000001b3;
  return hash;
}

} // namespace

std::unique_ptr<SimulatedCluster> makeSimulation(std::vector<std::unique_ptr<Program>> programs) {
  return std::make_unique<Simulation>(std::move(programs));
}

} // namespace sluice::rt
