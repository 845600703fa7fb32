// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A walk over the nodes that restore, with the calls that lead to them.
//
// A *scope* is the graph, or the body of a function as one call runs it. A value is traced from
// where it is used, out of arguments into the scope of the caller and out of calls into bodies, to
// the node that makes it.
#include "compiler/import/savedmodel/RestoreMap.h"

#include "compiler/import/Graph.h"
#include "compiler/import/TensorValue.h"

#include "llvm/ADT/DenseSet.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"

#include <deque>
#include <map>
#include <optional>
#include <utility>

namespace sluice::import {

using graphdef::FunctionDef;
using graphdef::NodeDef;
using llvm::StringRef;

static const graphdef::AttrValue *attributeOf(const NodeDef &node, StringRef name) {
  for (const graphdef::AttrEntry &entry : node.attr())
    if (StringRef(entry.key()) == name)
      return &entry.value();
  return nullptr;
}

static std::string textAttribute(const NodeDef &node, StringRef name) {
  const graphdef::AttrValue *value = attributeOf(node, name);
  return value ? value->s() : "";
}

std::string variableKey(const NodeDef &node) {
  std::string key = textAttribute(node, "shared_name");
  if (key.empty())
    key = node.name();
  std::string container = textAttribute(node, "container");
  return container.empty() ? key : container + "/" + key;
}

StringRef calledFunction(const NodeDef &node) {
  bool isCall = node.op() == "StatefulPartitionedCall" || node.op() == "PartitionedCall";
  const graphdef::AttrValue *function = isCall ? attributeOf(node, "f") : nullptr;
  return function ? StringRef(function->func().name()) : "";
}

bool declaresVariable(StringRef op) {
  return op == "VariableV2" || op == "Variable" || op == "VarHandleOp";
}

namespace {

// Ops through which a value goes as it is. Casts and reshapes are not among them: the variable
// would hold something else than the checkpoint does.
bool isForwarding(StringRef op) {
  return op == "Identity" || op == "RefIdentity" || op == "IdentityN" || op == "EnsureShape" ||
         op == "DisableCopyOnRead" || op == "StopGradient";
}

// Those of the first format give one tensor each, and one of them no parts.
constexpr StringRef kWithoutParts = "Restore";
bool isRestoring(StringRef op) {
  return op == "RestoreV2" || op == "RestoreSlice" || op == kWithoutParts;
}

struct Scope {
  const FunctionDef *function = nullptr; // null: the graph
  const Scope *caller = nullptr;
  const NodeDef *call = nullptr; // in the scope of the caller
  unsigned depth = 0;
  const llvm::StringMap<const NodeDef *> *nodes = nullptr;

  const NodeDef *find(StringRef name) const { return nodes->lookup(name); }
};

struct Source {
  const Scope *scope = nullptr;
  const NodeDef *node = nullptr;
  uint32_t slot = 0; // among the outputs, as far as these are one list or one each
};

class RestoreWalk {
public:
  RestoreWalk(const graphdef::GraphDef &graph, const Place &place, const Limits &limits,
              DiagnosticList &diagnostics)
      : place_(place), limits_(limits), diagnostics_(diagnostics) {
    for (const FunctionDef &function : graph.library().function())
      functions_.try_emplace(function.signature().name(), &function);
    scopes_.emplace_back().nodes = &namesOf(nullptr, graph.node());
  }

  RestoreMap run(StringRef restoreNode) {
    const Scope &root = scopes_.front();
    const NodeDef *start = root.find(restoreNode);
    if (!start) {
      fail("the saver's restore node " + quoted(restoreNode) + " is not in the graph");
      return {};
    }
    visitBackwards(root, *start);
    return std::move(map_);
  }

private:
  void fail(const std::string &message) {
    if (!std::exchange(failed_, true))
      diagnostics_.error(ExitCode::kBadGraph, place_, message);
  }

  // Of the graph or a function, for all scopes of it.
  template <typename Nodes>
  const llvm::StringMap<const NodeDef *> &namesOf(const FunctionDef *function, const Nodes &nodes) {
    auto [entry, isNew] = names_.try_emplace(function);
    if (isNew)
      for (const NodeDef &node : nodes)
        entry->second.try_emplace(node.name(), &node);
    return entry->second;
  }

