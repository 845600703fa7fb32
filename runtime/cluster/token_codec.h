// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Tokens as messages: the path of iteration numbers, and for a live value what kind of tensor it
// is, its dims and its elements. Everything that the receiver knows at compile time is checked.
#pragma once

#include "runtime/cluster/messages.h"
#include "runtime/executor/token_machine.h"

namespace sluice::rt {

// Queues the message. RESOURCE_EXHAUSTED when the value is too large for one.
Status sendToken(Transport &transport, MessageHeader header, const Node &send, const Iteration &tag,
                 const Tensor *value, bool dead);

// The largest payload that a token of this edge may have.
uint64_t largestToken(const Signature &signature, const WireInput &edge);

struct ReceivedToken {
  const Node *recv = nullptr;
  std::vector<uint64_t> path;
  bool dead = false;
  Tensor value; // invalid for control tokens and dead values
};
// Where the elements go of what a receive awaits.
using AllocateToken =
    std::function<Result<Tensor>(const Node &recv, DType dtype, const Shape &shape)>;
Result<Tensor> allocateToken(const Node &recv, DType dtype, const Shape &shape);
// A tensor for the elements of a long token of which the first bytes have come. Invalid if they
// have to be looked at, or if something is wrong, which `decodeToken` will say.
Tensor placeToken(const Signature &signature, const MessageHeader &header,
                  std::span<const char> first, const AllocateToken &allocate = allocateToken);
// INVALID_ARGUMENT when the message is not what the edge was compiled for. Elements that have been
// placed are moved from there, and are no part of the payload.
Status decodeToken(const Signature &signature, const MessageHeader &header,
                   std::span<const char> payload, ReceivedToken &token, Tensor placed = {},
                   const AllocateToken &allocate = allocateToken);

} // namespace sluice::rt
