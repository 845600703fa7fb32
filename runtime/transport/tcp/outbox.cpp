// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Encoding of messages.
#include "runtime/transport/tcp/outbox.h"

namespace sluice::rt {

static_assert(sizeof(MessageHeader) == 16, "headers go onto the wire as they are");

bool Outbox::stage(const MessageHeader &header, std::span<const char> first,
                   std::span<const char> second) {
  size_t padded = paddedBytes(header.bytes);
  char *at = staged_.extend(sizeof header + padded);
  if (!at)
    return false;
  std::memcpy(at, &header, sizeof header);
  at += sizeof header;
  if (padded) // the last word first: its padding is zero
    std::memset(at + padded - kMessageAlignment, 0, kMessageAlignment);
  if (!first.empty())
    std::memcpy(at, first.data(), first.size());
  if (!second.empty())
    std::memcpy(at + first.size(), second.data(), second.size());
  return true;
}

bool Outbox::takeStaged() {
  if (staged_.empty())
    return true;
  if (unsent_.empty()) {
    std::swap(staged_, unsent_);
    return true;
  }
  if (sent_ > unsent_.size() / 2)
    unsent_.dropFront(std::exchange(sent_, 0));
  char *at = unsent_.extend(staged_.size());
  if (!at)
    return false;
  std::memcpy(at, staged_.data(), staged_.size());
  staged_.clear();
  return true;
}

bool Outbox::add(const MessageHeader &header) {
  char *at = unsent_.extend(sizeof header);
  if (at)
    std::memcpy(at, &header, sizeof header);
  return at != nullptr;
}

void Outbox::sent(size_t count) {
  sent_ += count;
  if (sent_ < unsent_.size())
    return;
  sent_ = 0;
  unsent_.clear();
}

} // namespace sluice::rt
