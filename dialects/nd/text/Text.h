// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The nd ops on strings and records, apart from Nd.h: few files know them.
#pragma once

#include "dialects/nd/Nd.h"

#define GET_OP_CLASSES
#include "dialects/nd/Records.h.inc"
#define GET_OP_CLASSES
#include "dialects/nd/Text.h.inc"
