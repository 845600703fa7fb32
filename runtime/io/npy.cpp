// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Tensors to and from the bytes of .npy files.
#include "runtime/io/npy.h"

#include "runtime/base/held_memory.h"
#include "runtime/io/dtype_names.h"
#include "runtime/io/element_bytes.h"

#include <vector>

namespace sluice::rt {

namespace {

// Copies elements stored with the first index fastest into row-major order.
void copyFromFortran(const char *from, size_t elementSize, Tensor &to) {
  int rank = to.rank();
  std::vector<int64_t> stride(static_cast<size_t>(rank)), index(static_cast<size_t>(rank));
  int64_t step = 1;
  for (int d = 0; d < rank; ++d) {
    stride[static_cast<size_t>(d)] = step;
    step *= to.dim(d);
  }
  char *out = to.data<char>();
  int64_t source = 0;
  for (int64_t i = 0, n = to.elements(); i < n; ++i) {
    std::memcpy(out, from + static_cast<size_t>(source) * elementSize, elementSize);
    out += elementSize;
    for (int d = rank - 1; d >= 0; --d) {
      auto k = static_cast<size_t>(d);
      source += stride[k];
      if (++index[k] < to.dim(d))
        break;
      source -= stride[k] * to.dim(d);
      index[k] = 0;
    }
  }
}

std::string dictOf(const Tensor &tensor) {
  std::string text = "{'descr': '" + std::string(numpyName(tensor.dtype())) +
                     "', 'fortran_order': False, 'shape': (";
  for (int d = 0; d < tensor.rank(); ++d)
    text += (d ? ", " : "") + std::to_string(tensor.dim(d));
  return text + (tensor.rank() == 1 ? ",), }" : "), }");
}

} // namespace

Result<Tensor> tensorFromNpy(const NpyHeader &header, Tensor stored) {
  SLUICE_RETURN_IF_ERROR(checkBools(stored));
  if (!header.fortranOrder || stored.rank() < 2)
    return stored;
  SLUICE_ASSIGN_OR_RETURN(Tensor tensor, Tensor::allocate(header.dtype, header.shape));
  copyFromFortran(stored.data<char>(), sizeOf(header.dtype), tensor);
  return tensor;
}

Result<Tensor> decodeNpy(std::string_view bytes) {
  SLUICE_ASSIGN_OR_RETURN(NpyHeader header, parseNpyHeader(bytes));
  std::string_view data = bytes.substr(header.dataOffset);
  SLUICE_RETURN_IF_ERROR(checkByteCount(header.dtype, header.shape, data.size()));
  SLUICE_ASSIGN_OR_RETURN(Tensor stored, Tensor::allocate(header.dtype, header.shape));
  std::memcpy(stored.raw(), data.data(), data.size());
  return tensorFromNpy(header, std::move(stored));
}

Result<std::string> encodeNpy(const Tensor &tensor) {
  if (numpyName(tensor.dtype()).empty())
    return unimplemented("npy files cannot hold " + std::string(dtypeName(tensor.dtype())) +
                         " tensors: use a .json file");
  std::string dict = dictOf(tensor);
  // The data starts at a multiple of 64, so that it can be mapped.
  size_t length = (10 + dict.size() + 1 + 63) / 64 * 64 - 10;
  dict.resize(length - 1, ' ');
  if (!memoryAllows(10 + length + tensor.bytes()))
    return resourceExhausted("no memory for a file of " +
                             std::to_string(10 + length + tensor.bytes()) + " bytes");
  std::string out = "\x93NUMPY";
  out += '\1';
  out += '\0';
  out += static_cast<char>(length & 0xff);
  out += static_cast<char>(length >> 8);
  out += dict;
  out += '\n';
  out.append(tensor.data<char>(), tensor.bytes());
  return out;
}

} // namespace sluice::rt
