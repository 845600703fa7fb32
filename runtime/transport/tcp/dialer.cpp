// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Attempts to connect, with pauses that grow.
#include "runtime/transport/tcp/dialer.h"

#include "runtime/transport/tcp/listener.h"

#include <algorithm>
#include <cerrno>
#include <poll.h>

namespace sluice::rt {

namespace {
constexpr uint64_t kFirstPauseNs = 5'000'000, kLongestPauseNs = 200'000'000;
}

int Dialer::fd() const {
  if (greeting_)
    return greeting_->fd();
  return connecting_.fd();
}

void Dialer::retryLater(uint64_t now, const std::string &trouble) {
  trouble_ = trouble.starts_with(name_ + ": ") ? trouble.substr(name_.size() + 2) : trouble;
  connecting_.close();
  greeting_.reset();
  backoffNs_ = std::clamp(backoffNs_ * 2, kFirstPauseNs, kLongestPauseNs);
  wakeTime_ = now + backoffNs_;
}

void Dialer::start(uint64_t now, const std::vector<SocketAddress> &addresses) {
  if (addresses.empty())
    return retryLater(now, "its name is not resolved yet");
  const SocketAddress &address = addresses[attempts_++ % addresses.size()];
  Result<Socket> socket = openSocket(address.family());
  if (!socket.ok())
    return retryLater(now, socket.status().message());
  if (::connect(socket->fd(), address.get(), address.size) == 0) {
    connecting_ = std::move(*socket);
    return greet(now);
  }
  if (errno != EINPROGRESS && errno != EINTR)
    return retryLater(now, std::strerror(errno));
  connecting_ = std::move(*socket);
  wakeTime_ = now + party_.options.handshakeTimeoutNs;
}

void Dialer::finishConnecting(uint64_t now) {
  pollfd entry{connecting_.fd(), POLLOUT, 0};
  if (::poll(&entry, 1, 0) <= 0) {
    if (now >= wakeTime_)
      retryLater(now, "no answer");
    return;
  }
  int error = 0;
  socklen_t size = sizeof error;
  ::getsockopt(connecting_.fd(), SOL_SOCKET, SO_ERROR, &error, &size);
  if (error)
    return retryLater(now, std::strerror(error));
  greet(now);
}

void Dialer::greet(uint64_t now) {
  greeting_ = std::make_unique<Greeting>(std::move(connecting_), Handshake(party_, name_, rank_),
                                         name_, now + party_.options.handshakeTimeoutNs);
}

Outcome Dialer::step(uint64_t now, const std::vector<SocketAddress> &addresses) {
  if (!greeting_ && connecting_.isOpen())
    finishConnecting(now);
  else if (!greeting_ && now >= wakeTime_)
    start(now, addresses);
  if (!greeting_)
    return {};
  Outcome outcome = greeting_->step(now);
  done_ = outcome.progress == Progress::kDone;
  if (outcome.progress == Progress::kRefused) { // for good
    done_ = true;
    greeting_.reset();
  }
  if (outcome.progress != Progress::kDropped)
    return outcome;
  retryLater(now, outcome.why);
  return {};
}

} // namespace sluice::rt
