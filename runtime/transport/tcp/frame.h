// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The frames of the handshake. Their head is the same in all versions of the protocol, so that
// versions can tell each other that they do not fit.
#pragma once

#include "runtime/base/status.h"

#include <cstdint>
#include <string>
#include <string_view>

namespace sluice::rt {

constexpr std::string_view kMagic = "SLUICE";
constexpr uint16_t kProtocolVersion = 1;

enum class FrameKind : uint8_t { kHello = 1, kProof = 2, kWelcome = 3, kRefusal = 4 };

// Magic, version: u16, kind: u8, three zeros, bytes of the body: u32.
constexpr size_t kFrameHeadBytes = 16;
constexpr size_t kMostBodyBytes = 1008; // all that a stranger can make us keep: a kilobyte

struct FrameHead {
  bool ours = false; // the magic is right
  uint16_t version = 0;
  FrameKind kind = FrameKind::kHello;
  bool zeros = true; // where our version has no meaning yet
  uint32_t bytes = 0;
};

FrameHead decodeHead(std::string_view bytes);
std::string encodeFrame(FrameKind kind, std::string_view body);

enum class RefusalCode : uint8_t {
  kMagic = 1,
  kVersion = 2,
  kProgram = 3,
  kCluster = 4,
  kRun = 5,
  kWindow = 6,
  kSize = 7,
  kRank = 8,
  kDuplicate = 9,
  kSelf = 10,
  kKey = 11,
  kMalformed = 12,
};

// Why a connection is not wanted; the text is for people.
struct Refusal {
  RefusalCode code = RefusalCode::kMalformed;
  std::string text;
};

std::string encodeRefusal(const Refusal &refusal); // a whole frame
Refusal decodeRefusal(std::string_view body);

// Bytes from a stranger, fit to be printed: at most so many of them.
std::string printable(std::string_view bytes, size_t most);

} // namespace sluice::rt
