// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Fuzzes tensors in JSON. What is read can be written, and comes back the same.
#include "runtime/io/tensor_json.h"
#include "runtime/io/json.h"
#include "test/fuzz/fuzz_target.h"

using namespace sluice::rt;
using sluice::fuzz::require;

namespace {

// What the text is read as, also as plain values of a dtype.
Result<Tensor> read(std::string_view text, DType dtype) {
  Result<JsonPart> part = outlineJson(text);
  require(part.ok() || !parseJson(text).ok(), "a text that has a tree has an outline");
  return part.ok() ? tensorFromJson(*part, dtype) : part.status();
}

bool isSame(const Tensor &a, const Tensor &b) {
  return a.dtype() == b.dtype() && a.shape() == b.shape();
}

} // namespace

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  std::string_view text = sluice::fuzz::textOf(data, size);
  auto plain = static_cast<DType>(size % (static_cast<int>(DType::kString) + 1));
  for (DType dtype : {DType::kInvalid, plain}) {
    Result<Tensor> tensor = read(text, dtype);
    if (!tensor.ok())
      continue;
    for (TensorText form : {TensorText::kBase64, TensorText::kPlain}) {
      std::string written;
      require(appendTensorJson(*tensor, written, form).ok(),
              "a tensor from JSON can be written as JSON");
      Result<Tensor> again = read(written, DType::kInvalid);
      require(again.ok() && isSame(*again, *tensor), "a written tensor comes back");
    }
  }
  return 0;
}
