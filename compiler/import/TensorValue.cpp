// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Checking and decoding of TensorProto.
//
// `tensor_content`, if it is not empty, holds raw elements. Otherwise a typed list gives them:
// when it is shorter than the tensor its last value fills the rest, when empty all are zero.
#include "compiler/import/TensorValue.h"

#include "compiler/import/GraphCheck.h"
#include "compiler/import/GrownBytes.h"

#include <cstring>
#include <optional>

namespace sluice::import {

using graphdef::TensorProto;

namespace {

// The typed list of a tensor: how many values of what size, for each list that is not empty.
struct TypedList {
  const char *name;
  int count;
};

std::vector<TypedList> listsOf(const TensorProto &tensor) {
  const TypedList lists[] = {{"float_val", tensor.float_val_size()},
                             {"double_val", tensor.double_val_size()},
                             {"int_val", tensor.int_val_size()},
                             {"string_val", tensor.string_val_size()},
                             {"scomplex_val", tensor.scomplex_val_size()},
                             {"int64_val", tensor.int64_val_size()},
                             {"bool_val", tensor.bool_val_size()},
                             {"dcomplex_val", tensor.dcomplex_val_size()},
                             {"half_val", tensor.half_val_size()},
                             {"uint32_val", tensor.uint32_val_size()},
                             {"uint64_val", tensor.uint64_val_size()},
                             {"float8_val", static_cast<int>(tensor.float8_val().size())}};
  std::vector<TypedList> filled;
  for (const TypedList &list : lists)
    if (list.count > 0)
      filled.push_back(list);
  return filled;
}

const char *listFor(DataType type) {
  switch (type) {
  case graphdef::DT_FLOAT:
    return "float_val";
  case graphdef::DT_DOUBLE:
    return "double_val";
  case graphdef::DT_STRING:
    return "string_val";
  case graphdef::DT_COMPLEX64:
    return "scomplex_val";
  case graphdef::DT_COMPLEX128:
    return "dcomplex_val";
  case graphdef::DT_INT64:
    return "int64_val";
  case graphdef::DT_BOOL:
    return "bool_val";
  case graphdef::DT_HALF:
  case graphdef::DT_BFLOAT16:
    return "half_val";
  case graphdef::DT_UINT32:
    return "uint32_val";
  case graphdef::DT_UINT64:
    return "uint64_val";
  case graphdef::DT_FLOAT8_E5M2:
  case graphdef::DT_FLOAT8_E4M3FN:
  case graphdef::DT_FLOAT8_E4M3FNUZ:
  case graphdef::DT_FLOAT8_E4M3B11FNUZ:
  case graphdef::DT_FLOAT8_E5M2FNUZ:
    return "float8_val";
  default:
    return "int_val";
  }
}

// Cuts string content into its parts: lengths as varints, then the bytes. Nothing if malformed.
std::optional<std::vector<std::string>> splitStrings(const std::string &content, int64_t elements) {
  std::vector<uint64_t> lengths;
  size_t position = 0;
  uint64_t total = 0;
  for (int64_t i = 0; i < elements; ++i) {
    uint64_t length = 0;
    for (unsigned shift = 0;; shift += 7) {
      if (position == content.size() || shift >= 64)
        return std::nullopt;
      uint64_t byte = static_cast<unsigned char>(content[position++]);
      length |= (byte & 0x7f) << shift;
      if (byte < 0x80)
        break;
    }
    if (length > content.size() || (total += length) > content.size())
      return std::nullopt;
    lengths.push_back(length);
  }
  if (total != content.size() - position)
    return std::nullopt;
  std::vector<std::string> strings;
  for (uint64_t length : lengths) {
    strings.push_back(content.substr(position, length));
    position += length;
  }
  return strings;
}

std::string problemOfContent(const TensorProto &tensor, int64_t elements) {
  const std::string &content = tensor.tensor_content();
  if (!listsOf(tensor).empty())
    return "a tensor has both 'tensor_content' and '" + std::string(listsOf(tensor)[0].name) + "'";
  if (tensor.dtype() == graphdef::DT_STRING) {
    // Each string takes a byte at least, so this bounds the work.
    bool good = elements <= static_cast<int64_t>(content.size()) && splitStrings(content, elements);
    return good ? "" : "'tensor_content' does not hold " + std::to_string(elements) + " strings";
  }
  int64_t expected = elements * elementBytes(tensor.dtype());
  if (expected != static_cast<int64_t>(content.size()))
    return "expected " + std::to_string(expected) + " bytes in 'tensor_content' for " +
           std::to_string(elements) + " elements of " + typeName(tensor.dtype()) + " but got " +
           std::to_string(content.size());
  if (tensor.dtype() == graphdef::DT_BOOL)
    for (char c : content)
      if (c != 0 && c != 1)
        return "expected 0 or 1 as bool but got " +
               std::to_string(static_cast<unsigned>(static_cast<unsigned char>(c)));
  return "";
}

std::string problemOfLists(const TensorProto &tensor, int64_t elements) {
  for (const TypedList &list : listsOf(tensor)) {
    std::string expected = listFor(tensor.dtype());
    if (list.name != expected)
      return "expected the values of a tensor of " + typeName(tensor.dtype()) + " in '" + expected +
             "' but got '" + list.name + "'";
    bool pairs =
        tensor.dtype() == graphdef::DT_COMPLEX64 || tensor.dtype() == graphdef::DT_COMPLEX128;
    if (pairs && list.count % 2 != 0)
      return "expected pairs in '" + expected + "' but got " + std::to_string(list.count) +
             " numbers";
    // Fewer are fine: the last one repeats. A single one also repeats no time at all.
    int64_t given = list.count / (pairs ? 2 : 1);
    int64_t most = std::max<int64_t>(elements, 1);
    if (given > most)
      return "expected at most " + std::to_string(most) + " values in '" + expected + "' but got " +
             std::to_string(given);
  }
  return "";
}

// A list's values as raw elements, as far as they are given.
template <typename Element, typename List> std::string rawBytes(const List &list, int64_t most) {
  std::string bytes;
  for (int64_t i = 0; i < std::min<int64_t>(list.size(), most); ++i) {
    auto element = static_cast<Element>(list.Get(static_cast<int>(i)));
    bytes.append(reinterpret_cast<const char *>(&element), sizeof element);
  }
  return bytes;
}

// Small types share a list of 32-bit numbers, of which they have the low bits.
std::string bytesOfLists(const TensorProto &tensor, int64_t elements) {
  switch (tensor.dtype()) {
  case graphdef::DT_FLOAT:
    return rawBytes<float>(tensor.float_val(), elements);
  case graphdef::DT_DOUBLE:
    return rawBytes<double>(tensor.double_val(), elements);
  case graphdef::DT_COMPLEX64:
    return rawBytes<float>(tensor.scomplex_val(), 2 * elements);
  case graphdef::DT_COMPLEX128:
    return rawBytes<double>(tensor.dcomplex_val(), 2 * elements);
  case graphdef::DT_INT64:
    return rawBytes<int64_t>(tensor.int64_val(), elements);
  case graphdef::DT_BOOL:
    return rawBytes<bool>(tensor.bool_val(), elements);
  case graphdef::DT_UINT32:
    return rawBytes<uint32_t>(tensor.uint32_val(), elements);
  case graphdef::DT_UINT64:
    return rawBytes<uint64_t>(tensor.uint64_val(), elements);
  case graphdef::DT_HALF:
  case graphdef::DT_BFLOAT16:
    return rawBytes<uint16_t>(tensor.half_val(), elements);
  case graphdef::DT_FLOAT8_E5M2:
  case graphdef::DT_FLOAT8_E4M3FN:
  case graphdef::DT_FLOAT8_E4M3FNUZ:
  case graphdef::DT_FLOAT8_E4M3B11FNUZ:
  case graphdef::DT_FLOAT8_E5M2FNUZ:
    return tensor.float8_val().substr(0, static_cast<size_t>(elements));
  case graphdef::DT_INT16:
  case graphdef::DT_UINT16:
  case graphdef::DT_QINT16:
  case graphdef::DT_QUINT16:
    return rawBytes<uint16_t>(tensor.int_val(), elements);
  case graphdef::DT_INT8:
  case graphdef::DT_UINT8:
  case graphdef::DT_QINT8:
  case graphdef::DT_QUINT8:
  case graphdef::DT_INT4:
  case graphdef::DT_UINT4:
  case graphdef::DT_INT2:
  case graphdef::DT_UINT2:
    return rawBytes<uint8_t>(tensor.int_val(), elements);
  default:
    return rawBytes<int32_t>(tensor.int_val(), elements);
  }
}

void decodeStrings(const TensorProto &tensor, TensorValue &value) {
  if (!tensor.tensor_content().empty()) {
    value.strings = *splitStrings(tensor.tensor_content(), value.elements);
    return;
  }
  int64_t given = std::min<int64_t>(tensor.string_val_size(), value.elements);
  for (int64_t i = 0; i < given; ++i)
    value.strings.push_back(tensor.string_val(static_cast<int>(i)));
  std::string last = given > 0 ? value.strings.back() : "";
  value.strings.resize(static_cast<size_t>(value.elements), last);
}

} // namespace

static uint64_t bytesOf(DataType type) {
  constexpr uint64_t kStringObject = 32;
  return type == graphdef::DT_STRING ? kStringObject : elementBytes(type);
}

std::string problemOfTensor(const TensorProto &tensor, const Limits &limits) {
  if (!isValueType(tensor.dtype()))
    return "expected the type of a tensor but got " + typeName(static_cast<int>(tensor.dtype()));
  int64_t elements = 0;
  std::string problem = problemOfShape(tensor.tensor_shape(), limits, elements);
  if (!problem.empty())
    return problem;
  if (elements < 0)
    return "expected all dims of a constant but some are unknown";
  uint64_t bytes = 0;
  if (__builtin_mul_overflow(static_cast<uint64_t>(elements), bytesOf(tensor.dtype()), &bytes) ||
      !limits.allows(LimitId::kConstantBytes, bytes))
    return "expected at most " + std::to_string(limits[LimitId::kConstantBytes]) +
           " bytes in a constant but got " + std::to_string(elements) + " elements of " +
           typeName(tensor.dtype()) + limits.remedy(LimitId::kConstantBytes);
  return tensor.tensor_content().empty() ? problemOfLists(tensor, elements)
                                         : problemOfContent(tensor, elements);
}

// Of a tensor that has no problem.
static int64_t elementsOf(const TensorProto &tensor) {
  int64_t elements = 0;
  problemOfShape(tensor.tensor_shape(), {}, elements);
  return elements;
}

uint64_t grownBytes(const TensorProto &tensor) {
  int64_t elements = elementsOf(tensor);
  std::vector<TypedList> lists = listsOf(tensor);
  bool isString = tensor.dtype() == graphdef::DT_STRING;
  bool pairs =
      tensor.dtype() == graphdef::DT_COMPLEX64 || tensor.dtype() == graphdef::DT_COMPLEX128;
  int64_t given = lists.empty() ? 0 : lists.front().count / (pairs ? 2 : 1);
  bool isSplat = given <= 1 && !isString;
  if (!tensor.tensor_content().empty() || isSplat)
    return 0;
  return static_cast<uint64_t>(elements - given) * bytesOf(tensor.dtype());
}

TensorValue decodeTensor(const TensorProto &tensor) {
  TensorValue value;
  value.type = tensor.dtype();
  value.elements = elementsOf(tensor);
  for (const auto &dim : tensor.tensor_shape().dim())
    value.shape.push_back(dim.size());
  if (value.type == graphdef::DT_STRING) {
    decodeStrings(tensor, value);
    return value;
  }
  size_t element = elementBytes(value.type);
  size_t all = static_cast<size_t>(value.elements) * element;
  if (!tensor.tensor_content().empty()) {
    value.bytes = tensor.tensor_content();
    return value;
  }
  value.bytes = bytesOfLists(tensor, value.elements);
  if (value.bytes.empty() && all > 0)
    value.bytes.assign(element, '\0');
  if (value.bytes.size() == element && value.elements > 1) {
    value.isSplat = true;
    return value;
  }
  std::string last =
      value.bytes.size() < all ? value.bytes.substr(value.bytes.size() - element) : "";
  value.bytes.reserve(all);
  while (value.bytes.size() < all)
    value.bytes += last;
  return value;
}

} // namespace sluice::import
