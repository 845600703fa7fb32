/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 * What the code of a card's codelet calls: it enqueues, in order, and never waits. Failures are
 * kept by the runtime, which asks for them after the code has returned; what follows one does
 * nothing. */
#ifndef SLUICE_RUNTIME_CODELET_CARD_H
#define SLUICE_RUNTIME_CODELET_CARD_H

#include "runtime/codelet/abi.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Launches kernel number `kernel` of the codelet. `blocks` are enough for a thread for each piece
 * of work, but the runtime may launch fewer; none are nothing to do. `parameters` has the address
 * of the value of each. */
void sluice_launch(SluiceCodeletCall *call, int32_t kernel, int64_t blocks, void **parameters);

/* Copies bytes between places of the card's memory that do not overlap. */
void sluice_copy_on_device(SluiceCodeletCall *call, void *to, const void *from, int64_t bytes);

/* Has a library of the card's makers enqueue a product, as in runtime/base/matrix_product.h.
 * Answers with a ProductBy: for all but kLibrary the code has to launch a kernel. `element` is a
 * DType; of `transposed`, bit 0 is of lhs, bit 1 of rhs; bit 2 says that f32 have a kernel for
 * tensor cores. `onto` may be null. Without an epilogue `after` and `bias` are null; `activation` is an
 * Activation. */
int32_t sluice_multiply(SluiceCodeletCall *call, int32_t element, int32_t transposed,
                        const void *lhs, const void *rhs, const void *onto, void *result, int64_t m,
                        int64_t n, int64_t k, int64_t leading_lhs, int64_t leading_rhs,
                        int64_t batches, int64_t stride_lhs, int64_t stride_rhs, void *after,
                        const void *bias, int32_t activation);

/* Has the card run the codelet's loop when the code has returned: `words` are what its words are in
 * the beginning. */
void sluice_run_loop(SluiceCodeletCall *call, const void *words);

#ifdef __cplusplus
}

#include "runtime/base/matrix_product.h"

namespace sluice::rt {

/* What `card` of a SluiceCodeletCall points to. */
class CardCalls {
public:
  virtual void launch(int32_t kernel, int64_t blocks, void **parameters) = 0;
  virtual void copy(void *to, const void *from, int64_t bytes) = 0;
  virtual ProductBy multiply(const MatrixProduct &product) = 0;
  virtual void runLoop(const void *words) = 0;

protected:
  ~CardCalls() = default;
};

} // namespace sluice::rt
#endif

#endif
