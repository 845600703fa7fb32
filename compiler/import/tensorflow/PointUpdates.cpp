// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Attributes of scatters.
#include "compiler/import/tensorflow/PointUpdates.h"

namespace sluice::import {

bool ignoresBadIndices(Expansion &e) {
  std::string policy = e.stringAttr("bad_indices_policy");
  if (policy != "" && policy != "DEFAULT" && policy != "ERROR" && policy != "IGNORE")
    e.fail(ExitCode::kBadGraph, "attribute 'bad_indices_policy': expected one of 'DEFAULT', "
                                "'ERROR', 'IGNORE' but got " +
                                    quoted(policy));
  return policy == "IGNORE";
}

llvm::SmallVector<mlir::NamedAttribute> attributesOfPointUpdate(Expansion &e, PointUpdate how) {
  static constexpr const char *kNames[] = {"update", "add", "sub", "max", "min"};
  return {e.text("how", kNames[static_cast<size_t>(how)]),
          e.flag("ignore_bad_indices", ignoresBadIndices(e))};
}

} // namespace sluice::import
