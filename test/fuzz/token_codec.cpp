// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Fuzzes tokens from other ranks, for edges of each kind, and the payloads of other messages.
#include "test/fuzz/fuzz_target.h"
#include "test/runtime/cluster/token_receiver.h"

using namespace sluice::rt;

namespace {

void readPayload(std::span<const char> bytes) {
  PayloadReader status(bytes), shape(bytes), tensor(bytes), mixed(bytes);
  (void)status.status().toString();
  (void)shape.shape().toString();
  (void)tensor.tensor();
  (void)mixed.text();
  (void)mixed.tensor();
}

} // namespace

// Edge, flags, payload.
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  static TokenReceiver receiver;
  if (size < 2)
    return -1;
  std::span<const char> payload(reinterpret_cast<const char *>(data) + 2, size - 2);
  uint32_t edge = data[0] % kEdgeCount;
  if (payload.size() <= receiver.largest(edge) && receiver.decode(edge, data[1], payload).ok())
    sluice::fuzz::require(receiver.token.recv != nullptr,
                          "a token that is accepted has a receiver");
  readPayload(payload);
  return 0;
}
