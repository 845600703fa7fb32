// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Collecting of what a model has.
#include "compiler/import/describe/ModelDescription.h"

#include "compiler/import/functions/FunctionLibrary.h"

#include "compiler/import/GraphCheck.h"
#include "compiler/import/savedmodel/RestoreMap.h"
#include "compiler/import/savedmodel/Signatures.h"
#include "compiler/import/tensorflow/Expansion.h"
#include "dialects/flow/Flow.h"
#include "dialects/interfaces/KernelOps.h"
#include "dialects/state/State.h"
#include "runtime/io/dtype_names.h"

#include "llvm/ADT/DenseSet.h"
#include "llvm/ADT/StringSet.h"

#include <map>
#include <set>

using namespace mlir;

namespace sluice::import {

namespace {

// As programs call it.
std::string programTypeName(DataType type) {
  std::string name = typeName(static_cast<int>(type));
  constexpr std::pair<std::string_view, std::string_view> kOthers[] = {
      {"float", "float32"}, {"double", "float64"}, {"half", "float16"}};
  for (auto [graphs, tensorflows] : kOthers)
    if (name == graphs)
      name = tensorflows;
  std::optional<rt::DType> known = rt::dtypeFromTensorflowName(name);
  return known ? std::string(rt::dtypeName(*known)) : name;
}

std::string textOf(const graphdef::TensorShapeProto &shape) {
  if (shape.unknown_rank())
    return "";
  std::string text = "[";
  for (int i = 0; i < shape.dim_size(); ++i)
    text +=
        (i > 0 ? "," : "") + (shape.dim(i).size() < 0 ? "?" : std::to_string(shape.dim(i).size()));
  return text + "]";
}

class Describer {
public:
  Describer(const Model &model, const Graph &graph, DiagnosticList &diagnostics)
      : model_(model), graph_(graph), diagnostics_(diagnostics) {}

  ModelDescription run() {
    description_.path = model_.path;
    constexpr const char *kKinds[] = {"GraphDef", "MetaGraphDef", "SavedModel"};
    description_.kind = kKinds[static_cast<size_t>(model_.kind)];
    if (model_.kind != Model::Kind::kGraph)
      description_.tags = tagsOf(model_.meta);
    addSignatures();
    markPlumbing();
    addNodes();
    addOps();
    for (const graphdef::FunctionDef &function : graph_.file().graph().library().function())
      description_.functions.push_back(function.signature().name());
    for (const graphdef::AssetFileDef &asset : model_.meta.asset_file_def())
      description_.assets.push_back(asset.filename());
    return std::move(description_);
  }

private:
  static DescribedTensor describe(const TensorRequest &request) {
    DescribedTensor tensor{request.name, "", "", request.tensor};
    if (request.declared) {
      tensor.type = programTypeName(request.declared->type);
      tensor.shape = textOf(request.declared->shape);
    }
    return tensor;
  }

  void addSignatures() {
    auto requests = signaturesOf(model_, {}, graph_.file().limits(), diagnostics_);
    if (!requests)
      return;
    for (const SignatureRequest &request : *requests) {
      DescribedSignature &signature = description_.signatures.emplace_back();
      signature.name = request.name;
      for (const TensorRequest &feed : request.feeds)
        signature.inputs.push_back(describe(feed));
      for (const TensorRequest &fetch : request.fetches)
        signature.outputs.push_back(describe(fetch));
      signature.targets = request.targets;
    }
    for (const SignatureRequest &initializer : initializersOf(model_, diagnostics_))
      description_.initializer = initializer.targets.front();
  }

  // What saves, restores and initializes is nobody's input or output, nor is what only that needs.
  void markPlumbing() {
    const graphdef::SaverDef &saver = model_.meta.saver_def();
    std::vector<uint32_t> pending;
    auto mark = [&](uint32_t node) {
      if (plumbing_.insert(node).second)
        pending.push_back(node);
    };
    for (const std::string &name : {saver.filename_tensor_name(), saver.save_tensor_name(),
                                    saver.restore_op_name(), description_.initializer})
      if (auto reference = parseReference(name))
        if (auto node = graph_.find(reference->node))
          mark(*node);
    while (!pending.empty()) {
      const Node &node = graph_.node(pending.back());
      pending.pop_back();
      for (Endpoint from : node.inputs)
        mark(from.node);
      for (uint32_t from : node.controls)
        mark(from);
    }
  }

  DescribedTensor describe(uint32_t index, uint32_t slot) const {
    const Node &node = graph_.node(index);
    DescribedTensor tensor{node.name().str(), "", ""};
    if (slot > 0)
      tensor.name += ":" + std::to_string(slot);
    if (slot < node.outputTypes.size())
      tensor.type = programTypeName(node.outputTypes[slot].type);
    return tensor;
  }

