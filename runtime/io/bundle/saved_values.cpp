// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Fields of numbers, packed or one by one.
#include "runtime/io/bundle/saved_values.h"

#include "runtime/io/bundle/message.h"

#include <complex>
#include <cstring>

namespace sluice::rt {

namespace {

// Which field holds the elements, and how; 0: none does.
enum class Form : uint8_t { kVarint, kFixed, kStrings };
struct Field {
  uint32_t number;
  Form form;
};

Field fieldOf(DType dtype) {
  switch (dtype) {
  case DType::kF32:
    return {5, Form::kFixed};
  case DType::kF64:
    return {6, Form::kFixed};
  case DType::kI8:
  case DType::kI16:
  case DType::kI32:
  case DType::kU8:
  case DType::kU16:
    return {7, Form::kVarint};
  case DType::kString:
    return {8, Form::kStrings};
  case DType::kC64:
    return {9, Form::kFixed};
  case DType::kI64:
    return {10, Form::kVarint};
  case DType::kBool:
    return {11, Form::kVarint};
  case DType::kC128:
    return {12, Form::kFixed};
  case DType::kF16:
    return {13, Form::kVarint};
  default:
    return {0, Form::kFixed};
  }
}

// Numbers of one field; complex ones are two.
size_t numbersOfElement(DType dtype) { return isComplex(dtype) ? 2 : 1; }

uint64_t varintAt(const Tensor &tensor, int64_t i) {
  switch (tensor.dtype()) {
  case DType::kBool:
    return tensor.data<bool>()[i];
  case DType::kF16:
    return tensor.data<Half>()[i].bits;
  default:
    return static_cast<uint64_t>(tensor.asInt(i));
  }
}

template <typename T> Status store(uint64_t number, void *target, int64_t i) {
  auto value = static_cast<T>(number);
  // Negative ones are extended to 64 bits, or in old files to 32.
  auto back = static_cast<uint64_t>(static_cast<int64_t>(value));
  if (back != number && static_cast<uint32_t>(back) != number)
    return {Code::kDataLoss, "an element is beyond the range of its type"};
  static_cast<T *>(target)[i] = value;
  return okStatus();
}

Status storeVarint(DType dtype, uint64_t number, void *target, int64_t i) {
  switch (dtype) {
  case DType::kI8:
    return store<int8_t>(number, target, i);
  case DType::kI16:
    return store<int16_t>(number, target, i);
  case DType::kI32:
    return store<int32_t>(number, target, i);
  case DType::kI64:
    return store<int64_t>(number, target, i);
  case DType::kU8:
    return store<uint8_t>(number, target, i);
  case DType::kU16:
  case DType::kF16: // its bits
    return store<uint16_t>(number, target, i);
  default:
    if (number > 1)
      return {Code::kDataLoss, "expected 0 or 1 as bool"};
    static_cast<bool *>(target)[i] = number != 0;
    return okStatus();
  }
}

// Takes the numbers of one field into a tensor.
class Values {
public:
  Values(DType dtype, int64_t elements, void *target)
      : dtype_(dtype), elements_(elements), target_(target) {}

  Status take(MessageReader &reader) {
    switch (fieldOf(dtype_).form) {
    case Form::kStrings:
      SLUICE_RETURN_IF_ERROR(expectRoom());
      static_cast<std::string *>(target_)[count_++] = reader.bytes();
      return okStatus();
    case Form::kVarint:
      if (reader.kind() == MessageReader::Kind::kNumber)
        return takeVarint(reader.number());
      return takePackedVarints(reader.bytes());
    case Form::kFixed:
      break;
    }
    if (reader.kind() == MessageReader::Kind::kFixed32)
      return takeNumber(reader.fixed32());
    if (reader.kind() == MessageReader::Kind::kFixed64)
      return takeNumber(reader.fixed64());
    return takeFixed(reader.bytes());
  }

