// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Encoding of messages, and the queue in which they wait.
#include "runtime/transport/tcp/outbox.h"

namespace sluice::rt {

static_assert(sizeof(MessageHeader) == 16, "headers go onto the wire as they are");

// ---- The queue ----------------------------------------------------------------------------------

void SendQueue::borrow(std::span<const char> bytes, size_t behind, Transport::Owner owner) {
  borrowed_.push_back({copied_.size() - behind, bytes, std::move(owner)});
  borrowedBytes_ += bytes.size();
}

bool SendQueue::append(SendQueue &other) {
  if (sent_ > copied_.size() / 2) {
    for (Borrowed &one : borrowed_)
      one.at -= sent_;
    copied_.dropFront(std::exchange(sent_, 0));
  }
  size_t before = copied_.size();
  char *at = copied_.extend(other.copied_.size());
  if (!at)
    return false;
  std::memcpy(at, other.copied_.data(), other.copied_.size());
  for (Borrowed &one : other.borrowed_) {
    one.at += before;
    borrowed_.push_back(std::move(one));
  }
  borrowedBytes_ += other.borrowedBytes_;
  other.clear();
  return true;
}

std::span<const char> SendQueue::next() const {
  if (!borrowed_.empty() && borrowed_.front().at == sent_)
    return borrowed_.front().bytes;
  size_t end = borrowed_.empty() ? copied_.size() : borrowed_.front().at;
  return {copied_.data() + sent_, end - sent_};
}

void SendQueue::sent(size_t count) {
  if (!borrowed_.empty() && borrowed_.front().at == sent_) {
    Borrowed &first = borrowed_.front();
    first.bytes = first.bytes.subspan(count);
    borrowedBytes_ -= count;
    if (first.bytes.empty())
      borrowed_.pop_front();
  } else {
    sent_ += count;
  }
  if (empty())
    clear();
}

void SendQueue::clear() {
  copied_.clear();
  sent_ = borrowedBytes_ = 0;
  borrowed_.clear();
}

// ---- Messages -----------------------------------------------------------------------------------

bool Outbox::stage(const MessageHeader &header, std::span<const char> first,
                   std::span<const char> second, Transport::Owner owner) {
  bool borrows = owner && second.size() >= SendQueue::kLong;
  size_t padded = paddedBytes(header.bytes), padding = padded - header.bytes;
  size_t copied = sizeof header + (borrows ? first.size() : padded);
  // All memory first, so that a message is whole or not there.
  char *at = staged_.extend(copied + (borrows ? padding : 0));
  if (!at)
    return false;
  std::memcpy(at, &header, sizeof header);
  at += sizeof header;
  if (!first.empty())
    std::memcpy(at, first.data(), first.size());
  at += first.size();
  if (borrows) {
    std::memset(at, 0, padding);
    staged_.borrow(second, padding, std::move(owner));
    return true;
  }
  if (!second.empty())
    std::memcpy(at, second.data(), second.size());
  std::memset(at + second.size(), 0, padding);
  return true;
}

bool Outbox::takeStaged() {
  if (staged_.empty())
    return true;
  if (!unsent_.empty())
    return unsent_.append(staged_);
  std::swap(staged_, unsent_);
  return true;
}

bool Outbox::add(const MessageHeader &header) {
  char *at = unsent_.extend(sizeof header);
  if (at)
    std::memcpy(at, &header, sizeof header);
  return at != nullptr;
}

} // namespace sluice::rt
