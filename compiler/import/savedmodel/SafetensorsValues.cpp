// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Values out of a safetensors file.
#include "compiler/import/FileContent.h"
#include "compiler/import/MlirTypes.h"
#include "compiler/import/NearestNames.h"
#include "compiler/import/savedmodel/CheckpointValues.h"
#include "dialects/flow/Compatible.h"
#include "dialects/interfaces/KernelOps.h"
#include "runtime/io/safetensors.h"

#include "llvm/ADT/StringMap.h"

using namespace mlir;

namespace sluice::import {

bool isSafetensors(StringRef path) { return path.ends_with(".safetensors"); }

namespace {

class SafetensorsValues final : public InitialValues {
public:
  SafetensorsValues(std::string path, std::vector<rt::NamedTensor> tensors)
      : path_(std::move(path)) {
    for (auto &[name, tensor] : tensors)
      tensors_[name] = std::move(tensor);
  }

  ElementsAttr valueOf(StringRef key, TensorType type, const Place &place,
                       DiagnosticList &diagnostics) override {
    auto found = tensors_.find(key);
    if (found == tensors_.end()) {
      missing_.push_back(key.str());
      return nullptr;
    }
    used_ += 1;
    ElementsAttr value = sluice::attributeOf(type.getContext(), found->second);
    if (flow::mayBecome(value.getType(), type))
      return value;
    diagnostics.error(ExitCode::kBadGraph, place,
                      "variable " + quoted(key) + ": expected " + textOf(type) + " but " +
                          quoted(path_) + " has " + textOf(value.getType()));
    return nullptr;
  }

  void finish(DiagnosticList &diagnostics) override {
    constexpr size_t kNamed = 5;
    if (missing_.empty())
      return;
    std::vector<StringRef> names;
    for (const auto &entry : tensors_)
      names.push_back(entry.first());
    std::string text;
    for (size_t i = 0; i < std::min(missing_.size(), kNamed); ++i)
      text += (i > 0 ? ", " : "") + quoted(missing_[i]) + didYouMean(missing_[i], names);
    Place place{path_, "", ""};
    diagnostics.warning(place, "there is no value for " + std::to_string(missing_.size()) +
                                   (missing_.size() == 1 ? " variable: " : " variables: ") + text +
                                   (missing_.size() > kNamed ? ", …" : ""));
    if (used_ == 0)
      diagnostics.error(ExitCode::kBadGraph, place, "none of its tensors is one of a variable");
  }

private:
  std::string path_;
  llvm::StringMap<rt::Tensor> tensors_;
  std::vector<std::string> missing_;
  size_t used_ = 0;
};

} // namespace

std::unique_ptr<InitialValues> openSafetensors(const std::string &path, const Limits &limits,
                                               DiagnosticList &diagnostics) {
  auto content = readRegularFile(path, limits, LimitId::kFileBytes, diagnostics);
  if (!content)
    return nullptr;
  auto tensors = rt::decodeSafetensors(*content);
  if (tensors.ok())
    return std::make_unique<SafetensorsValues>(path, std::move(*tensors));
  diagnostics.error(ExitCode::kBadGraph, {path, "", ""}, tensors.status().message());
  return nullptr;
}

} // namespace sluice::import
