// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Codelets of cards. Their code runs on the host, which enqueues kernels: what has a card's memory
// in its type is computed there, everything else is a scalar of the host.
#pragma once

#include "dialects/flow/Flow.h"
#include "dialects/wire/Memory.h"

namespace sluice::codegen {

// The card whose memory the codelet's values lie in; nothing for a codelet of the host. One codelet
// has values of one card at most.
std::optional<unsigned> cardOf(flow::CodeletOp codelet);

} // namespace sluice::codegen
