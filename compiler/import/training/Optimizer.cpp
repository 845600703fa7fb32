// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The table of optimizers, and the parser of what users write. Defaults are TensorFlow's.
#include "compiler/import/training/Optimizer.h"

#include "compiler/import/Diagnostic.h"
#include "compiler/import/NearestNames.h"

#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringExtras.h"

using namespace llvm;

namespace sluice::import {

namespace {

using Slot = OptimizerSlot;
using Number = OptimizerNumber;

constexpr Number kSgd[] = {{"lr", 0.01, "alpha"}};
constexpr Number kMomentum[] = {
    {"lr", 0.01, "lr"}, {"momentum", 0.9, "momentum"}, {"nesterov", 0, "use_nesterov", true}};
constexpr Number kAdam[] = {{"lr", 0.001, "lr"},
                            {"beta1", 0.9, "beta1"},
                            {"beta2", 0.999, "beta2"},
                            {"epsilon", 1e-8, "epsilon"},
                            {"nesterov", 0, "use_nesterov", true}};
constexpr Number kAdaMax[] = {{"lr", 0.001, "lr"},
                              {"beta1", 0.9, "beta1"},
                              {"beta2", 0.999, "beta2"},
                              {"epsilon", 1e-8, "epsilon"}};
constexpr Number kAdagrad[] = {{"lr", 0.001, "lr"}, {"initial", 0.1, ""}};
constexpr Number kAdagradDa[] = {
    {"lr", 0.001, "lr"}, {"initial", 0.1, ""}, {"l1", 0, "l1"}, {"l2", 0, "l2"}};
constexpr Number kAdagradV2[] = {
    {"lr", 0.001, "lr"}, {"initial", 0.1, ""}, {"epsilon", 1e-7, "epsilon"}};
constexpr Number kAdadelta[] = {
    {"lr", 0.001, "lr"}, {"rho", 0.95, "rho"}, {"epsilon", 1e-8, "epsilon"}};
constexpr Number kRmsProp[] = {{"lr", 0.001, "lr"},
                               {"decay", 0.9, "rho"},
                               {"momentum", 0, "momentum"},
                               {"epsilon", 1e-10, "epsilon"}};
constexpr Number kFtrl[] = {{"lr", 0.001, "lr"},
                            {"power", -0.5, "lr_power"},
                            {"initial", 0.1, ""},
                            {"l1", 0, "l1"},
                            {"l2", 0, "l2"}};
constexpr Number kProximalSgd[] = {{"lr", 0.01, "alpha"}, {"l1", 0, "l1"}, {"l2", 0, "l2"}};
constexpr Number kProximalAdagrad[] = {
    {"lr", 0.001, "lr"}, {"initial", 0.1, ""}, {"l1", 0, "l1"}, {"l2", 0, "l2"}};
constexpr Number kAddSign[] = {
    {"lr", 0.1, "lr"}, {"alpha", 1, "alpha"}, {"decay", 1, "sign_decay"}, {"beta", 0.9, "beta"}};
constexpr Number kPowerSign[] = {{"lr", 0.1, "lr"},
                                 {"logbase", 1, "logbase"},
                                 {"decay", 1, "sign_decay"},
                                 {"beta", 0.9, "beta"}};

constexpr Slot kMomentumSlots[] = {{"Momentum"}};
constexpr Slot kAdamSlots[] = {{"Adam"}, {"Adam_1"}};
constexpr Slot kAmsgradSlots[] = {{"Adam"}, {"Adam_1"}, {"Adam_2"}};
constexpr Slot kAdaMaxSlots[] = {{"AdaMax"}, {"AdaMax_1"}};
constexpr Slot kAdagradDaSlots[] = {{"AdagradDA"}, {"AdagradDA_1", 0, "initial"}};
constexpr Slot kAdagradSlots[] = {{"Adagrad", 0, "initial"}};
constexpr Slot kAdadeltaSlots[] = {{"Adadelta"}, {"Adadelta_1"}};
constexpr Slot kRmsPropSlots[] = {{"RMSProp", 1}, {"RMSProp_1"}};
constexpr Slot kCenteredSlots[] = {{"RMSProp_1"}, {"RMSProp", 1}, {"RMSProp_2"}};
constexpr Slot kFtrlSlots[] = {{"Ftrl", 0, "initial"}, {"Ftrl_1"}};
constexpr Slot kSignSlots[] = {{"Sign"}};

constexpr OptimizerRule kRules[] = {
    {"sgd", "GradientDescent", false, {}, kSgd},
    {"momentum", "Momentum", false, kMomentumSlots, kMomentum},
    {"keras_momentum", "KerasMomentum", true, kMomentumSlots, kMomentum},
    {"adam", "Adam", false, kAdamSlots, kAdam},
    {"amsgrad", "AdamWithAmsgrad", true, kAmsgradSlots, kAdaMax},
    {"adamax", "AdaMax", false, kAdaMaxSlots, kAdaMax},
    {"adagrad", "Adagrad", false, kAdagradSlots, kAdagrad},
    {"adagrad_da", "AdagradDA", false, kAdagradDaSlots, kAdagradDa},
    {"adagrad_v2", "AdagradV2", false, kAdagradSlots, kAdagradV2},
    {"adadelta", "Adadelta", false, kAdadeltaSlots, kAdadelta},
    {"rmsprop", "RMSProp", false, kRmsPropSlots, kRmsProp},
    {"centered_rmsprop", "CenteredRMSProp", false, kCenteredSlots, kRmsProp},
    {"ftrl", "Ftrl", false, kFtrlSlots, kFtrl},
    {"proximal_sgd", "ProximalGradientDescent", false, {}, kProximalSgd},
    {"proximal_adagrad", "ProximalAdagrad", false, kAdagradSlots, kProximalAdagrad},
    {"add_sign", "AddSign", false, kSignSlots, kAddSign},
    {"power_sign", "PowerSign", false, kSignSlots, kPowerSign},
};

template <typename Named> std::string namesOf(ArrayRef<Named> all) {
  return join(map_range(all, [](const Named &each) { return each.name; }), ", ");
}

// "lr=0.1" of an optimizer. False, and the problem, if it has no such number.
bool setNumber(StringRef text, Optimizer &optimizer, std::string &problem) {
  auto [name, value] = text.split('=');
  name = name.trim();
  if (!optimizer.numbers.contains(name)) {
    problem = "optimizer " + quoted(optimizer.rule->name.str()) + " has no number " +
              quoted(name.str()) + "; it has " + namesOf(optimizer.rule->numbers);
    return false;
  }
  double number;
  if (value.trim().getAsDouble(number)) {
    problem =
        "expected a number for " + quoted(name.str()) + " but got " + quoted(value.trim().str());
    return false;
  }
  optimizer.numbers[name] = number;
  return true;
}

} // namespace

ArrayRef<OptimizerRule> optimizerRules() { return kRules; }

std::optional<Optimizer> parseOptimizer(StringRef text, std::string &problem) {
  auto [name, rest] = text.trim().split('(');
  name = name.trim();
  const auto *rule = find_if(kRules, [&](const OptimizerRule &each) { return each.name == name; });
  if (rule == std::end(kRules)) {
    problem = "expected one of " + namesOf(ArrayRef(kRules)) + " but got " + quoted(name.str());
    return std::nullopt;
  }
  Optimizer optimizer{rule, {}};
  for (const Number &number : rule->numbers)
    optimizer.numbers[number.name] = number.value;
  if (!text.contains('('))
    return optimizer;
  if (!rest.trim().consume_back(")")) {
    problem = "expected ')' at the end of " + quoted(text.str());
    return std::nullopt;
  }
  SmallVector<StringRef> parts;
  rest.trim().drop_back().split(parts, ',', -1, /*KeepEmpty=*/false);
  for (StringRef part : parts)
    if (!setNumber(part, optimizer, problem))
      return std::nullopt;
  return optimizer;
}

} // namespace sluice::import
