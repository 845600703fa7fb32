// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Checks the options, then makes a transport and its mesh of connections.
#include "runtime/transport/tcp/listener.h"
#include "runtime/transport/tcp/mesh.h"
#include "runtime/transport/tcp/tcp_transport.h"

#include <algorithm>
#include <ctime>

namespace sluice::rt {

namespace {

constexpr uint64_t kFarewellNs = 500'000'000;
constexpr size_t kShortestKey = 16, kLongestHash = 64, kLongestRunId = 255;

Status checkNumbers(const TcpOptions &options) {
  const TcpIdentity &identity = options.identity;
  if (options.rank >= options.addresses.size())
    return invalidArgument(format("expected a rank below %zu, the number of addresses, but got %u",
                                  options.addresses.size(), options.rank));
  if (identity.programHash.size() > kLongestHash || identity.clusterHash.size() > kLongestHash ||
      identity.runId.size() > kLongestRunId)
    return invalidArgument(
        format("expected hashes of at most %zu bytes and a run id of at most %zu", kLongestHash,
               kLongestRunId));
  if (!options.key.empty() && options.key.size() < kShortestKey)
    return invalidArgument(format("expected a key of at least %zu bytes but got %zu", kShortestKey,
                                  options.key.size()));
  for (size_t a = 0; a < options.addresses.size(); ++a)
    for (size_t b = 0; b < a; ++b)
      if (options.addresses[a] == options.addresses[b] && !options.addresses[a].ends_with(":0"))
        return invalidArgument(format("ranks %zu and %zu have the same address %s", b, a,
                                      options.addresses[a].c_str()));
  return okStatus();
}

bool isLoopback(const HostPort &where) {
  std::vector<SocketAddress> found = numericAddresses(where);
  return !found.empty() &&
         std::all_of(found.begin(), found.end(),
                     [](const SocketAddress &address) { return address.isLoopback(); });
}

Status needsKey(const std::string &address) {
  return {Code::kPermissionDenied,
          "address " + address +
              " is not of this machine (127.0.0.1, ::1, localhost): anybody in "
              "the network could take part; give all ranks the same secret with --key-file, or "
              "--insecure if the network is trusted"};
}

// A name other than localhost counts as one of another machine: what it stands for may change.
Status checkExposure(const TcpOptions &options) {
  if (options.insecure || !options.key.empty())
    return okStatus();
  for (uint32_t rank = 0; rank < options.addresses.size(); ++rank) {
    if (rank == options.rank && options.listenFd >= 0) {
      SocketAddress own = localAddress(options.listenFd);
      if (!own.isLoopback())
        return needsKey(own.text());
      continue;
    }
    Result<HostPort> where = parseHostPort(options.addresses[rank]);
    if (where.ok() && !isLoopback(*where))
      return needsKey(options.addresses[rank]);
  }
  return okStatus();
}

// The last rank is called by nobody.
bool mustListen(const TcpOptions &options) {
  return options.listenFd < 0 && options.rank + 1 < options.addresses.size();
}

// Those that this rank calls, and its own if it has to listen there.
Result<std::vector<HostPort>> addressesToResolve(const TcpOptions &options) {
  std::vector<HostPort> names;
  uint32_t end = options.rank + (mustListen(options) ? 1 : 0);
  for (uint32_t rank = 0; rank < end; ++rank) {
    SLUICE_ASSIGN_OR_RETURN(HostPort where, parseHostPort(options.addresses[rank]));
    names.push_back(std::move(where));
  }
  return names;
}

Result<Socket> listenAtOwn(const TcpOptions &options, const Resolver &resolver, uint64_t deadline) {
  const std::string &name = options.addresses[options.rank];
  while (resolver.find(options.rank).empty()) {
    if (options.clock->now() >= deadline)
      return Status(Code::kDeadlineExceeded,
                    "cannot listen at " + name + ": " + resolver.trouble(options.rank));
    timespec pause{0, 10'000'000};
    ::nanosleep(&pause, nullptr);
  }
  HostPort where = *parseHostPort(name);
  Status failure;
  for (SocketAddress address : resolver.find(options.rank)) {
    // Many systems let their own name stand for 127.0.1.1, where nobody else can reach them.
    if (address.isLoopback() && !isLoopback(where))
      address = numericAddresses({"0.0.0.0", where.port})[0];
    Result<Socket> socket = listenAt(address);
    if (socket.ok())
      return socket;
    failure = socket.status();
  }
  return failure;
}

std::vector<std::string> nameRanks(const TcpOptions &options) {
  std::vector<std::string> names;
  for (const std::string &address : options.addresses)
    names.push_back(format("rank %zu (%s)", names.size(), address.c_str()));
  return names;
}

} // namespace

Result<std::unique_ptr<Transport>> connectTcp(const TcpOptions &options) {
  SLUICE_RETURN_IF_ERROR(checkNumbers(options));
  uint64_t deadline = options.clock->now() + options.connectTimeoutNs;
  Socket listener;
  if (options.listenFd >= 0) {
    SLUICE_ASSIGN_OR_RETURN(listener, adoptListener(options.listenFd));
  }
  SLUICE_RETURN_IF_ERROR(checkExposure(options));
  if (!startCrypto())
    return internalError("the system has no random numbers");
  auto transport = std::make_unique<TcpTransport>(options, nameRanks(options));
  SLUICE_RETURN_IF_ERROR(transport->start(*options.threads));
  if (transport->size() > 1) {
    SLUICE_ASSIGN_OR_RETURN(std::vector<HostPort> names, addressesToResolve(options));
    Resolver resolver(*options.threads, std::move(names));
    if (mustListen(options)) {
      SLUICE_ASSIGN_OR_RETURN(listener, listenAtOwn(options, resolver, deadline));
    }
    Mesh mesh(options, resolver, std::move(listener), transport->peers());
    Status status = mesh.run(deadline);
    transport->beginUse();
    if (!status.ok()) {
      // Those that are connected wait for the same ranks in vain.
      transport->leave(status, kFarewellNs);
      return status;
    }
  }
  return std::unique_ptr<Transport>(std::move(transport));
}

} // namespace sluice::rt
