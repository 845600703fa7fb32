// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// SignatureDefs, and the three ways in which models say how they are initialized.
#include "compiler/import/savedmodel/Signatures.h"

#include "compiler/import/GraphCheck.h"
#include "compiler/import/NearestNames.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringMap.h"
#include "llvm/ADT/StringSet.h"

namespace sluice::import {

using llvm::StringRef;

bool isInternalSignature(StringRef name) { return name.starts_with("__saved_model_"); }

namespace {

constexpr StringRef kInitializer = "__saved_model_init_op";
constexpr StringRef kRestored = "__restored_tables"; // what no node of the model does

class SignatureReader {
public:
  SignatureReader(const Model &model, const graphdef::SignatureDefEntry &entry,
                  DiagnosticList &diagnostics)
      : model_(model), entry_(entry), diagnostics_(diagnostics) {}

  SignatureRequest read() {
    SignatureRequest request;
    request.name = entry_.key();
    for (const graphdef::TensorInfoEntry *input : sorted(entry_.value().inputs(), "inputs"))
      if (auto tensor = read(*input, "input"))
        request.feeds.push_back(std::move(*tensor));
    for (const graphdef::TensorInfoEntry *output : sorted(entry_.value().outputs(), "outputs")) {
      // An output that has no type is a node that is run for its effect.
      const graphdef::TensorInfo &info = output->value();
      if (info.dtype() == graphdef::DT_INVALID && !StringRef(info.name()).contains(':') &&
          !info.name().empty())
        request.targets.push_back(info.name());
      else if (auto tensor = read(*output, "output"))
        request.fetches.push_back(std::move(*tensor));
    }
    return request;
  }

private:
  void fail(ExitCode code, const std::string &message) {
    diagnostics_.error(code, {model_.path, "", ""},
                       "signature " + quoted(entry_.key()) + ": " + message);
  }

  // Whatever order a file has them in, which changes from one writing to the next.
  template <typename Entries>
  std::vector<const graphdef::TensorInfoEntry *> sorted(const Entries &entries, const char *what) {
    std::vector<const graphdef::TensorInfoEntry *> result;
    for (const graphdef::TensorInfoEntry &entry : entries)
      result.push_back(&entry);
    llvm::sort(result, [](auto *a, auto *b) { return a->key() < b->key(); });
    for (size_t i = 1; i < result.size(); ++i)
      if (result[i]->key() == result[i - 1]->key())
        fail(ExitCode::kBadGraph,
             std::string("two ") + what + " have the name " + quoted(result[i]->key()));
    return result;
  }

  std::optional<TensorRequest> read(const graphdef::TensorInfoEntry &entry, const char *role) {
    const graphdef::TensorInfo &info = entry.value();
    auto refuse = [&](ExitCode code, const std::string &message) {
      fail(code, std::string(role) + " " + quoted(entry.key()) + ": " + message);
      return std::nullopt;
    };
    switch (info.encoding_case()) {
    case graphdef::TensorInfo::kName:
      break;
    case graphdef::TensorInfo::kCooSparse:
      return refuse(ExitCode::kUnsupported,
                    "sparse tensors are not supported; save a signature that takes and gives their "
                    "indices, values and shape");
    case graphdef::TensorInfo::kCompositeTensor:
      return refuse(ExitCode::kUnsupported,
                    "composite tensors, such as ragged ones, are not supported; save a signature "
                    "that takes and gives their parts");
    case graphdef::TensorInfo::ENCODING_NOT_SET:
      return refuse(ExitCode::kBadGraph, "it does not say which tensor it is");
    }
    if (entry.key().empty())
      return refuse(ExitCode::kBadGraph, "expected a name but got an empty one");
    TensorRequest request(info.name());
    request.name = entry.key();
    constexpr int kFirstReference = 100; // a type plus this is a reference to a variable of it
    int type = info.dtype();
    if (type != graphdef::DT_INVALID)
      request.declared = {static_cast<graphdef::DataType>(type % kFirstReference),
                          info.tensor_shape()};
    int64_t elements;
    if (std::string problem = problemOfShape(info.tensor_shape(), model_.graph->limits(), elements);
        !problem.empty())
      return refuse(ExitCode::kBadGraph, problem);
    return request;
  }

