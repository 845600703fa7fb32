// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Elements of tensors as plain JSON, from the text into the tensor and back.
#pragma once

#include "runtime/io/json_outline.h"
#include "runtime/memory/tensor.h"

namespace sluice::rt {

// Fills the tensor with what is listed in an array, whatever the depth of its lists, or with a
// single value. There are as many as the tensor has elements. Numbers, bools and strings are taken
// for their own dtypes; a string may also say a number that JSON has no form for, as "nan" or
// "1+2i".
Status readJsonElements(const JsonPart &part, Tensor &tensor);

// The elements in one list; those that JSON has no numbers for as strings. Not for dtype string.
void appendJsonElements(const Tensor &tensor, std::string &out);

} // namespace sluice::rt
