// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Copies a graph field by field.
#include "tools/sluice-conformance/prune.h"

#include "tools/sluice-conformance/field_reader.h"

namespace sluice::conformance {

using llvm::StringRef;

static std::string nameOfNode(StringRef bytes) {
  constexpr uint64_t kName = 1;
  std::string name;
  for (FieldReader parts(bytes); parts.next();)
    if (parts.number == kName)
      name = parts.text.str();
  return name;
}

std::string pruneGraph(StringRef bytes, const std::set<std::string> &dropped) {
  constexpr uint64_t kNode = 1;
  std::string pruned;
  for (FieldReader fields(bytes); fields.next();)
    if (fields.number != kNode || !dropped.count(nameOfNode(fields.text)))
      pruned += fields.whole.str();
  return pruned;
}

} // namespace sluice::conformance
