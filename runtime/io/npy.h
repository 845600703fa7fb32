// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Tensors as .npy files of versions 1 to 3.
#pragma once

#include "runtime/base/status.h"
#include "runtime/memory/tensor.h"

#include <string>
#include <string_view>

namespace sluice::rt {

// What the header of an .npy file says, checked in itself but not against the data.
struct NpyHeader {
  DType dtype = DType::kInvalid;
  bool fortranOrder = false;
  Shape shape;
  size_t dataOffset = 0;
};

// Errors are INVALID_ARGUMENT and say where the header goes wrong. The header is Python source, but
// nothing of it is evaluated: only the three known keys with literals of the right kind pass.
Result<NpyHeader> parseNpyHeader(std::string_view bytes);
// How many bytes are before the elements, as the first `kNpyPrefix` bytes of the file tell.
inline constexpr size_t kNpyPrefix = 12;
Result<size_t> npyHeaderLength(std::string_view prefix);
// The value whose elements lie in `stored` in the order that the header says. Fortran order becomes
// row-major.
Result<Tensor> tensorFromNpy(const NpyHeader &header, Tensor stored);
Result<Tensor> decodeNpy(std::string_view bytes);
// UNIMPLEMENTED for the dtypes that numpy lacks.
Result<std::string> encodeNpy(const Tensor &tensor);

} // namespace sluice::rt
