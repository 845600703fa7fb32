// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Checks of device strings, and the sets that `_class` makes of nodes.
#include "compiler/import/Placement.h"

#include "compiler/import/DeviceName.h"

#include "dialects/flow/Flow.h"
#include "dialects/nd/Nd.h"
#include "dialects/state/State.h"
#include "dialects/wire/Wire.h"

#include "llvm/ADT/IntEqClasses.h"
#include "llvm/ADT/StringMap.h"

using namespace mlir;

namespace sluice::import {

namespace {

// Null when the node has no such attribute.
const graphdef::AttrValue *classesOf(const Node &node) {
  for (const graphdef::AttrEntry &entry : node.def->attr())
    if (entry.key() == "_class")
      return &entry.value();
  return nullptr;
}

bool belongsToVariable(Operation *op) {
  auto read = dyn_cast<state::ReadOp>(op);
  return read && isa<state::RefType>(read.getVariable().getType());
}

} // namespace

std::optional<Placement> Placement::read(const Graph &graph, DiagnosticList &diagnostics, Of of) {
  Placement placement(graph, of);
  placement.checkDevices(diagnostics);
  placement.joinColocated(diagnostics);
  if (diagnostics.hasErrors())
    return std::nullopt;
  return placement;
}

void Placement::checkDevices(DiagnosticList &diagnostics) const {
  llvm::StringMap<bool> isGood; // a graph has many nodes but few devices
  for (uint32_t i = 0; i < graph_->nodes().size(); ++i) {
    const std::string &device = graph_->node(i).def->device();
    auto [known, isNew] = isGood.try_emplace(device, true);
    if (isNew)
      known->second = DeviceName::parse(device).has_value();
    if (!known->second)
      diagnostics.error(ExitCode::kBadGraph, graph_->place(i),
                        "device: expected " + DeviceName::expectedForm().str() + ", but got " +
                            quoted(device));
  }
}

void Placement::joinColocated(DiagnosticList &diagnostics) {
  auto count = static_cast<unsigned>(graph_->nodes().size());
  llvm::IntEqClasses sets(count);
  llvm::StringMap<uint32_t> firstToName; // a node that is not here
  for (uint32_t i = 0; i < count; ++i) {
    const graphdef::AttrValue *classes = classesOf(graph_->node(i));
    auto fail = [&](const std::string &message) {
      diagnostics.error(ExitCode::kBadGraph, graph_->place(i), "attribute '_class': " + message);
    };
    if (classes && classes->value_case() != graphdef::AttrValue::kList)
      fail("expected a list of strings");
    else if (classes)
      for (llvm::StringRef entry : classes->list().s()) {
        if (!entry.consume_front("loc:@"))
          continue; // other classes say nothing of devices
        if (auto other = graph_->find(entry))
          sets.join(i, *other);
        else if (of_ == Of::kFunction)
          sets.join(i, firstToName.try_emplace(entry, i).first->second);
        else
          fail(quoted("loc:@" + entry.str()) + ": the graph has no such node");
      }
  }
  sets.compress();
  isShared_.assign(count, false);
  std::vector<uint32_t> firstOfSet(sets.getNumClasses(), count);
  for (uint32_t i = 0; i < count; ++i) {
    uint32_t &first = firstOfSet[sets[i]];
    if (first == count)
      first = i;
    else
      isShared_[first] = true;
    first_.push_back(first);
  }
}

void Placement::annotate(Operation *op, uint32_t node) const {
  if (isa<nd::ConstantOp, flow::StartOp>(op) || belongsToVariable(op))
    return;
  auto text = [&](llvm::StringRef value) { return StringAttr::get(op->getContext(), value); };
  if (const std::string &device = graph_->node(node).def->device(); !device.empty())
    op->setDiscardableAttr(wire::kRequested, text(device));
  if (isShared_[first_[node]])
    op->setDiscardableAttr(wire::kColocate, text(graph_->node(first_[node]).name()));
}

void Placement::annotateAfter(Operation *last, Block &block, uint32_t node) const {
  auto first = last ? std::next(last->getIterator()) : block.begin();
  for (Operation &op : llvm::make_range(first, block.end()))
    annotate(&op, node);
}

} // namespace sluice::import
