// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What goes to one peer. New messages are staged by the owner without a lock; a flush hands them
// over by exchanging two buffers.
#pragma once

#include "runtime/transport/tcp/byte_buffer.h"
#include "runtime/transport/transport.h"

namespace sluice::rt {

// Messages start at multiples of this, and so do payloads.
constexpr size_t kMessageAlignment = 8;
constexpr size_t paddedBytes(uint32_t bytes) {
  return (size_t{bytes} + kMessageAlignment - 1) & ~(kMessageAlignment - 1);
}

class Outbox {
public:
  // Owner only. False when there is no memory: the messages before are whole.
  bool stage(const MessageHeader &header, std::span<const char> first,
             std::span<const char> second);
  size_t staged() const { return staged_.size(); }

  // Under the connection's lock. False when there is no memory.
  bool takeStaged();
  bool add(const MessageHeader &header);
  std::span<const char> unsent() const { return {unsent_.data() + sent_, unsent_.size() - sent_}; }
  void sent(size_t count);
  void dropUnsent() { sent(unsent().size()); }
  void dropStaged() { staged_.clear(); }

private:
  ByteBuffer staged_;
  ByteBuffer unsent_;
  size_t sent_ = 0; // of unsent_
};

} // namespace sluice::rt
