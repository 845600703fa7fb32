// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What the code of a card's codelet calls.
#include "runtime/codelet/card.h"

using sluice::rt::CardCalls;
using sluice::rt::DType;
using sluice::rt::MatrixProduct;

void sluice_launch(SluiceCodeletCall *call, int32_t kernel, int64_t blocks, void **parameters) {
  static_cast<CardCalls *>(call->card)->launch(kernel, blocks, parameters);
}

void sluice_copy_on_device(SluiceCodeletCall *call, void *to, const void *from, int64_t bytes) {
  static_cast<CardCalls *>(call->card)->copy(to, from, bytes);
}

int32_t sluice_multiply(SluiceCodeletCall *call, int32_t element, int32_t transposed,
                        const void *lhs, const void *rhs, const void *onto, void *result, int64_t m,
                        int64_t n, int64_t k, int64_t leading_lhs, int64_t leading_rhs,
                        int64_t batches, int64_t stride_lhs, int64_t stride_rhs, void *after,
                        const void *bias, int32_t activation) {
  MatrixProduct product;
  product.element = static_cast<DType>(element);
  product.lhsTransposed = transposed & 1;
  product.rhsTransposed = transposed & 2;
  product.hasTensorKernel = transposed & 4;
  product.lhs = lhs, product.rhs = rhs, product.onto = onto, product.result = result;
  product.m = m, product.n = n, product.k = k;
  product.leadingLhs = leading_lhs, product.leadingRhs = leading_rhs;
  product.batches = batches;
  product.strideLhs = stride_lhs, product.strideRhs = stride_rhs;
  product.after = after, product.bias = bias;
  product.activation = static_cast<sluice::rt::Activation>(activation);
  return static_cast<int32_t>(static_cast<CardCalls *>(call->card)->multiply(product));
}

void sluice_run_loop(SluiceCodeletCall *call, const void *words) {
  static_cast<CardCalls *>(call->card)->runLoop(words);
}
