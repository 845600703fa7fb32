// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The list ops on maps, apart from List.h: few files know them.
#pragma once

#include "dialects/list/List.h"

#define GET_OP_CLASSES
#include "dialects/list/Maps.h.inc"
