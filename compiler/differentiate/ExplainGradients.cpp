// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What mirrors save, as text.
#include "compiler/differentiate/BuildGradients.h"

#include "dialects/interfaces/NodeName.h"

#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/raw_ostream.h"

using namespace mlir;

namespace sluice::differentiate {

static std::string textOf(Type type) {
  std::string text;
  llvm::raw_string_ostream(text) << type;
  return text;
}

void Mirror::explain(Operation *forward, ArrayRef<Value> saved, ArrayRef<Value> needed) {
  auto loop = dyn_cast<flow::WhileOp>(forward);
  auto function = dyn_cast<flow::FuncOp>(forward);
  std::string where = loop       ? "loop '" + loop.getFrame().str() + "'"
                      : function ? "function '" + function.getSymName().str() + "'"
                                 : "branch";
  auto add = [&](Value value, bool isSaved) {
    report_.push_back({where, nodeNameOf(value.getLoc()).str(), textOf(value.getType()),
                       estimatedBytes(value.getType()), isSaved});
  };
  for (Value value : saved)
    add(value, true);
  for (Value value : needed)
    if (!llvm::is_contained(saved, value))
      add(value, false);
}

std::string explainGradients(ArrayRef<SavedValue> values) {
  std::string text;
  for (size_t i = 0; i < values.size();) {
    size_t end = i;
    int64_t bytes = 0;
    for (; end < values.size() && values[end].where == values[i].where; ++end)
      bytes += values[end].isSaved ? values[end].bytes : 0;
    text += llvm::formatv("{0}: saves about {1} bytes each time\n", values[i].where, bytes);
    for (; i < end; ++i)
      text +=
          llvm::formatv("  {0} {1} of node '{2}', {3} bytes\n",
                        values[i].isSaved ? "saved:         " : "computed again:", values[i].type,
                        values[i].node, values[i].bytes);
  }
  return text.empty() ? "no branch or loop is differentiated\n" : text;
}

} // namespace sluice::differentiate
