// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A worklist over calls.
#include "compiler/import/functions/FunctionBodies.h"

#include "compiler/import/functions/CallRules.h"
#include "compiler/import/tensorflow/Expansion.h"

#include "llvm/ADT/StringSet.h"

namespace sluice::import {

using graphdef::AttrValue;
using llvm::StringRef;

namespace {

// The functions that a node names, in the order of its op's attributes.
llvm::SmallVector<FunctionUse, 2> usesOf(const Graph &graph, const Node &node) {
  llvm::SmallVector<FunctionUse, 2> uses;
  if (!node.op)
    return uses;
  if (node.op->isFunction) { // the node is a call itself
    FunctionUse &use = uses.emplace_back();
    use.set_name(node.def->op());
    *use.mutable_attr() = node.def->attr();
    return uses;
  }
  for (const AttrSignature &attribute : node.op->attributes) {
    if (attribute.kind != AttrKind::kFunc)
      continue;
    const AttrValue *value = graph.attribute(node, attribute.name);
    if (value && value->has_func())
      uses.push_back(value->func());
    else if (value)
      uses.append(value->list().func().begin(), value->list().func().end());
  }
  return uses;
}

// The argument that the value is, through whatever only hands it on; kNone if there is none.
uint32_t argumentAt(const Graph &graph, Endpoint endpoint) {
  const Node *node = &graph.node(endpoint.node);
  while (node->opName() == "Identity" && node->controls.empty())
    node = &graph.node(node->inputs.front().node);
  if (node->opName() != "_Arg")
    return FunctionBody::kNone;
  return static_cast<uint32_t>(graph.attribute(*node, "index")->i());
}

bool takesResource(const OpSignature &op) {
  return llvm::any_of(op.inputs, [](const ArgSignature &argument) {
    return argument.typeAttr.empty() && !argument.typeList &&
           argument.fixedType == graphdef::DT_RESOURCE;
  });
}

// Ops for whose sake a function is run, whether or not it says so. Who registers an op says that it
// is stateful, or does not need to, because it takes a resource.
bool hasEffect(const Node &node) {
  static const llvm::StringSet<> quiet = {"_Arg",           "_Retval",  "VarHandleOp",
                                          "ReadVariableOp", "Variable", "VariableV2"};
  return node.op && (node.op->isStateful || takesResource(*node.op)) &&
         !quiet.contains(node.opName());
}

} // namespace

FunctionBodies::FunctionBodies(const FunctionLibrary &library, OpTable &table,
                               const GraphFile &file, bool asksForGradients,
                               DiagnosticList &diagnostics)
    : library_(library), table_(table), file_(file), asksForGradients_(asksForGradients),
      diagnostics_(diagnostics) {}

void FunctionBodies::reach(const Graph &graph, const Selection &selection,
                           CalleesOfNodes &callees) {
  addCallees(graph, selection, callees);
  while (!open_.empty() && !isFull_) {
    FunctionBody *body = open_.back();
    open_.pop_back();
    addCallees(*body->graph, body->selection, body->callees);
  }
}

void FunctionBodies::addCallees(const Graph &graph, const Selection &selection,
                                CalleesOfNodes &callees) {
  for (uint32_t index : selection.nodes) {
    const Node &node = graph.node(index);
    llvm::SmallVector<FunctionUse, 2> uses = usesOf(graph, node);
    if (uses.empty() || !node.isSupported)
      continue;
    auto &[found, gradient] = callees[index];
    found.clear();
    bool isCall = node.op->isFunction || graph.attribute(node, "f");
    StringRef own = isCall ? library_.gradientOf(uses.front().name()) : StringRef();
    bool isGradient = node.opName() == "SymbolicGradient";
    if (isGradient && !own.empty())
      uses.front().set_name(own.str());
    for (FunctionUse &use : uses) {
      FunctionBody *body = bodyOf(use, graph, index);
      if (body && (!isGradient || !own.empty()))
        checkCall(graph, index, *body, found.size());
      else if (body)
        checkSymbolicGradient(graph, index, *body);
      asksForGradients_ |= isGradient && own.empty();
      found.push_back(body);
    }
    if (isGradient || own.empty() || !asksForGradients_ || !found.front())
      continue;
    uses.front().set_name(own.str());
    gradient = bodyOf(uses.front(), graph, index);
    if (gradient)
      checkGradient(graph, index, *found.front(), *gradient);
  }
}

static llvm::SmallVector<EdgeType> argumentTypes(const FunctionBody &body) {
  llvm::SmallVector<EdgeType> types;
  for (uint32_t argument : body.arguments)
    types.push_back(body.graph->node(argument).outputTypes.front());
  return types;
}
static llvm::SmallVector<EdgeType> resultTypes(const FunctionBody &body) {
  llvm::SmallVector<EdgeType> types;
  for (uint32_t result : body.returns)
    types.push_back(body.graph->node(result).inputTypes.front());
  return types;
}

// "(float, int32)".
static std::string textOf(llvm::ArrayRef<EdgeType> types) {
  std::string text;
  for (EdgeType type : types)
    text += (text.empty() ? "" : ", ") + typeName(type.type);
  return "(" + text + ")";
}

void FunctionBodies::compare(const Graph &graph, uint32_t caller, const FunctionBody &body,
                             const char *what, llvm::ArrayRef<EdgeType> expected,
                             llvm::ArrayRef<EdgeType> got) {
  bool fits = llvm::equal(expected, got, [](EdgeType a, EdgeType b) { return a.type == b.type; });
  if (!fits)
    diagnostics_.error(ExitCode::kBadGraph, graph.place(caller),
                       "function " + quoted(body.name) + ": expected " + what + " " +
                           textOf(expected) + " but got " + textOf(got));
}

// A gradient takes what the function takes and a derivative of each result, and gives a derivative
// of each argument.
void FunctionBodies::checkGradient(const Graph &graph, uint32_t caller,
                                   const FunctionBody &function, const FunctionBody &gradient) {
  llvm::SmallVector<EdgeType> taken = argumentTypes(function);
  llvm::append_range(taken, resultTypes(function));
  compare(graph, caller, gradient, "arguments", taken, argumentTypes(gradient));
  compare(graph, caller, gradient, "results", argumentTypes(function), resultTypes(gradient));
}

void FunctionBodies::checkSymbolicGradient(const Graph &graph, uint32_t caller,
                                           const FunctionBody &function) {
  const Node &node = graph.node(caller);
  llvm::SmallVector<EdgeType> taken = argumentTypes(function);
  compare(graph, caller, function, "results", taken, node.outputTypes);
  llvm::append_range(taken, resultTypes(function));
  compare(graph, caller, function, "arguments", node.inputTypes, taken);
}

// Whether the function takes and gives what the node says.
void FunctionBodies::checkCall(const Graph &graph, uint32_t caller, const FunctionBody &body,
                               size_t callee) {
  const Node &node = graph.node(caller);
  llvm::SmallVector<EdgeType> given, returned = resultTypes(body);
  for (unsigned input : argumentsOf(node))
    given.push_back(node.inputTypes[input]);
  compare(graph, caller, body, "arguments", given, argumentTypes(body));
  if (auto results = resultsOf(node, callee))
    compare(graph, caller, body, "results", *results, returned);
  else if (returned.size() != 1)
    diagnostics_.error(ExitCode::kBadGraph, graph.place(caller),
                       "function " + quoted(body.name) +
                           ": expected one result, which says whether the loop goes on, but got " +
                           std::to_string(returned.size()));
}

FunctionBody *FunctionBodies::bodyOf(const FunctionUse &use, const Graph &graph, uint32_t caller) {
  const graphdef::FunctionDef *function = library_.find(use.name());
  const OpSignature *signature = function ? table_.find(use.name()) : nullptr;
  if (!signature) {
    std::string nearest = library_.nearest(use.name());
    diagnostics_.error(ExitCode::kBadGraph, graph.place(caller),
                       "calls " + quoted(use.name()) + ": the graph has no such function" +
                           (nearest.empty() ? "" : "; there is " + quoted(nearest)));
    return nullptr;
  }
  auto [entry, isNew] = byKey_.try_emplace(keyOf(use, *signature), nullptr);
  if (!isNew || isFull_)
    return entry->second;
  const Limits &limits = file_.limits();
  nodes_ += static_cast<uint64_t>(function->node_def_size()) + 1;
  if (!limits.allows(LimitId::kFunctions, byKey_.size()) ||
      !limits.allows(LimitId::kNodes, nodes_)) {
    isFull_ = true;
    diagnostics_.error(ExitCode::kBadGraph, graph.place(caller),
                       limits.allows(LimitId::kNodes, nodes_)
                           ? limits.excess(LimitId::kFunctions, "functions", byKey_.size())
                           : limits.excess(LimitId::kNodes, "nodes in functions", nodes_));
    return nullptr;
  }
  auto file = instantiate(*function, use, table_, file_, diagnostics_);
  if (!file)
    return nullptr;
  FunctionBody &body = bodies_.emplace_back();
  body.name = use.name();
  body.file = std::move(file);
  check(body, *function);
  if (!body.graph)
    return nullptr;
  open_.push_back(&body);
  return entry->second = &body;
}

// Leaves no graph behind if something is wrong.
void FunctionBodies::check(FunctionBody &body, const graphdef::FunctionDef &function) {
  DiagnosticList problems;
  std::optional<Graph> graph = Graph::resolve(*body.file, table_, isSupported, problems);
  if (!graph || !checkGraph(*graph, body.checked, problems)) {
    diagnostics_.append(problems);
    return;
  }
  std::vector<uint32_t> roots;
  for (uint32_t i = 0; i < graph->nodes().size(); ++i) {
    const Node &node = graph->node(i);
    bool isReturn = node.opName() == "_Retval";
    if (isReturn)
      body.returns.push_back(i);
    else if (node.opName() == "_Arg")
      body.arguments.push_back(i);
    if (isReturn || hasEffect(node))
      roots.push_back(i);
  }
  for (const auto &output : function.control_ret())
    if (auto node = graph->find(output.value()))
      roots.push_back(*node);
    else
      diagnostics_.error(ExitCode::kBadGraph, {body.file->path(), "", ""},
                         "control output " + quoted(output.key()) + ": the function has no node " +
                             quoted(output.value()));
  for (uint32_t result : body.returns)
    body.forwards.push_back(argumentAt(*graph, graph->node(result).inputs.front()));
  body.selection = selectBody(*graph, body.checked, roots);
  body.graph = std::make_unique<Graph>(std::move(*graph));
}

} // namespace sluice::import
