// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Fuzzes the bytes that come over a connection after the handshake, in pieces of any size. The first
// byte of each piece is its length.
#include "runtime/transport/tcp/inbox.h"
#include "test/fuzz/fuzz_target.h"

#include <algorithm>
#include <cstring>

using namespace sluice::rt;

namespace {

// Admits what is not too long, and touches every byte that it is given.
class Reader final : public Transport::Handler {
public:
  Result<uint64_t> admit(uint32_t, const MessageHeader &header) override {
    if (header.type == 99)
      return invalidArgument("not now");
    return uint64_t{1} << 20;
  }
  void receive(uint32_t, const MessageHeader &header, std::span<const char> payload) override {
    sluice::fuzz::require(payload.size() == header.bytes, "a payload is as long as announced");
    for (char byte : payload)
      sum_ += static_cast<unsigned char>(byte);
  }
  void lost(uint32_t, const Status &) override {}
  uint64_t sum_ = 0;
};

} // namespace

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  static Inbox *inbox = nullptr; // made anew for each execution, in the same memory
  delete inbox;
  inbox = new Inbox;
  sluice::fuzz::require(inbox->allocate(), "there is memory");
  Reader reader;
  for (size_t at = 0; at < size;) {
    size_t piece = std::min<size_t>(data[at] + 1u, size - at - 1);
    ++at;
    std::span<char> room = inbox->ownerRoom();
    piece = std::min(piece, room.size());
    std::memcpy(room.data(), data + at, piece);
    inbox->addedByOwner(piece);
    at += piece;
    (void)inbox->lastGoodbye();
    if (!inbox->look())
      continue;
    Inbox::Delivered delivered = inbox->deliver(1, "rank 1", reader);
    if (delivered.goodbye || !delivered.fault.ok())
      break;
  }
  return 0;
}
