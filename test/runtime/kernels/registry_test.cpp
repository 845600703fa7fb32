// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Each kernel is found by what tells it from the others of its op, and by nothing else.
#include "runtime/kernels/registry.h"

#include <gtest/gtest.h>
#include <vector>

namespace sluice::rt {
namespace {

TEST(Registry, EveryKernelIsFoundByItsKey) {
  using Types = std::vector<DType>;
  constexpr DType kOther = DType::kInvalid;
  for (const KernelEntry &entry : allKernels()) {
    Types inputs = {kOther, kOther, kOther}, outputs = {kOther};
    switch (entry.key) {
    case KernelKey::kAny:
      break;
    case KernelKey::kInput0:
      inputs[0] = entry.dtype;
      break;
    case KernelKey::kInput1:
      inputs[1] = entry.dtype;
      break;
    case KernelKey::kOutput0:
      outputs[0] = entry.dtype;
      break;
    }
    EXPECT_EQ(findKernel(entry.op, inputs, outputs), &entry) << entry.op;
    if (entry.key != KernelKey::kAny) {
      EXPECT_EQ(findKernel(entry.op, Types(3, kOther), Types(1, kOther)), nullptr) << entry.op;
      EXPECT_EQ(findKernel(entry.op, {}, {}), nullptr) << entry.op;
    }
  }
  EXPECT_EQ(findKernel("nd.none", Types(3, DType::kF32), Types(1, DType::kF32)), nullptr);
}

} // namespace
} // namespace sluice::rt
