// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Fuzzes tensors on the command line, such as 2x2xf32=1,2,3,4, and their text on output.
#include "runtime/base/status.h"
#include "runtime/io/tensor_text.h"
#include "runtime/memory/buffer.h"
#include "test/fuzz/fuzz_target.h"

using namespace sluice::rt;

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  setMemoryLimit(1 << 20); // one value may fill a tensor of any size
  std::string_view text = sluice::fuzz::textOf(data, size);
  for (const Shape &shape : {Shape{}, Shape{2, Shape::kUnknown}}) {
    Result<Tensor> tensor = parseTensorLiteral(text, DType::kF32, shape, 1);
    if (tensor.ok() && tensor->elements() <= 1000)
      (void)tensorText(*tensor, true);
  }
  return 0;
}
