// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Reads tensors from JSON and turns sparse gradients into dense ones.
#include "tools/sluice-conformance/tensor.h"

#include "llvm/ADT/StringSwitch.h"
#include "llvm/Support/Base64.h"

#include <cstring>

namespace sluice::conformance {

using llvm::createStringError;
using llvm::Error;
using llvm::Expected;
using llvm::StringRef;
namespace json = llvm::json;

int64_t Tensor::elementCount() const {
  int64_t count = 1;
  for (int64_t dim : shape)
    count *= dim;
  return count;
}

// What programs call a type: quantized numbers are their integers, and elements that are only moved
// are integers as well.
static StringRef nameInPrograms(StringRef dtype) {
  return llvm::StringSwitch<StringRef>(dtype)
      .Cases({"qint8", "int4", "int2"}, "int8")
      .Cases({"quint8", "uint4", "uint2", "float8_e5m2", "float8_e4m3fn"}, "uint8")
      .Cases({"float8_e4m3fnuz", "float8_e4m3b11fnuz", "float8_e5m2fnuz"}, "uint8")
      .Case("qint16", "int16")
      .Case("quint16", "uint16")
      .Case("qint32", "int32")
      .Default(dtype);
}

unsigned elementSize(StringRef dtype) {
  return llvm::StringSwitch<unsigned>(dtype)
      .Cases({"bool", "int8", "uint8"}, 1)
      .Cases({"int16", "uint16", "float16", "bfloat16"}, 2)
      .Cases({"int32", "uint32", "float32"}, 4)
      .Cases({"int64", "uint64", "float64", "complex64"}, 8)
      .Case("complex128", 16)
      .Default(0);
}

static Error badTensor(const llvm::Twine &why) { return createStringError("not a tensor: " + why); }

static Expected<std::string> decodeText(const json::Value &value) {
  std::optional<StringRef> text = value.getAsString();
  if (!text)
    return badTensor("expected base64 text");
  std::vector<char> decoded;
  if (Error error = llvm::decodeBase64(*text, decoded))
    return std::move(error);
  return std::string(decoded.begin(), decoded.end());
}

static Error readShape(const json::Object &object, Tensor &tensor) {
  const json::Array *shape = object.getArray("shape");
  if (!shape)
    return badTensor("expected an array 'shape'");
  for (const json::Value &dim : *shape) {
    std::optional<int64_t> size = dim.getAsInteger();
    if (!size || *size < 0)
      return badTensor("expected dimensions that are integers of at least 0");
    tensor.shape.push_back(*size);
  }
  return Error::success();
}

static Error readStrings(const json::Object &object, Tensor &tensor) {
  const json::Array *data = object.getArray("data");
  if (!data)
    return badTensor("expected an array 'data' of base64 texts");
  for (const json::Value &element : *data) {
    Expected<std::string> text = decodeText(element);
    if (!text)
      return text.takeError();
    tensor.strings.push_back(std::move(*text));
  }
  if (static_cast<int64_t>(tensor.strings.size()) != tensor.elementCount())
    return badTensor("expected " + llvm::Twine(tensor.elementCount()) + " strings but got " +
                     llvm::Twine(tensor.strings.size()));
  return Error::success();
}

static Error readBytes(const json::Object &object, Tensor &tensor) {
  const json::Value *encoded = object.get("b64");
  if (!encoded)
    return badTensor("expected 'b64'");
  Expected<std::string> bytes = decodeText(*encoded);
  if (!bytes)
    return bytes.takeError();
  tensor.bytes = std::move(*bytes);
  unsigned size = elementSize(tensor.dtype);
  if (size == 0)
    return badTensor("unknown dtype '" + tensor.dtype + "'");
  if (static_cast<int64_t>(tensor.bytes.size()) != tensor.elementCount() * size)
    return badTensor("expected " + llvm::Twine(tensor.elementCount() * size) + " bytes but got " +
                     llvm::Twine(tensor.bytes.size()));
  return Error::success();
}

Expected<Tensor> parseTensor(const json::Value &value) {
  const json::Object *object = value.getAsObject();
  if (!object)
    return badTensor("expected an object");
  std::optional<StringRef> dtype = object->getString("dtype");
  if (!dtype)
    return badTensor("expected 'dtype'");
  Tensor tensor;
  tensor.dtype = nameInPrograms(*dtype).str();
  if (Error error = readShape(*object, tensor))
    return std::move(error);
  Error error =
      tensor.dtype == "string" ? readStrings(*object, tensor) : readBytes(*object, tensor);
  if (error)
    return std::move(error);
  return tensor;
}

template <typename T> static T elementAt(const Tensor &tensor, int64_t index) {
  T value;
  std::memcpy(&value, tensor.bytes.data() + index * sizeof(T), sizeof(T));
  return value;
}

std::optional<double> scalarOf(const Tensor &tensor) {
  if (tensor.elementCount() != 1)
    return std::nullopt;
  if (tensor.dtype == "float32")
    return elementAt<float>(tensor, 0);
  if (tensor.dtype == "float64")
    return elementAt<double>(tensor, 0);
  return std::nullopt;
}

static Expected<std::vector<int64_t>> readIntegers(const Tensor &tensor) {
  std::vector<int64_t> values;
  for (int64_t i = 0, e = tensor.elementCount(); i < e; ++i) {
    if (tensor.dtype == "int32")
      values.push_back(elementAt<int32_t>(tensor, i));
    else if (tensor.dtype == "int64")
      values.push_back(elementAt<int64_t>(tensor, i));
    else
      return badTensor("expected int32 or int64 but got " + tensor.dtype);
  }
  return values;
}

template <typename T>
static void addRow(Tensor &dense, const Tensor &values, int64_t to, int64_t from, int64_t width) {
  for (int64_t i = 0; i < width; ++i) {
    T sum = elementAt<T>(dense, to * width + i) + elementAt<T>(values, from * width + i);
    std::memcpy(dense.bytes.data() + (to * width + i) * sizeof(T), &sum, sizeof(T));
  }
}

Expected<Tensor> densify(const Tensor &values, const Tensor &indices, const Tensor &denseShape) {
  Expected<std::vector<int64_t>> rows = readIntegers(indices);
  if (!rows)
    return rows.takeError();
  Expected<std::vector<int64_t>> shape = readIntegers(denseShape);
  if (!shape)
    return shape.takeError();
  if (values.dtype != "float32" && values.dtype != "float64")
    return badTensor("expected a sparse gradient of float32 or float64 but got " + values.dtype);
  Tensor dense;
  dense.dtype = values.dtype;
  dense.shape = *shape;
  dense.bytes.assign(dense.elementCount() * elementSize(dense.dtype), '\0');
  int64_t height = shape->empty() ? 0 : shape->front();
  int64_t width = height == 0 ? 0 : dense.elementCount() / height;
  if (values.elementCount() != static_cast<int64_t>(rows->size()) * width)
    return badTensor("a sparse gradient has rows of another size than its dense shape");
  for (size_t i = 0; i < rows->size(); ++i) {
    int64_t row = (*rows)[i];
    if (row < 0 || row >= height)
      return badTensor("a sparse gradient has an index outside its dense shape");
    if (dense.dtype == "float32")
      addRow<float>(dense, values, row, i, width);
    else
      addRow<double>(dense, values, row, i, width);
  }
  return dense;
}

std::string canonicalBits(const Tensor &tensor) {
  std::string text = tensor.dtype;
  for (int64_t dim : tensor.shape)
    text += "," + std::to_string(dim);
  text += ":" + tensor.bytes;
  for (const std::string &element : tensor.strings)
    text += std::to_string(element.size()) + ":" + element;
  return text;
}

} // namespace sluice::conformance
