// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Tensors to and from JSON.
#include "runtime/io/tensor_json.h"

#include "runtime/io/base64.h"
#include "runtime/io/decimal.h"
#include "runtime/io/dtype_names.h"
#include "runtime/io/element_bytes.h"
#include "runtime/io/json_elements.h"
#include "runtime/io/number_text.h"

#include <cstring>

namespace sluice::rt {

namespace {

using Kind = JsonPart::Kind;

Result<Shape> shapeFromDims(const std::vector<int64_t> &dims) {
  if (dims.size() > static_cast<size_t>(Shape::kMaxRank))
    return invalidArgument(
        format("expected a shape of at most %d dims but got %zu", Shape::kMaxRank, dims.size()));
  Shape shape;
  for (int64_t dim : dims)
    shape.append(dim);
  SLUICE_ASSIGN_OR_RETURN([[maybe_unused]] int64_t elements, shape.checkedElements());
  return shape;
}

Result<Shape> shapeFromJson(const JsonPart *part) {
  if (!part || !part->is(Kind::kArray))
    return invalidArgument("expected an array 'shape' in the tensor");
  int64_t count = part->lists->dims[0];
  if (count > Shape::kMaxRank)
    return shapeFromDims(std::vector<int64_t>(static_cast<size_t>(count)));
  std::vector<int64_t> dims;
  std::string_view rest = part->text.substr(1);
  for (int64_t i = 0; i < count; ++i) {
    rest.remove_prefix(std::min(rest.find_first_not_of(", \t\r\n"), rest.size()));
    int64_t dim = -1;
    bool isNumber = rest[0] >= '0' && rest[0] <= '9';
    const char *end = isNumber ? readWhole(rest.data(), rest.data() + rest.size(), dim) : nullptr;
    if (!end)
      return invalidArgument("expected whole numbers of at least 0 in 'shape'");
    dims.push_back(dim);
    rest.remove_prefix(static_cast<size_t>(end - rest.data()));
  }
  return shapeFromDims(dims);
}

// What an array of elements, or a single one, says of the shape.
Result<Shape> shapeOfLists(const JsonPart &part) {
  if (!part.is(Kind::kArray))
    return Shape{};
  if (!part.lists->fault.empty())
    return invalidArgument(part.lists->fault);
  return shapeFromDims(part.lists->dims);
}

Status badBase64(std::string_view where) {
  return invalidArgument("expected base64 text in " + std::string(where));
}

Result<Tensor> stringsFromJson(const Shape &shape, const JsonPart *data) {
  if (!data || !data->is(Kind::kArray))
    return invalidArgument("expected an array 'data' of base64 strings in the string tensor");
  if (shape.elements() != data->lists->dims[0])
    return invalidArgument(format(
        "expected %lld strings for shape %s but got %lld", static_cast<long long>(shape.elements()),
        shape.toString().c_str(), static_cast<long long>(data->lists->dims[0])));
  if (data->lists->dims.size() != 1 || !data->lists->fault.empty())
    return badBase64("every item of 'data'");
  SLUICE_ASSIGN_OR_RETURN(Tensor tensor, Tensor::allocate(DType::kString, shape));
  if (!readJsonElements(*data, tensor).ok())
    return badBase64("every item of 'data'");
  for (int64_t i = 0; i < shape.elements(); ++i) {
    std::string &item = tensor.data<std::string>()[i];
    std::optional<size_t> size = base64DecodedSize(item);
    std::string bytes(size.value_or(0), '\0');
    if (!size || !decodeBase64(item, reinterpret_cast<unsigned char *>(bytes.data())))
      return badBase64("every item of 'data'");
    item = std::move(bytes);
  }
  return tensor;
}

// A tensor whose first bytes were decoded before. It stays where they are if there is room, and not
// much more than a tensor takes anyway.
Result<Tensor> tensorWith(const DecodedText &begin, DType dtype, const Shape &shape) {
  const size_t bytes = static_cast<size_t>(shape.elements()) * sizeOf(dtype);
  if (Buffer *buffer = begin.buffer.get();
      buffer->bytes() >= bytes && buffer->bytes() <= bytes + bytes / 4)
    return Tensor::over(dtype, shape, buffer);
  SLUICE_ASSIGN_OR_RETURN(Tensor tensor, Tensor::allocate(dtype, shape));
  std::memcpy(tensor.raw(), begin.data(), begin.bytes);
  return tensor;
}

Result<Tensor> fromBase64(DType dtype, const Shape &shape, const JsonPart &part,
                          RequestLine *line) {
  if (!part.is(Kind::kString))
    return invalidArgument("expected a base64 string 'b64' in the tensor");
  std::string unescaped;
  std::string_view text = part.text;
  if (part.escaped)
    text = unescaped = part.string();
  std::optional<size_t> size = base64DecodedSize(text);
  if (!size)
    return badBase64("'b64'");
  const DecodedText *begin = line ? line->take(part.text.data()) : nullptr;
  const size_t before = begin ? begin->bytes : 0;
  SLUICE_RETURN_IF_ERROR(checkByteCount(dtype, shape, before + *size));
  SLUICE_ASSIGN_OR_RETURN(Tensor tensor, begin ? tensorWith(*begin, dtype, shape)
                                               : Tensor::allocate(dtype, shape));
  if (!decodeBase64(text, tensor.data<unsigned char>() + before))
    return badBase64("'b64'");
  SLUICE_RETURN_IF_ERROR(checkBools(tensor));
  return tensor;
}

Result<Tensor> fromLists(DType dtype, const Shape &shape, const JsonPart &part) {
  int64_t count = part.is(Kind::kArray) ? part.lists->elements : 1;
  if (count != shape.elements())
    return invalidArgument(format("expected %lld values for shape %s but got %lld",
                                  static_cast<long long>(shape.elements()),
                                  shape.toString().c_str(), static_cast<long long>(count)));
  SLUICE_ASSIGN_OR_RETURN(Tensor tensor, Tensor::allocate(dtype, shape));
  SLUICE_RETURN_IF_ERROR(readJsonElements(part, tensor));
  return tensor;
}

// In 'data': in one list, or in lists as deep as the tensor has dims. The shape may be missing
// then.
Result<Tensor> fromData(DType dtype, const JsonPart *shapePart, const JsonPart &data) {
  if (!data.is(Kind::kArray) && !data.is(Kind::kNumber) && !data.is(Kind::kBool))
    return invalidArgument("expected an array of values as 'data' in the tensor");
  SLUICE_ASSIGN_OR_RETURN(Shape listed, shapeOfLists(data));
  if (!shapePart)
    return fromLists(dtype, listed, data);
  SLUICE_ASSIGN_OR_RETURN(Shape shape, shapeFromJson(shapePart));
  if (listed.rank() > 1 && listed != shape)
    return invalidArgument("expected 'data' in one list, or in lists of shape " + shape.toString() +
                           ", but got " + listed.toString());
  return fromLists(dtype, shape, data);
}

Result<Tensor> fromPlain(DType dtype, const JsonPart &part) {
  if (dtype > DType::kString)
    return invalidArgument("expected a dtype that can be fed but got " +
                           std::string(dtypeName(dtype)));
  SLUICE_ASSIGN_OR_RETURN(Shape shape, shapeOfLists(part));
  return fromLists(dtype, shape, part);
}

Status checkMembers(const JsonPart &part, std::string_view dtype) {
  std::string_view contents = dtype == "string" ? "'data'" : "'b64' or 'data'";
  for (const std::string &key : part.keys)
    if (key != "dtype" && key != "shape" && key != "data" && (key != "b64" || dtype == "string"))
      return invalidArgument("expected only 'dtype', 'shape' and " + std::string(contents) +
                             " in the " + std::string(dtype) + " tensor but got " +
                             quoted(key, 40));
  return {};
}

} // namespace

Result<Tensor> tensorFromJson(const JsonPart &part, DType plainDtype, RequestLine *line) {
  if (!part.is(Kind::kObject) && !part.is(Kind::kNull) && plainDtype != DType::kInvalid)
    return fromPlain(plainDtype, part);
  if (!part.is(Kind::kObject))
    return invalidArgument("expected a tensor object with 'dtype', 'shape' and 'b64' or 'data'");
  const JsonPart *name = part.find("dtype"), *shapePart = part.find("shape");
  if (!name || !name->is(Kind::kString))
    return invalidArgument("expected a string 'dtype' in the tensor");
  std::optional<DType> dtype = dtypeFromTensorflowName(name->string());
  if (!dtype)
    return invalidArgument("expected a dtype such as \"float32\" but got " +
                           quoted(name->string(), 40));
  SLUICE_RETURN_IF_ERROR(checkMembers(part, name->string()));
  const JsonPart *data = part.find("data"), *bytes = part.find("b64");
  if (*dtype != DType::kString && data && !bytes)
    return fromData(*dtype, shapePart, *data);
  SLUICE_ASSIGN_OR_RETURN(Shape shape, shapeFromJson(shapePart));
  if (*dtype == DType::kString)
    return stringsFromJson(shape, data);
  if (data || !bytes)
    return invalidArgument(
        "expected either a base64 string 'b64' or an array 'data' in the tensor");
  return fromBase64(*dtype, shape, *bytes, line);
}

Status appendTensorJson(const Tensor &tensor, std::string &out, TensorText text) {
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
    for (const std::string &item : tensor.values<std::string>()) {
      if (&item != tensor.data<std::string>())
        out += ',';
      append(item.data(), item.size());
    }
    out += "]}";
    return {};
  }
  if (text == TensorText::kPlain) {
    out += ",\"data\":";
    appendJsonElements(tensor, out);
  } else {
    out += ",\"b64\":";
    append(tensor.raw(), tensor.bytes());
  }
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
