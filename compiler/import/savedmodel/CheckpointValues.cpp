// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Finding a variable's tensor in a checkpoint, and its value as an attribute.
#include "compiler/import/savedmodel/CheckpointValues.h"

#include "compiler/import/Graph.h"
#include "compiler/import/MlirTypes.h"
#include "compiler/import/WireCheck.h"
#include "compiler/import/savedmodel/ObjectTensors.h"
#include "compiler/import/savedmodel/RestoreMap.h"
#include "compiler/import/savedmodel/RestoredTables.h"
#include "compiler/import/savedmodel/StoredTensors.h"
#include "dialects/flow/Compatible.h"

#include "llvm/ADT/StringMap.h"

#include <cstring>
#include <vector>

using namespace mlir;

namespace sluice::import {

namespace {

constexpr StringRef kObjectGraph = "_CHECKPOINTABLE_OBJECT_GRAPH";

// What a checkpoint says of the program that was saved. No objects if it says nothing.
graphdef::ObjectGraph readObjects(StoredTensors &stored, const Limits &limits,
                                  DiagnosticList &diagnostics) {
  graphdef::ObjectGraph objects;
  if (!stored.has(kObjectGraph))
    return objects;
  std::optional<TensorValue> value = stored.read(kObjectGraph, "", diagnostics);
  if (!value)
    return objects;
  uint64_t unknownFields = 0;
  std::optional<WireProblem> problem;
  if (value->strings.size() != 1)
    problem = WireProblem{0, "expected one text"};
  else
    problem = checkWire(value->strings[0], objects.GetDescriptor(), limits, unknownFields);
  if (problem || !objects.ParseFromString(value->strings[0]))
    diagnostics.error(
        ExitCode::kBadGraph, {stored.indexPath(), "", ""},
        "tensor " + quoted(kObjectGraph) + ": is no graph of objects" +
            (problem ? ": byte " + std::to_string(problem->offset) + ": " + problem->message : ""));
  return objects;
}

class CheckpointValues final : public InitialValues {
public:
  CheckpointValues(std::unique_ptr<StoredTensors> stored, RestoreMap restored,
                   ObjectTensors objects, Expectation expectation)
      : stored_(std::move(stored)), restored_(std::move(restored)), objects_(std::move(objects)),
        expectation_(expectation) {}

  ElementsAttr valueOf(StringRef key, TensorType type, const Place &place,
                       DiagnosticList &diagnostics) override {
    std::optional<RestoredTensor> tensor = find(key, place, diagnostics);
    if (!tensor) {
      missing_.push_back(key.str());
      return nullptr;
    }
    std::optional<TensorValue> value = stored_->read(tensor->name, tensor->part, diagnostics);
    Type element = value ? import::elementTypeOf(type.getContext(), value->type) : Type();
    if (!value)
      return nullptr;
    auto got = element ? RankedTensorType::get(value->shape, element) : RankedTensorType();
    if (!got || !flow::mayBecome(got, type)) {
      diagnostics.error(ExitCode::kBadGraph, place,
                        "variable " + quoted(key) + ": expected " + textOf(type) + " but tensor " +
                            quoted(tensor->name) + " of " + quoted(stored_->indexPath()) + " is " +
                            (got ? textOf(got) : typeName(value->type)));
      return nullptr;
    }
    findSplat(*value);
    return attributeOf(type.getContext(), *value);
  }

  void finish(DiagnosticList &diagnostics) override {
    constexpr size_t kNamed = 5;
    if (expectation_ == Expectation::kOwn) // others may be set when the model begins
      llvm::erase_if(missing_, [&](StringRef key) { return !objects_.captured.contains(key); });
    if (missing_.empty())
      return;
    std::string names;
    for (size_t i = 0; i < std::min(missing_.size(), kNamed); ++i)
      names += (i > 0 ? ", " : "") + quoted(missing_[i]);
    diagnostics.warning({stored_->indexPath(), "", ""},
                        "there is no value for " + std::to_string(missing_.size()) +
                            (missing_.size() == 1 ? " variable: " : " variables: ") + names +
                            (missing_.size() > kNamed ? ", …" : ""));
  }

private:
  std::optional<RestoredTensor> find(StringRef key, const Place &place,
                                     DiagnosticList &diagnostics) {
    auto restored = restored_.byVariable.find(key);
    bool isRestored = restored != restored_.byVariable.end();
    if (isRestored && stored_->has(restored->second.name))
      return restored->second;
    if (auto known = objects_.captured.find(key);
        known != objects_.captured.end() && stored_->has(known->second))
      return RestoredTensor{known->second, ""};
    if (stored_->has(key))
      return RestoredTensor{key.str(), ""};
    if (auto known = objects_.named.find(key);
        known != objects_.named.end() && stored_->has(known->second))
      return RestoredTensor{known->second, ""};
    // The model's own checkpoint has all that it restores.
    if (isRestored && expectation_ == Expectation::kOwn)
      diagnostics.error(ExitCode::kBadGraph, place,
                        "variable " + quoted(key) + ": checkpoint " + quoted(stored_->indexPath()) +
                            " has no tensor " + quoted(restored->second.name));
    return std::nullopt;
  }

  // Slots of optimizers begin as zeros: these take no place.
  static void findSplat(TensorValue &value) {
    size_t size = elementBytes(value.type);
    if (value.elements > 1 && value.type != graphdef::DT_STRING &&
        std::memcmp(value.bytes.data(), value.bytes.data() + size, value.bytes.size() - size) ==
            0) {
      value.bytes.resize(size);
      value.isSplat = true;
    }
  }

  std::unique_ptr<StoredTensors> stored_;
  RestoreMap restored_;
  ObjectTensors objects_;
  Expectation expectation_;
  std::vector<std::string> missing_;
};

} // namespace

std::unique_ptr<InitialValues> openCheckpoint(Model &model, const std::string &prefix,
                                              Expectation expectation, const Limits &limits,
                                              DiagnosticList &diagnostics) {
  const graphdef::SaverDef &saver = model.meta.saver_def();
  Place place{model.path, "", ""};
  RestoreMap restored;
  auto node = parseReference(saver.restore_op_name());
  if (node)
    restored = readRestoreMap(model.graph->graph(), node->node, place, limits, diagnostics);
  auto stored =
      diagnostics.hasErrors() ? nullptr : StoredTensors::open(prefix, limits, diagnostics);
  if (!stored)
    return nullptr;
  ObjectTensors objects = tensorsOfObjects(model.meta.object_graph_def(), model.graph->graph(),
                                           readObjects(*stored, limits, diagnostics));
  addTableImports(model, restored.tables, *stored, expectation, diagnostics);
  if (diagnostics.hasErrors())
    return nullptr;
  return std::make_unique<CheckpointValues>(std::move(stored), std::move(restored),
                                            std::move(objects), expectation);
}

} // namespace sluice::import
