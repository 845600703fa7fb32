// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The array dialect.
#pragma once

#include "dialects/flow/Flow.h"
#include "dialects/nd/Nd.h"

#include "dialects/array/ArrayDialect.h.inc"
#define GET_TYPEDEF_CLASSES
#include "dialects/array/ArrayTypes.h.inc"
#define GET_OP_CLASSES
#include "dialects/array/ArrayOps.h.inc"
