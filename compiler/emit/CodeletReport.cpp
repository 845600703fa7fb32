// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The table: sizes and times in columns, names at the end.
#include "compiler/emit/CodeletReport.h"

#include "dialects/interfaces/KernelOps.h"
#include "dialects/interfaces/NodeName.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/Format.h"

#include <tuple>

using namespace mlir;

namespace sluice::emit {

static constexpr StringRef kSymbolPrefix = "sluice_codelet_";

CodeletContents contentsOf(const codegen::CompiledCodelet &codelet) {
  CodeletContents contents;
  if (codelet.ops.empty())
    return contents;
  flow::CodeletOp first = codelet.ops.front();
  first.getBody().walk<WalkOrder::PreOrder>([&](Operation *op) {
    contents.loops += isa<flow::WhileOp>(op);
    contents.branches += isa<flow::CondOp>(op);
    if (!isKernelOp(op))
      return;
    ++contents.ops;
    StringRef name = nodeNameOf(op->getLoc());
    if (!name.empty() && !llvm::is_contained(contents.names, name))
      contents.names.push_back(name);
  });
  return contents;
}

static void printNames(ArrayRef<StringRef> names, raw_ostream &out) {
  constexpr size_t kMost = 6;
  llvm::interleave(names.take_front(kMost), out, " ");
  if (names.size() > kMost)
    out << " and " << names.size() - kMost << " more";
}

void printCodelets(ArrayRef<codegen::CompiledCodelet> codelets, raw_ostream &out) {
  SmallVector<const codegen::CompiledCodelet *> sorted;
  for (const codegen::CompiledCodelet &codelet : codelets)
    sorted.push_back(&codelet);
  llvm::sort(sorted, [](const auto *a, const auto *b) {
    return std::tie(b->codeBytes, a->symbol) < std::tie(a->codeBytes, b->symbol);
  });
  out << "  code  compile    ops  loops  branches  nodes  codelet           stands for\n";
  size_t bytes = 0, ops = 0, nodes = 0;
  double milliseconds = 0;
  for (const codegen::CompiledCodelet *codelet : sorted) {
    CodeletContents contents = contentsOf(*codelet);
    out << llvm::format("%6zu %5.1f ms %6zu %6zu %9zu %6zu  ", codelet->codeBytes,
                        codelet->milliseconds, contents.ops, contents.loops, contents.branches,
                        codelet->ops.size());
    StringRef symbol(codelet->symbol);
    symbol.consume_front(kSymbolPrefix);
    out << llvm::left_justify(symbol, 16) << "  ";
    printNames(contents.names, out);
    out << '\n';
    bytes += codelet->codeBytes;
    ops += contents.ops * codelet->ops.size();
    nodes += codelet->ops.size();
    milliseconds += codelet->milliseconds;
  }
  out << codelets.size() << " codelets, " << bytes << " bytes of code, compiled in "
      << llvm::format("%.1f", milliseconds) << " ms; " << nodes << " nodes stand for " << ops
      << " ops\n";
}

} // namespace sluice::emit
