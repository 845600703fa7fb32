// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Tensors to and from JSON.
#include "runtime/io/tensor_json.h"

#include "runtime/io/base64.h"
#include "runtime/io/dtype_names.h"
#include "runtime/io/element_bytes.h"
#include "runtime/io/number_text.h"

namespace sluice::rt {

namespace {

using Kind = Json::Kind;

Result<Shape> shapeFromJson(const Json *json) {
  if (!json || !json->is(Kind::kArray))
    return invalidArgument("expected an array 'shape' in the tensor");
  if (json->items.size() > static_cast<size_t>(Shape::kMaxRank))
    return invalidArgument(format("expected a shape of at most %d dims but got %zu",
                                  Shape::kMaxRank, json->items.size()));
  Shape shape;
  for (const Json &item : json->items) {
    if (!item.is(Kind::kInteger) || item.integer < 0)
      return invalidArgument("expected whole numbers of at least 0 in 'shape'");
    shape.append(item.integer);
  }
  SLUICE_ASSIGN_OR_RETURN([[maybe_unused]] int64_t elements, shape.checkedElements());
  return shape;
}

Status badBase64(std::string_view where) {
  return invalidArgument("expected base64 text in " + std::string(where));
}

Result<Tensor> stringsFromJson(const Shape &shape, const Json *data) {
  if (!data || !data->is(Kind::kArray))
    return invalidArgument("expected an array 'data' of base64 strings in the string tensor");
  if (static_cast<uint64_t>(shape.elements()) != data->items.size())
    return invalidArgument(format("expected %lld strings for shape %s but got %zu",
                                  static_cast<long long>(shape.elements()),
                                  shape.toString().c_str(), data->items.size()));
  SLUICE_ASSIGN_OR_RETURN(Tensor tensor, Tensor::allocate(DType::kString, shape));
  auto *to = tensor.data<std::string>();
  for (const Json &item : data->items) {
    std::optional<size_t> size = base64DecodedSize(item.string);
    if (!item.is(Kind::kString) || !size)
      return badBase64("every item of 'data'");
    to->resize(*size);
    if (!decodeBase64(item.string, reinterpret_cast<unsigned char *>(to->data())))
      return badBase64("every item of 'data'");
    ++to;
  }
  return tensor;
}

Result<Tensor> plainFromJson(DType dtype, const Shape &shape, const Json *text) {
  if (!text || !text->is(Kind::kString))
    return invalidArgument("expected a base64 string 'b64' in the tensor");
  std::optional<size_t> size = base64DecodedSize(text->string);
  if (!size)
    return badBase64("'b64'");
  SLUICE_RETURN_IF_ERROR(checkByteCount(dtype, shape, *size));
  SLUICE_ASSIGN_OR_RETURN(Tensor tensor, Tensor::allocate(dtype, shape));
  if (!decodeBase64(text->string, tensor.data<unsigned char>()))
    return badBase64("'b64'");
  SLUICE_RETURN_IF_ERROR(checkBools(tensor));
  return tensor;
}

} // namespace

Result<Tensor> tensorFromJson(const Json &json) {
  if (!json.is(Kind::kObject))
    return invalidArgument("expected a tensor object with 'dtype', 'shape' and 'b64' or 'data'");
  const Json *name = json.find("dtype");
  if (!name || !name->is(Kind::kString))
    return invalidArgument("expected a string 'dtype' in the tensor");
  std::optional<DType> dtype = dtypeFromTensorflowName(name->string);
  if (!dtype)
    return invalidArgument("expected a dtype such as \"float32\" but got " +
                           quoted(name->string, 40));
  std::string_view content = *dtype == DType::kString ? "data" : "b64";
  for (const std::string &key : json.keys)
    if (key != "dtype" && key != "shape" && key != content)
      return invalidArgument("expected only 'dtype', 'shape' and '" + std::string(content) +
                             "' in the " + name->string + " tensor but got " + quoted(key, 40));
  SLUICE_ASSIGN_OR_RETURN(Shape shape, shapeFromJson(json.find("shape")));
  if (*dtype == DType::kString)
    return stringsFromJson(shape, json.find(content));
  return plainFromJson(*dtype, shape, json.find(content));
}

Status appendTensorJson(const Tensor &tensor, std::string &out) {
  if (!isPlain(tensor.dtype()) && tensor.dtype() != DType::kString)
    return unimplemented("a " + std::string(dtypeName(tensor.dtype())) +
                         " tensor cannot leave the program");
  out += "{\"dtype\":\"";
  out += tensorflowName(tensor.dtype());
  out += "\",\"shape\":";
  appendShapeJson(tensor.shape(), out);
  auto append = [&](const void *data, size_t size) {
    out += '"';
    appendBase64({static_cast<const unsigned char *>(data), size}, out);
    out += '"';
  };
  if (tensor.dtype() == DType::kString) {
    out += ",\"data\":[";
    for (const std::string &text : tensor.values<std::string>()) {
      if (&text != tensor.data<std::string>())
        out += ',';
      append(text.data(), text.size());
    }
    out += "]}";
    return {};
  }
  out += ",\"b64\":";
  append(tensor.raw(), tensor.bytes());
  out += '}';
  return {};
}

void appendShapeJson(const Shape &shape, std::string &out) {
  if (!shape.hasRank()) {
    out += "null";
    return;
  }
  out += '[';
  for (int d = 0; d < shape.rank(); ++d) {
    if (d)
      out += ',';
    out += shape.dim(d) < 0 ? "null" : std::to_string(shape.dim(d));
  }
  out += ']';
}

} // namespace sluice::rt
