// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// From flags to a request for a training step.
#include "tools/sluicec/ChooseTraining.h"

#include <cmath>

using namespace llvm;

namespace sluice {

std::string chooseTraining(const Flags &flags, DriverOptions &options) {
  import::ModelRequest &model = options.compile.model;
  differentiate::Choices &gradients = options.compile.gradients;
  if (!differentiate::readMemory(StringRef(flags.gradientMemory), gradients))
    return "expected --gradient-memory to be fast, balanced, min, segments or a number of bytes, "
           "as "
           "1000000, 512K, 64M or 2G, but got '" +
           import::escaped(flags.gradientMemory) + "'";
  auto products = differentiate::productsFromName(flags.gradientProducts);
  if (!products)
    return "expected --gradient-products to be each or joined but got '" +
           import::escaped(flags.gradientProducts) + "'";
  gradients.products = *products;
  const cl::Option *of[] = {&flags.optimizer, std::addressof(flags.variables), &flags.clipNorm};
  for (const cl::Option *needs : of)
    if (needs->getNumOccurrences() && !flags.train.getNumOccurrences())
      return ("--" + needs->ArgStr + " needs --train").str();
  if (!flags.train.getNumOccurrences())
    return "";
  import::TrainingRequest training;
  training.loss = flags.train;
  training.optimizer = flags.optimizer;
  training.variables.assign(flags.variables.begin(), flags.variables.end());
  if (flags.clipNorm.getNumOccurrences()) {
    double norm;
    if (StringRef(flags.clipNorm).getAsDouble(norm) || !(norm > 0) || std::isinf(norm))
      return "expected --clip-norm to be a number above 0 but got '" +
             import::escaped(flags.clipNorm) + "'";
    training.clipNorm = norm;
  }
  model.training = std::move(training);
  model.trainingFeeds.assign(flags.feed.begin(), flags.feed.end());
  return "";
}

} // namespace sluice
