// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Payloads.
#include "runtime/cluster/messages.h"

#include <algorithm>
#include <cstring>

namespace sluice::rt {

std::string_view shortened(std::string_view text, size_t most) {
  size_t size = std::min(text.size(), most);
  while (size && size < text.size() && (text[size] & 0xc0) == 0x80) // within a character of UTF-8
    --size;
  return text.substr(0, size);
}

void PayloadWriter::status(const Status &status) {
  u64(static_cast<uint64_t>(status.code()));
  text(shortened(status.node()));
  text(shortened(status.message()));
}

void PayloadWriter::shape(const Shape &shape) {
  u64(shape.hasRank() ? static_cast<uint64_t>(shape.rank()) : ~uint64_t{0});
  raw(shape.dims().data(), shape.dims().size_bytes());
}

void PayloadWriter::tensor(const Tensor &tensor) {
  u64(static_cast<uint64_t>(tensor.dtype()));
  if (!tensor.valid())
    return;
  shape(tensor.shape());
  std::string elements;
  appendElements(tensor, elements);
  text(elements);
}

std::string_view PayloadReader::text() {
  std::string_view text = ByteReader::text<uint64_t>();
  align(8);
  return text;
}

Status PayloadReader::status() {
  uint64_t number = u64();
  std::string node(text());
  std::string message(text());
  if (number == 0 || failed())
    return okStatus();
  bool known = number <= static_cast<uint64_t>(Code::kDataLoss);
  Code code = known ? static_cast<Code>(number) : Code::kUnknown;
  return Status(code, std::move(message)).atNode(node);
}

Shape PayloadReader::shape() {
  uint64_t rank = u64();
  if (rank == ~uint64_t{0})
    return Shape::unknownRank();
  if (rank > Shape::kMaxRank) {
    fail();
    return {};
  }
  Shape shape;
  for (; rank && !failed(); --rank)
    shape.append(static_cast<int64_t>(u64()));
  return shape;
}

Result<Tensor> PayloadReader::tensor() {
  uint64_t dtype = u64();
  if (dtype == static_cast<uint64_t>(DType::kInvalid))
    return Tensor();
  if (dtype >= static_cast<uint64_t>(DType::kHandle))
    return invalidArgument("got a tensor of an unknown type");
  Shape dims = shape();
  std::string_view elements = text();
  if (failed() || !dims.hasRank())
    return invalidArgument("got a truncated tensor, or one without a shape");
  return readElements(static_cast<DType>(dtype), dims, elements);
}

void appendElements(const Tensor &tensor, std::string &out) {
  if (tensor.dtype() != DType::kString) {
    out.append(static_cast<const char *>(tensor.raw()), tensor.bytes());
    return;
  }
  for (const std::string &s : tensor.values<std::string>()) {
    uint64_t size = s.size();
    out.append(reinterpret_cast<const char *>(&size), sizeof size);
    out.append(s);
  }
}

static Result<Tensor> readStrings(const Shape &shape, int64_t count, std::span<const char> bytes) {
  Status bad = invalidArgument("got strings that do not fill their message");
  if (static_cast<uint64_t>(count) > bytes.size() / sizeof(uint64_t))
    return bad;
  SLUICE_ASSIGN_OR_RETURN(Tensor tensor, Tensor::allocate(DType::kString, shape));
  for (int64_t i = 0; i < count; ++i) {
    uint64_t size = 0;
    if (bytes.size() < sizeof size)
      return bad;
    std::memcpy(&size, bytes.data(), sizeof size);
    bytes = bytes.subspan(sizeof size);
    if (size > bytes.size())
      return bad;
    tensor.data<std::string>()[i].assign(bytes.data(), size);
    bytes = bytes.subspan(size);
  }
  return bytes.empty() ? Result<Tensor>(std::move(tensor)) : bad;
}

Result<Tensor> readElements(DType dtype, const Shape &shape, std::span<const char> bytes,
                            const AllocateElements &allocate) {
  SLUICE_ASSIGN_OR_RETURN(int64_t count, shape.checkedElements());
  if (dtype == DType::kString)
    return readStrings(shape, count, bytes);
  if (bytes.size() % sizeOf(dtype) || bytes.size() / sizeOf(dtype) != static_cast<uint64_t>(count))
    return invalidArgument(format("got %zu bytes for a tensor of type %s and shape %s",
                                  bytes.size(), std::string(dtypeName(dtype)).c_str(),
                                  shape.toString().c_str()));
  if (dtype == DType::kBool)
    for (char byte : bytes)
      if (byte != 0 && byte != 1)
        return invalidArgument("got a bool that is neither 0 nor 1");
  SLUICE_ASSIGN_OR_RETURN(Tensor tensor, allocate(dtype, shape));
  if (!bytes.empty())
    std::memcpy(tensor.raw(), bytes.data(), bytes.size());
  return tensor;
}

} // namespace sluice::rt