  DescribedTensor describeWithAttributes(uint32_t index, std::string name) const {
    const Node &node = graph_.node(index);
    DescribedTensor tensor{std::move(name), "", ""};
    if (const graphdef::AttrValue *type = graph_.attribute(node, "dtype"))
      tensor.type = programTypeName(type->type());
    if (const graphdef::AttrValue *shape = graph_.attribute(node, "shape"))
      tensor.shape = textOf(shape->shape());
    return tensor;
  }

  void addNodes() {
    std::vector<bool> isConsumed(graph_.nodes().size());
    for (const Node &node : graph_.nodes()) {
      for (Endpoint from : node.inputs)
        isConsumed[from.node] = true;
      for (uint32_t from : node.controls)
        isConsumed[from] = true;
    }
    llvm::StringSet<> keys;
    for (uint32_t i = 0; i < graph_.nodes().size(); ++i) {
      const Node &node = graph_.node(i);
      if (declaresVariable(node.opName())) {
        std::string key = variableKey(*node.def);
        if (keys.insert(key).second)
          description_.variables.push_back(describeWithAttributes(i, key));
      } else if (node.opName().starts_with("Placeholder")) {
        if (!plumbing_.contains(i))
          description_.placeholders.push_back(describeWithAttributes(i, node.name().str()));
      } else if (!isConsumed[i] && !plumbing_.contains(i)) {
        addUnconsumed(i);
      }
    }
  }

  void addUnconsumed(uint32_t index) {
    const Node &node = graph_.node(index);
    // Graphs are full of these, for whoever restores and looks into variables.
    if (node.opName() == "Const" || node.opName() == "ReadVariableOp" ||
        node.opName() == "VarIsInitializedOp" || node.opName() == "DisableCopyOnRead")
      return;
    if (node.op && node.outputTypes.empty() && node.isSupported)
      return description_.targets.push_back(node.name().str());
    for (uint32_t slot = 0; slot < std::max<size_t>(1, node.outputTypes.size()); ++slot)
      description_.outputs.push_back(describe(index, slot));
  }

  void addOps() {
    std::map<std::string, size_t> counts;
    for (const Node &node : graph_.nodes())
      ++counts[node.opName().str()];
    const graphdef::FunctionDefLibrary &library = graph_.file().graph().library();
    std::set<std::string> functions;
    for (const graphdef::FunctionDef &function : library.function()) {
      functions.insert(function.signature().name());
      for (const graphdef::NodeDef &node : function.node_def())
        ++counts[node.op()];
    }
    for (const auto &[op, count] : counts)
      if (!functions.count(op)) // a call of it by its name
        description_.ops.push_back({op, count, findExpansion(op) != nullptr});
  }

  const Model &model_;
  const Graph &graph_;
  DiagnosticList &diagnostics_;
  llvm::DenseSet<uint32_t> plumbing_;
  ModelDescription description_;
};

DescribedTensor describePort(StringRef name, Type type) {
  std::optional<rt::DType> dtype = dtypeOf(type);
  rt::Shape shape = shapeOf(type);
  return {name.str(), dtype ? std::string(rt::dtypeName(*dtype)) : "",
          shape.hasRank() ? shape.toString() : ""};
}

} // namespace

std::optional<ModelDescription> describe(const Model &model, DiagnosticList &diagnostics) {
  OpTable table;
  FunctionLibrary library(*model.graph, table, diagnostics);
  auto graph = Graph::resolve(*model.graph, table, isSupported, diagnostics);
  CheckedGraph checked;
  if (!graph || !checkGraph(*graph, checked, diagnostics))
    return std::nullopt;
  ModelDescription description = Describer(model, *graph, diagnostics).run();
  return diagnostics.hasErrors() ? std::nullopt : std::optional(std::move(description));
}

ModelDescription describe(const std::string &path, ModuleOp module) {
  ModelDescription description;
  description.path = path;
  description.kind = "IR";
  for (Operation &op : *module.getBody()) {
    if (auto variable = dyn_cast<state::VariableOp>(op))
      description.variables.push_back(describePort(variable.getKey(), variable.getType()));
    auto graph = dyn_cast<flow::GraphOp>(op);
    if (!graph)
      continue;
    if (graph.getInitializes()) {
      description.initializer = graph.getSymName().str();
      continue;
    }
    DescribedSignature &signature = description.signatures.emplace_back();
    signature.name = graph.getSymName().str();
    for (Operation &inner : graph.getBody().front()) {
      if (auto feed = dyn_cast<flow::FeedOp>(inner))
        signature.inputs.push_back(describePort(feed.getName(), feed.getResult().getType()));
      else if (auto fetch = dyn_cast<flow::FetchOp>(inner))
        signature.outputs.push_back(describePort(fetch.getName(), fetch.getValue().getType()));
      else if (auto target = dyn_cast<flow::TargetOp>(inner))
        signature.targets.push_back(target.getName().str());
    }
  }
  return description;
}

} // namespace sluice::import
