// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A rank that receives a token of every kind in a loop.
#pragma once

#include "runtime/cluster/token_codec.h"
#include "test/runtime/executor/graph_builder.h"

namespace sluice::rt {

// Its edges.
enum EdgeNumber : uint32_t {
  kMatrix,
  kTexts,
  kFlag,
  kControl,
  kAnything,
  kPartlyKnown,
  kEdgeCount
};

class TokenReceiver {
public:
  TokenReceiver() {
    builder_.makeRank(1, 2);
    uint32_t frame = builder_.frame("loop", 10);
    auto gate = builder_.enter("enter", frame, builder_.constant<bool>(true));
    auto add = [&](const char *name, DType dtype, EdgeNumber edge, Shape shape) {
      auto value = builder_.recv(name, frame, {gate}, dtype, edge, 0);
      builder_.node(value).wireShape = std::move(shape);
      if (dtype == DType::kInvalid)
        builder_.node(value).outputTypes.clear();
    };
    add("matrix", DType::kF32, kMatrix, Shape{2, 3});
    add("texts", DType::kString, kTexts, Shape{Shape::kUnknown});
    add("flag", DType::kBool, kFlag, Shape{});
    add("control", DType::kInvalid, kControl, Shape{});
    add("anything", DType::kI64, kAnything, Shape::unknownRank());
    add("partly", DType::kBool, kPartlyKnown, Shape{Shape::kUnknown, 2});
    program_ = builder_.buildProgram();
  }

  const Signature &signature() const { return *program_->signatures()[0]; }
  // Bytes of the largest token that the edge may bring.
  uint64_t largest(uint32_t edge) const {
    return largestToken(signature(), signature().wireInputs[edge]);
  }
  // Into `token`.
  Status decode(uint32_t edge, uint8_t flags, std::span<const char> payload) {
    MessageHeader header;
    header.type = static_cast<uint8_t>(MessageType::kToken);
    header.bytes = static_cast<uint32_t>(payload.size());
    header.flags = flags;
    header.subject = edge;
    token = {};
    return decodeToken(signature(), header, payload, token);
  }

  ReceivedToken token;

private:
  GraphBuilder builder_;
  std::unique_ptr<Program> program_;
};

} // namespace sluice::rt
