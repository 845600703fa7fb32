// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Adds up messages by frame and direction.
#include "compiler/partition/Explain.h"

#include "compiler/partition/Parts.h"
#include "dialects/interfaces/KernelOps.h"

#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/Format.h"

#include <map>

using namespace mlir;

namespace sluice::partition {

static PartitionSummary summarize(ArrayRef<Parts> signatures) {
  PartitionSummary summary;
  for (const Parts &parts : signatures)
    for (const Wire &wire : parts.wires()) {
      unsigned depth = parts.depthOf(parts.frameOf(wire.send));
      ++summary.edges;
      summary.edgesInLoops += depth > 0;
      summary.edgesInNestedLoops += depth > 1;
    }
  return summary;
}

PartitionSummary summarize(ModuleOp module) {
  FailureOr<std::vector<Parts>> signatures = Parts::read(module);
  return failed(signatures) ? PartitionSummary() : summarize(*signatures);
}

namespace {

// What crosses in one direction in one iteration of a frame.
struct Traffic {
  unsigned messages = 0, pivots = 0;
  int64_t bytes = 0;
  bool isKnown = false, isUnknown = false; // for some of the messages

  void add(Type type, bool isPivot) {
    ++messages;
    pivots += isPivot;
    if (isa<flow::TokenType>(type))
      return addBytes(0);
    auto tensor = cast<TensorType>(type);
    std::optional<rt::DType> dtype = dtypeOf(tensor);
    if (!tensor.hasStaticShape() || !dtype || *dtype == rt::DType::kString)
      isUnknown = true;
    else
      addBytes(tensor.getNumElements() * static_cast<int64_t>(rt::sizeOf(*dtype)));
  }
  std::string bytesText() const {
    std::string known = isKnown ? std::to_string(bytes) : "";
    return isUnknown ? known + (isKnown ? "+?" : "?") : known;
  }

private:
  void addBytes(int64_t count) {
    bytes += count;
    isKnown = true;
  }
};

// "outer > inner" of a path, whose names are escaped.
std::string loopsOf(StringRef path) {
  std::string text;
  for (size_t i = 0; i < path.size(); ++i) {
    if (path[i] == '>')
      text += " > ";
    else
      text += path[path[i] == '\\' ? ++i : i];
  }
  return text;
}

using Row = SmallVector<std::string, 6>;

class Explainer {
public:
  std::string explain(ModuleOp module) {
    FailureOr<std::vector<Parts>> signatures = Parts::read(module);
    if (failed(signatures))
      return "";
    for (Parts &parts : *signatures)
      addSignature(parts);
    PartitionSummary sum = summarize(*signatures);
    if (!signatures->empty())
      out_ << "\n"
           << sum.edges << " edges, " << sum.edgesInLoops << " of them in loops, "
           << sum.edgesInNestedLoops << " in nested loops\n";
    return std::move(text_);
  }

private:
  void addSignature(Parts &parts) {
    out_ << (text_.empty() ? "" : "\n") << "signature '" << parts.name() << "'\n";
    // By frame in the order of their numbers, sender, receiver.
    std::map<std::tuple<unsigned, unsigned, unsigned>, Traffic> traffic;
    for (const Wire &wire : parts.wires()) {
      unsigned frame = parts.frameOf(wire.send);
      Value value = wire.send->getOperand(0);
      traffic[{frame, parts.rankOf(wire.send), parts.rankOf(wire.recv)}].add(
          value.getType(), value.getDefiningOp<flow::LoopCondOp>() != nullptr);
    }
    SmallVector<Row> rows{{"in each", "from", "to", "messages", "bytes", "predicates"}};
    for (const auto &[key, sum] : traffic) {
      auto [frame, from, to] = key;
      std::string where = frame ? "iteration of '" + loopsOf(parts.pathOf(frame)) + "'" : "call";
      rows.push_back({where, std::to_string(from), std::to_string(to), std::to_string(sum.messages),
                      sum.bytesText(), std::to_string(sum.pivots)});
    }
    if (traffic.empty())
      out_ << "  nothing is sent\n";
    else
      addTable(rows);
    for (unsigned frame = 1; frame < parts.numFrames(); ++frame)
      addFrame(parts, frame);
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

  void addFrame(const Parts &parts, unsigned frame) {
    SmallVector<std::string> ranks;
    for (unsigned rank = 0; rank < parts.numRanks(); ++rank)
      if (parts.findFrame(rank, frame))
        ranks.push_back(std::to_string(rank));
    out_ << "  loop '" << loopsOf(parts.pathOf(frame)) << "' on " << llvm::join(ranks, ", ");
    if (parts.isSplit(frame))
      out_ << ", decided on " << parts.rankOf(parts.pivotOf(frame));
    out_ << "\n";
  }

  std::string text_;
  llvm::raw_string_ostream out_{text_};
};

} // namespace

std::string explainPartition(ModuleOp module) { return Explainer().explain(module); }

} // namespace sluice::partition
