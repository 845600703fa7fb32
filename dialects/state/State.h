// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The state dialect.
#pragma once

#include "dialects/flow/Flow.h"
#include "dialects/nd/Nd.h"

#include "dialects/state/StateDialect.h.inc"
#define GET_TYPEDEF_CLASSES
#include "dialects/state/StateTypes.h.inc"
#define GET_OP_CLASSES
#include "dialects/state/StateOps.h.inc"