  Status finish() const {
    auto wanted = static_cast<uint64_t>(elements_);
    if (isBytes() ? bytes_ == wanted * sizeOf(dtype_) : static_cast<uint64_t>(count_) == wanted)
      return okStatus();
    return {Code::kDataLoss, "it does not have " + std::to_string(wanted) + " elements"};
  }

private:
  bool isBytes() const { return fieldOf(dtype_).form == Form::kFixed; }
  Status expectRoom() const {
    return count_ < elements_ ? okStatus() : Status(Code::kDataLoss, "it has too many elements");
  }
  Status takeVarint(uint64_t number) {
    SLUICE_RETURN_IF_ERROR(expectRoom());
    return storeVarint(dtype_, number, target_, count_++);
  }
  Status takePackedVarints(std::string_view bytes) {
    while (!bytes.empty()) {
      uint64_t number;
      if (!rt::takeVarint(bytes, number))
        return {Code::kDataLoss, "the elements are damaged"};
      SLUICE_RETURN_IF_ERROR(takeVarint(number));
    }
    return okStatus();
  }
  template <typename T> Status takeNumber(T number) {
    if (sizeof number * numbersOfElement(dtype_) != sizeOf(dtype_))
      return {Code::kDataLoss, "the elements are of another type"};
    return takeFixed({reinterpret_cast<const char *>(&number), sizeof number});
  }
  Status takeFixed(std::string_view bytes) {
    uint64_t all = static_cast<uint64_t>(elements_) * sizeOf(dtype_);
    if (bytes.size() > all - bytes_)
      return {Code::kDataLoss, "it has too many elements"};
    if (!bytes.empty())
      std::memcpy(static_cast<char *>(target_) + bytes_, bytes.data(), bytes.size());
    bytes_ += bytes.size();
    return okStatus();
  }

  DType dtype_;
  int64_t elements_, count_ = 0;
  uint64_t bytes_ = 0; // of fixed numbers, so far
  void *target_;
};

} // namespace

Status checkSavable(DType dtype) {
  if (fieldOf(dtype).number != 0)
    return okStatus();
  std::string name(dtypeName(dtype));
  if (dtype == DType::kU32 || dtype == DType::kU64)
    return invalidArgument("the first format of checkpoints has no elements of type " + name);
  return unimplemented("Saving data type " + name +
                       " not yet supported in the first format of checkpoints");
}

Status checkSavedSize(DType dtype, int64_t elements, uint64_t bytes) {
  Field field = fieldOf(dtype);
  uint64_t least = field.form == Form::kFixed ? sizeOf(dtype) : 1, wanted;
  if (!__builtin_mul_overflow(static_cast<uint64_t>(elements), least, &wanted) && wanted <= bytes)
    return okStatus();
  return {Code::kDataLoss, "expected " + std::to_string(elements) +
                               " elements but there are only " + std::to_string(bytes) + " bytes"};
}

std::string messageOfValues(const Tensor &tensor) {
  MessageWriter writer;
  Field field = fieldOf(tensor.dtype());
  if (tensor.elements() == 0)
    return {};
  switch (field.form) {
  case Form::kFixed:
    writer.bytes(field.number, {tensor.data<char>(), tensor.bytes()});
    break;
  case Form::kStrings:
    for (const std::string &text : tensor.values<std::string>())
      writer.bytes(field.number, text);
    break;
  case Form::kVarint: {
    std::string packed;
    for (int64_t i = 0; i < tensor.elements(); ++i)
      appendVarint(packed, varintAt(tensor, i));
    writer.bytes(field.number, packed);
  }
  }
  return writer.take();
}

Status parseValues(std::string_view message, DType dtype, int64_t elements, void *target) {
  Values values(dtype, elements, target);
  MessageReader reader(message);
  while (reader.next())
    if (reader.field() == fieldOf(dtype).number)
      SLUICE_RETURN_IF_ERROR(values.take(reader));
  if (reader.failed())
    return {Code::kDataLoss, "the elements are damaged"};
  return values.finish();
}

} // namespace sluice::rt
