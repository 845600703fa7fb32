// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Fuzzes tokens from other ranks, for edges of each kind, and the payloads of other messages.
#include "runtime/cluster/token_codec.h"
#include "test/fuzz/fuzz_target.h"
#include "test/runtime/executor/graph_builder.h"

using namespace sluice::rt;

namespace {

// A rank that receives tokens of every kind in a loop, or none.
class Receiver {
public:
  static constexpr uint32_t kEdges = 6;

  Receiver() {
    builder_.makeRank(1, 2);
    uint32_t frame = builder_.frame("loop", 10);
    auto gate = builder_.enter("enter", frame, builder_.constant<bool>(true));
    auto add = [&](const char *name, DType dtype, uint32_t edge, Shape shape) {
      auto value = builder_.recv(name, frame, {gate}, dtype, edge, 0);
      builder_.node(value).wireShape = std::move(shape);
      if (dtype == DType::kInvalid)
        builder_.node(value).outputTypes.clear();
    };
    add("matrix", DType::kF32, 0, Shape{2, 3});
    add("texts", DType::kString, 1, Shape{Shape::kUnknown});
    add("flag", DType::kBool, 2, Shape{});
    add("control", DType::kInvalid, 3, Shape{});
    add("anything", DType::kI64, 4, Shape::unknownRank());
    add("partly", DType::kBool, 5, Shape{Shape::kUnknown, 2});
    program_ = builder_.buildProgram();
  }
  const Signature &signature() const { return *program_->signatures()[0]; }

private:
  GraphBuilder builder_;
  std::unique_ptr<Program> program_;
};

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
  static const Receiver receiver;
  if (size < 2)
    return -1;
  std::span<const char> payload(reinterpret_cast<const char *>(data) + 2, size - 2);
  MessageHeader header;
  header.bytes = static_cast<uint32_t>(payload.size());
  header.type = static_cast<uint8_t>(MessageType::kToken);
  header.subject = data[0] % Receiver::kEdges;
  header.flags = data[1];
  ReceivedToken token;
  uint64_t most =
      largestToken(receiver.signature(), receiver.signature().wireInputs[header.subject]);
  if (payload.size() <= most && decodeToken(receiver.signature(), header, payload, token).ok())
    sluice::fuzz::require(token.recv != nullptr, "a token that is accepted has a receiver");
  readPayload(payload);
  return 0;
}