  // ---- What runs ----

  // The graph restores with nodes that the restore node waits for.
  void visitBackwards(const Scope &scope, const NodeDef &start) {
    std::vector<const NodeDef *> pending{&start};
    llvm::DenseSet<const NodeDef *> seen{&start};
    while (!pending.empty() && !failed_) {
      const NodeDef &node = *pending.back();
      pending.pop_back();
      visit(scope, node);
      for (StringRef input : node.input()) {
        input.consume_front("^");
        const NodeDef *from = scope.find(input.split(':').first);
        if (from && seen.insert(from).second)
          pending.push_back(from);
      }
    }
  }

  void visit(const Scope &scope, const NodeDef &node) {
    StringRef op = node.op();
    if ((op == "AssignVariableOp" || op == "Assign") && node.input_size() >= 2)
      return addAssignment(scope, node);
    if (op.starts_with("LookupTableImport") && node.input_size() >= 3)
      return addTable(scope, node);
    if (!calledFunction(node).empty())
      if (const Scope *body = scopeOf(scope, node)) // every node of a body with effects runs
        for (const NodeDef &inner : body->function->node_def())
          visit(*body, inner);
  }

  // The body of the function that a node calls; null if it is not there. The same for one call, so
  // that it is walked once.
  const Scope *scopeOf(const Scope &caller, const NodeDef &call) {
    auto [entry, isNew] = bodies_.try_emplace({&caller, &call});
    if (!isNew)
      return entry->second;
    const FunctionDef *function = functions_.lookup(calledFunction(call));
    constexpr unsigned kDeepest = 64;
    if (!function)
      return nullptr;
    bool tooMany = !limits_.allows(LimitId::kRestoreCalls, scopes_.size());
    if (tooMany || caller.depth >= kDeepest) {
      fail("what restores the model calls functions without end; node " + quoted(call.name()) +
           " calls " + quoted(function->signature().name()) +
           (tooMany ? "; " + limits_.excess(LimitId::kRestoreCalls, "calls of functions",
                                            scopes_.size())
                    : ""));
      return nullptr;
    }
    Scope &body = scopes_.emplace_back();
    body.function = function;
    body.caller = &caller;
    body.call = &call;
    body.depth = caller.depth + 1;
    body.nodes = &namesOf(function, function->node_def());
    return bodies_[{&caller, &call}] = &body;
  }

  // ---- Where values come from ----

  void addAssignment(const Scope &scope, const NodeDef &node) {
    std::optional<Source> variable = trace(scope, node.input(0));
    std::optional<RestoredTensor> restored = restoredAt(scope, node.input(1));
    if (!variable || !declaresVariable(variable->node->op()) || !restored)
      return;
    auto [entry, isNew] =
        map_.byVariable.try_emplace(variableKey(*variable->node), std::move(*restored));
    if (!isNew && entry->second.name != restored->name)
      fail("variable " + quoted(entry->first()) + " is restored from two tensors: " +
           quoted(entry->second.name) + " and " + quoted(restored->name));
  }

  void addTable(const Scope &scope, const NodeDef &node) {
    std::optional<Source> table = trace(scope, node.input(0));
    std::optional<RestoredTensor> keys = restoredAt(scope, node.input(1)),
                                  values = restoredAt(scope, node.input(2));
    if (!table || table->scope->function || !keys || !values)
      return fail("node " + quoted(node.name()) +
                  " restores a table: expected one of the graph, and its keys and values as they "
                  "are in the checkpoint");
    map_.tables.push_back({table->node, &node, std::move(*keys), std::move(*values)});
  }

  std::optional<RestoredTensor> restoredAt(const Scope &scope, StringRef input) {
    std::optional<Source> value = trace(scope, input);
    return value && isRestoring(value->node->op()) ? restoredTensor(*value) : std::nullopt;
  }

