// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Graphs: nodes, and what each waits for.
#pragma once

#include "runtime/sim/driver.h"

struct sluice::rt::cuda::GraphObject {};
struct sluice::rt::cuda::GraphExecObject {};
