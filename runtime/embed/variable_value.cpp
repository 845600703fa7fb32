// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Reading and writing while no call is under way.
#include "runtime/embed/variable_value.h"

#include "runtime/embed/tensor_view.h"

#include <algorithm>
#include <cstring>

namespace sluice::rt {

static Result<Variable *> find(Model &model, size_t position) {
  if (Variable *variable = model.variable(position))
    return variable;
  return invalidArgument(format("expected the number of a variable below %zu but got %zu",
                                model.description().program().num_variables, position));
}

// The texts follow the array.
static void copyStrings(const std::vector<sluice_string> &strings, void *to) {
  auto *entry = static_cast<sluice_string *>(to);
  char *text = reinterpret_cast<char *>(entry + strings.size());
  for (const sluice_string &string : strings) {
    if (string.size)
      std::memcpy(text, string.data, string.size);
    *entry++ = {text, string.size};
    text += string.size;
  }
}

static size_t bytesOf(const sluice_tensor &view, const std::vector<sluice_string> &strings) {
  size_t bytes = view.bytes;
  for (const sluice_string &string : strings)
    bytes += string.size;
  return bytes;
}

Status readVariable(Model &model, size_t position, ValueRoom room, sluice_tensor &value) {
  SLUICE_ASSIGN_OR_RETURN(Variable * variable, find(model, position));
  SLUICE_ASSIGN_OR_RETURN(const Tensor held, model.alone([&] { return variable->fetch(); }));
  if (!held.valid())
    return failedPrecondition("variable '" + variable->name + "' has no value");
  std::vector<sluice_string> strings;
  value = viewOf(held, strings);
  const void *elements = value.data;
  value.bytes = bytesOf(value, strings);
  if (room.dims)
    std::copy_n(value.dims, value.rank, room.dims);
  value.dims = room.dims;
  value.data = nullptr;
  if (room.bytes == 0 && value.bytes > 0)
    return okStatus();
  if (room.bytes < value.bytes)
    return outOfRange(format("variable '%s': expected room for %zu bytes but got %zu",
                             variable->name.c_str(), value.bytes, room.bytes));
  value.data = room.data;
  if (held.dtype() == DType::kString)
    copyStrings(strings, room.data);
  else if (value.bytes)
    std::memcpy(room.data, elements, value.bytes);
  return okStatus();
}

Status writeVariable(Model &model, size_t position, const sluice_tensor &value) {
  SLUICE_ASSIGN_OR_RETURN(Variable * variable, find(model, position));
  Shape shape;
  const Port port{variable->name, variable->dtype, variable->shape};
  SLUICE_RETURN_IF_ERROR(checkValue(value, "variable", port, shape));
  return model.alone([&]() -> Status {
    Tensor copy;
    SLUICE_RETURN_IF_ERROR(copyElements("variable", port, shape, value.data, copy));
    SLUICE_RETURN_IF_ERROR(variable->accepts(copy));
    return variable->set(std::move(copy));
  });
}

} // namespace sluice::rt
