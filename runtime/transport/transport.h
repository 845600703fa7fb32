// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Messages between the ranks of a cluster, as one rank sees them. Two implementations: over TCP,
// and inside one process for tests and simulation; test/runtime/transport holds both to this text.
//
// Messages from one rank to another arrive whole, once and in order; nothing is said about the
// order of messages from different ranks. One thread at a time, the owner, uses a transport, except
// for `wake`.
#pragma once

#include "runtime/base/status.h"

#include <cstdint>
#include <memory>
#include <span>

namespace sluice::rt {

// What every message starts with; on the wire in this order, little endian, 16 bytes.
struct MessageHeader {
  uint32_t bytes = 0; // of the payload that follows
  uint8_t type = 0;   // below kFirstMessageType: the transport's own
  uint8_t flags = 0;
  uint16_t count = 0; // the rest belongs to the message type
  uint32_t subject = 0;
  uint32_t call = 0;
};

constexpr uint8_t kFirstMessageType = 16;
constexpr size_t kFirstBytes = 256;

class Transport {
public:
  class Handler {
  public:
    virtual ~Handler() = default;
    // The largest payload that a message with this header may have, or why there may be none. Asked
    // once for every message, before memory is taken for it. A failure, like a longer payload,
    // loses the peer.
    virtual Result<uint64_t> admit(uint32_t peer, const MessageHeader &header) = 0;
    // Where the end of a long payload is to go, now that `first` bytes of it have come, at least
    // kFirstBytes; empty: nowhere. The memory must stay until `receive` or `lost` is called.
    virtual std::span<char> place(uint32_t, const MessageHeader &,
                                  std::span<const char> /*first*/) {
      return {};
    }
    // `payload` is valid during the call only; its alignment is 8. What has been placed is not part
    // of it, so it may be shorter than the header says.
    virtual void receive(uint32_t peer, const MessageHeader &header,
                         std::span<const char> payload) = 0;
    // Once for a peer, after its last message. CANCELLED: it ended in order, by `close`;
    // UNAVAILABLE: the connection broke, or ended without that; DEADLINE_EXCEEDED: silence, or it
    // does not read; PERMISSION_DENIED: it sent what it may not. The message names the peer.
    virtual void lost(uint32_t peer, const Status &why) = 0;
  };

  virtual ~Transport() = default;
  virtual uint32_t rank() const = 0;
  virtual uint32_t size() const = 0;

  // What keeps bytes alive and as they are; released by any thread once they have gone.
  using Owner = std::shared_ptr<const void>;
  // Queues a message of `header` and a payload in two parts; sets header.bytes. Never waits and
  // never fails: a peer that is lost is told to the handler, and what is sent to it is dropped.
  // Both parts may be gone on return, unless `second` has an owner: then it need not be copied.
  virtual void send(uint32_t peer, MessageHeader header, std::span<const char> first,
                    std::span<const char> second = {}, Owner owner = nullptr) = 0;
  // Hands the system what it takes without waiting. All messages for a peer go in one write; what
  // is not taken goes with later calls of `flush`, `poll` or `wait`.
  virtual void flush() = 0;
  // Delivers what has come, without waiting. True if anything was delivered. The handler may call
  // everything here but `poll`, `wait` and `close`.
  virtual bool poll(Handler &handler) = 0;
  // The owner may not come back for long. If it has not after some 100 us, what was sent goes out
  // and what comes is read without it, up to a bound, until it is here again.
  virtual void stepAside() {}
  // Returns when there may be something to poll, after `wake`, or after the time given.
  virtual void wait(uint64_t timeoutNs) = 0;
  // From any thread, and from signal handlers. A `wake` before `wait` makes that return at once.
  virtual void wake() = 0;
  // How long ago the peer gave the last sign that its owner, and not only its process, is at work:
  // a message, a part of one, or that it computes. 0 where ranks share a process.
  virtual uint64_t silence(uint32_t peer) const = 0;
  // Bytes queued for the peer that the system has not taken.
  virtual uint64_t unsent(uint32_t peer) const = 0;
  // Orderly end: everything queued is sent, at most within the time given, and read by the peers
  // before they see the end of the connection. Afterwards the transport only drops.
  virtual void close(uint64_t timeoutNs) = 0;
};

} // namespace sluice::rt
