// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// First values of the variables that a training step adds.
#include "compiler/import/MlirTypes.h"
#include "compiler/import/training/AddTraining.h"

#include "dialects/interfaces/Gradient.h"

using namespace mlir;

namespace sluice::import {

namespace {

class ValuesOfTraining : public InitialValues {
public:
  ValuesOfTraining(std::unique_ptr<InitialValues> others, const llvm::StringMap<double> &initial)
      : others_(std::move(others)), initial_(initial) {}

  ElementsAttr valueOf(llvm::StringRef key, TensorType type, const Place &place,
                       DiagnosticList &diagnostics) override {
    auto added = initial_.find(key);
    if (added == initial_.end())
      return others_ ? others_->valueOf(key, type, place, diagnostics) : ElementsAttr();
    auto ranked = dyn_cast<RankedTensorType>(type);
    if (ranked && ranked.hasStaticShape())
      return splatOf(ranked, added->second);
    diagnostics.error(ExitCode::kUnsupported, place,
                      "training needs variables of known shapes, but that of this one is " +
                          textOf(type));
    return {};
  }
  void finish(DiagnosticList &diagnostics) override {
    if (others_)
      others_->finish(diagnostics);
  }

private:
  std::unique_ptr<InitialValues> others_;
  llvm::StringMap<double> initial_;
};

} // namespace

std::unique_ptr<InitialValues> withInitial(std::unique_ptr<InitialValues> others,
                                           const llvm::StringMap<double> &initial) {
  return std::make_unique<ValuesOfTraining>(std::move(others), initial);
}

} // namespace sluice::import
