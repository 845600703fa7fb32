// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// nd ops that look for regular expressions in strings: match_pattern, replace_pattern.
#include "runtime/kernels/attributes/nd.h"
#include "runtime/kernels/declare.h"
#include "runtime/kernels/shape_rules.h"
#include "runtime/pattern/pattern.h"

namespace sluice::rt {

namespace {

Status expectScalar(const Shape &shape, const char *what) {
  if (!shape.hasRank() || shape.isScalar())
    return okStatus();
  return invalidArgument(std::string(what) + " must be scalar, but received " + shape.toString());
}

Status matchShape(ShapeCall &call) {
  SLUICE_RETURN_IF_ERROR(expectScalar(call.input(1), "Pattern"));
  return sameShapeRule(call);
}

Status matchRun(KernelCall &call) {
  SLUICE_ASSIGN_OR_RETURN(Pattern pattern, Pattern::parse(*call.input(1).data<std::string>()));
  std::span<const std::string> texts = call.input(0).values<std::string>();
  for (size_t i = 0; i < texts.size(); ++i) {
    SLUICE_ASSIGN_OR_RETURN(call.output(0).data<bool>()[i], pattern.matchesAll(texts[i]));
  }
  return okStatus();
}

Status replaceShape(ShapeCall &call) {
  SLUICE_RETURN_IF_ERROR(expectScalar(call.input(2), "Rewrite"));
  return matchShape(call);
}

Status replaceRun(KernelCall &call) {
  SLUICE_ASSIGN_OR_RETURN(Pattern pattern, Pattern::parse(*call.input(1).data<std::string>()));
  const std::string &rewrite = *call.input(2).data<std::string>();
  bool every = attributes::nd::ReplacePattern(call).every();
  std::span<const std::string> texts = call.input(0).values<std::string>();
  for (size_t i = 0; i < texts.size(); ++i) {
    SLUICE_ASSIGN_OR_RETURN(call.output(0).data<std::string>()[i],
                            pattern.replace(texts[i], rewrite, every));
  }
  return okStatus();
}

// That of a pattern of some length.
uint64_t matchWork(const KernelCall &call) {
  constexpr uint64_t kWorkOfByte = 64;
  uint64_t bytes = 0;
  for (const std::string &text : call.input(0).values<std::string>())
    bytes += text.size() + 1;
  return bytes * kWorkOfByte;
}

} // namespace

SLUICE_DEFINE_KERNEL(nd_match_pattern, {matchShape, matchRun, Kernel::kNone, nullptr, matchWork})
SLUICE_DEFINE_KERNEL(nd_replace_pattern,
                     {replaceShape, replaceRun, Kernel::kNone, nullptr, matchWork})

} // namespace sluice::rt
