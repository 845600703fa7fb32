// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The connection to one peer. Its owner is the thread that uses the transport; the watch beats now
// and then, so that a rank whose owner is busy for long neither seems dead nor believes others so.
//
// Time is counted in beats of the watch: a process that was stopped for an hour has seen one beat
// pass, and reads what has come before it judges.
#pragma once

#include "runtime/transport/tcp/inbox.h"
#include "runtime/transport/tcp/outbox.h"
#include "runtime/transport/tcp/socket.h"

#include <atomic>
#include <mutex>
#include <poll.h>

namespace sluice::rt {

// What all connections of a transport share.
struct Pulse {
  std::atomic<uint32_t> beat = 0;
  std::atomic<uint32_t> mostSilent = 0; // beats without a sign of life
  double mostSilentSeconds = 0;         // the same, for messages
  std::atomic<uint32_t> ownerBeat = 0;  // of the owner's last look at the network
  std::atomic<bool> ownerWaits = false; // for messages

  // The owner is neither waiting nor has it looked for a beat: it computes.
  bool ownerIsBusy() const { return !ownerWaits && beat - ownerBeat > 1; }
};

class Connection {
public:
  Connection(uint32_t rank, std::string name, const Pulse &pulse)
      : rank_(rank), name_(std::move(name)), pulse_(pulse) {}

  const std::string &name() const { return name_; }
  uint32_t rank() const { return rank_; }

  // Owner only, from here on.
  bool isOpen() const { return open_; }
  int fd() const { return socket_.fd(); }
  Status open(Socket socket);
  // Not ok when the peer is gone before the owner has begun to poll.
  Status brokenBeforeUse();
  void stage(const MessageHeader &header, std::span<const char> first, std::span<const char> second,
             Transport::Owner owner);
  // Sends what the system takes without waiting.
  void flush();
  // Since the peer's owner was at work.
  uint64_t silentBeats() const { return pulse_.beat - workBeat_; }
  bool hasUnsent() const { return unsent_.load(std::memory_order_relaxed) > 0; }
  uint64_t unsent() const;
  // One read. True if there is something to deliver.
  bool receive();
  // After `receive` was true. True if the handler was called; when that was `lost`, this is closed.
  bool deliver(Transport::Handler &handler);
  void close();

  // For the orderly end; the watch has stopped. True once the peer has ended its side too.
  bool drain();

  // By the watch, once a beat. True if the owner should look.
  bool beat();
  // By the watch, while the owner is away: what it waits for.
  pollfd awaited();
  // Does what can be done. True if the owner should look.
  bool attend();

  // Notes of the owner, for its loop.
  bool dirty = false;    // something is staged
  bool readable = false; // the system says so
  bool received = false; // `receive` was true and `deliver` has not been called

private:
  Status gaveUp(const Status &reason) const;
  ssize_t read(std::span<char> room);
  ssize_t readAhead();
  void sendStaged();
  void sendUnsent();
  void beatOutbox(uint32_t now);
  bool beatInbox(uint32_t now);
  bool isSilent(uint32_t since) const { return pulse_.beat - since > pulse_.mostSilent; }
  Status silence(const char *what) const;
  Status verdict(const Inbox::Delivered &delivered);

  const uint32_t rank_;
  const std::string name_;
  const Pulse &pulse_;
  Inbox inbox_; // parsing without the lock
  std::atomic<bool> open_ = false;
  std::atomic<uint64_t> unsent_ = 0;
  uint32_t workBeat_ = 0; // owner only

  mutable std::mutex mutex_; // guards all below
  Outbox outbox_;
  Socket socket_;
  bool inputEnded_ = false, outputEnded_ = false;
  bool shutDown_ = false;
  int error_ = 0; // why it ended; 0: the peer closed it
  Status fault_;  // what the watch has found
  uint32_t polledBeat_ = 0, heardBeat_ = 0, sentBeat_ = 0, progressBeat_ = 0;
};

} // namespace sluice::rt
