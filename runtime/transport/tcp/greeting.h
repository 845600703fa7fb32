// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A connection during its handshake: a socket, a deadline, and a kilobyte for what the peer says.
#pragma once

#include "runtime/transport/tcp/handshake.h"
#include "runtime/transport/tcp/socket.h"

namespace sluice::rt {

class Greeting {
public:
  Greeting(Socket socket, Handshake handshake, std::string name, uint64_t deadline)
      : socket_(std::move(socket)), handshake_(std::move(handshake)), name_(std::move(name)),
        deadline_(deadline) {}

  // Sends and receives without waiting. Reads no byte behind the handshake: those are messages.
  Outcome step(uint64_t now);

  int fd() const { return socket_.fd(); }
  uint64_t deadline() const { return deadline_; }
  bool hasOutput() const { return !handshake_.output.empty(); }
  // After kDone.
  uint32_t peerRank() const { return handshake_.peerRank(); }
  uint32_t peerBeatMs() const { return handshake_.peerBeatMs(); }
  Socket takeSocket() { return std::move(socket_); }

private:
  Outcome receive();
  Outcome parse();
  bool send();
  void sendFarewell();

  Socket socket_;
  Handshake handshake_;
  std::string name_;
  uint64_t deadline_;
  Outcome after_; // what to return once all output is sent
  std::array<char, kFrameHeadBytes + kMostBodyBytes> frame_;
  size_t have_ = 0, need_ = kFrameHeadBytes;
};

} // namespace sluice::rt
