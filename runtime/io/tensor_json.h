// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Tensors as JSON: {"dtype":"float32","shape":[2],"b64":"..."} with raw little-endian elements,
// {"dtype":"float32","shape":[2],"data":[1,2]} with plain ones, and
// {"dtype":"string","shape":[2],"data":["b64","b64"]}.
#pragma once

#include "runtime/io/json_outline.h"
#include "runtime/io/request_line.h"
#include "runtime/memory/tensor.h"

#include <string>

namespace sluice::rt {

// Where the dtype is known, elements alone are a tensor, too: [[1,2],[3,4]]. What was taken out of
// the line is taken from there.
Result<Tensor> tensorFromJson(const JsonPart &part, DType plainDtype = DType::kInvalid,
                              RequestLine *line = nullptr);

enum class TensorText : uint8_t { kBase64, kPlain };
// UNIMPLEMENTED for handles.
Status appendTensorJson(const Tensor &tensor, std::string &out,
                        TensorText text = TensorText::kBase64);
// An array of dims with null for an unknown one; null for an unknown rank.
void appendShapeJson(const Shape &shape, std::string &out);

} // namespace sluice::rt
