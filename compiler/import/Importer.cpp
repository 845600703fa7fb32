// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The steps of an import, in order.
#include "compiler/import/Importer.h"

#include "compiler/import/Passes.h"
#include "compiler/import/Remedies.h"
#include "compiler/import/functions/BuildModule.h"
#include "compiler/import/functions/CallCycles.h"
#include "compiler/import/tensorflow/UnreadAttributes.h"
#include "compiler/import/training/GradientsNode.h"

#include "dialects/interfaces/NodeName.h"
#include "dialects/list/List.h"
#include "dialects/nn/Nn.h"
#include "dialects/sci/Sci.h"
#include "dialects/wire/Wire.h"

#include "mlir/IR/Diagnostics.h"
#include "mlir/IR/Verifier.h"
#include "llvm/ADT/StringSet.h"

#include <map>

using namespace mlir;

namespace sluice::import {

namespace {

using NodeList = std::vector<std::pair<const Graph *, uint32_t>>;

std::string describeNodes(const NodeList &nodes) {
  constexpr size_t kNamed = 5;
  std::string text = std::to_string(nodes.size()) + (nodes.size() == 1 ? " node: " : " nodes: ");
  for (size_t i = 0; i < std::min(nodes.size(), kNamed); ++i)
    text += (i > 0 ? ", " : "") + quoted(nodes[i].first->node(nodes[i].second).name().str());
  return text + (nodes.size() > kNamed ? ", …" : "");
}

// Why a node cannot be built; empty when it can.
std::string unsupportedReason(const Node &node) {
  std::string op = "op " + escaped(node.opName().str());
  if (!node.op)
    return op + " is not known";
  const OpExpansion *line = expansionOf(node);
  if (!line)
    return op + " is not supported";
  auto isSupported = [](EdgeType type) {
    return isTensorType(type.type) || type.type == graphdef::DT_RESOURCE ||
           type.type == graphdef::DT_VARIANT; // a list
  };
  llvm::SmallVector<EdgeType> types(node.inputTypes.begin(), node.inputTypes.end());
  types.append(node.outputTypes.begin(), node.outputTypes.end());
  for (EdgeType type : types)
    if (!isSupported(type) || (isOnlyMoved(type.type) && !line->movesElements))
      return op + " is not supported for " + typeName(type.type);
  std::string problem = problemOfUnreadAttributes(*node.op, *line, *node.def);
  return problem.empty() ? "" : op + " is not supported with this value of " + problem;
}

// The unsupported ops of signatures and of the functions that they call, all at once, each kind
// with its number of nodes.
class UnsupportedOps {
public:
  void add(const Graph &graph, const Selection &selection) {
    std::vector<bool> &seen = seen_[&graph];
    seen.resize(graph.nodes().size());
    for (uint32_t index : selection.nodes)
      if (!seen[index]) {
        seen[index] = true;
        if (std::string reason = unsupportedReason(graph.node(index)); !reason.empty())
          nodesByReason_[reason].push_back({&graph, index});
      }
  }

