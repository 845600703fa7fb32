// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Bytes of a handshake.
#include "runtime/transport/tcp/greeting.h"

#include <cerrno>
#include <sys/socket.h>

namespace sluice::rt {

Outcome Greeting::step(uint64_t now) {
  Outcome outcome = after_;
  if (outcome.progress == Progress::kGoing)
    outcome = receive();
  if (outcome.progress == Progress::kRefused || outcome.progress == Progress::kDropped) {
    sendFarewell();
    return outcome;
  }
  if (!send())
    return {Progress::kDropped, name_ + ": connection broke during the handshake"};
  if (hasOutput() && outcome.progress == Progress::kDone) {
    after_ = outcome;
    outcome = {};
  }
  if (outcome.progress == Progress::kGoing && now >= deadline_)
    return {Progress::kDropped, name_ + ": no answer in the handshake"};
  return outcome;
}

Outcome Greeting::receive() {
  while (true) {
    ssize_t count = ::recv(socket_.fd(), frame_.data() + have_, need_ - have_, 0);
    if (count < 0 && errno == EINTR)
      continue;
    if (count < 0 && errno == EAGAIN)
      return {};
    if (count <= 0)
      return {Progress::kDropped, name_ + ": ended the connection during the handshake"};
    have_ += static_cast<size_t>(count);
    Outcome outcome = parse();
    if (outcome.progress != Progress::kGoing)
      return outcome;
  }
}

Outcome Greeting::parse() {
  std::string_view got(frame_.data(), have_);
  // A stranger may never send as much as a head.
  if (!kMagic.starts_with(got.substr(0, kMagic.size())))
    return handshake_.onHead({}, got);
  if (have_ < need_)
    return {};
  FrameHead head = decodeHead(got);
  if (have_ == kFrameHeadBytes) {
    Outcome outcome = handshake_.onHead(head, got);
    if (outcome.progress != Progress::kGoing)
      return outcome;
    need_ = kFrameHeadBytes + head.bytes;
    if (have_ < need_)
      return {};
  }
  have_ = 0;
  need_ = kFrameHeadBytes;
  return handshake_.onFrame(head, got.substr(kFrameHeadBytes));
}

bool Greeting::send() {
  std::string &output = handshake_.output;
  while (!output.empty()) {
    ssize_t count = ::send(socket_.fd(), output.data(), output.size(), MSG_NOSIGNAL);
    if (count < 0)
      return errno == EAGAIN || errno == EINTR;
    output.erase(0, static_cast<size_t>(count));
  }
  return true;
}

// What we say last should arrive: to close a socket with unread bytes in it would reset it.
void Greeting::sendFarewell() {
  (void)send();
  ::shutdown(socket_.fd(), SHUT_WR);
  (void)::recv(socket_.fd(), frame_.data(), frame_.size(), 0);
}

} // namespace sluice::rt
