// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Functions that are called at run time, and their mirrors.
//
// To differentiate a call there are two more functions. One does what the function does and gives
// one more result, a list of all that is *saved* of this call. Its *mirror* takes that list, the
// derivatives of results, and the arguments that it needs, and gives derivatives of arguments. A
// call within the function is one of both as well, so what it saves is an element of its caller's
// list: a tree of calls saves a tree of lists, and nothing has to wait for its neighbour.
//
// Which arguments a mirror needs is known when it is built, and whoever calls it has to know
// before; so a mirror that calls itself is first built as if it needed none, and again with those
// that it turned out to need, until there are no more.
#pragma once

#include "compiler/differentiate/Activity.h"
#include "compiler/differentiate/Mirror.h"

#include <map>

namespace sluice::differentiate {

struct MirroredFunction {
  flow::FuncOp function; // as it is called
  Bits wanted;           // arguments to differentiate by
  Bits reached;          // results whose derivatives are known
  Bits given;            // those of `wanted` that have a derivative
  Bits used;             // arguments that the mirror takes
  flow::FuncOp saves, mirror;
};

class MirroredFunctions {
public:
  MirroredFunctions(CallDependence &calls, const Choices &choices)
      : calls_(calls), choices_(choices) {}

  CallDependence &calls() { return calls_; }
  // Null, with a diagnostic, where there is an op without a derivative.
  MirroredFunction *find(flow::FuncOp function, const Bits &wanted, const Bits &reached);
  std::vector<SavedValue> takeReport() { return std::move(report_); }

private:
  mlir::LogicalResult buildAll();
  mlir::LogicalResult build(MirroredFunction &mirrored);
  void declare(MirroredFunction &mirrored);
  void drop(MirroredFunction &mirrored);

  CallDependence &calls_;
  const Choices &choices_;
  std::map<std::tuple<mlir::Operation *, Bits, Bits>, MirroredFunction> known_;
  std::vector<MirroredFunction *> open_; // declared in this round
  bool isBuilding_ = false, needsMore_ = false;
  std::vector<SavedValue> report_;
};

} // namespace sluice::differentiate
