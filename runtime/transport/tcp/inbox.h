// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What comes from one peer: bytes in a buffer, parsed in place. A large message gets memory of its
// own once the handler has admitted it, and is received straight into that.
#pragma once

#include "runtime/transport/tcp/large_payload.h"

#include <optional>

namespace sluice::rt {

// The transport's own messages. Only a goodbye has a payload: why this rank ends before its time;
// the header's flags then hold the status code.
enum class TransportMessage : uint8_t { kHeartbeat = 1, kGoodbye = 2 };
constexpr uint32_t kMostGoodbyeBytes = 1024;
// Flags of a heartbeat.
constexpr uint8_t kInboxFull = 1; // nothing is read just now, but I am alive
constexpr uint8_t kOwnerBusy = 2; // nobody looks at messages just now: my owner computes

class Inbox {
public:
  static constexpr size_t kBytes = 256 << 10;
  // Longer messages are not waited for in the buffer.
  static constexpr size_t kMostInBuffer = 64 << 10;

  // What is read while the owner is away; then the peer has to wait.
  static constexpr size_t kMostAhead = 32 << 20;

  bool allocate() { return buffer_.reserve(kBytes); }
  void release();

  // Under the connection's lock. The owner may also give room in a large message and move what is
  // in the buffer; others only append, behind the buffer when that is full. No room: enough has
  // come, or there is no memory.
  std::span<char> ownerRoom();
  std::span<char> room();
  void addedByOwner(size_t count);
  void added(size_t count);
  // Makes what was added visible to `deliver`. True if there is anything new.
  bool look();
  // The goodbye at the end of what has come, before anything has been delivered: OK if it was
  // orderly.
  std::optional<Status> lastGoodbye();

  // Owner only, without the lock.
  struct Delivered {
    bool any = false;
    bool goodbye = false;
    Status reason; // of a goodbye; OK if it was orderly
    // The peer has said more than that it lives and reads, so it need not read just now: it may be
    // busy, and what it says may be old.
    bool mayBeBusy = false;
    bool work = false; // a sign that the peer's owner is at work: see Transport::silence
    Status fault;      // the peer is to be lost
  };
  Delivered deliver(uint32_t peer, const std::string &name, Transport::Handler &handler);
  // Part of a message has come.
  bool isInside() const { return large_.isUnderWay() || begin_ < seenEnd_; }

private:
  bool deliverOne(uint32_t peer, const std::string &name, Transport::Handler &handler,
                  Delivered &result);
  bool isComplete(const MessageHeader &header, size_t begin, size_t end) const;
  Status goodbyeAt(const MessageHeader &header, size_t begin) const;
  bool ownMessage(const std::string &name, const MessageHeader &header, Delivered &result);
  void startLarge(uint32_t peer, const std::string &name, const MessageHeader &header,
                  Transport::Handler &handler, Delivered &result);
  void skipPadding(size_t end);
  void moveToLarge(size_t end);
  void takeAhead();

  ByteBuffer buffer_;
  size_t capacity_ = kBytes; // of the buffer
  size_t end_ = 0;
  // What has come since the buffer was full, behind a gap for what that holds.
  ByteBuffer ahead_;
  uint64_t addedBytes_ = 0; // ever

  size_t begin_ = 0, seenEnd_ = 0; // what is still to be parsed
  uint64_t seenBytes_ = 0;
  bool admitted_ = false; // the message at `begin_`

  LargePayload large_;
  size_t padding_ = 0; // behind it, still to be skipped
};

} // namespace sluice::rt
