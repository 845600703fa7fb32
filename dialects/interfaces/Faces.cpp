// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The interfaces among the faces, the reasons against code and gradients, and the check that each
// op that says so has a kernel.
#include "dialects/interfaces/Faces.h"

#include "dialects/array/Array.h"
#include "dialects/interfaces/Gradient.h"
#include "dialects/list/Maps.h"
#include "dialects/nd/AllOps.h"
#include "dialects/nn/AllOps.h"
#include "dialects/sci/AllOps.h"
#include "dialects/state/State.h"

#include "llvm/ADT/StringMap.h"

#include "dialects/interfaces/CodeOps.cpp.inc"
#include "dialects/interfaces/Differentiable.cpp.inc"

namespace sluice {
namespace {

constexpr std::string_view kKernels[] = {
#define SLUICE_LIST_KERNEL(OP, SET, KEY) #OP,
#include "runtime/kernels/kernels.def"
#undef SLUICE_LIST_KERNEL
};

// "nd.reduce_sum" is the op of the kernel "nd_reduce_sum".
constexpr bool isKernelOf(std::string_view kernel, std::string_view op) {
  if (kernel.size() != op.size()) // of most, and a compiler counts its steps
    return false;
  size_t dot = op.find('.');
  return kernel[dot] == '_' && kernel.substr(0, dot) == op.substr(0, dot) &&
         kernel.substr(dot + 1) == op.substr(dot + 1);
}
constexpr bool hasListedKernel(std::string_view op) {
  for (std::string_view kernel : kKernels)
    if (isKernelOf(kernel, op))
      return true;
  return false;
}

template <typename Op> constexpr bool check() {
  constexpr bool isListed = hasListedKernel(kNameOf<Op>);
  static_assert(isListed || !Op::template hasTrait<HasKernel>(),
                "expected a line for the op in runtime/kernels/kernels.def or runtime/elements/");
  static_assert(!isListed || Op::template hasTrait<HasKernel>(),
                "expected an op of a kernel to have the face HasKernel");
  return true;
}
template <typename... Ops> constexpr bool checkAll(OpTypes<Ops...>) {
  return (check<Ops>() && ...);
}

static_assert(checkAll(nd::AllOps()));
static_assert(checkAll(nn::AllOps()));
static_assert(checkAll(sci::AllOps()));
static_assert(checkAll(OpTypes<
#define GET_OP_LIST
#include "dialects/array/ArrayOps.cpp.inc"
                       >()));
static_assert(checkAll(OpTypes<
#define GET_OP_LIST
#include "dialects/state/StateOps.cpp.inc"
                       ,
#define GET_OP_LIST
#include "dialects/state/TableOps.cpp.inc"
                       ,
#define GET_OP_LIST
#include "dialects/state/QueueOps.cpp.inc"
                       ,
#define GET_OP_LIST
#include "dialects/state/CoordinationOps.cpp.inc"
                       ,
#define GET_OP_LIST
#include "dialects/state/StageOps.cpp.inc"
                       ,
#define GET_OP_LIST
#include "dialects/state/CheckpointOps.cpp.inc"
                       ,
#define GET_OP_LIST
#include "dialects/state/FileOps.cpp.inc"
                       ,
#define GET_OP_LIST
#include "dialects/state/ReaderOps.cpp.inc"
                       >()));

using ListOps = OpTypes<
#define GET_OP_LIST
#include "dialects/list/ListOps.cpp.inc"
    >;
using MapOps = OpTypes<
#define GET_OP_LIST
#include "dialects/list/Maps.cpp.inc"
    >;
static_assert(checkAll(MapOps()));

template <typename Op> llvm::StringRef reasonOf() {
  if constexpr (Op::template hasTrait<HasNoCode>())
    return Op::getReasonAgainstCode();
  else
    return {};
}
template <typename Op> llvm::StringRef gradientReasonOf() {
  if constexpr (Op::template hasTrait<HasNoGradient>())
    return Op::getReasonAgainstGradient();
  else
    return {};
}
using Reasons = llvm::StringMap<llvm::StringRef>;
template <typename... Ops> void addCodeReasons(OpTypes<Ops...>, Reasons &reasons) {
  (reasons.try_emplace(Ops::getOperationName(), reasonOf<Ops>()), ...);
}
template <typename... Ops> void addGradientReasons(OpTypes<Ops...>, Reasons &reasons) {
  (reasons.try_emplace(Ops::getOperationName(), gradientReasonOf<Ops>()), ...);
}
const Reasons &codeReasons() {
  static const Reasons reasons = [] {
    Reasons all; // of lists others know more: those that may be in a cell have code
    addCodeReasons(nd::AllOps(), all);
    addCodeReasons(nn::AllOps(), all);
    addCodeReasons(sci::AllOps(), all);
    return all;
  }();
  return reasons;
}
const Reasons &gradientReasons() {
  static const Reasons reasons = [] {
    Reasons all;
    addGradientReasons(nd::AllOps(), all);
    addGradientReasons(nn::AllOps(), all);
    addGradientReasons(sci::AllOps(), all);
    addGradientReasons(ListOps(), all);
    addGradientReasons(MapOps(), all);
    return all;
  }();
  return reasons;
}

} // namespace

llvm::StringRef reasonAgainstGradient(mlir::OperationName name) {
  return gradientReasons().lookup(name.getStringRef());
}

llvm::StringRef reasonAgainstCode(mlir::OperationName name) {
  return codeReasons().lookup(name.getStringRef());
}

} // namespace sluice
