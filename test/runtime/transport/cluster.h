// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Transports that are connected with each other, of every kind.
#pragma once

#include "runtime/transport/in_process/hub.h"
#include "runtime/transport/tcp/address.h"
#include "runtime/transport/tcp/listener.h"
#include "runtime/transport/tcp/tcp.h"
#include "test/runtime/transport/recorder.h"

#include <functional>
#include <thread>

namespace sluice::rt {

using Transports = std::vector<std::unique_ptr<Transport>>;

// Listens at a free port of this machine.
inline Socket listenAnywhere() {
  SocketAddress any = numericAddresses({"127.0.0.1", "0"})[0];
  Result<Socket> socket = listenAt(any);
  EXPECT_TRUE(socket.ok()) << socket.status().toString();
  return std::move(*socket);
}

// Options of all ranks of a cluster, with sockets that listen already.
inline std::vector<TcpOptions> tcpCluster(uint32_t size) {
  std::vector<TcpOptions> all(size);
  std::vector<std::string> addresses;
  for (TcpOptions &options : all) {
    Socket listener = listenAnywhere();
    addresses.push_back(localAddress(listener.fd()).text());
    options.listenFd = ::dup(listener.fd());
    options.rank = static_cast<uint32_t>(addresses.size() - 1);
    options.identity = {"program", "cluster", "run", 4};
    options.connectTimeoutNs = 20 * kSecond;
  }
  for (TcpOptions &options : all)
    options.addresses = addresses;
  return all;
}

using Connected = Result<std::unique_ptr<Transport>>;

// All at once, each in a thread.
inline std::vector<Connected> connectAll(const std::vector<TcpOptions> &all) {
  std::vector<Connected> results;
  for (size_t i = 0; i < all.size(); ++i)
    results.push_back(internalError("not connected"));
  std::vector<std::thread> threads;
  for (size_t i = 0; i < all.size(); ++i)
    threads.emplace_back([&, i] { results[i] = connectTcp(all[i]); });
  for (std::thread &thread : threads)
    thread.join();
  return results;
}

inline Transports connectedTcp(const std::vector<TcpOptions> &all) {
  Transports transports;
  for (Connected &result : connectAll(all)) {
    EXPECT_TRUE(result.ok()) << result.status().toString();
    transports.push_back(result.ok() ? std::move(*result) : nullptr);
  }
  return transports;
}

// Polls and waits until it is as wanted; false if that takes too long.
inline bool pumpUntil(Transport &transport, Transport::Handler &handler,
                      const std::function<bool()> &wanted, uint64_t timeoutNs = 20 * kSecond) {
  uint64_t start = systemClock().now();
  while (!wanted()) {
    if (systemClock().now() - start > timeoutNs)
      return false;
    if (!transport.poll(handler))
      transport.wait(5 * kMillisecond);
  }
  return true;
}

} // namespace sluice::rt
