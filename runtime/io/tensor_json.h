// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Tensors as JSON: {"dtype":"float32","shape":[2],"b64":"..."} with raw little-endian elements, and
// {"dtype":"string","shape":[2],"data":["b64","b64"]}.
#pragma once

#include "runtime/io/json.h"
#include "runtime/memory/tensor.h"

#include <string>

namespace sluice::rt {

Result<Tensor> tensorFromJson(const Json &json);
// UNIMPLEMENTED for handles.
Status appendTensorJson(const Tensor &tensor, std::string &out);
// An array of dims with null for an unknown one; null for an unknown rank.
void appendShapeJson(const Shape &shape, std::string &out);

} // namespace sluice::rt
