// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Collects sends; every edge has exactly one.
#include "compiler/pipeline/PartitionReport.h"

#include "dialects/interfaces/NodeName.h"
#include "dialects/nd/Nd.h"
#include "dialects/state/State.h"
#include "dialects/wire/Wire.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringMap.h"
#include "llvm/Support/Format.h"
#include "llvm/Support/FormatVariadic.h"

using namespace mlir;

namespace sluice {

PartitionReport PartitionReport::of(ModuleOp module) {
  PartitionReport report;
  auto devices = module->getAttrOfType<ArrayAttr>(wire::kDevices);
  auto ranks = module.getOps<ModuleOp>();
  llvm::StringMap<size_t> order; // of signatures
  for (auto [device, rank] : llvm::zip(devices.getAsRange<DictionaryAttr>(), ranks)) {
    for (auto graph : rank.getOps<flow::GraphOp>()) {
      order.try_emplace(graph.getSymName(), order.size());
      report.addEdges(graph, static_cast<int64_t>(report.devices_.size()));
    }
    report.addDevice(device, rank);
  }
  llvm::sort(report.edges_, [&](const Edge &a, const Edge &b) {
    return std::pair(order[a.signature], a.number) < std::pair(order[b.signature], b.number);
  });
  return report;
}

void PartitionReport::addDevice(DictionaryAttr device, ModuleOp rank) {
  Device &added = devices_.emplace_back();
  added.name = device.getAs<StringAttr>("name").str();
  added.address = device.getAs<StringAttr>("address").str();
  added.variables = llvm::range_size(rank.getOps<state::VariableOp>());
  for (auto graph : rank.getOps<flow::GraphOp>())
    added.ops += llvm::count_if(graph.getBody().front(),
                                [](Operation &op) { return !isa<nd::ConstantOp>(op); });
}

void PartitionReport::addEdges(flow::GraphOp graph, int64_t rank) {
  auto analysis = flow::FrameAnalysis::run(graph);
  if (!analysis)
    return; // has been reported
  std::vector<std::pair<std::string, unsigned>> frames; // names and depth; parents come first
  for (const flow::Frame &frame : analysis->frames()) {
    auto [outer, depth] = frames.empty() ? std::pair(std::string(), 0u) : frames[frame.parent];
    if (frames.empty())
      frames.push_back({"-", 0});
    else
      frames.push_back({depth ? outer + " > " + frame.name : frame.name, depth + 1});
  }
  for (auto send : graph.getBody().getOps<wire::SendOp>()) {
    Edge &edge = edges_.emplace_back();
    edge.signature = graph.getSymName().str();
    edge.number = static_cast<int64_t>(send.getEdge());
    edge.from = rank;
    edge.to = static_cast<int64_t>(send.getTo());
    llvm::raw_string_ostream(edge.type) << send.getValue().getType();
    std::tie(edge.loops, edge.depth) = frames[analysis->frameOf(send)];
    edge.node = nodeNameOf(send.getLoc()).str();
  }
}

size_t PartitionReport::countDeeperThan(unsigned depth) const {
  return llvm::count_if(edges_, [&](const Edge &edge) { return edge.depth > depth; });
}

std::string PartitionReport::summaryJson() const {
  return llvm::formatv("{{\"devices\": {0}, \"edges\": {1}, \"edges_in_loops\": {2}, "
                       "\"edges_in_nested_loops\": {3}}\n",
                       devices_.size(), edges_.size(), countDeeperThan(0), countDeeperThan(1))
      .str();
}

// A row of cells, each as wide as its column; numbers stand on the right.
static void addRow(llvm::raw_ostream &out, ArrayRef<std::string> cells, ArrayRef<size_t> widths) {
  for (auto [i, cell] : llvm::enumerate(cells)) {
    bool isNumber = !cell.empty() && llvm::all_of(cell, llvm::isDigit);
    unsigned width = i + 1 < cells.size() ? static_cast<unsigned>(widths[i]) : 0;
    out << (i ? "  " : "") << (isNumber ? llvm::right_justify(cell, width)
                                        : llvm::left_justify(cell, width));
  }
  out << '\n';
}

static void addTable(llvm::raw_ostream &out, ArrayRef<std::vector<std::string>> rows) {
  SmallVector<size_t> widths(rows.front().size());
  for (const auto &row : rows)
    for (auto [cell, width] : llvm::zip_equal(row, widths))
      width = std::max(width, cell.size());
  for (const auto &row : rows)
    addRow(out, row, widths);
}

std::string PartitionReport::table() const {
  std::string text;
  llvm::raw_string_ostream out(text);
  std::vector<std::vector<std::string>> rows{{"rank", "ops", "variables", "device", "address"}};
  for (auto [rank, device] : llvm::enumerate(devices_))
    rows.push_back({std::to_string(rank), std::to_string(device.ops),
                    std::to_string(device.variables), device.name, device.address});
  addTable(out, rows);
  for (ArrayRef<Edge> rest = edges_; !rest.empty();) {
    const std::string &signature = rest.front().signature;
    out << "\nsignature '" << signature << "'\n";
    rows.assign(1, {"edge", "from", "to", "type", "loops", "node"});
    for (; !rest.empty() && rest.front().signature == signature; rest = rest.drop_front()) {
      const Edge &edge = rest.front();
      rows.push_back({std::to_string(edge.number), std::to_string(edge.from),
                      std::to_string(edge.to), edge.type, edge.loops,
                      edge.node});
    }
    addTable(out, rows);
  }
  out << llvm::formatv("\n{0} edges between devices, {1} inside loops, {2} inside nested loops\n",
                       edges_.size(), countDeeperThan(0), countDeeperThan(1));
  return text;
}

} // namespace sluice
