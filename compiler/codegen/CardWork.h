// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Which ops a card is for.
#pragma once

#include "runtime/base/splitmix.h"

#include "mlir/IR/Builders.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/BuiltinTypes.h"
#include "mlir/IR/Operation.h"
#include "llvm/ADT/STLFunctionalExtras.h"

namespace sluice::codegen {

// Of the module of a rank that has a card.
inline constexpr llvm::StringLiteral kHasCardAttr = "codegen.has_card";
// Of the same: how much an op has to compute by itself to go to the card, in elements of its
// largest value, or sixteenths of a product's multiplications. By default as much as a host
// computes while it launches a kernel, which takes some microseconds.
inline constexpr llvm::StringLiteral kLeastCardWorkAttr = "codegen.least_card_work";
inline constexpr int64_t kLeastCardWork = 1 << 14;

// Of the same: which loops the card runs by itself (PlaceLoops.cpp): "auto", those that are quicker
// there; "always", those that can; "never".
inline constexpr llvm::StringLiteral kCardLoopsAttr = "codegen.card_loops";

// Of a codelet of a card: which of its streams it is enqueued on, counted from the one where a call
// begins. 0 where there is none.
inline constexpr llvm::StringLiteral kStreamAttr = "codegen.stream";

// Of the same: how many cards it has; one where it is not said.
inline constexpr llvm::StringLiteral kCardsAttr = "codegen.cards";
// Of the outermost module, where a rank says how many cards it has: a dictionary of nodes that ask
// for a card or the host, with what CardWishes answers.
inline constexpr llvm::StringLiteral kCardWishesAttr = "codegen.card_wishes";

// Of the module again, for tests: a seed by which ops that a card has code for, and variables that
// may live there, are on it or on the host, instead of where they are quicker.
inline constexpr llvm::StringLiteral kCardSeedAttr = "codegen.card_seed";

// Calls `visit` for each program, the module or those of ranks within it, that has a card.
void visitProgramsWithCard(mlir::ModuleOp module,
                           llvm::function_ref<void(mlir::ModuleOp program)> visit);

// Whether a card has code for the op: an nd op that can be compiled, with a kernel.
bool canRunOnCard(mlir::Operation *op);
// Whether a value of the type is what the host asks for: a single number, or a few integers.
bool isFewNumbers(mlir::RankedTensorType type);
// How much an op computes, in the unit of kLeastCardWorkAttr; nothing where sizes are not known.
std::optional<int64_t> workOf(mlir::Operation *op);
// The host's value in the memory of a card: a copy, or the same constant.
mlir::Value inMemoryOfCard(mlir::OpBuilder &b, mlir::Value onHost, unsigned card);
// Whether the host has the result sooner: of an op that computes a single number, or a few integers
// as shapes and indices are, for which it is the host that asks, or else too little. `cardOperands`
// are those of CardLowerings.h. Not where one of them is on a card already.
bool isForHost(mlir::Operation *op, llvm::ArrayRef<unsigned> cardOperands);
// The same of an op of which the graph says that it is for a card: however little it computes.
bool isForHostAnyhow(mlir::Operation *op, llvm::ArrayRef<unsigned> cardOperands);

// How many cards the program's rank has.
unsigned cardsOf(mlir::ModuleOp program);

// What is drawn by kCardSeedAttr, one after the other: a card, or nothing for the host.
class CardLots {
public:
  explicit CardLots(mlir::ModuleOp program);
  bool areDrawn() const { return lots_.has_value(); }
  std::optional<unsigned> next() {
    uint64_t lot = lots_->below(1 + cards_);
    return lot ? std::optional(static_cast<unsigned>(lot - 1)) : std::nullopt;
  }

private:
  unsigned cards_;
  std::optional<rt::SplitMix64> lots_;
};

// What nodes ask for, on a rank that says how many cards it has (kCardWishesAttr).
class CardWishes {
public:
  enum Wish : int64_t { kAnyCard = -2, kHost = -1 }; // others are a card's number
  explicit CardWishes(mlir::ModuleOp program);
  // Of the op's node; nothing if it does not say.
  std::optional<int64_t> of(mlir::Operation *op) const { return of(op->getLoc()); }
  std::optional<int64_t> of(mlir::Location location) const;

private:
  mlir::DictionaryAttr wishes_;
};

} // namespace sluice::codegen
