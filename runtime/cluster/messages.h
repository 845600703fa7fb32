// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What ranks say to each other (docs/wire-protocol.md), and how payloads of messages other than
// tokens are written and read.
#pragma once

#include "runtime/memory/tensor.h"
#include "runtime/transport/transport.h"

#include <string>
#include <vector>

namespace sluice::rt {

// `call` of the header is the number of the call, from 1. `count` is the signature's number in
// messages about tokens.
enum class MessageType : uint8_t {
  kToken = kFirstMessageType, // subject: edge
  kRetired,                   // subject: frame; path of the parent's iteration, number of iterations
  kStart,                     // rank 0: begin a call; subject: signature
  kReport,                    // to rank 0: this rank's part of the call is over
  kAbort,                     // rank 0: end the call, another rank has failed
  kProbe,                     // rank 0: are you idle? subject: round
  kProbeReply,                // subject: round
  kDeclaration,               // to rank 0: a variable that lives here
  kReady,                     // to rank 0: all declarations have been made
  kWriteVariable,             // rank 0: its new value
  kReadVariables,             // rank 0: send me the values
  kVariable,                  // to rank 0: a value
  kVariablesEnd,              // to rank 0: those were all
  kRootCause,                 // the cluster ends, and this is why; flags: ClusterEnd::Kind
  kCount,
};

// MessageHeader::bytes cannot say more.
constexpr uint64_t kLargestMessage = 0xffffffff;

// Call `a` comes after call `b`. Numbers of calls begin again after the largest.
inline bool isLaterCall(uint32_t a, uint32_t b) { return static_cast<int32_t>(a - b) > 0; }

// Flags of kToken.
constexpr uint8_t kDeadToken = 1;
constexpr uint8_t kTokenHasValue = 2;

// The beginning of a text, if it is very long.
std::string_view shortened(std::string_view text);

class PayloadWriter {
public:
  void u64(uint64_t v) { raw(&v, sizeof v); }
  void text(std::string_view s) {
    u64(s.size());
    raw(s.data(), s.size());
    pad();
  }
  // Very long texts are cut: a status always fits into a message.
  void status(const Status &status);
  void shape(const Shape &shape);
  // An invalid tensor stays one.
  void tensor(const Tensor &tensor);
  void raw(const void *data, size_t size) { bytes_.append(static_cast<const char *>(data), size); }
  void pad() { bytes_.resize((bytes_.size() + 7) & ~size_t{7}); }
  std::span<const char> bytes() const { return bytes_; }

private:
  std::string bytes_;
};

// Reads past the end, and sizes that the payload cannot hold, yield zeros and set `failed`.
class PayloadReader {
public:
  explicit PayloadReader(std::span<const char> bytes) : bytes_(bytes) {}
  bool failed() const { return failed_; }
  bool atEnd() const { return bytes_.empty(); }
  uint64_t u64();
  std::string_view text();
  Status status();
  Shape shape();
  Result<Tensor> tensor();
  std::span<const char> raw(size_t size);

private:
  void skipPadding(size_t size) { (void)raw(-size & 7); }

  std::span<const char> bytes_;
  bool failed_ = false;
};

// The bytes of a tensor's elements: raw, or for strings a length and the text each.
void appendElements(const Tensor &tensor, std::string &out);
// INVALID_ARGUMENT when the bytes are not exactly those of such a tensor; checked before memory is
// taken.
Result<Tensor> readElements(DType dtype, const Shape &shape, std::span<const char> bytes);

} // namespace sluice::rt
