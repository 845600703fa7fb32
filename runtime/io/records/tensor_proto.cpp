// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Elements as raw bytes, or as a field of numbers for their kind.
#include "runtime/io/records/tensor_proto.h"

#include "runtime/base/pieces.h"
#include "runtime/io/bundle/message.h"
#include "runtime/io/bundle/tensor_messages.h"
#include "runtime/io/bundle/tensor_types.h"

#include <algorithm>
#include <cstring>
#include <vector>

namespace sluice::rt {

namespace {

struct ProtoField {
  static constexpr uint32_t kType = 1, kShape = 2, kContent = 4, kStrings = 8;
};

// The field that holds elements of a type as numbers; halves as their bits.
uint32_t numbersField(DType dtype) {
  switch (dtype) {
  case DType::kF32:
    return 5;
  case DType::kF64:
    return 6;
  case DType::kC64:
    return 9;
  case DType::kI64:
    return 10;
  case DType::kBool:
    return 11;
  case DType::kC128:
    return 12;
  case DType::kF16:
  case DType::kBF16:
    return 13;
  case DType::kU32:
    return 16;
  case DType::kU64:
    return 17;
  default:
    return 7;
  }
}
bool isFixed(DType dtype) {
  return dtype == DType::kF32 || dtype == DType::kF64 || isComplex(dtype);
}

Status damaged() { return invalidArgument("Could not parse `serialized` as TensorProto"); }
Status impossible(const std::string &why) {
  return invalidArgument("Cannot parse tensor from proto: " + why);
}

Status parseDims(std::string_view bytes, Shape &shape) {
  MessageReader reader(bytes);
  while (reader.next()) {
    if (reader.field() != 2)
      continue;
    int64_t size = 0;
    MessageReader dim(reader.bytes());
    while (dim.next())
      if (dim.field() == 1)
        size = static_cast<int64_t>(dim.number());
    if (dim.failed())
      return damaged();
    if (shape.rank() == Shape::kMaxRank)
      return impossible(format("expected at most %d dims", Shape::kMaxRank));
    shape.append(size);
  }
  return reader.failed() ? damaged() : okStatus();
}

// What a message says, its elements as the bytes that it has for them.
struct TensorMessage {
  int64_t type = 0;
  Shape shape;
  std::string_view content;
  std::vector<std::string_view> strings;

  Status parse(std::string_view bytes) {
    MessageReader reader(bytes);
    while (reader.next()) {
      if (reader.field() == ProtoField::kType)
        type = static_cast<int32_t>(reader.number());
      else if (reader.field() == ProtoField::kShape)
        SLUICE_RETURN_IF_ERROR(parseDims(reader.bytes(), shape));
      else if (reader.field() == ProtoField::kContent)
        content = reader.bytes();
      else if (reader.field() == ProtoField::kStrings)
        strings.push_back(reader.bytes());
    }
    return reader.failed() ? damaged() : okStatus();
  }
};

// Puts numbers into plain elements, as many as there is room for.
class NumberFiller {
public:
  explicit NumberFiller(Tensor &tensor) : tensor_(tensor) {}

  Status take(MessageReader &reader) {
    if (reader.kind() == MessageReader::Kind::kBytes)
      return isFixed(tensor_.dtype()) ? takeBytes(reader.bytes()) : takePacked(reader.bytes());
    if (!isFixed(tensor_.dtype()))
      return takeNumber(reader.number());
    char bytes[8];
    uint64_t number = numberBytes() == 8 ? reader.fixed64() : reader.fixed32();
    std::memcpy(bytes, &number, sizeof bytes); // the lower half is the first
    return takeBytes({bytes, numberBytes()});
  }

  // The elements that were not named.
  void finish() {
    size_t size = sizeOf(tensor_.dtype()), whole = used_ / size * size;
    auto *bytes = tensor_.data<char>();
    if (whole == 0)
      std::memset(bytes, 0, tensor_.bytes());
    for (; whole > 0 && whole < tensor_.bytes(); whole += size)
      std::memcpy(bytes + whole, bytes + whole - size, size);
  }

private:
  size_t numberBytes() const {
    return sizeOf(tensor_.dtype()) / (isComplex(tensor_.dtype()) ? 2 : 1);
  }
  Status takeBytes(std::string_view bytes) {
    if (bytes.size() % numberBytes() != 0)
      return damaged();
    size_t size = std::min(bytes.size(), tensor_.bytes() - used_);
    if (size > 0)
      std::memcpy(tensor_.data<char>() + used_, bytes.data(), size);
    used_ += size;
    return okStatus();
  }
  Status takePacked(std::string_view bytes) {
    constexpr int64_t kCostOfNumber = 16;
    for (TurnsOfCall turns(kCostOfNumber); !bytes.empty();) {
      uint64_t number;
      if (turns.end())
        return cancelledWork();
      if (!takeVarint(bytes, number))
        return damaged();
      SLUICE_RETURN_IF_ERROR(takeNumber(number));
    }
    return okStatus();
  }
  // Its lowest bytes; of a bool, whether there is any.
  Status takeNumber(uint64_t number) {
    if (tensor_.dtype() == DType::kBool)
      number = number != 0;
    return takeBytes({reinterpret_cast<const char *>(&number), numberBytes()});
  }

