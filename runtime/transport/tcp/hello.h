// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What the two ends of a connection tell each other first, and whether they fit.
#pragma once

#include "runtime/transport/tcp/frame.h"
#include "runtime/transport/tcp/tcp.h"

#include <array>
#include <optional>

namespace sluice::rt {

using Nonce = std::array<char, 32>;

struct Hello {
  uint64_t features = 0; // bits that one side does not know are off; none exist yet
  uint32_t rank = 0, toRank = 0, size = 0;
  uint32_t beatMs = 0; // how often the sender would like to hear something
  bool keyed = false;
  Nonce nonce{}; // new for every connection, so that no proof can be used again
  TcpIdentity identity;
};

std::string encodeHello(const Hello &hello); // a whole frame
std::optional<Hello> decodeHello(std::string_view body);

// Whether a connection between these two makes sense, seen by the one that says `mine`.
std::optional<Refusal> judgeHello(const Hello &mine, const Hello &theirs);

} // namespace sluice::rt
