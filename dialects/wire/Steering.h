// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What the primitives of a branch or loop ask for, kept while they are one op with regions.
//
// `wire.steering` on a flow.cond or flow.while has a list for each *role* that somebody asks for
// something in. A list has an entry for each init, capture or result, as the role says; an entry
// has those of `wire.requested` and `wire.colocate` that the primitive has.
#pragma once

#include "dialects/wire/Wire.h"

#include "llvm/ADT/MapVector.h"

namespace sluice::wire {

inline constexpr llvm::StringLiteral kSteering = "wire.steering";

// Roles of a flow.while: by init,
inline constexpr llvm::StringLiteral kEnters = "enters";
inline constexpr llvm::StringLiteral kHeaders = "headers"; // merges of enter and next_iteration
inline constexpr llvm::StringLiteral kBacks = "backs";     // next_iterations
// by capture,
inline constexpr llvm::StringLiteral kInvariants = "invariants"; // constant enters
// by result,
inline constexpr llvm::StringLiteral kSwitches = "switches";
inline constexpr llvm::StringLiteral kExits = "exits";
// and one for all.
inline constexpr llvm::StringLiteral kPivot = "pivot";
// Roles of a flow.cond: by capture,
inline constexpr llvm::StringLiteral kOnTrue = "on_true";
inline constexpr llvm::StringLiteral kOnFalse = "on_false";
// and by result.
inline constexpr llvm::StringLiteral kMerges = "merges";

// What an op asks for; empty if that is nothing.
mlir::DictionaryAttr wishesOf(mlir::Operation *op);
void giveWishes(mlir::Operation *op, mlir::DictionaryAttr wishes);

class Steering {
public:
  Steering() = default;
  // What a structured op has kept.
  explicit Steering(mlir::Operation *structured);

  // Appends to the list of a role.
  void add(llvm::StringRef role, mlir::DictionaryAttr wishes);
  void add(llvm::StringRef role, mlir::Operation *primitive) { add(role, wishesOf(primitive)); }
  // Null if that is nothing.
  mlir::DictionaryAttr wishes(llvm::StringRef role, unsigned number) const;
  // For the primitive that takes the role.
  void giveTo(mlir::Operation *primitive, llvm::StringRef role, unsigned number) const;
  // The init, capture or result is gone.
  void erase(llvm::StringRef role, unsigned number);
  // So many more inits, captures or results, for which nobody asks anything.
  void widen(llvm::StringRef role, size_t more);
  // Without what nobody asks for.
  void attachTo(mlir::Operation *structured) const;

private:
  llvm::MapVector<llvm::StringRef, llvm::SmallVector<mlir::DictionaryAttr>> lists_;
};

// Whether the attribute is as described above, for this op.
bool isSteeringOf(mlir::Operation *op, mlir::Attribute value);

} // namespace sluice::wire
