// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Kernels that talk to the user: assert, print and print_text.
#include "runtime/base/cancellation.h"
#include "runtime/kernels/attributes/state.h"
#include "runtime/kernels/declare.h"
#include "runtime/kernels/environment.h"
#include "runtime/kernels/summary.h"

namespace sluice::rt {

namespace {

Status assertRun(KernelCall &call) {
  const Tensor &condition = call.input(0);
  if (condition.dtype() != DType::kBool || condition.elements() != 1)
    return invalidArgument("In[0] should be a scalar: " + condition.shape().toString());
  if (*condition.data<bool>())
    return okStatus();
  std::string text = "assertion failed:";
  for (size_t i = 1; i < call.numInputs(); ++i)
    text += " [" + summarize(call.input(i), attributes::state::Assert(call).summarize()) + "]";
  if (Cancellation::requestedHere()) // then it may be incomplete
    return cancelledWork();
  return invalidArgument(std::move(text));
}

// `first_n` counts the iterations of the innermost loop, in the first of the loops around it: what
// was printed before is known to no schedule, and nothing that a print op has outlives a call.
Status printRun(KernelCall &call) {
  const Environment *environment = call.environment();
  attributes::state::Print attributes(call);
  int64_t firstN = attributes.firstN();
  if (!environment || !environment->print || !*environment->print ||
      (firstN >= 0 && (environment->firing.outer() ||
                       environment->firing.iteration() >= static_cast<uint64_t>(firstN))))
    return okStatus();
  std::string text(attributes.message());
  for (size_t i = 0; i < call.numInputs(); ++i)
    text += "[" + summarize(call.input(i), attributes.summarize()) + "]";
  if (Cancellation::requestedHere()) // then it may be incomplete
    return cancelledWork();
  (*environment->print)(text);
  return okStatus();
}

Status printTextRun(KernelCall &call) {
  const Tensor &text = call.input(0);
  if (text.dtype() != DType::kString || text.elements() != 1)
    return invalidArgument("Input is expected to be scalar, but got " + text.shape().toString());
  const Environment *environment = call.environment();
  if (!environment || !environment->print || !*environment->print)
    return okStatus();
  std::string line = *text.data<std::string>();
  line += attributes::state::PrintText(call).end();
  if (line.ends_with('\n'))
    line.pop_back();
  (*environment->print)(line);
  return okStatus();
}

} // namespace

SLUICE_DEFINE_EFFECT_KERNEL(state_assert, nullptr, assertRun)
SLUICE_DEFINE_EFFECT_KERNEL(state_print, nullptr, printRun)
SLUICE_DEFINE_EFFECT_KERNEL(state_print_text, nullptr, printTextRun)

} // namespace sluice::rt
