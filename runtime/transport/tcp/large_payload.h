// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The payload of a long message while it comes. It is received where it stays: in memory that the
// handler has given for all but its first bytes, else in memory of its own.
#pragma once

#include "runtime/transport/tcp/byte_buffer.h"
#include "runtime/transport/transport.h"

#include <algorithm>

namespace sluice::rt {

class LargePayload {
public:
  // All of it is missing. False when there is no memory.
  [[nodiscard]] bool start(const MessageHeader &header, std::span<char> place) {
    size_t first = header.bytes - place.size();
    if (!own_.reserve(first))
      return false;
    header_ = header;
    isUnderWay_ = true;
    missingFirst_ = first;
    place_ = place;
    return true;
  }
  bool isUnderWay() const { return isUnderWay_; }
  size_t missing() const { return missingFirst_ + place_.size(); }
  // Where the next bytes go.
  std::span<char> room() {
    return missingFirst_ ? std::span(own_.data() + own_.size(), missingFirst_) : place_;
  }
  // So many have come there.
  void added(size_t count) {
    if (missingFirst_) {
      (void)own_.extend(count); // within what was reserved
      missingFirst_ -= count;
    } else {
      place_ = place_.subspan(count);
    }
  }
  // How many of the bytes it has taken.
  size_t take(std::span<const char> bytes) {
    size_t taken = 0;
    while (taken < bytes.size() && missing()) {
      std::span<char> to = room();
      size_t count = std::min(to.size(), bytes.size() - taken);
      std::memcpy(to.data(), bytes.data() + taken, count);
      added(count);
      taken += count;
    }
    return taken;
  }
  // When nothing is missing.
  void deliver(uint32_t peer, Transport::Handler &handler) {
    isUnderWay_ = false;
    handler.receive(peer, header_, {own_.data(), own_.size()});
    own_.clear();
  }

private:
  MessageHeader header_;
  bool isUnderWay_ = false;
  ByteBuffer own_;
  size_t missingFirst_ = 0; // of what goes there
  std::span<char> place_;   // what of it is to be filled
};

} // namespace sluice::rt
