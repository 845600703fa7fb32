// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Fuzzes models in both forms: which graph is meant, signatures, initializers, assets, and what is
// restored from where.
#include "compiler/import/savedmodel/Assets.h"
#include "compiler/import/savedmodel/RestoreMap.h"
#include "compiler/import/savedmodel/Signatures.h"
#include "test/fuzz/fuzz_target.h"

using namespace sluice;

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  import::DiagnosticList diagnostics;
  std::string content(fuzz::textOf(data, size));
  auto model = import::parseModel("m.meta", "", content, {}, {}, diagnostics);
  fuzz::require(model || diagnostics.hasErrors(), "a model that is refused has a reason");
  if (!model || model->kind == import::Model::Kind::kGraph)
    return -1; // the targets for graphs are quicker at that
  auto signatures = import::signaturesOf(*model, {}, {}, diagnostics);
  fuzz::require(signatures || diagnostics.hasErrors(), "signatures that are refused have a reason");
  (void)import::initializersOf(*model, diagnostics);
  (void)import::readRestoreMap(model->graph->graph(), model->meta.saver_def().restore_op_name(),
                               {"m", "", ""}, {}, diagnostics);
  (void)import::resolveAssets(*model, diagnostics);
  return 0;
}
