// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Tokens as messages.
#include "runtime/cluster/token_codec.h"

#include <cstring>

namespace sluice::rt {

namespace {

// After the path: one word with dtype and rank, then a word for each dim.
constexpr size_t kWord = 8;

uint64_t kindOf(const Tensor &value) {
  return static_cast<uint64_t>(value.dtype()) | static_cast<uint64_t>(value.rank()) << 8;
}

} // namespace

Status sendToken(Transport &transport, MessageHeader header, const Node &send, const Iteration &tag,
                 const Tensor *value, bool dead) {
  size_t depth = tag.frame->info.path.size();
  size_t words = depth + (value ? 1 + static_cast<size_t>(value->rank()) : 0);
  SmallArray<uint64_t, 16> head(words);
  size_t at = depth;
  for (const Iteration *i = &tag; i->frame->parentIteration; i = i->frame->parentIteration)
    head[--at] = i->number;
  header.type = static_cast<uint8_t>(MessageType::kToken);
  header.flags = static_cast<uint8_t>((dead ? kDeadToken : 0) | (value ? kTokenHasValue : 0));
  header.subject = send.edge;
  std::span<const char> first(reinterpret_cast<const char *>(head.span().data()), words * kWord);
  if (!value) {
    transport.send(send.peer, header, first);
    return okStatus();
  }
  head[depth] = kindOf(*value);
  for (int i = 0; i < value->rank(); ++i)
    head[depth + 1 + static_cast<size_t>(i)] = static_cast<uint64_t>(value->dim(i));
  std::string text;
  std::span<const char> elements;
  if (value->dtype() == DType::kString) {
    appendElements(*value, text);
    elements = text;
  } else {
    elements = {static_cast<const char *>(value->raw()), value->bytes()};
  }
  if (elements.size() > kLargestMessage - first.size())
    return resourceExhausted(format("%zu bytes do not fit into one message to rank %u",
                                    elements.size(), send.peer))
        .atNode(send.name);
  // A tensor that others hold is not written to, so its elements can go from where they are.
  Transport::Owner owner;
  if (text.empty())
    owner = std::make_shared<const Tensor>(*value);
  transport.send(send.peer, header, first, elements, std::move(owner));
  return okStatus();
}

uint64_t largestToken(const Signature &signature, const WireInput &edge) {
  size_t depth = signature.frames[edge.recv->frame].path.size();
  if (edge.dtype == DType::kInvalid)
    return depth * kWord;
  if (edge.dtype == DType::kString || !edge.shape.isComplete())
    return kLargestMessage;
  Result<int64_t> elements = edge.shape.checkedElements();
  if (!elements.ok())
    return kLargestMessage;
  uint64_t words = depth + 1 + static_cast<uint64_t>(edge.shape.rank());
  uint64_t bytes;
  if (__builtin_mul_overflow(static_cast<uint64_t>(*elements), sizeOf(edge.dtype), &bytes) ||
      __builtin_add_overflow(bytes, words * kWord, &bytes))
    return kLargestMessage;
  return std::min(bytes, kLargestMessage);
}

// Of `bytes` that the value takes in all.
static Status decodeShape(const WireInput &edge, PayloadReader &in, size_t bytes, Shape &shape) {
  uint64_t kind = in.u64();
  uint64_t rank = kind >> 8;
  if ((kind & 0xff) != static_cast<uint64_t>(edge.dtype))
    return invalidArgument(format("expected type %s but got type number %u",
                                  std::string(dtypeName(edge.dtype)).c_str(),
                                  static_cast<unsigned>(kind & 0xff)));
  if (rank > Shape::kMaxRank || rank * kWord > bytes)
    return invalidArgument("expected dims but the message ends");
  for (uint64_t i = 0; i < rank; ++i)
    shape.append(static_cast<int64_t>(in.u64()));
  if (!shape.compatibleWith(edge.shape))
    return invalidArgument("expected shape " + edge.shape.toString() + " but got " +
                           shape.toString());
  return in.failed() || (1 + rank) * kWord > bytes
             ? invalidArgument("expected a value but the message ends")
             : okStatus();
}

Result<Tensor> allocateToken(const Node &, DType dtype, const Shape &shape) {
  return Tensor::allocate(dtype, shape);
}

static Status decodeValue(const WireInput &edge, PayloadReader &in, size_t bytes,
                          ReceivedToken &token, Tensor placed, const AllocateToken &allocate) {
  Shape shape;
  SLUICE_RETURN_IF_ERROR(decodeShape(edge, in, bytes, shape));
  if (placed.valid()) {
    token.value = std::move(placed);
    return okStatus();
  }
  size_t header = (1 + static_cast<size_t>(shape.rank())) * kWord;
  auto forRecv = [&](DType dtype, const Shape &dims) { return allocate(*edge.recv, dtype, dims); };
  SLUICE_ASSIGN_OR_RETURN(token.value,
                          readElements(edge.dtype, shape, in.raw(bytes - header), forRecv));
  return okStatus();
}

static size_t pathLength(const Signature &signature, const WireInput &edge) {
  return signature.frames[edge.recv->frame].path.size();
}

Tensor placeToken(const Signature &signature, const MessageHeader &header,
                  std::span<const char> first, const AllocateToken &allocate) {
  const WireInput &edge = signature.wireInputs[header.subject];
  if (!(header.flags & kTokenHasValue) || !isPlain(edge.dtype) || edge.dtype == DType::kBool)
    return {};
  PayloadReader in(first);
  size_t depth = pathLength(signature, edge);
  for (size_t i = 0; i < depth; ++i)
    in.u64();
  Shape shape;
  size_t bytes = header.bytes - depth * kWord;
  if (in.failed() || !decodeShape(edge, in, bytes, shape).ok())
    return {};
  bytes -= (1 + static_cast<size_t>(shape.rank())) * kWord;
  Result<int64_t> count = shape.checkedElements();
  if (!count.ok() || bytes % sizeOf(edge.dtype) ||
      bytes / sizeOf(edge.dtype) != static_cast<uint64_t>(*count))
    return {};
  Result<Tensor> value = allocate(*edge.recv, edge.dtype, shape);
  return value.ok() ? std::move(*value) : Tensor();
}

Status decodeToken(const Signature &signature, const MessageHeader &header,
                   std::span<const char> payload, ReceivedToken &token, Tensor placed,
                   const AllocateToken &allocate) {
  const WireInput &edge = signature.wireInputs[header.subject];
  token.recv = edge.recv;
  token.dead = header.flags & kDeadToken;
  size_t depth = pathLength(signature, edge);
  PayloadReader in(payload);
  token.path.clear();
  for (size_t i = 0; i < depth; ++i)
    token.path.push_back(in.u64());
  bool hasValue = header.flags & kTokenHasValue;
  if (in.failed() || hasValue != (!token.dead && edge.dtype != DType::kInvalid))
    return invalidArgument("got a token of the wrong kind").atNode(edge.recv->name);
  if (hasValue)
    return decodeValue(edge, in, payload.size() - depth * kWord, token, std::move(placed), allocate)
        .atNode(edge.recv->name);
  if (!in.atEnd())
    return invalidArgument("got a value where none is expected").atNode(edge.recv->name);
  return okStatus();
}

} // namespace sluice::rt
