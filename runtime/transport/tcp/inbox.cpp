// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Parsing of messages.
#include "runtime/transport/tcp/inbox.h"

#include "runtime/transport/peer_status.h"
#include "runtime/transport/tcp/frame.h"
#include "runtime/transport/tcp/outbox.h"

#include <algorithm>
#include <bit>

namespace sluice::rt {

void Inbox::release() {
  buffer_ = ByteBuffer();
  ahead_ = ByteBuffer();
  large_ = LargePayload();
}

std::span<char> Inbox::room() {
  if (ahead_.empty() && end_ < capacity_)
    return {buffer_.data() + end_, capacity_ - end_};
  size_t begin = std::max(ahead_.size(), end_);
  if (begin >= kMostAhead || !ahead_.reserve(std::bit_ceil(begin + kBytes)))
    return {};
  return {ahead_.data() + begin, kBytes};
}

void Inbox::added(size_t count) {
  addedBytes_ += count;
  if (ahead_.empty() && end_ < capacity_) {
    end_ += count;
    return;
  }
  // Within what was reserved.
  if (ahead_.empty())
    (void)ahead_.extend(end_);
  (void)ahead_.extend(count);
}

// What was read without the owner goes on where the buffer ends, so what has not been parsed joins
// it at the very place that it has: messages keep their alignment.
void Inbox::takeAhead() {
  if (ahead_.empty())
    return;
  std::memcpy(ahead_.data() + begin_, buffer_.data() + begin_, end_ - begin_);
  std::swap(buffer_, ahead_);
  ahead_.clear();
  end_ = capacity_ = buffer_.size();
}

void Inbox::moveToLarge(size_t end) {
  begin_ += large_.take({buffer_.data() + begin_, end - begin_});
}

std::span<char> Inbox::ownerRoom() {
  takeAhead();
  if (large_.missing()) {
    moveToLarge(end_);
    if (large_.missing())
      return large_.room();
  }
  skipPadding(end_);
  if (begin_ == end_) {
    begin_ = end_ = (0 - padding_) % kMessageAlignment;
    if (capacity_ > kBytes && ahead_.reserve(kBytes)) { // mostly what was the buffer before
      std::swap(buffer_, ahead_);
      ahead_ = ByteBuffer();
      capacity_ = kBytes;
    }
  }
  if (begin_ > 0 && capacity_ - end_ < kBytes / 2 && end_ - begin_ < kBytes / 2) {
    std::memmove(buffer_.data(), buffer_.data() + begin_, end_ - begin_);
    end_ -= std::exchange(begin_, 0);
  }
  seenEnd_ = end_;
  return {buffer_.data() + end_, capacity_ - end_};
}

void Inbox::addedByOwner(size_t count) {
  addedBytes_ += count;
  if (!large_.missing()) {
    end_ += count;
    return;
  }
  large_.added(count);
  // The buffer is empty. Should the rest come by it, what follows has to be aligned again.
  begin_ = end_ = seenEnd_ = (0 - (large_.missing() + padding_)) % kMessageAlignment;
}

bool Inbox::look() {
  seenEnd_ = end_;
  return std::exchange(seenBytes_, addedBytes_) != addedBytes_;
}

bool Inbox::isComplete(const MessageHeader &header, size_t begin, size_t end) const {
  return end - begin - sizeof header >= paddedBytes(header.bytes);
}

Status Inbox::goodbyeAt(const MessageHeader &header, size_t begin) const {
  if (header.flags == 0)
    return okStatus();
  // The peer's words: neither the code nor the text need be such as we would send.
  bool known = header.flags <= static_cast<uint8_t>(Code::kDataLoss);
  return {known ? static_cast<Code>(header.flags) : Code::kUnknown,
          printable({buffer_.data() + begin + sizeof header, header.bytes}, kMostGoodbyeBytes)};
}

std::optional<Status> Inbox::lastGoodbye() {
  takeAhead();
  MessageHeader header;
  for (size_t begin = begin_; end_ - begin >= sizeof header;
       begin += sizeof header + paddedBytes(header.bytes)) {
    std::memcpy(&header, buffer_.data() + begin, sizeof header);
    if (!isComplete(header, begin, end_))
      break;
    if (header.type == static_cast<uint8_t>(TransportMessage::kGoodbye))
      return goodbyeAt(header, begin);
  }
  return std::nullopt;
}

bool Inbox::ownMessage(const std::string &name, const MessageHeader &header, Delivered &result) {
  auto type = static_cast<TransportMessage>(header.type);
  bool goodbye = type == TransportMessage::kGoodbye;
  bool known = type == TransportMessage::kHeartbeat || goodbye;
  if (!known || header.bytes > (goodbye ? kMostGoodbyeBytes : 0)) {
    result.fault = peerForbidden(name, format("sent a transport message of type %u with %u bytes, "
                                              "expected type 1 with none or 2 with at most %u",
                                              header.type, header.bytes, kMostGoodbyeBytes));
    return false;
  }
  if (!goodbye && (header.flags & ~(kInboxFull | kOwnerBusy))) {
    result.fault =
        peerForbidden(name, format("sent a heartbeat with flags 0x%x, expected at most 0x%x",
                                   header.flags, kInboxFull | kOwnerBusy));
    return false;
  }
  if (!isComplete(header, begin_, seenEnd_))
    return false;
  if (goodbye)
    result.reason = goodbyeAt(header, begin_);
  begin_ += sizeof header + paddedBytes(header.bytes);
  result.work |= !goodbye && header.flags != 0;
  result.goodbye = goodbye;
  result.mayBeBusy |= type == TransportMessage::kHeartbeat && (header.flags & kInboxFull);
  return !result.goodbye;
}

// Once enough of it has come.
void Inbox::startLarge(uint32_t peer, const std::string &name, const MessageHeader &header,
                       Transport::Handler &handler, Delivered &result) {
  const char *payload = buffer_.data() + begin_ + sizeof header;
  size_t here = seenEnd_ - begin_ - sizeof header;
  if (here < kFirstBytes)
    return;
  admitted_ = false;
  if (!large_.start(header, handler.place(peer, header, {payload, here}))) {
    result.fault = {Code::kResourceExhausted,
                    format("%s: no memory for a message of %u bytes", name.c_str(), header.bytes)};
    return;
  }
  padding_ = paddedBytes(header.bytes) - header.bytes;
  begin_ += sizeof header;
  moveToLarge(seenEnd_);
}

void Inbox::skipPadding(size_t end) {
  size_t count = std::min(padding_, end - begin_);
  begin_ += count;
  padding_ -= count;
}

// False when there is nothing more to deliver.
bool Inbox::deliverOne(uint32_t peer, const std::string &name, Transport::Handler &handler,
                       Delivered &result) {
  MessageHeader header;
  skipPadding(seenEnd_);
  if (padding_)
    return false;
  size_t left = seenEnd_ - begin_;
  if (left < sizeof header)
    return false;
  std::memcpy(&header, buffer_.data() + begin_, sizeof header);
  if (header.type < kFirstMessageType)
    return ownMessage(name, header, result);
  if (!admitted_) {
    Result<uint64_t> most = handler.admit(peer, header);
    if (!admits(most, header)) {
      result.fault = peerNotAdmitted(name, header, most);
      return false;
    }
  }
  size_t total = sizeof header + paddedBytes(header.bytes);
  admitted_ = left < total;
  if (left < total) {
    if (total > kMostInBuffer)
      startLarge(peer, name, header, handler, result);
    return false;
  }
  const char *payload = buffer_.data() + begin_ + sizeof header;
  begin_ += total;
  result.any = true;
  handler.receive(peer, header, {payload, header.bytes});
  return true;
}

Inbox::Delivered Inbox::deliver(uint32_t peer, const std::string &name,
                                Transport::Handler &handler) {
  Delivered result;
  if (large_.isUnderWay()) {
    result.mayBeBusy = result.work = true;
    if (large_.missing())
      return result;
    result.any = true;
    large_.deliver(peer, handler);
  }
  while (deliverOne(peer, name, handler, result)) {
  }
  result.mayBeBusy |= result.any || isInside();
  result.work |= result.any || isInside();
  return result;
}

} // namespace sluice::rt
