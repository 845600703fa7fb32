// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Fuzzes safetensors files. What is read can be written and read again.
#include "runtime/io/safetensors.h"
#include "test/fuzz/fuzz_target.h"
#include "test/runtime/io/safetensors_bytes.h"

using namespace sluice::rt;
using sluice::fuzz::require;

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  Result<std::vector<NamedTensor>> tensors = decodeSafetensors(sluice::fuzz::textOf(data, size));
  if (!tensors.ok())
    return 0;
  size_t count = tensors->size();
  Result<std::string> bytes = encodeSafetensors(std::move(*tensors));
  require(bytes.ok(), "tensors of a safetensors file can be written as one");
  Result<std::vector<NamedTensor>> again = decodeSafetensors(*bytes);
  require(again.ok() && again->size() == count, "a written safetensors file can be read");
  return 0;
}