  // The node that makes what an input names.
  std::optional<Source> trace(const Scope &from, StringRef text) {
    const Scope *scope = &from;
    std::string input = text.str();
    constexpr int kMostSteps = 1000;
    for (int step = 0; step < kMostSteps && !failed_; ++step) {
      auto [name, rest] = StringRef(input).split(':');
      const NodeDef *node = scope->find(name);
      if (!node) { // an argument, or nothing
        std::optional<std::string> outside = argumentOf(*scope, name);
        if (!outside)
          return std::nullopt;
        input = *outside;
        scope = scope->caller;
        continue;
      }
      Source source{scope, node, slotOf(rest)};
      if (isForwarding(node->op()) && source.slot < static_cast<uint32_t>(node->input_size()))
        input = node->input(static_cast<int>(source.slot));
      else if (calledFunction(*node).empty() || !enterCall(source, scope, input))
        return source;
      if (StringRef(input).starts_with("^"))
        return std::nullopt;
    }
    return std::nullopt;
  }

  // "2" in the graph, "output:2" in a function.
  static uint32_t slotOf(StringRef text) {
    uint32_t slot = 0;
    (void)text.rsplit(':').second.getAsInteger(10, slot);
    if (!text.contains(':'))
      (void)text.getAsInteger(10, slot);
    return slot;
  }

  // What the call gives to the function's argument.
  static std::optional<std::string> argumentOf(const Scope &scope, StringRef name) {
    if (!scope.function)
      return std::nullopt;
    const auto &arguments = scope.function->signature().input_arg();
    auto found = llvm::find_if(arguments, [&](const auto &arg) { return arg.name() == name; });
    int position = static_cast<int>(std::distance(arguments.begin(), found));
    if (found == arguments.end() || position >= scope.call->input_size())
      return std::nullopt;
    return scope.call->input(position);
  }

  // Goes on with what the body returns as this output.
  bool enterCall(const Source &source, const Scope *&scope, std::string &input) {
    const Scope *body = scopeOf(*source.scope, *source.node);
    if (!body)
      return false;
    const auto &outputs = body->function->signature().output_arg();
    if (source.slot >= static_cast<uint32_t>(outputs.size()))
      return false;
    for (const FunctionDef::NameEntry &entry : body->function->ret())
      if (entry.key() == outputs.Get(static_cast<int>(source.slot)).name()) {
        scope = body;
        input = entry.value();
        return true;
      }
    return false;
  }

  std::optional<RestoredTensor> restoredTensor(const Source &restore) {
    bool hasParts = restore.node->op() != kWithoutParts;
    if (restore.node->input_size() < (hasParts ? 3 : 2))
      return std::nullopt;
    auto [known, isNew] = restores_.try_emplace({restore.scope, restore.node});
    if (isNew) // one node restores all of a model
      known->second = {constantStrings(*restore.scope, restore.node->input(1)),
                       hasParts ? constantStrings(*restore.scope, restore.node->input(2))
                                : std::vector<std::string>(1)};
    const auto &[names, parts] = known->second;
    if (restore.slot >= names.size() || restore.slot >= parts.size())
      return std::nullopt;
    return RestoredTensor{names[restore.slot], parts[restore.slot]};
  }

  // None if it is no such constant.
  std::vector<std::string> constantStrings(const Scope &scope, StringRef input) {
    std::optional<Source> source = trace(scope, input);
    const graphdef::AttrValue *value =
        source && source->node->op() == "Const" ? attributeOf(*source->node, "value") : nullptr;
    if (!value || value->tensor().dtype() != graphdef::DT_STRING ||
        !problemOfTensor(value->tensor(), limits_).empty())
      return {};
    return decodeTensor(value->tensor()).strings;
  }

  const Place &place_;
  const Limits &limits_;
  DiagnosticList &diagnostics_;
  llvm::StringMap<const FunctionDef *> functions_;
  std::map<const FunctionDef *, llvm::StringMap<const NodeDef *>> names_;
  std::deque<Scope> scopes_;
  llvm::DenseMap<std::pair<const Scope *, const NodeDef *>, const Scope *> bodies_;
  // Names and slices of the tensors that a node restores.
  using Names = std::vector<std::string>;
  std::map<std::pair<const Scope *, const NodeDef *>, std::pair<Names, Names>> restores_;
  RestoreMap map_;
  bool failed_ = false;
};

} // namespace

RestoreMap readRestoreMap(const graphdef::GraphDef &graph, StringRef restoreNode,
                          const Place &place, const Limits &limits, DiagnosticList &diagnostics) {
  return RestoreWalk(graph, place, limits, diagnostics).run(restoreNode);
}

} // namespace sluice::import
