// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Messages of type tensorflow.TensorProto, each a whole tensor.
#pragma once

#include "runtime/memory/tensor.h"

#include <string>
#include <string_view>

namespace sluice::rt {

// INVALID_ARGUMENT if the bytes are no such message, or one of a tensor of another type. Where it
// has fewer elements than the shape wants, the last one stands for the others, zeros if there is
// none.
Result<Tensor> parseTensorProto(std::string_view bytes, DType expected);
// Of numbers, bools or strings, which stand in a list, or one behind the other after their lengths.
enum class StringsAre : uint8_t { kListed, kPacked };
std::string tensorProtoOf(const Tensor &tensor, StringsAre strings = StringsAre::kListed);

} // namespace sluice::rt
