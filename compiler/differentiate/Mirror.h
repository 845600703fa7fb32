// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What the mirror of a branch or loop needs of it.
//
// Derivatives are built as if all values of the forward regions were in sight. Connecting brings
// them there. A constant is copied, a capture captured, a counter computed from the number of the
// iteration, a variable that nobody changes meanwhile read again, and some values are computed
// again from others (SavePlan.h). All else is *saved*: pushed to a list of its own where it is
// computed, and popped in the mirror, which runs in the opposite order. Such a list is a *tape*. It
// begins empty in front of the branch or loop and goes through it; if that is itself in a loop,
// connecting the outer one puts the tape through the outer one instead, so that there is one tape
// however deep the nesting is, and never a list of lists.
#pragma once

#include "compiler/differentiate/Activity.h"
#include "compiler/differentiate/SavePlan.h"

#include "dialects/list/List.h"

#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/StringMap.h"
#include "llvm/ADT/StringSet.h"

namespace sluice::differentiate {

// What became of a value that a mirror needs, or of a sum of products that it makes, for users.
enum class Fate : uint8_t { kSaved, kComputedAgain, kJoined };
struct SavedValue {
  std::string where; // "loop 'f'", or "branch"
  std::string node, type;
  int64_t bytes; // each time
  Fate fate;
  std::string loop; // whose choice it is: the frame
  int64_t times;    // about
  bool isKnown;     // how often
};

struct Tape {
  list::MakeOp opening; // in the block of the branch or loop
  mlir::Value saved;    // what the branch or loop makes of it
  mlir::Value left;     // what the mirror leaves of that
};

class Mirror {
public:
  // `request` is where variables are read again, unless somebody changes them who does not wait for
  // it; null in a function, which cannot tell what its callers do.
  Mirror(Activity &activity, flow::TokenGraph graph, flow::GradientOp request,
         const Choices &choices);

  // Brings into the regions of `mirror` what they use of others. Both ops may become other ones.
  void connect(flow::WhileOp &loop, flow::WhileOp &mirror);
  void connect(flow::CondOp &branch, flow::CondOp &mirror);
  // Of functions, whose returns are there: what the mirror needs of the function is a list, which
  // becomes the function's last result and is `saved` in the mirror (MirroredFunctions.h).
  // `argumentOf` gives the argument of the mirror that is one of the function.
  using ArgumentOf = llvm::function_ref<mlir::Value(flow::ArgumentOp)>;
  void connect(flow::FuncOp function, flow::FuncOp mirror, mlir::Value saved,
               ArgumentOf argumentOf);

  // The loop with more values, and all that is noted of it brought up to date.
  flow::WhileOp carryMore(flow::WhileOp loop, mlir::ValueRange values);
  flow::WhileOp forwardMore(flow::WhileOp loop, mlir::ValueRange values);
  // The call with one more result: what `saves` keeps, a function that does the same as its own.
  flow::CallOp saveMore(flow::CallOp call, flow::FuncOp saves);

  // A constant that is dead where `reference` is, which matters in graphs that have switches: loops
  // and branches get their values dead all or none.
  mlir::Value alongWith(mlir::Value reference, mlir::Value constant, mlir::OpBuilder &b) const;

  const Choices &choices() const { return choices_; }
  // Tells users that a loop's products onto a sum are one product.
  void noteJoined(flow::WhileOp loop, mlir::Value product);
  llvm::ArrayRef<SavedValue> report() const { return report_; }
  // When all variables have been read that are read again.
  llvm::ArrayRef<mlir::Value> whenRead() const { return whenRead_; }

private:
  friend class RegionMirror;
  flow::CondOp carryMore(flow::CondOp branch, mlir::ValueRange values);
  void replace(llvm::ArrayRef<mlir::Value> from, mlir::ValueRange to);
  // Whether the op reads a variable that holds the same whenever a derivative is computed.
  bool canReadAgain(mlir::Operation *op) const;
  // Outside of all branches and loops.
  mlir::Value readAgain(mlir::Operation *op);
  // What may be computed again of a region of this op.
  Memory memoryIn(mlir::Operation *forward) const;
  SavedValue entryOf(mlir::Operation *forward, mlir::Value value, Fate fate) const;
  void explain(mlir::Operation *forward, llvm::ArrayRef<mlir::Value> saved,
               llvm::ArrayRef<mlir::Value> needed);

  Activity &activity_;
  flow::GradientOp request_;
  const Choices &choices_;
  bool hasSwitches_ = false;
  llvm::StringSet<> changed_; // variables
  llvm::StringMap<mlir::Value> readAgain_;
  llvm::SmallVector<mlir::Value> whenRead_;
  llvm::DenseMap<mlir::Value, Tape> tapes_; // by what is saved
  llvm::SmallVector<SavedValue> report_;
};

// The value under another type of it, where something has that type already.
mlir::Value underType(mlir::OpBuilder &b, mlir::Value value, mlir::Type type);

// The variables of a loop that grow by the same in each iteration: i32 scalars which are forwarded
// as they are.
struct Counter {
  unsigned forwarded; // position among the results
  int32_t start, step;
};
llvm::SmallVector<Counter> countersOf(flow::WhileOp loop);

} // namespace sluice::differentiate
