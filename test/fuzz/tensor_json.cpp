// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Fuzzes tensors in JSON. What is read can be written, and comes back the same.
#include "runtime/io/tensor_json.h"
#include "test/fuzz/fuzz_target.h"

using namespace sluice::rt;
using sluice::fuzz::require;

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  Result<Json> json = parseJson(sluice::fuzz::textOf(data, size));
  if (!json.ok())
    return 0;
  Result<Tensor> tensor = tensorFromJson(*json);
  if (!tensor.ok())
    return 0;
  std::string text;
  require(appendTensorJson(*tensor, text).ok(), "a tensor from JSON can be written as JSON");
  Result<Json> written = parseJson(text);
  require(written.ok(), "a written tensor is JSON");
  Result<Tensor> again = tensorFromJson(*written);
  require(again.ok() && again->dtype() == tensor->dtype() && again->shape() == tensor->shape(),
          "a written tensor comes back");
  return 0;
}
