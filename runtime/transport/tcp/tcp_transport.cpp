// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Sending, polling and waiting over all connections.
#include "runtime/transport/tcp/tcp_transport.h"

#include <algorithm>
#include <cerrno>
#include <sys/epoll.h>
#include <sys/eventfd.h>

namespace sluice::rt {

namespace {
// Asking so many sockets costs less than asking the system which of them to ask.
constexpr size_t kFewPeers = 8;
constexpr uint64_t kLongestWaitSeconds = 1'000'000;
} // namespace

TcpTransport::TcpTransport(const TcpOptions &options, const std::vector<std::string> &names)
    : rank_(options.rank), spinPolicy_(options.spinNs), clock_(*options.clock),
      wakeEvent_(::eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK)),
      peers_(names, options.peerTimeoutNs, options.beatNs()) {}

Status TcpTransport::start(Threads &threads) {
  if (!wakeEvent_.isOpen())
    return systemFailure("cannot wait for connections", errno);
  if (size() == 1)
    return okStatus();
  return peers_.startWatch(threads, [this] {
    look_ = true;
    wake();
  });
}

void TcpTransport::beginUse() {
  for (uint32_t rank = 0; rank < size(); ++rank)
    if (peers_[rank].isOpen())
      live_.push_back(&peers_[rank]);
  if (live_.size() > kFewPeers && !watchMany())
    epoll_.close();
}

void TcpTransport::send(uint32_t peer, MessageHeader header, std::span<const char> first,
                        std::span<const char> second, Owner owner) {
  Connection &connection = peers_[peer];
  if (!connection.isOpen())
    return;
  if (!std::exchange(connection.dirty, true))
    dirty_.push_back(&connection);
  header.bytes = static_cast<uint32_t>(first.size() + second.size());
  connection.stage(header, first, second, std::move(owner));
}

void TcpTransport::flush() {
  for (Connection *connection : dirty_) {
    connection->dirty = false;
    if (connection->isOpen())
      connection->flush();
  }
  dirty_.clear();
}

bool TcpTransport::poll(Handler &handler) {
  bool delivered = false, lost = false;
  peers_.ownerLooks();
  if (!selective_ && live_.size() > kFewPeers)
    block(0);
  bool all = look_.exchange(false) || !selective_;
  selective_ = false;
  for (Connection *connection : live_) {
    bool worthALook = std::exchange(connection->readable, false) || all;
    if (connection->hasUnsent())
      connection->flush();
    if (std::exchange(connection->received, false) || (worthALook && connection->receive()))
      delivered |= connection->deliver(handler);
    lost |= !connection->isOpen();
  }
  if (lost)
    std::erase_if(live_, [](Connection *connection) { return !connection->isOpen(); });
  return delivered;
}

void TcpTransport::wait(uint64_t timeoutNs) {
  peers_.ownerLooks();
  uint64_t now = clock_.now();
  if (uint64_t time = std::min(spinPolicy_.spinNs(now), timeoutNs)) {
    if (spin(now + time))
      return;
    timeoutNs -= time;
  }
  block(timeoutNs);
}

// True if something has come.
bool TcpTransport::spin(uint64_t until) {
  bool came = false;
  uint64_t now;
  do {
    for (Connection *connection : live_) {
      if (connection->hasUnsent())
        connection->flush();
      connection->received = connection->received || connection->receive();
      came |= connection->received;
    }
    selective_ = came;
    came = came || (woken_.load(std::memory_order_relaxed) && woken_.exchange(false));
    now = clock_.now();
  } while (!came && now < until);
  // An answer found late came while we did not have the processor.
  spinPolicy_.note(came && now < until, now);
  return came;
}

void TcpTransport::block(uint64_t timeoutNs) {
  // Set before the look at `woken_`, as `wake` sets that before its look here: one sees the other.
  blocked_ = timeoutNs > 0;
  peers_.ownerWaits(timeoutNs > 0);
  uint64_t time = woken_ ? 0 : timeoutNs;
  bool rung = epoll_.isOpen() && !somethingUnsent() ? awaitMany(time) : awaitFew(time);
  blocked_ = false;
  peers_.ownerWaits(false);
  peers_.ownerLooks();
  uint64_t written;
  if (rung)
    (void)!::read(wakeEvent_.fd(), &written, sizeof written);
  if (timeoutNs > 0)
    woken_.exchange(false); // not a store: what was written before `wake` must be seen now
}

