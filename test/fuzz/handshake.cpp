// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Fuzzes what the other end of a connection says in the handshake. The first byte chooses who we
// are; without a key, so that its proof is no obstacle.
#include "runtime/transport/tcp/handshake.h"
#include "test/fuzz/fuzz_target.h"

using namespace sluice::rt;

// Takes one frame off the bytes and hands it over. False when the conversation is over.
static bool hearFrame(Handshake &handshake, std::string_view &bytes) {
  if (bytes.size() < kFrameHeadBytes)
    return false;
  FrameHead head = decodeHead(bytes);
  Outcome outcome = handshake.onHead(head, bytes.substr(0, kFrameHeadBytes));
  bytes.remove_prefix(kFrameHeadBytes);
  if (outcome.progress != Progress::kGoing || head.bytes > bytes.size())
    return false;
  sluice::fuzz::require(head.bytes <= kMostBodyBytes, "a stranger cannot make us keep more");
  outcome = handshake.onFrame(head, bytes.substr(0, head.bytes));
  bytes.remove_prefix(head.bytes);
  return outcome.progress == Progress::kGoing;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  if (size == 0)
    return -1;
  static const bool started = startCrypto();
  sluice::fuzz::require(started, "the system has random numbers");
  TcpOptions options;
  options.addresses = {"127.0.0.1:1", "127.0.0.1:2", "127.0.0.1:3"};
  options.rank = 1;
  options.identity = {"program", "cluster", "run", 10};
  Party party{options, [](uint32_t rank) { return rank == 2; }};
  std::string_view bytes = sluice::fuzz::textOf(data, size).substr(1);
  bool connects = data[0] % 2 != 0;
  Handshake handshake = connects ? Handshake(party, "peer", 0) : Handshake(party, "peer");
  while (hearFrame(handshake, bytes)) {
  }
  return 0;
}