  Tensor &tensor_;
  size_t used_ = 0; // bytes
};

// All lengths, then all bytes.
Status fillStrings(std::string_view content, Tensor &tensor) {
  auto *strings = tensor.data<std::string>();
  std::vector<uint64_t> lengths(static_cast<size_t>(tensor.elements()));
  for (uint64_t &length : lengths)
    if (!takeVarint(content, length))
      return impossible("its strings are damaged");
  for (size_t i = 0; i < lengths.size(); ++i) {
    if (lengths[i] > content.size())
      return impossible("its strings are damaged");
    strings[i] = content.substr(0, lengths[i]);
    content.remove_prefix(lengths[i]);
  }
  return content.empty() ? okStatus() : impossible("its strings are damaged");
}

Status fillFromContent(std::string_view content, Tensor &tensor) {
  if (tensor.dtype() == DType::kString)
    return fillStrings(content, tensor);
  if (content.size() != tensor.bytes())
    return impossible(
        format("expected %zu bytes of elements but got %zu", tensor.bytes(), content.size()));
  copyInPieces(tensor.raw(), content.data(), content.size());
  if (tensor.dtype() == DType::kBool)
    for (char &byte : std::span(tensor.data<char>(), content.size()))
      byte = byte != 0;
  return okStatus();
}

Status fill(std::string_view bytes, const TensorMessage &message, Tensor &tensor) {
  if (!message.content.empty())
    return fillFromContent(message.content, tensor);
  if (tensor.dtype() == DType::kString) {
    auto *strings = tensor.data<std::string>();
    for (size_t i = 0, n = static_cast<size_t>(tensor.elements()); i < n; ++i)
      if (!message.strings.empty())
        strings[i] = message.strings[std::min(i, message.strings.size() - 1)];
    return okStatus();
  }
  NumberFiller filler(tensor);
  MessageReader reader(bytes);
  while (reader.next())
    if (reader.field() == numbersField(tensor.dtype()))
      SLUICE_RETURN_IF_ERROR(filler.take(reader));
  if (reader.failed())
    return damaged();
  filler.finish();
  return okStatus();
}

} // namespace

Result<Tensor> parseTensorProto(std::string_view bytes, DType expected) {
  TensorMessage message;
  SLUICE_RETURN_IF_ERROR(message.parse(bytes));
  if (message.type == 0)
    return impossible("it has no element type");
  if (message.type != numberOfType(expected))
    return invalidArgument(
        format("Type mismatch between parsed tensor (type number %lld) and dtype (%s)",
               static_cast<long long>(message.type), std::string(dtypeName(expected)).c_str()));
  if (Result<int64_t> elements = message.shape.checkedElements(); !elements.ok())
    return impossible(elements.status().message());
  SLUICE_ASSIGN_OR_RETURN(Tensor tensor, Tensor::allocate(expected, message.shape));
  SLUICE_RETURN_IF_ERROR(fill(bytes, message, tensor));
  return tensor;
}

static std::string packed(std::span<const std::string> texts) {
  std::string content;
  for (const std::string &text : texts) {
    uint64_t size = text.size();
    for (; size >= 0x80; size >>= 7)
      content.push_back(static_cast<char>(size | 0x80));
    content.push_back(static_cast<char>(size));
  }
  for (const std::string &text : texts)
    content += text;
  return content;
}

std::string tensorProtoOf(const Tensor &tensor, StringsAre strings) {
  MessageWriter writer;
  writer.number(ProtoField::kType, static_cast<uint64_t>(numberOfType(tensor.dtype())));
  writer.bytes(ProtoField::kShape, messageOfShape(tensor.shape().dims()));
  if (tensor.dtype() == DType::kString && strings == StringsAre::kPacked) {
    if (tensor.elements() > 0)
      writer.bytes(ProtoField::kContent, packed(tensor.values<std::string>()));
  } else if (tensor.dtype() == DType::kString) {
    for (const std::string &text : tensor.values<std::string>())
      writer.bytes(ProtoField::kStrings, text);
  } else if (tensor.bytes() > 0) {
    writer.bytes(ProtoField::kContent, {tensor.data<char>(), tensor.bytes()});
  }
  return writer.take();
}

} // namespace sluice::rt
