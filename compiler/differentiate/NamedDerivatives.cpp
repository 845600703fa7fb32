// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Finds derivatives by name.
#include "compiler/differentiate/NamedDerivatives.h"

#include "llvm/ADT/STLExtras.h"

namespace sluice::differentiate {

static const NamedLine *findLine(llvm::StringRef name) {
  if (!name.consume_front("tf."))
    return nullptr;
  for (llvm::ArrayRef<NamedLine> lines : {namedAngles(), namedElementwise(), namedParts(),
                                          namedQuantize(), namedRectifiers(), namedSoftmax()})
    if (auto line = llvm::find_if(lines, [&](const NamedLine &l) { return l.name == name; });
        line != lines.end())
      return line;
  return nullptr;
}

NamedDerivative findNamedDerivative(llvm::StringRef name) {
  const NamedLine *line = findLine(name);
  return line ? line->build : nullptr;
}

bool isRefusedByName(llvm::StringRef name) {
  const NamedLine *line = findLine(name);
  return line && line->isRefusal;
}

} // namespace sluice::differentiate
