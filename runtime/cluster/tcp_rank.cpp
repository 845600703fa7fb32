// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// TcpRank.
#include "runtime/cluster/tcp_rank.h"

#include "runtime/cluster/cluster_runner.h"
#include "runtime/transport/tcp/key_file.h"
#include "runtime/transport/tcp/tcp.h"

#include <atomic>
#include <csignal>
#include <cstdio>

namespace sluice::rt {

namespace {

constexpr uint64_t kSecond = 1'000'000'000;

// What signal handlers leave for the rank's thread.
std::atomic<int> endSignal;
std::atomic<bool> reportWanted;
std::atomic<Transport *> transportToWake;

void noteSignal(int signal) {
  if (signal == SIGUSR2)
    reportWanted = true;
  else
    endSignal = signal;
  if (Transport *transport = transportToWake)
    transport->wake();
}

void handleSignals() {
  struct sigaction action{};
  action.sa_handler = noteSignal;
  action.sa_flags = SA_RESTART;
  for (int signal : {SIGTERM, SIGINT, SIGUSR2})
    ::sigaction(signal, &action, nullptr);
}

void logLine(std::string_view text) {
  std::fprintf(stderr, "%.*s\n", static_cast<int>(text.size()), text.data());
}

class TcpRank final : public ClusterRunner {
public:
  explicit TcpRank(std::unique_ptr<Program> program)
      : ClusterRunner(std::move(program), systemThreads(), systemClock()) {
    handleSignals();
  }
  ~TcpRank() override { closeTransport(); }

  ClusterEnd join(const ClusterOptions &options) override;
  void attend() override {
    leadIfFree([this] { (void)step(); });
  }
  void leave() override { closeTransport(); }
  ClusterEnd clusterEnd() const override {
    return refused_ ? refused_ : ClusterRunner::clusterEnd();
  }

private:
  static constexpr uint64_t kWaitNs = 50'000'000; // `progress` looks for stalls now and then

  Result<TcpOptions> tcpOptions(const ClusterOptions &options) const;
  void drive() override {
    if (!step())
      transport_->wait(kWaitNs);
  }
  bool step() {
    if (reportWanted.exchange(false))
      logLine(member_.describeProgress());
    if (int signal = endSignal.exchange(0))
      endBySignal(signal);
    return member_.progress();
  }
  void closeTransport() {
    transportToWake = nullptr;
    if (transport_ && !std::exchange(closed_, true))
      transport_->close(kSecond);
  }
  void endBySignal(int signal) {
    member_.endCluster(
        ClusterEnd::Kind::kLost,
        Status(Code::kCancelled, format("rank %u was ended by signal %d", member_.rank(), signal)));
  }

  bool closed_ = false;
  ClusterEnd refused_; // connecting failed
};

ClusterEnd asEnd(Status status) {
  auto kind = status.code() == Code::kDeadlineExceeded   ? ClusterEnd::Kind::kTimedOut
              : status.code() == Code::kPermissionDenied ? ClusterEnd::Kind::kRefused
              : status.code() == Code::kUnavailable      ? ClusterEnd::Kind::kLost
              : status.code() == Code::kCancelled        ? ClusterEnd::Kind::kLost
                                                         : ClusterEnd::Kind::kLocal;
  return {kind, std::move(status)};
}

// Spinning answers a peer in microseconds, but takes a processor from ranks on the same machine.
uint64_t spinFor(const std::vector<std::string> &addresses, uint32_t rank) {
  constexpr uint64_t kSpinNs = 50'000;
  auto host = [&](size_t i) { return addresses[i].substr(0, addresses[i].rfind(':')); };
  int neighbours = 0;
  for (size_t i = 0; i < addresses.size(); ++i)
    neighbours += host(i) == host(rank);
  return neighbours <= usableProcessors() ? kSpinNs : 0;
}

Result<TcpOptions> TcpRank::tcpOptions(const ClusterOptions &options) const {
  const Program &program = member_.executor().program();
  TcpOptions tcp;
  tcp.rank = program.rank();
  tcp.addresses = options.peers;
  if (tcp.addresses.empty())
    for (const ClusterDevice &device : program.devices())
      tcp.addresses.emplace_back(device.address);
  if (tcp.addresses.size() != program.devices().size())
    return invalidArgument(format("--peers: expected %zu addresses but got %zu",
                                  program.devices().size(), tcp.addresses.size()));
  tcp.listenFd = options.listenFd.value_or(-1);
  tcp.identity.programHash = program.programHash();
  tcp.identity.clusterHash = program.clusterHash();
  tcp.identity.runId = options.runId;
  tcp.identity.window =
      static_cast<uint32_t>(member_.executor().options().parallelIterations.value_or(0));
  if (options.keyFile) {
    SLUICE_ASSIGN_OR_RETURN(tcp.key, readKeyFile(*options.keyFile));
  }
  tcp.insecure = options.insecure;
  tcp.mostStrangers = options.mostStrangers;
  tcp.connectTimeoutNs = static_cast<uint64_t>(options.connectTimeout * 1e9);
  tcp.peerTimeoutNs = static_cast<uint64_t>(options.peerTimeout * 1e9);
  tcp.spinNs = spinFor(tcp.addresses, tcp.rank);
  tcp.log = logLine;
  tcp.giveUp = [] { return endSignal != 0; };
  return tcp;
}

ClusterEnd TcpRank::join(const ClusterOptions &options) {
  Result<TcpOptions> tcp = tcpOptions(options);
  if (!tcp.ok())
    return refused_ = {ClusterEnd::Kind::kLocal, tcp.status()};
  Result<std::unique_ptr<Transport>> transport = connectTcp(*tcp);
  if (!transport.ok())
    return refused_ = asEnd(transport.status());
  transport_ = std::move(*transport);
  transportToWake = transport_.get();
  member_.keepShardsIn(options.checkpointFolder);
  member_.attach(*transport_, tcp->peerTimeoutNs);
  return awaitRanks();
}

} // namespace

std::unique_ptr<RecordingRunner> makeTcpRank(std::unique_ptr<Program> program) {
  return std::make_unique<TcpRank>(std::move(program));
}

} // namespace sluice::rt
