// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What the code of a card's codelet calls.
#include "runtime/codelet/card.h"

using sluice::rt::CardCalls;

void sluice_launch(SluiceCodeletCall *call, int32_t kernel, int64_t blocks, void **parameters) {
  static_cast<CardCalls *>(call->card)->launch(kernel, blocks, parameters);
}

void sluice_copy_on_device(SluiceCodeletCall *call, void *to, const void *from, int64_t bytes) {
  static_cast<CardCalls *>(call->card)->copy(to, from, bytes);
}

void sluice_run_loop(SluiceCodeletCall *call, const void *words) {
  static_cast<CardCalls *>(call->card)->runLoop(words);
}
