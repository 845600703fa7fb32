// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Fuzzes .npy files. What is read can be written, and comes back the same.
#include "runtime/io/npy.h"
#include "test/fuzz/fuzz_target.h"

using namespace sluice::rt;
using sluice::fuzz::require;

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  Result<Tensor> tensor = decodeNpy(sluice::fuzz::textOf(data, size));
  if (!tensor.ok())
    return 0;
  Result<std::string> bytes = encodeNpy(*tensor);
  require(bytes.ok(), "a tensor from an npy file can be written as one");
  Result<Tensor> again = decodeNpy(*bytes);
  require(again.ok() && again->dtype() == tensor->dtype() && again->shape() == tensor->shape() &&
              std::memcmp(again->raw(), tensor->raw(), tensor->bytes()) == 0,
          "a written tensor comes back");
  return 0;
}
