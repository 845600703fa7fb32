// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What goes to one peer. New messages are staged, so that many go in one write; a flush hands them
// over by exchanging two queues.
#pragma once

#include "runtime/transport/tcp/byte_buffer.h"
#include "runtime/transport/transport.h"

#include <deque>

namespace sluice::rt {

// Messages start at multiples of this, and so do payloads.
constexpr size_t kMessageAlignment = 8;
constexpr size_t paddedBytes(uint32_t bytes) {
  return (size_t{bytes} + kMessageAlignment - 1) & ~(kMessageAlignment - 1);
}

// Bytes in their order. Most are copied here; long ones that have an owner lie where they are.
class SendQueue {
public:
  // A payload from there on is not copied, if it has an owner.
  static constexpr size_t kLong = 64 << 10;

  size_t size() const { return copied_.size() - sent_ + borrowedBytes_; }
  bool empty() const { return size() == 0; }
  // Room for bytes that the caller writes; null when there is no memory.
  [[nodiscard]] char *extend(size_t count) { return copied_.extend(count); }
  // Ahead of the last `behind` bytes that are there.
  void borrow(std::span<const char> bytes, size_t behind, Transport::Owner owner);
  // All of the other queue. False when there is no memory; nothing has changed then.
  [[nodiscard]] bool append(SendQueue &other);

  // The first bytes that lie together.
  std::span<const char> next() const;
  // So many of them have gone.
  void sent(size_t count);
  void clear();

private:
  struct Borrowed {
    size_t at; // behind so many bytes of copied_
    std::span<const char> bytes;
    Transport::Owner owner;
  };

  ByteBuffer copied_;
  size_t sent_ = 0; // of copied_
  std::deque<Borrowed> borrowed_;
  size_t borrowedBytes_ = 0;
};

class Outbox {
public:
  // False when there is no memory: the messages before are whole.
  bool stage(const MessageHeader &header, std::span<const char> first, std::span<const char> second,
             Transport::Owner owner = nullptr);
  size_t staged() const { return staged_.size(); }

  // False when there is no memory.
  bool takeStaged();
  bool add(const MessageHeader &header);
  size_t unsent() const { return unsent_.size(); }
  std::span<const char> next() const { return unsent_.next(); }
  void sent(size_t count) { unsent_.sent(count); }
  void dropUnsent() { unsent_.clear(); }
  void dropStaged() { staged_.clear(); }

private:
  SendQueue staged_, unsent_;
};

} // namespace sluice::rt