bool TcpTransport::somethingUnsent() const {
  return std::any_of(live_.begin(), live_.end(), [](Connection *c) { return c->hasUnsent(); });
}

// By poll, which costs something for every socket. True if somebody called `wake`.
bool TcpTransport::awaitFew(uint64_t timeoutNs) {
  entries_.assign(1, {wakeEvent_.fd(), POLLIN, 0});
  for (Connection *connection : live_)
    entries_.push_back({connection->fd(),
                        static_cast<short>(connection->hasUnsent() ? POLLIN | POLLOUT : POLLIN),
                        0});
  timespec limit{static_cast<time_t>(std::min(timeoutNs / 1'000'000'000, kLongestWaitSeconds)),
                 static_cast<long>(timeoutNs % 1'000'000'000)};
  int count = ::ppoll(entries_.data(), entries_.size(), &limit, nullptr);
  selective_ = count >= 0;
  for (size_t i = 0; count > 0 && i < live_.size(); ++i) {
    short events = entries_[i + 1].revents;
    live_[i]->readable |= (events & ~POLLOUT) != 0;
    if (events & POLLOUT)
      live_[i]->flush();
  }
  return count > 0 && entries_[0].revents;
}

// By epoll. A socket that epoll knows costs something with every packet, also while nobody waits:
// that only pays with many. Where something is unsent, which is rare, poll has to do.
bool TcpTransport::awaitMany(uint64_t timeoutNs) {
  epoll_event events[64];
  uint64_t milliseconds = timeoutNs / 1'000'000 + (timeoutNs % 1'000'000 > 0);
  uint64_t most = static_cast<uint64_t>(kLongestWaitSeconds) * 1000;
  int count = ::epoll_wait(epoll_.fd(), events, 64, static_cast<int>(std::min(milliseconds, most)));
  selective_ = count >= 0;
  bool rung = false;
  for (int i = 0; i < count; ++i) {
    uint32_t peer = events[i].data.u32;
    if (peer == rank_) // stands for wakeEvent_
      rung = true;
    else
      peers_[peer].readable = true;
  }
  return rung;
}

bool TcpTransport::watchMany() {
  epoll_ = Socket(::epoll_create1(EPOLL_CLOEXEC));
  auto add = [this](int fd, uint32_t peer) {
    epoll_event event{};
    event.events = EPOLLIN;
    event.data.u32 = peer;
    return ::epoll_ctl(epoll_.fd(), EPOLL_CTL_ADD, fd, &event) == 0;
  };
  return epoll_.isOpen() && add(wakeEvent_.fd(), rank_) &&
         std::all_of(live_.begin(), live_.end(),
                     [&](Connection *c) { return add(c->fd(), c->rank()); });
}

void TcpTransport::wake() {
  woken_ = true;
  uint64_t one = 1;
  if (blocked_.exchange(false))
    (void)!::write(wakeEvent_.fd(), &one, sizeof one);
}

void TcpTransport::close(uint64_t timeoutNs) { leave(okStatus(), timeoutNs); }

void TcpTransport::leave(const Status &why, uint64_t timeoutNs) {
  uint64_t deadline = clock_.now() + timeoutNs;
  MessageHeader goodbye;
  goodbye.type = static_cast<uint8_t>(TransportMessage::kGoodbye);
  goodbye.flags = static_cast<uint8_t>(why.code());
  std::string_view text = std::string_view(why.message()).substr(0, kMostGoodbyeBytes);
  for (Connection *connection : live_)
    send(connection->rank(), goodbye, text, {}, nullptr);
  peers_.stopWatch();
  flush();
  while (true) {
    std::erase_if(live_, [](Connection *connection) { return connection->drain(); });
    uint64_t now = clock_.now();
    if (live_.empty() || now >= deadline)
      break;
    block(deadline - now);
  }
  for (uint32_t peer = 0; peer < size(); ++peer)
    peers_[peer].close();
  live_.clear();
}

} // namespace sluice::rt
