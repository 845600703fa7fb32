// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What ranks say to each other (docs/wire-protocol.md), and how payloads of messages other than
// tokens are written and read.
#pragma once

#include "runtime/base/byte_stream.h"
#include "runtime/memory/tensor.h"
#include "runtime/transport/transport.h"

#include <functional>
#include <string>
#include <vector>

namespace sluice::rt {

// `call` of the header is the number of the call, from 1. `count` is the signature's number in
// messages about tokens.
enum class MessageType : uint8_t {
  kToken = kFirstMessageType, // subject: edge
  kRetired,       // subject: frame; path of the parent's iteration, number of iterations
  kStart,         // rank 0: begin a call; subject: signature
  kReport,        // to rank 0: this rank's part of the call is over
  kAbort,         // rank 0: end the call, another rank has failed
  kProbe,         // rank 0: can these calls go on? subject: round; their numbers
  kProbeReply,    // subject: round; what this rank says of its parts in them
  kDeclaration,   // to rank 0: a variable that lives here
  kReady,         // to rank 0: all declarations have been made
  kWriteVariable, // rank 0: its new value
  kReadVariables, // rank 0: send me the values
  kVariable,      // to rank 0: a value
  kVariablesEnd,  // to rank 0: those were all
  kRootCause,     // the cluster ends, and this is why; flags: ClusterEnd::Kind
  kShardRequest,  // rank 0: write or read a part of a checkpoint
  kShardReply,    // to rank 0: how that went
  kAllowCalls,    // rank 0: so many calls may be under way at a time; subject: how many
  kCount,
};

// MessageHeader::bytes cannot say more.
constexpr uint64_t kLargestMessage = 0xffffffff;

// Call `a` comes after call `b`. Numbers of calls begin again after the largest.
inline bool isLaterCall(uint32_t a, uint32_t b) { return static_cast<int32_t>(a - b) > 0; }

// Flags of kToken.
constexpr uint8_t kDeadToken = 1;
constexpr uint8_t kTokenHasValue = 2;

inline MessageHeader headerOf(MessageType type, uint32_t call = 0, uint32_t subject = 0) {
  MessageHeader header;
  header.type = static_cast<uint8_t>(type);
  header.call = call;
  header.subject = subject;
  return header;
}

// The beginning of a text, if it is very long.
constexpr size_t kLongestText = 256 << 10;
std::string_view shortened(std::string_view text, size_t most = kLongestText);

// Everything takes a multiple of 8 bytes.
class PayloadWriter : public ByteWriter {
public:
  void u64(uint64_t v) { number(v); }
  void text(std::string_view s) {
    ByteWriter::text<uint64_t>(s);
    align(8);
  }
  // Very long texts are cut: a status always fits into a message.
  void status(const Status &status);
  void shape(const Shape &shape);
  // An invalid tensor stays one.
  void tensor(const Tensor &tensor);
};

class PayloadReader : public ByteReader {
public:
  using ByteReader::ByteReader;

  uint64_t u64() { return number<uint64_t>(); }
  std::string_view text();
  Status status();
  Shape shape();
  Result<Tensor> tensor();
};

// The bytes of a tensor's elements: raw, or for strings a length and the text each.
void appendElements(const Tensor &tensor, std::string &out);
// INVALID_ARGUMENT when the bytes are not exactly those of such a tensor; checked before memory is
// taken.
// Where elements go.
using AllocateElements = std::function<Result<Tensor>(DType dtype, const Shape &shape)>;
Result<Tensor> readElements(DType dtype, const Shape &shape, std::span<const char> bytes,
                            const AllocateElements &allocate = &Tensor::allocate);

} // namespace sluice::rt
