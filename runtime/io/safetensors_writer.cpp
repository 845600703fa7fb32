// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// safetensors files, written from where the tensors are. The checksum stands before what it is of,
// so that is read once more.
#include "runtime/base/crc32c.h"
#include "runtime/io/dtype_names.h"
#include "runtime/io/safetensors.h"
#include "runtime/io/safetensors_seal.h"
#include "runtime/io/tensor_json.h"

#include <algorithm>
#include <cstring>

namespace sluice::rt {

namespace {

std::string_view bytesOf(const Tensor &tensor) { return {tensor.data<char>(), tensor.bytes()}; }

// The length of the header, and the header, with an open seal.
Result<std::string> headOf(const std::vector<NamedTensor> &tensors) {
  std::string header = "{" + std::string(openSeal());
  uint64_t at = 0;
  for (const auto &[name, tensor] : tensors) {
    if (safetensorsName(tensor.dtype()).empty())
      return unimplemented("tensor '" + name + "': safetensors files cannot hold " +
                           std::string(dtypeName(tensor.dtype())) + " tensors");
    header += ',';
    appendJsonString(name, header);
    header += ":{\"dtype\":\"" + std::string(safetensorsName(tensor.dtype())) + "\",\"shape\":";
    appendShapeJson(tensor.shape(), header);
    header += ",\"data_offsets\":[" + std::to_string(at) + ',';
    at += tensor.bytes();
    header += std::to_string(at) + "]}";
  }
  header += '}';
  header.resize((header.size() + 7) / 8 * 8, ' ');
  std::string length(8, '\0');
  uint64_t bytes = header.size();
  std::memcpy(length.data(), &bytes, 8);
  return length + header;
}

} // namespace

Status writeSafetensors(std::vector<NamedTensor> tensors, NewFiles &file) {
  // Large elements first, so that all data is aligned.
  std::sort(tensors.begin(), tensors.end(), [](const NamedTensor &a, const NamedTensor &b) {
    size_t sizeA = sizeOf(a.second.dtype()), sizeB = sizeOf(b.second.dtype());
    return sizeA != sizeB ? sizeA > sizeB : a.first < b.first;
  });
  SLUICE_ASSIGN_OR_RETURN(std::string head, headOf(tensors));
  uint32_t sum = crc32c(head);
  for (const auto &[name, tensor] : tensors)
    sum = crc32c(bytesOf(tensor), sum);
  closeSeal(head, sum);
  SLUICE_RETURN_IF_ERROR(file.write(head));
  for (const auto &[name, tensor] : tensors)
    SLUICE_RETURN_IF_ERROR(file.write(bytesOf(tensor)));
  return {};
}

} // namespace sluice::rt
