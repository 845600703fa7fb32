// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Under which condition the values of a graph are live.
//
// A condition is a conjunction of literals. A predicate literal says which way a switch went; it
// is about the value of the predicate, so it sees through what forwards that: loop_cond, gates and
// constant enters, and through nd.logical_not with the other sign. A frame literal is in the
// conditions of all values of a loop, so that those of different frames differ. What the analysis
// cannot express gets a literal of its own.
//
// A merge of a condition with a predicate and of the same one with its negation takes both away.
// One of a condition with a narrower one is live where the wider one holds. In a loop whose back
// edges all carry what is live exactly when the loop goes on, the loop-carried values are live in
// every iteration; that is assumed first, and taken back where it turns out wrong.
//
// Of a loop in a loop, some first values may be there more often than others: those that the outer
// loop captures, also in its last iteration, in which no other value enters. If the condition of
// the inner loop waits for one of the others, it is dead then, and nothing leaves the loop. So all
// its values count as live when all of them are, if nothing is computed and done of the few alone.
#pragma once

#include "dialects/flow/FrameAnalysis.h"

#include <map>
#include <vector>

namespace sluice::flow {

struct Literal {
  enum Kind : uint8_t {
    kPredicate, // `source` is true, or false if `negated`
    kFrame,     // in an iteration of the frame `home`
    kFirst,     // in the first iteration of the frame `home`: what an enter brings
    kUnknown,
  };
  Kind kind;
  bool negated = false;
  unsigned home = 0; // the frame in which it is decided
  mlir::Value source;
};

class DeadnessAnalysis {
public:
  // `frames` has to outlive the result.
  static DeadnessAnalysis run(TokenGraph graph, const FrameAnalysis &frames);

  // Constants, and in the root frame all that is before no switch.
  static constexpr unsigned kAlways = 0;

  // Values with equal numbers, constants aside, are live in exactly the same iterations of the same
  // frame. A constant is always live, so in every iteration of the frame that uses it.
  unsigned conditionOf(mlir::Value value) const { return conditionOf_.lookup(value); }

  // Both conditions. Equal conditions have equal numbers, with those of values as well.
  unsigned conjunction(unsigned a, unsigned b);
  // That `predicate` is live, and is `way`.
  unsigned decided(mlir::Value predicate, bool way);
  // The literal of that decision alone.
  unsigned literalOf(mlir::Value predicate, bool way);
  // The condition and one literal more, or one less.
  unsigned with(unsigned condition, unsigned literal);
  unsigned without(unsigned condition, unsigned literal);
  bool includes(unsigned condition, unsigned literal) const;
  // Whether `other` holds wherever `condition` does.
  bool implies(unsigned condition, unsigned other) const;
  // The numbers of a condition's literals, rising.
  llvm::ArrayRef<unsigned> literalsOf(unsigned condition) const { return *conditions_[condition]; }
  const Literal &literal(unsigned number) const { return literals_[number]; }

  // Whether all loop-carried values of the frame are live in all of its iterations, and these go on
  // for as long as the predicate of its loop_cond holds.
  bool isRegular(unsigned frame) const { return !irregular_[frame]; }
  // Whether the merge takes one value from an enter that is not constant, and one from
  // next_iteration.
  static bool isLoopHeader(MergeOp merge);

private:
  // The home of a literal whose frame is not known: within whatever frame one looks at.
  static constexpr unsigned kNowhere = ~0u;
  using Literals = llvm::SmallVector<unsigned, 4>;
  struct Source {
    mlir::Value value;
    bool negated = false;
  };

  explicit DeadnessAnalysis(const FrameAnalysis &frames);
  void evaluate(mlir::Operation *op);
  void evaluateSwitch(SwitchOp op);
  void evaluateMerge(MergeOp merge);
  void evaluateEnter(EnterOp enter);
  void evaluateExit(ExitOp exit);
  void evaluateCond(CondOp cond);
  void evaluateWhile(WhileOp loop);
  void evaluateRegion(mlir::Block &block, unsigned around, mlir::ValueRange captures);
  struct Headers;
  bool findIrregular(TokenGraph graph);
  bool alignEntries(unsigned frame, const Headers &headers);

  unsigned operandsOf(mlir::Operation *op);
  void setResults(mlir::Operation *op, unsigned condition);
  void setUnknown(mlir::Operation *op);
  void setWhereverArrives(mlir::Operation *op, mlir::ValueRange operands);
  void forward(mlir::Value from, mlir::Value to, bool negated = false);
  Source sourceOf(mlir::Value value) const;
  unsigned homeOf(mlir::Operation *op) const;

  unsigned numberOf(const Literal &literal);
  void addPair(Literal literal);
  unsigned condition(Literals literals);
  unsigned unknown(unsigned home);
  unsigned unknown(unsigned home, mlir::Value value); // the same in all walks
  unsigned disjunction(llvm::ArrayRef<unsigned> conditions, unsigned frame);
  std::optional<unsigned> resolve(unsigned a, unsigned b);

  const FrameAnalysis *frames_;
  std::vector<Literal> literals_;
  std::map<std::tuple<Literal::Kind, unsigned, const void *>, unsigned> literalNumbers_;
  std::map<Literals, unsigned> conditionNumbers_;
  std::vector<const Literals *> conditions_; // keys of that map
  llvm::DenseMap<std::pair<unsigned, unsigned>, unsigned> conjunctions_;
  std::map<llvm::SmallVector<unsigned>, unsigned> disjunctions_;
  llvm::DenseMap<mlir::Value, unsigned> conditionOf_;
  llvm::DenseMap<mlir::Value, Source> sources_; // of values that only forward another one
  llvm::SmallVector<bool> irregular_;           // by frame
  // By frame: when all first values are live, if some of them are more often.
  llvm::SmallVector<std::optional<unsigned>> entries_;
};

} // namespace sluice::flow
