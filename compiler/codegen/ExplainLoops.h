// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Which loops and branches run as machine code, and what keeps the others from it.
#pragma once

#include "compiler/codegen/Obstacle.h"

#include "mlir/IR/BuiltinOps.h"

#include <cstdint>
#include <string>
#include <vector>

namespace sluice::codegen {

// Of a loop that codegen-place-loops has left to the host: why.
inline constexpr llvm::StringLiteral kOnHostAttr = "codegen.on_host";
// Of one that it has not: how many lists are arrays in it.
inline constexpr llvm::StringLiteral kListsAttr = "codegen.lists";
// "'node' (nd.op) reason", or "it reason" of the op that is judged itself.
std::string inWords(const Obstacle &obstacle, mlir::Operation *judged);

// What became of one flow.while or flow.cond.
struct LoopVerdict {
  std::string signature;
  std::string title; // "loop 'while'"
  std::string name;  // the frame of a loop, the node of a branch
  bool isLoop = false;
  bool isCollapsed = false;
  bool isOnCard = false; // which runs it by itself
  unsigned depth = 0;    // inside others that are not collapsed
  unsigned rank = 0;
  int64_t window = 1;              // iterations that may be live at once; of loops
  std::vector<mlir::Type> carried; // from iteration to iteration
  size_t ops = 0;
  size_t lists = 0;                 // that are arrays on a card
  size_t calls = 0;                 // of them, those that are run by their kernels
  std::vector<std::string> kernels; // "'node' (nd.op): why" of those with which this begins
  // Of what is not collapsed:
  std::string keeper; // "'node' (nd.op)" of the op that keeps it; empty if it is itself to blame
  std::string keeperNode; // the node alone
  std::string reason;
  std::string onHost; // of one with work for a card: why that does not run it by itself
};

// One for each outermost flow.while and flow.cond, and after one that is not collapsed one for each
// in it, by the same rules as `codegen-choose-loops`.
std::vector<LoopVerdict> loopVerdicts(mlir::ModuleOp module);

// A line for each.
std::string explainLoops(llvm::ArrayRef<LoopVerdict> verdicts);

} // namespace sluice::codegen
