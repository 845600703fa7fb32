// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Prints what is sent as a table.
#include "compiler/partition/Explain.h"

#include "compiler/partition/Traffic.h"

#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/Format.h"

using namespace mlir;

namespace sluice::partition {

static PartitionSummary summarize(ArrayRef<SignatureTraffic> signatures) {
  PartitionSummary summary;
  for (const SignatureTraffic &signature : signatures) {
    summary.edges += signature.edges;
    summary.edgesInLoops += signature.edgesInLoops;
    summary.edgesInNestedLoops += signature.edgesInNestedLoops;
  }
  return summary;
}

PartitionSummary summarize(ModuleOp module) { return summarize(trafficOf(module)); }

namespace {

using Row = SmallVector<std::string, 6>;

class Explainer {
public:
  std::string explain(ArrayRef<SignatureTraffic> signatures) {
    for (const SignatureTraffic &signature : signatures)
      addSignature(signature);
    PartitionSummary sum = summarize(signatures);
    if (!signatures.empty())
      out_ << "\n"
           << sum.edges << " edges, " << sum.edgesInLoops << " of them in loops, "
           << sum.edgesInNestedLoops << " in nested loops\n";
    return std::move(text_);
  }

private:
  static std::string bytesText(const Traffic &sum) {
    std::string known = sum.isKnown ? std::to_string(sum.bytes) : "";
    return sum.isUnknown ? known + (sum.isKnown ? "+?" : "?") : known;
  }

  void addSignature(const SignatureTraffic &signature) {
    out_ << (text_.empty() ? "" : "\n") << "signature '" << signature.signature << "'\n";
    SmallVector<Row> rows{{"in each", "from", "to", "messages", "bytes", "predicates"}};
    for (const Traffic &sum : signature.traffic) {
      std::string where = sum.loop.empty() ? "call" : "iteration of '" + sum.loop + "'";
      rows.push_back({where, std::to_string(sum.from), std::to_string(sum.to),
                      std::to_string(sum.messages), bytesText(sum),
                      std::to_string(sum.predicates)});
    }
    if (signature.traffic.empty())
      out_ << "  nothing is sent\n";
    else
      addTable(rows);
    for (const LoopRanks &loop : signature.loops)
      addLoop(loop);
  }

  void addTable(ArrayRef<Row> rows) {
    SmallVector<size_t> widths(rows.front().size());
    for (const Row &row : rows)
      for (auto [cell, width] : llvm::zip_equal(row, widths))
        width = std::max(width, cell.size());
    for (const Row &row : rows) {
      out_ << "  " << llvm::left_justify(row[0], static_cast<unsigned>(widths[0]));
      for (size_t i = 1; i < row.size(); ++i)
        out_ << "  " << llvm::right_justify(row[i], static_cast<unsigned>(widths[i]));
      out_ << "\n";
    }
  }

  void addLoop(const LoopRanks &loop) {
    out_ << "  loop '" << loop.loop << "' on ";
    llvm::interleave(loop.ranks, out_, ", ");
    if (loop.decidedOn)
      out_ << ", decided on " << *loop.decidedOn;
    out_ << "\n";
  }

  std::string text_;
  llvm::raw_string_ostream out_{text_};
};

} // namespace

std::string explainPartition(ModuleOp module) { return Explainer().explain(trafficOf(module)); }

} // namespace sluice::partition