  const Model &model_;
  const graphdef::SignatureDefEntry &entry_;
  DiagnosticList &diagnostics_;
};

std::string listOf(const std::vector<StringRef> &names) {
  constexpr size_t kShown = 20;
  std::string text;
  for (size_t i = 0; i < std::min(names.size(), kShown); ++i)
    text += (i > 0 ? ", " : "") + quoted(names[i]);
  return text + (names.size() > kShown ? ", …" : "");
}

} // namespace

std::optional<std::vector<SignatureRequest>> signaturesOf(const Model &model,
                                                          const std::vector<std::string> &names,
                                                          const Limits &limits,
                                                          DiagnosticList &diagnostics) {
  Place place{model.path, "", ""};
  llvm::StringMap<const graphdef::SignatureDefEntry *> byName;
  std::vector<StringRef> offered;
  for (const graphdef::SignatureDefEntry &entry : model.meta.signature_def()) {
    if (!byName.try_emplace(entry.key(), &entry).second)
      diagnostics.error(ExitCode::kBadGraph, place,
                        "two signatures have the name " + quoted(entry.key()));
    else if (!isInternalSignature(entry.key()))
      offered.push_back(entry.key());
  }
  llvm::sort(offered);
  if (!limits.allows(LimitId::kSignatures, byName.size()))
    diagnostics.error(ExitCode::kBadGraph, place,
                      limits.excess(LimitId::kSignatures, "signatures", byName.size()));
  std::vector<StringRef> wanted(names.begin(), names.end());
  if (names.empty())
    wanted = offered;
  std::vector<SignatureRequest> requests;
  llvm::StringSet<> seen;
  for (StringRef name : wanted) {
    if (!seen.insert(name).second)
      continue;
    if (name == kInitializer) {
      diagnostics.error(ExitCode::kUsage, place,
                        "signature " + quoted(name) + " runs by itself before the first call");
      continue;
    }
    if (const graphdef::SignatureDefEntry *entry = byName.lookup(name))
      requests.push_back(SignatureReader(model, *entry, diagnostics).read());
    else
      diagnostics.error(
          ExitCode::kUsage, place,
          "there is no signature " + quoted(name) + didYouMean(name, offered) +
              (offered.empty() ? "; there are none" : "; there are " + listOf(offered)));
  }
  return diagnostics.hasErrors() ? std::nullopt : std::optional(std::move(requests));
}

// The name of the node; empty if none is named.
static std::string initializerNode(const Model &model) {
  for (const graphdef::SignatureDefEntry &entry : model.meta.signature_def())
    if (entry.key() == kInitializer)
      for (const graphdef::TensorInfoEntry &output : entry.value().outputs())
        if (output.key() == kInitializer)
          return output.value().name();
  for (StringRef key : {"saved_model_main_op", "legacy_init_op"})
    for (const graphdef::CollectionDefEntry &entry : model.meta.collection_def())
      if (entry.key() == key && entry.value().node_list().value_size() > 0)
        return entry.value().node_list().value(0);
  return "";
}

// Whether the node only waits for others, and these for nobody: then there is nothing to be done.
static bool doesNothing(const graphdef::GraphDef &graph, StringRef name) {
  return llvm::any_of(graph.node(), [&](const graphdef::NodeDef &node) {
    return node.name() == name && node.op() == "NoOp" && node.input().empty();
  });
}

static SignatureRequest initializer(std::string name, std::vector<std::string> targets) {
  SignatureRequest request;
  request.name = std::move(name);
  request.initializes = true;
  request.targets = std::move(targets);
  return request;
}

std::vector<SignatureRequest> initializersOf(const Model &model, DiagnosticList &diagnostics) {
  std::vector<SignatureRequest> requests;
  if (!model.tableImports.empty())
    requests.push_back(initializer(kRestored.str(), model.tableImports));
  std::string name = initializerNode(model);
  auto reference = parseReference(name);
  if (!name.empty() && (!reference || reference->isControl)) {
    diagnostics.error(ExitCode::kBadGraph, {model.path, "", ""},
                      "expected the name of the node that initializes the model but got " +
                          quoted(name));
    return {};
  }
  if (!name.empty() && !doesNothing(model.graph->graph(), reference->node))
    requests.push_back(initializer(kInitializer.str(), {reference->node.str()}));
  return requests;
}

} // namespace sluice::import
