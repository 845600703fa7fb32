// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The steps from a model's files to a module.
#include "compiler/import/savedmodel/ImportModel.h"

#include "compiler/import/describe/ModelDescription.h"
#include "compiler/import/savedmodel/Assets.h"
#include "compiler/import/savedmodel/CheckpointValues.h"
#include "compiler/import/savedmodel/RestoreMap.h"
#include "compiler/import/savedmodel/Signatures.h"
#include "compiler/import/savedmodel/TrainableVariables.h"
#include "runtime/io/bundle/table_checkpoint.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/FileSystem.h"

using namespace mlir;

namespace sluice::import {

namespace {

class ModelImport {
public:
  ModelImport(const ModelRequest &request, const Limits &limits, DiagnosticList &diagnostics)
      : request_(request), limits_(limits), diagnostics_(diagnostics) {}

  OwningOpRef<ModuleOp> run(MLIRContext &context, const std::string &path, ImportOptions options) {
    model_ = readModel(path, request_.tags, limits_, diagnostics_);
    if (!model_ || !resolveAssets(*model_, diagnostics_))
      return nullptr;
    std::optional<std::vector<SignatureRequest>> signatures = chooseSignatures();
    if (!signatures)
      return nullptr;
    std::unique_ptr<InitialValues> values = openValues();
    if (request_.training) {
      TrainingRequest step = *request_.training;
      step.trainable = trainableVariables(*model_, diagnostics_);
      if (diagnostics_.hasErrors())
        return nullptr;
      auto training = addTraining(*model_->graph, step, feedsOfTraining(*signatures), diagnostics_);
      if (!training)
        return nullptr;
      signatures->push_back(std::move(training->signature));
      values = withInitial(std::move(values), training->initial);
      options.trains = true;
    }
    llvm::append_range(*signatures, initializersOf(*model_, diagnostics_));
    if (diagnostics_.hasErrors())
      return nullptr;
    options.initialValues = values.get();
    return importGraph(context, *model_->graph, *signatures, diagnostics_, options);
  }

private:
  void fail(ExitCode code, const std::string &message) {
    diagnostics_.error(code, {model_->path, "", ""}, message);
  }

  std::optional<std::vector<SignatureRequest>> chooseSignatures() {
    if (!request_.signatures.empty() && model_->kind == Model::Kind::kGraph) {
      fail(ExitCode::kUsage, "--signature chooses among the signatures of a model, and a GraphDef "
                             "has none: name tensors with --feed and --fetch");
      return std::nullopt;
    }
    bool isDirect = !request_.direct.empty();
    std::vector<SignatureRequest> signatures = request_.direct;
    if (!isDirect || !request_.signatures.empty()) {
      auto ofModel = signaturesOf(*model_, request_.signatures, limits_, diagnostics_);
      if (!ofModel)
        return std::nullopt;
      llvm::append_range(signatures, *ofModel);
    }
    if (signatures.empty() && !request_.training) {
      noSignatures();
      return std::nullopt;
    }
    return diagnostics_.hasErrors() ? std::nullopt : std::optional(std::move(signatures));
  }

  void noSignatures() {
    bool isGraph = model_->kind == Model::Kind::kGraph;
    fail(ExitCode::kUsage, isGraph ? "signature 'main': expected a fetch or a target; what shall "
                                     "be computed?"
                                   : "the model has no signatures: save it with some "
                                     "(tf.saved_model.save(model, folder, signatures=…)), or name "
                                     "tensors with --feed and --fetch");
    // Of a graph that is not good, that is all there is to say.
    DiagnosticList others;
    if (auto description = describe(*model_, others))
      for (const std::string &hint : hintsOf(*description))
        diagnostics_.note({model_->path, "", ""}, hint);
  }

  std::vector<TensorRequest>
  feedsOfTraining(const std::vector<SignatureRequest> &signatures) const {
    if (!request_.trainingFeeds.empty() || signatures.empty())
      return request_.trainingFeeds;
    return signatures.front().feeds;
  }

  static bool declaresTable(llvm::StringRef op) { return op.contains("HashTable"); }

  // What a checkpoint may have values of. Tables need not be in one.
  bool hasAny(bool (*declares)(llvm::StringRef op)) const {
    auto isOne = [&](const graphdef::NodeDef &node) { return declares(node.op()); };
    const graphdef::GraphDef &graph = model_->graph->graph();
    return llvm::any_of(graph.node(), isOne) ||
           llvm::any_of(graph.library().function(), [&](const graphdef::FunctionDef &function) {
             return llvm::any_of(function.node_def(), isOne);
           });
  }
  bool hasTablesInCheckpoint() const {
    return model_->kind == Model::Kind::kSavedModel && hasAny(declaresTable) &&
           llvm::sys::fs::exists(model_->checkpointPrefix() + ".index");
  }

  std::unique_ptr<InitialValues> openOwn() {
    return openCheckpoint(*model_, model_->checkpointPrefix(), Expectation::kOwn, limits_,
                          diagnostics_);
  }

  // Null without one, or after a diagnostic.
  std::unique_ptr<InitialValues> openValues() {
    const std::string &weights = request_.weights;
    if (isSafetensors(weights)) {
      if (hasTablesInCheckpoint()) // such a file has variables only
        openOwn();
      return openSafetensors(weights, limits_, diagnostics_);
    }
    if (!weights.empty()) {
      std::string prefix = checkpointPrefixOf(weights);
      return prefix.empty()
                 ? nullptr
                 : openCheckpoint(*model_, prefix, Expectation::kGiven, limits_, diagnostics_);
    }
    bool isAnyStored = model_->kind == Model::Kind::kSavedModel &&
                       (hasAny(declaresVariable) || hasTablesInCheckpoint());
    return isAnyStored ? openOwn() : nullptr;
  }

  // Users may as well name one of the files.
  std::string checkpointPrefixOf(llvm::StringRef weights) {
    llvm::StringRef prefix = weights;
    prefix.consume_back(".index");
    prefix = prefix.split(".data-").first;
    if (llvm::sys::fs::exists(prefix + ".index"))
      return prefix.str();
    if (rt::HostDisk disk; rt::isTableFile(weights.str(), disk)) // of the first format
      return weights.str();
    std::string problem = "there is no " + quoted(prefix.str() + ".index");
    if (llvm::sys::fs::is_directory(weights))
      problem = "is a folder: give what the files of a checkpoint in it begin with, such as "
                "folder/model.ckpt-100";
    else if (llvm::sys::fs::exists(weights))
      problem += ", and the file is no checkpoint of the first format: give what the files of a "
                 "checkpoint begin with";
    diagnostics_.error(ExitCode::kInputOutput, {weights.str(), "", ""}, problem);
    return "";
  }

  const ModelRequest &request_;
  const Limits &limits_;
  DiagnosticList &diagnostics_;
  std::unique_ptr<Model> model_;
};

} // namespace

OwningOpRef<ModuleOp> importModel(MLIRContext &context, const std::string &path,
                                  const ModelRequest &request, const Limits &limits,
                                  DiagnosticList &diagnostics, const ImportOptions &options) {
  return ModelImport(request, limits, diagnostics).run(context, path, options);
}

} // namespace sluice::import
