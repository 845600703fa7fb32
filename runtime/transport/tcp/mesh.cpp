// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// One loop over all connections that are being made.
#include "runtime/transport/tcp/mesh.h"

#include "runtime/transport/tcp/listener.h"

#include <algorithm>
#include <bit>

namespace sluice::rt {

namespace {
constexpr uint64_t kMillisecond = 1'000'000;
constexpr uint64_t kNoRoomPauseNs = 100 * kMillisecond; // after the system had no room
constexpr uint64_t kFarewellNs = 1000 * kMillisecond;
constexpr uint64_t kLongestPauseNs = 100 * kMillisecond; // connected peers may be lost meanwhile
} // namespace

Mesh::Mesh(const TcpOptions &options, const Resolver &resolver, Socket listener, Peers &peers)
    : options_(options), resolver_(resolver),
      party_{options, [&peers](uint32_t rank) { return peers[rank].isOpen(); }},
      listener_(std::move(listener)), peers_(peers) {
  for (uint32_t rank = 0; rank < options.rank; ++rank)
    dialers_.emplace_back(party_, rank, peers[rank].name());
}

Status Mesh::run(uint64_t deadline) {
  while (true) {
    uint64_t now = options_.clock->now();
    step(now);
    if (!failure_.ok())
      break;
    if (isComplete())
      return okStatus();
    if (now >= deadline)
      return missing();
    if (options_.giveUp && options_.giveUp())
      return {Code::kCancelled, format("rank %u was ended while connecting", options_.rank)};
    pause(now, deadline);
  }
  connectForFarewell();
  return failure_;
}

// Ranks that know nothing of the failure would wait for this one until the connect timeout.
void Mesh::connectForFarewell() {
  uint64_t now = options_.clock->now(), end = now + kFarewellNs;
  for (; !isComplete() && now < end; now = options_.clock->now()) {
    step(now);
    pause(now, end);
  }
}

void Mesh::fail(Status status) {
  if (failure_.ok())
    failure_ = std::move(status);
}

void Mesh::step(uint64_t now) {
  stepDialers(now);
  acceptAll(now);
  stepStrangers(now);
  for (uint32_t rank = 0; rank < peers_.size(); ++rank)
    fail(peers_[rank].brokenBeforeUse());
}

void Mesh::stepDialers(uint64_t now) {
  for (Dialer &dialer : dialers_) {
    if (dialer.isDone())
      continue;
    Outcome outcome = dialer.step(now, resolver_.find(dialer.rank()));
    if (outcome.progress == Progress::kRefused)
      fail({Code::kPermissionDenied, outcome.why});
    if (outcome.progress == Progress::kDone)
      fail(connected(dialer.greeting()));
  }
}

void Mesh::acceptAll(uint64_t now) {
  while (listener_.isOpen() && now >= acceptAgain_) {
    Result<Socket> socket = acceptFrom(listener_);
    if (!socket.ok()) {
      log(socket.status().message());
      acceptAgain_ = now + kNoRoomPauseNs;
      return;
    }
    if (!socket->isOpen())
      return;
    std::string name = remoteAddress(socket->fd()).text();
    if (strangers_.size() >= options_.mostStrangers) {
      // Who means it needs a millisecond: the oldest is the least likely to.
      logDropped("too many at once");
      strangers_.pop_front();
    }
    strangers_.push_back(std::make_unique<Greeting>(std::move(*socket), Handshake(party_, name),
                                                    name, now + options_.handshakeTimeoutNs));
  }
}

void Mesh::stepStrangers(uint64_t now) {
  for (auto it = strangers_.begin(); it != strangers_.end();) {
    Outcome outcome = (*it)->step(now);
    if (outcome.progress == Progress::kRefused)
      fail({Code::kPermissionDenied, outcome.why});
    if (outcome.progress == Progress::kDropped)
      logDropped(outcome.why);
    if (outcome.progress == Progress::kDone)
      fail(connected(**it));
    it = outcome.progress == Progress::kGoing ? it + 1 : strangers_.erase(it);
  }
}

Status Mesh::connected(Greeting &greeting) {
  peers_.beatAtLeastEvery(greeting.peerBeatMs());
  return peers_[greeting.peerRank()].open(greeting.takeSocket());
}

bool Mesh::isComplete() const {
  for (uint32_t rank = 0; rank < peers_.size(); ++rank)
    if (rank != options_.rank && !peers_[rank].isOpen())
      return false;
  return true;
}

void Mesh::pause(uint64_t now, uint64_t deadline) {
  std::vector<pollfd> entries;
  uint64_t until = std::min(deadline, now + kLongestPauseNs);
  if (listener_.isOpen() && now >= acceptAgain_)
    entries.push_back({listener_.fd(), POLLIN, 0});
  for (const auto &stranger : strangers_) {
    entries.push_back({stranger->fd(), POLLIN, 0});
    until = std::min(until, stranger->deadline());
  }
  for (const Dialer &dialer : dialers_) {
    if (dialer.isDone())
      continue;
    if (dialer.fd() >= 0)
      entries.push_back(
          {dialer.fd(), static_cast<short>(dialer.waitsToWrite() ? POLLIN | POLLOUT : POLLIN), 0});
    until = std::min(until, dialer.wakeTime());
  }
  uint64_t left = until > now ? until - now : 0;
  (void)::poll(entries.data(), entries.size(), static_cast<int>(left / kMillisecond + 1));
}

Status Mesh::missing() const {
  std::string text;
  for (uint32_t rank = 0; rank < peers_.size(); ++rank) {
    if (rank == options_.rank || peers_[rank].isOpen())
      continue;
    text += text.empty() ? "" : "; ";
    text += peers_[rank].name() + ": ";
    if (rank > options_.rank)
      text += "it has not called";
    else if (std::string trouble = resolver_.trouble(rank); !trouble.empty())
      text += trouble;
    else
      text += dialers_[rank].trouble();
  }
  double seconds = static_cast<double>(options_.connectTimeoutNs) / 1e9;
  return {Code::kDeadlineExceeded,
          format("no connection after %.1f s with %s", seconds, text.c_str())};
}

// Who calls again and again must not fill the log: then only each doubling is told.
void Mesh::logDropped(const std::string &why) {
  constexpr uint64_t kAllTold = 100;
  ++dropped_;
  if (dropped_ <= kAllTold)
    log("dropped a connection: " + why);
  else if (std::has_single_bit(dropped_))
    log(format("dropped a connection, the last of %llu: ",
               static_cast<unsigned long long>(dropped_)) +
        why);
}

void Mesh::log(const std::string &line) const {
  if (options_.log)
    options_.log(line);
}

} // namespace sluice::rt
