// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A peer made by hand, one socket, that does what real ones never would.
#pragma once

#include "runtime/transport/tcp/inbox.h"
#include "runtime/transport/tcp/proof.h"
#include "test/runtime/transport/cluster.h"

#include <poll.h>

namespace sluice::rt {

class RawPeer {
public:
  // Connects to rank 0 of the options.
  explicit RawPeer(const TcpOptions &options)
      : options_(options), address_(numericAddresses(*parseHostPort(options.addresses[0]))[0]),
        socket_(::socket(address_.family(), SOCK_STREAM | SOCK_CLOEXEC, 0)) {
    EXPECT_EQ(::connect(socket_.fd(), address_.get(), address_.size), 0);
  }

  void send(std::string_view bytes) {
    EXPECT_EQ(::send(socket_.fd(), bytes.data(), bytes.size(), MSG_NOSIGNAL),
              static_cast<ssize_t>(bytes.size()));
  }
  // Up to so many; fewer at the end of the connection, or if nothing comes for some seconds.
  std::string receive(size_t count) {
    std::string got;
    while (got.size() < count) {
      pollfd entry{socket_.fd(), POLLIN, 0};
      char bytes[4096];
      if (::poll(&entry, 1, 10000) <= 0)
        break;
      ssize_t taken = ::recv(socket_.fd(), bytes, std::min(count - got.size(), sizeof bytes), 0);
      if (taken <= 0)
        break;
      got.append(bytes, static_cast<size_t>(taken));
    }
    return got;
  }
  // A whole frame of the handshake; its kind is 0 when none came.
  FrameHead receiveFrame(std::string &body) {
    std::string bytes = receive(kFrameHeadBytes);
    FrameHead head = decodeHead(bytes);
    body = receive(head.bytes);
    head.kind = head.ours ? head.kind : FrameKind{};
    return head;
  }
  // Why we are refused; empty if we are not.
  std::string receiveRefusal() {
    std::string body;
    return receiveFrame(body).kind == FrameKind::kRefusal ? decodeRefusal(body).text : "";
  }

  Hello hello() const {
    Hello hello;
    hello.rank = options_.rank;
    hello.size = static_cast<uint32_t>(options_.addresses.size());
    hello.beatMs = 60'000; // more rarely than any rank here needs
    hello.keyed = !options_.key.empty();
    hello.nonce = freshNonce();
    hello.identity = options_.identity;
    return hello;
  }
  // The connector's half. True if we are welcome.
  bool shakeHands() {
    std::string mine = encodeHello(hello()), body;
    send(mine);
    if (receiveFrame(body).kind != FrameKind::kHello)
      return false;
    std::string theirs = encodeFrame(FrameKind::kHello, body);
    send(encodeFrame(FrameKind::kProof,
                     prove(options_.key, HandshakeRole::kConnector, mine, theirs)));
    return receiveFrame(body).kind == FrameKind::kWelcome;
  }

  void sendMessage(uint8_t type, uint32_t bytes, std::string_view payload = {}) {
    MessageHeader header;
    header.bytes = bytes;
    header.type = type;
    std::string message(reinterpret_cast<const char *>(&header), sizeof header);
    send(message.append(payload));
  }
  // Resets the connection instead of ending it.
  void reset() {
    linger now{1, 0};
    ::setsockopt(socket_.fd(), SOL_SOCKET, SO_LINGER, &now, sizeof now);
    socket_.close();
  }
  void close() { socket_.close(); }
  int fd() const { return socket_.fd(); }

private:
  TcpOptions options_;
  SocketAddress address_;
  Socket socket_;
};

// A rank that is connecting, in a thread of its own.
class Connecting {
public:
  explicit Connecting(TcpOptions options) : options_(std::move(options)) {
    options_.log = [this](std::string_view line) { log_ += std::string(line) + "\n"; };
    thread_ = std::thread([this] { result_ = connectTcp(options_); });
  }
  ~Connecting() {
    if (thread_.joinable())
      thread_.join();
  }
  Connected finish() {
    thread_.join();
    return std::move(result_);
  }
  // After `finish`.
  const std::string &log() const { return log_; }

private:
  TcpOptions options_;
  std::string log_;
  Connected result_ = internalError("still connecting");
  std::thread thread_;
};

} // namespace sluice::rt