  void report(DiagnosticList &diagnostics) const {
    llvm::StringSet<> given; // each remedy once
    for (const auto &[reason, nodes] : nodesByReason_) {
      auto [graph, index] = nodes.front();
      diagnostics.error(ExitCode::kUnsupported, graph->place(index),
                        reason + " (" + describeNodes(nodes) + ")");
      const Node &node = graph->node(index);
      StringRef remedy = expansionOf(node) ? "" : remedyFor(node.opName(), node.op != nullptr);
      if (!remedy.empty() && given.insert(remedy).second)
        diagnostics.note(graph->place(index), remedy.str());
    }
  }

private:
  llvm::DenseMap<const Graph *, std::vector<bool>> seen_;
  std::map<std::string, NodeList> nodesByReason_;
};

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

// What a verifier says of an op, for people who know nodes and not our ops.
std::string refusalOf(StringRef problem) {
  auto [op, what] = problem.split("' op ");
  if (!op.starts_with("'") || what.empty())
    return problem.str();
  auto [which, expected] = what.split(" must be ");
  auto [type, got] = expected.split(", but got ");
  if (got.empty())
    return "types are not supported: " + what.str();
  return "types are not supported: expected " + type.str() + " but got " + got.str();
}

// Finds the types of lists, verifies the module, settles merges and orders effects. What is refused
// here, after all checks of the graph, is a combination of types that an op does not take.
bool finishModule(const Graph &graph, ModuleOp module, DiagnosticList &diagnostics) {
  ExitCode code = ExitCode::kUnsupported;
  ScopedDiagnosticHandler handler(module.getContext(), [&](mlir::Diagnostic &problem) {
    StringRef name = nodeNameOf(problem.getLocation());
    auto node = graph.find(name);
    Place place = node ? graph.place(*node) : Place{graph.file().path(), name.str(), ""};
    if (problem.getSeverity() == DiagnosticSeverity::Error)
      diagnostics.error(code, place, refusalOf(problem.str()));
    return success();
  });
  resolveLists(module);
  if (failed(verify(module)))
    return false;
  for (auto op : module.getOps<flow::TokenGraph>())
    if (failed(settleMerges(op)) || failed(orderEffects(op)))
      return false;
  code = ExitCode::kBadGraph;
  return succeeded(settleCallCycles(module)) && !diagnostics.hasErrors();
}

} // namespace

OwningOpRef<ModuleOp> importGraph(MLIRContext &context, const GraphFile &file,
                                  ArrayRef<SignatureRequest> requests, DiagnosticList &diagnostics,
                                  const ImportOptions &options) {
  context.loadDialect<array::ArrayDialect, flow::FlowDialect, list::ListDialect, nd::NDDialect,
                      nn::NnDialect, sci::SciDialect, state::StateDialect, wire::WireDialect>();
  OpTable table;
  if (options.trains)
    table.add(gradientsOp());
  FunctionLibrary library(file, table, diagnostics);
  std::optional<Graph> graph = Graph::resolve(file, table, isSupported, diagnostics);
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
  if (diagnostics.hasErrors())
    return nullptr;
  bool asksForGradients = options.trains;
  for (const SignatureRequest &request : requests)
    asksForGradients |= !request.gradients.empty();
  std::optional<FunctionBodies> bodies;
  CalleesOfNodes callees;
  auto reach = [&] {
    callees.clear();
    bodies.emplace(library, table, file, asksForGradients, diagnostics);
    for (const Selection &selection : selections)
      bodies->reach(*graph, selection, callees);
  };
  reach();
  // Some functions are called by those who differentiate only, which a node may be the first to do.
  if (bodies->asksForGradients() && !asksForGradients && !diagnostics.hasErrors()) {
    asksForGradients = true;
    reach();
  }
  UnsupportedOps unsupported;
  for (const Selection &selection : selections)
    unsupported.add(*graph, selection);
  for (const FunctionBody &body : bodies->all())
    if (body.graph)
      unsupported.add(*body.graph, body.selection);
  unsupported.report(diagnostics);
  if (diagnostics.hasErrors())
    return nullptr;

  StringAttr path = StringAttr::get(&context, file.path());
  OwningOpRef<ModuleOp> module = ModuleOp::create(FileLineColLoc::get(path, 0, 0));
  Declarations declarations(*module, names, options.initialValues, diagnostics);
  declarations.addGraph(*graph);
  FunctionTable functions;
  ModuleParts parts{&context, declarations, functions, diagnostics};
  parts.library = &library;
  parts.asksForGradients = asksForGradients;
  ModuleBuilder builder(*module, parts, options.keepPlacement);
  for (const Selection &selection : selections)
    builder.addGraph(*graph, selection, callees, placement ? &*placement : nullptr);
  if (options.initialValues && !diagnostics.hasErrors())
    options.initialValues->finish(diagnostics);
  if (diagnostics.hasErrors() || !finishModule(*graph, *module, diagnostics))
    return nullptr;
  return module;
}

} // namespace sluice::import
