// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The steps of an import, in order.
#include "compiler/import/Importer.h"

#include "compiler/import/GraphBuilder.h"
#include "compiler/import/Passes.h"
#include "compiler/import/tensorflow/UnreadAttributes.h"

#include "dialects/interfaces/NodeName.h"
#include "dialects/wire/Wire.h"

#include "mlir/IR/Diagnostics.h"
#include "mlir/IR/Verifier.h"

#include <map>

using namespace mlir;

namespace sluice::import {

namespace {

std::string describeNodes(const Graph &graph, const std::vector<uint32_t> &nodes) {
  constexpr size_t kNamed = 5;
  std::string text = std::to_string(nodes.size()) + (nodes.size() == 1 ? " node: " : " nodes: ");
  for (size_t i = 0; i < std::min(nodes.size(), kNamed); ++i)
    text += (i > 0 ? ", " : "") + quoted(graph.node(nodes[i]).name().str());
  return text + (nodes.size() > kNamed ? ", …" : "");
}

// Why a node cannot be built; empty when it can.
std::string unsupportedReason(const Node &node) {
  std::string op = "op " + escaped(node.opName().str());
  if (!node.op)
    return op + " is not known";
  const OpExpansion *line = findExpansion(node.opName());
  if (!line)
    return op + " is not supported";
  auto isSupported = [](EdgeType type) {
    return isTensorType(type.type) || type.type == graphdef::DT_RESOURCE;
  };
  llvm::SmallVector<EdgeType> types(node.inputTypes.begin(), node.inputTypes.end());
  types.append(node.outputTypes.begin(), node.outputTypes.end());
  for (EdgeType type : types)
    if (!isSupported(type))
      return op + " is not supported for " + typeName(type.type);
  std::string problem = problemOfUnreadAttributes(*node.op, *line, *node.def);
  return problem.empty() ? "" : op + " is not supported with this value of " + problem;
}

// While, If, PartitionedCall and so on.
bool callsFunctions(const Node &node) {
  return node.op && llvm::any_of(node.op->attributes, [](const AttrSignature &attribute) {
           return attribute.kind == AttrKind::kFunc;
         });
}

// All unsupported ops of all selections at once, each kind with its number of nodes.
bool reportUnsupported(const Graph &graph, ArrayRef<Selection> selections,
                       DiagnosticList &diagnostics) {
  std::map<std::string, std::vector<uint32_t>> nodesByReason;
  std::vector<bool> seen(graph.nodes().size());
  for (const Selection &selection : selections)
    for (uint32_t index : selection.nodes)
      if (!seen[index]) {
        seen[index] = true;
        if (std::string reason = unsupportedReason(graph.node(index)); !reason.empty())
          nodesByReason[reason].push_back(index);
      }
  bool isHinted = false;
  for (const auto &[reason, nodes] : nodesByReason) {
    const Node &first = graph.node(nodes.front());
    diagnostics.error(ExitCode::kUnsupported, graph.place(nodes.front()),
                      reason + " (" + describeNodes(graph, nodes) + ")");
    if (isHinted || !callsFunctions(first))
      continue;
    isHinted = true;
    diagnostics.note(graph.place(nodes.front()),
                     "op " + escaped(first.opName().str()) +
                         " calls functions: freeze the graph, which inlines them and makes "
                         "primitives of their control flow (docs/how-to/get-a-graph.md)");
  }
  return nodesByReason.empty();
}

bool checkNames(const Graph &graph, ArrayRef<SignatureRequest> requests,
                DiagnosticList &diagnostics) {
  Place place{graph.file().path(), "", ""};
  llvm::StringSet<> names;
  for (const SignatureRequest &request : requests) {
    if (request.name.empty())
      diagnostics.error(ExitCode::kUsage, place, "expected a name for each signature");
    else if (!names.insert(request.name).second)
      diagnostics.error(ExitCode::kUsage, place,
                        "two signatures have the name " + quoted(request.name));
  }
  if (requests.empty())
    diagnostics.error(ExitCode::kUsage, place,
                      "expected a fetch or a target; what shall be computed?");
  return !diagnostics.hasErrors();
}

// Verifies the module, settles merges and orders effects. What is refused here, after all checks of
// the graph, is a combination of types that an op does not take.
bool finishModule(const Graph &graph, ModuleOp module, DiagnosticList &diagnostics) {
  ScopedDiagnosticHandler handler(module.getContext(), [&](mlir::Diagnostic &problem) {
    auto node = graph.find(nodeNameOf(problem.getLocation()));
    Place place = node ? graph.place(*node) : Place{graph.file().path(), "", ""};
    if (problem.getSeverity() == DiagnosticSeverity::Error)
      diagnostics.error(ExitCode::kUnsupported, place, problem.str());
    return success();
  });
  if (failed(verify(module)))
    return false;
  for (auto op : module.getOps<flow::GraphOp>())
    if (failed(settleMerges(op)) || failed(orderEffects(op)))
      return false;
  return !diagnostics.hasErrors();
}

} // namespace

OwningOpRef<ModuleOp> importGraph(MLIRContext &context, const GraphFile &file,
                                  ArrayRef<SignatureRequest> requests, DiagnosticList &diagnostics,
                                  const ImportOptions &options) {
  context.loadDialect<array::ArrayDialect, flow::FlowDialect, nd::NDDialect, state::StateDialect,
                      wire::WireDialect>();
  OpTable table;
  std::optional<Graph> graph = Graph::resolve(
      file, table, [](StringRef op) { return findExpansion(op) != nullptr; }, diagnostics);
  CheckedGraph checked;
  if (!graph || !checkGraph(*graph, checked, diagnostics) ||
      !checkNames(*graph, requests, diagnostics))
    return nullptr;
  std::optional<Placement> placement;
  if (options.keepPlacement && !(placement = Placement::read(*graph, diagnostics)))
    return nullptr;

  std::vector<Selection> selections;
  std::vector<std::string> names;
  for (const SignatureRequest &request : requests)
    if (auto selection = select(*graph, checked, request, diagnostics)) {
      selections.push_back(std::move(*selection));
      names.push_back(request.name);
    }
  if (diagnostics.hasErrors() || !reportUnsupported(*graph, selections, diagnostics))
    return nullptr;

  StringAttr path = StringAttr::get(&context, file.path());
  OwningOpRef<ModuleOp> module = ModuleOp::create(FileLineColLoc::get(path, 0, 0));
  Declarations declarations(*graph, *module, names, options.initialValues, diagnostics);
  HandleTypes handles(*graph, &context);
  for (const Selection &selection : selections)
    GraphBuilder(*graph, selection, declarations, handles, diagnostics, &context,
                 placement ? &*placement : nullptr)
        .build(*module);
  if (options.initialValues && !diagnostics.hasErrors())
    options.initialValues->finish(diagnostics);
  if (diagnostics.hasErrors() || !finishModule(*graph, *module, diagnostics))
    return nullptr;
  return module;
}

} // namespace sluice::import
