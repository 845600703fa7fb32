// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Reading, writing, and judging a peer.
#include "runtime/transport/tcp/connection.h"

#include "runtime/transport/peer_status.h"

#include <cerrno>
#include <sys/socket.h>

namespace sluice::rt {

Status Connection::open(Socket socket) {
  std::lock_guard lock(mutex_);
  if (!inbox_.allocate())
    return resourceExhausted("no memory for the connection to " + name_);
  socket_ = std::move(socket);
  workBeat_ = polledBeat_ = heardBeat_ = sentBeat_ = progressBeat_ = pulse_.beat;
  open_ = true;
  return okStatus();
}

Status Connection::gaveUp(const Status &reason) const {
  if (reason.ok())
    return okStatus();
  // CANCELLED is what a peer that ended in order is lost with.
  Code code = reason.code() == Code::kCancelled ? Code::kUnavailable : reason.code();
  return Status(code, name_ + " gave up: " + reason.message());
}

Status Connection::brokenBeforeUse() {
  std::lock_guard lock(mutex_);
  if (!fault_.ok())
    return fault_;
  if (!inputEnded_)
    return okStatus();
  // A rank that has nothing to do may have ended already, after an orderly goodbye.
  if (std::optional<Status> goodbye = inbox_.lastGoodbye())
    return gaveUp(*goodbye);
  return peerBroken(name_, "ended while other ranks were still connecting");
}

void Connection::stage(const MessageHeader &header, std::span<const char> first,
                       std::span<const char> second, Transport::Owner owner) {
  std::lock_guard lock(mutex_);
  if (!outbox_.stage(header, first, second, std::move(owner)))
    fault_ = resourceExhausted("no memory for a message to " + name_);
}

uint64_t Connection::unsent() const {
  std::lock_guard lock(mutex_);
  return outbox_.staged() + outbox_.unsent();
}

void Connection::sendUnsent() {
  bool goesOn = true;
  for (std::span<const char> bytes = outbox_.next(); goesOn && !bytes.empty() && !outputEnded_;
       bytes = outbox_.next()) {
    ssize_t count = ::send(socket_.fd(), bytes.data(), bytes.size(), MSG_NOSIGNAL);
    goesOn = count > 0 && static_cast<size_t>(count) == bytes.size();
    if (count > 0) {
      outbox_.sent(static_cast<size_t>(count));
      sentBeat_ = progressBeat_ = pulse_.beat;
    } else if (errno != EAGAIN && errno != EINTR) {
      // What the peer said before it went may still lie here: reading will tell.
      error_ = errno == EPIPE ? error_ : errno;
      outputEnded_ = true;
    }
  }
  if (outputEnded_)
    outbox_.dropUnsent();
  unsent_.store(outbox_.unsent(), std::memory_order_relaxed);
}

void Connection::flush() {
  std::lock_guard lock(mutex_);
  sendStaged();
}

void Connection::sendStaged() {
  if (outbox_.unsent() == 0)
    progressBeat_ = pulse_.beat;
  if (!outbox_.takeStaged())
    fault_ = resourceExhausted("no memory for messages to " + name_);
  sendUnsent();
}

// Returns the number of bytes, or 0: nothing came, or nothing will come any more.
ssize_t Connection::read(std::span<char> room) {
  if (inputEnded_ || room.empty())
    return 0;
  ssize_t count = ::recv(socket_.fd(), room.data(), room.size(), 0);
  if (count > 0) {
    heardBeat_ = pulse_.beat;
    return count;
  }
  if (count < 0 && (errno == EAGAIN || errno == EINTR))
    return 0;
  if (count < 0)
    error_ = errno;
  // Who does not send any more does not read either: to end our side lets it go at once.
  inputEnded_ = outputEnded_ = true;
  ::shutdown(socket_.fd(), SHUT_WR);
  return 0;
}

bool Connection::receive() {
  std::lock_guard lock(mutex_);
  polledBeat_ = pulse_.beat;
  if (ssize_t count = read(inbox_.ownerRoom()); count > 0)
    inbox_.addedByOwner(static_cast<size_t>(count));
  return inbox_.look() || inputEnded_ || !fault_.ok() || (hasUnsent() && isSilent(progressBeat_));
}

Status Connection::silence(const char *what) const {
  return {Code::kDeadlineExceeded,
          format("%s: %s for %.1f s", name_.c_str(), what, pulse_.mostSilentSeconds)};
}

Status Connection::verdict(const Inbox::Delivered &delivered) {
  if (!delivered.fault.ok())
    return delivered.fault;
  if (delivered.goodbye)
    return delivered.reason.ok() ? peerEnded(name_) : gaveUp(delivered.reason);
  std::lock_guard lock(mutex_);
  if (delivered.mayBeBusy)
    progressBeat_ = pulse_.beat;
  if (!fault_.ok())
    return fault_;
  if (inputEnded_)
    return peerBroken(name_, error_              ? std::strerror(error_)
                             : inbox_.isInside() ? "ended in the middle of a message"
                                                 : "ended without goodbye");
  if (hasUnsent() && isSilent(progressBeat_))
    return silence("does not read");
  return okStatus();
}

bool Connection::deliver(Transport::Handler &handler) {
  Inbox::Delivered delivered = inbox_.deliver(rank_, name_, handler);
  if (delivered.work)
    workBeat_ = pulse_.beat;
  Status why = verdict(delivered);
  if (why.ok())
    return delivered.any;
  close();
  handler.lost(rank_, why);
  return true;
}

void Connection::close() {
  std::lock_guard lock(mutex_);
  open_ = false;
  socket_.close();
  outbox_.dropUnsent();
  outbox_.dropStaged();
  unsent_ = 0;
  inbox_.release();
}

bool Connection::drain() {
  std::lock_guard lock(mutex_);
  sendUnsent();
  if (!hasUnsent() && !std::exchange(shutDown_, true))
    ::shutdown(socket_.fd(), SHUT_WR);
  char dropped[16 << 10];
  while (read(dropped) > 0) {
  }
  return inputEnded_;
}

bool Connection::beat() {
  std::lock_guard lock(mutex_);
  if (!open_ || inputEnded_ || !fault_.ok())
    return false;
  uint32_t now = pulse_.beat;
  bool look = beatInbox(now);
  if (!inputEnded_)
    beatOutbox(now);
  return look || (hasUnsent() && isSilent(progressBeat_));
}

bool Connection::beatInbox(uint32_t now) {
  bool busy = now - polledBeat_ > 1;
  if (!busy && !isSilent(heardBeat_))
    return false;
  if (inbox_.room().empty()) { // nothing can be said about who cannot be heard
    heardBeat_ = progressBeat_ = now;
    return false;
  }
  ssize_t count = readAhead();
  if (count == 0 && !inputEnded_ && isSilent(heardBeat_))
    fault_ = silence("no sign of life");
  return count > 0 || inputEnded_ || !fault_.ok();
}

ssize_t Connection::readAhead() {
  ssize_t count = read(inbox_.room());
  if (count > 0)
    inbox_.added(static_cast<size_t>(count));
  return count;
}

pollfd Connection::awaited() {
  std::lock_guard lock(mutex_);
  if (!open_ || inputEnded_ || !fault_.ok())
    return {-1, 0, 0};
  short events = static_cast<short>((inbox_.room().empty() ? 0 : POLLIN) |
                                    (outbox_.staged() + outbox_.unsent() > 0 ? POLLOUT : 0));
  return {events ? socket_.fd() : -1, events, 0};
}

// What has come says that the peer lives, and is no sign that it reads.
bool Connection::attend() {
  std::lock_guard lock(mutex_);
  if (!open_ || inputEnded_ || !fault_.ok())
    return false;
  sendStaged();
  return readAhead() > 0 || inputEnded_ || !fault_.ok();
}

void Connection::beatOutbox(uint32_t now) {
  bool full = inbox_.room().empty() && now - polledBeat_ > 1;
  MessageHeader heartbeat;
  heartbeat.type = static_cast<uint8_t>(TransportMessage::kHeartbeat);
  heartbeat.flags =
      static_cast<uint8_t>((full ? kInboxFull : 0) | (pulse_.ownerIsBusy() ? kOwnerBusy : 0));
  // What waits is a sign of life itself once it goes; signs do not pile up behind it.
  if (!hasUnsent() && (full || now - sentBeat_ > 1) && outbox_.add(heartbeat))
    progressBeat_ = now;
  sendUnsent();
}

} // namespace sluice::rt
