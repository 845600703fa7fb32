// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// All dialects of Sluice.
#include "dialects/interfaces/RegisterDialects.h"

#include "dialects/array/Array.h"
#include "dialects/exe/Exe.h"
#include "dialects/flow/Flow.h"
#include "dialects/list/List.h"
#include "dialects/nd/Nd.h"
#include "dialects/nn/Nn.h"
#include "dialects/sci/Sci.h"
#include "dialects/state/State.h"
#include "dialects/wire/Wire.h"

void sluice::registerDialects(mlir::DialectRegistry &registry) {
  registry.insert<array::ArrayDialect, exe::ExeDialect, flow::FlowDialect, list::ListDialect,
                  nd::NDDialect, nn::NnDialect, sci::SciDialect, state::StateDialect,
                  wire::WireDialect>();
}
