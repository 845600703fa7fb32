// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Checks and copies of what crosses the interface.
#include "runtime/embed/tensor_view.h"

#include "runtime/api/signatures.h"
#include "runtime/memory/denormals.h"
#include "runtime/memory/text_room.h"

namespace sluice::rt {

// A public type is the runtime's plus 1, so that zeros are none.
static_assert(static_cast<int>(DType::kF16) + 1 == SLUICE_F16 &&
              static_cast<int>(DType::kF64) + 1 == SLUICE_F64 &&
              static_cast<int>(DType::kI64) + 1 == SLUICE_I64 &&
              static_cast<int>(DType::kBool) + 1 == SLUICE_BOOL &&
              static_cast<int>(DType::kString) + 1 == SLUICE_STRING);

sluice_dtype publicType(DType dtype) { return static_cast<sluice_dtype>(dtype) + 1; }

static Status wrongValue(const char *what, const Port &port, const std::string &problem) {
  return invalidArgument(std::string(what) + " '" + port.name + "': " + problem);
}

Status checkValue(const sluice_tensor &value, const char *what, const Port &port, Shape &shape) {
  if (value.dtype < SLUICE_F16 || value.dtype > SLUICE_STRING)
    return wrongValue(what, port,
                      "expected an element type but got the number " + std::to_string(value.dtype));
  if (value.rank < 0 || value.rank > Shape::kMaxRank)
    return wrongValue(what, port,
                      format("expected 0 to %d dims but got %d", Shape::kMaxRank, value.rank));
  if (value.rank > 0 && !value.dims)
    return wrongValue(what, port, format("expected %d dims but got a null pointer", value.rank));
  const auto dtype = static_cast<DType>(value.dtype - 1);
  shape = Shape(std::span(value.dims, static_cast<size_t>(value.rank)));
  Result<int64_t> elements = shape.checkedElements();
  if (!elements.ok())
    return wrongValue(what, port, elements.status().message());
  if (dtype != port.dtype || !shape.compatibleWith(port.shape))
    return wrongValue(what, port,
                      "expected " + portType(port) + " but got " +
                          portType({port.name, dtype, shape}));
  const size_t size = dtype == DType::kString ? sizeof(sluice_string) : sizeOf(dtype);
  size_t bytes;
  if (__builtin_mul_overflow(static_cast<size_t>(*elements), size, &bytes) || bytes != value.bytes)
    return wrongValue(what, port,
                      format("expected %lld elements of %zu bytes but got %zu bytes",
                             static_cast<long long>(*elements), size, value.bytes));
  if (bytes > 0 && !value.data)
    return wrongValue(what, port, "expected elements but got a null pointer");
  return okStatus();
}

static bool fits(const Tensor &tensor, DType dtype, const Shape &shape) {
  return tensor.valid() && tensor.dtype() == dtype && tensor.shape() == shape &&
         tensor.solelyOwned();
}

Status copyElements(const char *what, const Port &port, const Shape &shape, const void *elements,
                    Tensor &to) {
  const DType dtype = port.dtype;
  if (!fits(to, dtype, shape)) {
    to = Tensor();
    SLUICE_ASSIGN_OR_RETURN(to, Tensor::allocate(dtype, shape));
  }
  if (dtype != DType::kString) {
    if (const size_t bytes = to.bytes())
      std::memcpy(to.raw(), elements, bytes);
    return flushDenormals(to);
  }
  const auto *texts = static_cast<const sluice_string *>(elements);
  auto *strings = to.data<std::string>();
  for (int64_t i = 0, count = to.elements(); i < count; ++i) {
    if (!texts[i].data && texts[i].size > 0)
      return wrongValue(what, port,
                        format("string %lld: expected %zu bytes but got a null pointer",
                               static_cast<long long>(i), texts[i].size));
    if (texts[i].size > strings[i].capacity() && !textHasRoom(texts[i].size))
      return resourceExhausted(
          format("not enough memory for a string of %zu bytes", texts[i].size));
    if (texts[i].size > 0)
      strings[i].assign(texts[i].data, texts[i].size);
    else
      strings[i].clear();
  }
  return okStatus();
}

sluice_tensor viewOf(const Tensor &tensor, std::vector<sluice_string> &strings) {
  sluice_tensor view{};
  view.dtype = publicType(tensor.dtype());
  view.rank = tensor.rank();
  view.dims = tensor.shape().dims().data();
  if (tensor.dtype() != DType::kString) {
    view.data = tensor.raw();
    view.bytes = tensor.bytes();
    return view;
  }
  strings.clear();
  for (const std::string &text : tensor.values<std::string>())
    strings.push_back({text.data(), text.size()});
  view.data = strings.data();
  view.bytes = strings.size() * sizeof(sluice_string);
  return view;
}

} // namespace sluice::rt
