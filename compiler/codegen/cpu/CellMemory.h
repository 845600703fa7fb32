// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Code for the memory of a cell: its room, the states of its rows, and the rows.
#pragma once

#include "compiler/codegen/cpu/Cells.h"
#include "compiler/codegen/cpu/Emitter.h"
#include "compiler/codegen/elements/Failures.h"

namespace sluice::codegen {

using mlir::Block;
using mlir::ImplicitLocOpBuilder;
using mlir::Operation;
using mlir::Value;

// What one op does to the memory of a cell.
class CellMemory {
protected:
  CellMemory(Emitter &emitter, Cell &cell, Operation *op)
      : emitter_(emitter), b_(emitter.builder()), cell_(cell), op_(op) {}

  // Variables of a cell, and small steps of which ops on it are made.
  static Value pointerVariable(ImplicitLocOpBuilder &b, Value variable);
  static Value intVariable(ImplicitLocOpBuilder &b, Value variable);
  static void set(ImplicitLocOpBuilder &b, Value variable, Value value);
  static Value constant(ImplicitLocOpBuilder &b, int64_t value, unsigned width = 64);
  static Value compare(ImplicitLocOpBuilder &b, mlir::arith::CmpIPredicate predicate, Value left,
                       Value right);
  static Value isEqual(ImplicitLocOpBuilder &b, Value left, int64_t right);

  // An index or size, as an i64.
  Value number(Value value);
  void inBlock(Block *block, llvm::function_ref<void()> emit);
  void when(Value condition, llvm::function_ref<void()> emit);

  // ---- Room -------------------------------------------------------------------------------------

  // Rows may lie elsewhere afterwards.
  void callRoom(llvm::StringRef function, Value rows, bool mayBeFull = false);
  void makeRoom(Value rows);
  void makeRoomForPush(Value rows);
  Value hasRoom(Value index);
  Value checkInside(Value index, FailureReason reason);
  // The list is as long as the index needs; false where it cannot be.
  Value growTo(Value index, FailureReason reason);

  // ---- States -----------------------------------------------------------------------------------

  Value stateAddress(Value index);
  Value state(Value index);
  Value areKept();
  void storeState(Value index, Value state);
  void setState(Value index, int64_t state);
  // The state of a row that is there if `inside`; that of a set one where there are none.
  Value stateIf(Value inside, Value index);
  // Whether the row can be read; a failure where it cannot. An empty one can be where `zeros` says
  // so, or the list, or `other`, which is asked last.
  Value readable(Value inside, Value index, bool zeros = false,
                 llvm::function_ref<Value()> other = nullptr);
  // Whether it holds, and the other, which is only asked then, does not.
  Value unless(Value condition, llvm::function_ref<Value()> other);
  // Whether the row can be written to; `again`: also when it has been before.
  Value writable(Value inside, Value index, bool again);

  // ---- Rows -------------------------------------------------------------------------------------

  Value rowAddress(Value index);
  Value rowMemory(Value index);
  void read(Value result, Value index, Value ok);
  void write(Value value, Value index);
  void clear(Value index);
  // Of elements as they are in registers.
  Value sum(Value left, Value right);
  void add(Value value, Value index);

  Emitter &emitter_;
  ImplicitLocOpBuilder &b_;
  Cell &cell_;
  Operation *op_;
};

} // namespace sluice::codegen
