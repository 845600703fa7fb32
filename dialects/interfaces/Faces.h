// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What the rest of the system may do with an op, said at the op's definition: traits that it has or
// lacks. Passes ask these, never for the names of ops or dialects.
#pragma once

#include "mlir/IR/OpDefinition.h"

namespace sluice {

class Gradient;

template <typename Op, template <typename> typename Trait>
using Face = mlir::OpTrait::TraitBase<Op, Trait>;

// ---- Execution ----------------------------------------------------------------------------------

// Runs as a kernel of the runtime, which is listed under the op's name.
template <typename Op> struct HasKernel : Face<Op, HasKernel> {};
// Makes tensors from tensors: without effects, and without tokens.
template <typename Op> struct Computes : Face<Op, Computes> {};
// A value that is always there: of every frame and iteration.
template <typename Op> struct IsConstant : Face<Op, IsConstant> {};
// Decides where tokens go; has no effect of its own.
template <typename Op> struct Steers : Face<Op, Steers> {};
// Acts on objects or on the world. Takes control tokens after its other operands.
template <typename Op> struct HasEffect : Face<Op, HasEffect> {};
// Goes with HasEffect: leaves variables, arrays and all else as they are.
template <typename Op> struct OnlyReads : Face<Op, OnlyReads> {};
// Goes with HasEffect: its firing may be parked until another op brings what it waits for, on a way
// that no edge of the graph shows.
template <typename Op> struct MayWait : Face<Op, MayWait> {};
// Reaches arrays and stacks by handles, which it does not hand on.
template <typename Op> struct UsesContainers : Face<Op, UsesContainers> {};
// A declaration in the module, of what lives on between calls.
template <typename Op> struct DeclaresState : Face<Op, DeclaresState> {};
// Sends to or receives from other devices.
template <typename Op> struct CrossesDevices : Face<Op, CrossesDevices> {};

// ---- Meaning ------------------------------------------------------------------------------------

// The opposite of its operand, a bool.
template <typename Op> struct IsNegation : Face<Op, IsNegation> {};
// Asks for dims, not for elements.
template <typename Op> struct AsksShape : Face<Op, AsksShape> {};
// The elements of the first operand in their order, under other dims. Its kernel copies nothing.
template <typename Op> struct SameElements : Face<Op, SameElements> {};

// Nothing flows back through it; `getReasonAgainstGradient` says why, as a clause after "because".
// Others that compute have the interface Differentiable.
template <typename Op> struct HasNoGradient : Face<Op, HasNoGradient> {};

// ---- Compiled code ------------------------------------------------------------------------------

// Has a lowering, and the interface CodeOp. Others of this list say how it is lowered, or else the
// lowering is its own.
template <typename Op> struct HasCode : Face<Op, HasCode> {};
// Has none; `getReasonAgainstCode` says why, as a clause after "because".
template <typename Op> struct HasNoCode : Face<Op, HasNoCode> {};
// Goes with HasNoCode: there is code for it where its results lie in the memory of a card. It has
// the interface CodeOp.
template <typename Op> struct HasCardCode : Face<Op, HasCardCode> {};
// Goes with the interface MoveOp.
template <typename Op> struct MovesElements : Face<Op, MovesElements> {};
// Each element of the result follows from one element of each operand.
template <typename Op> struct OfElements : Face<Op, OfElements> {};
// Combines elements along axes.
template <typename Op> struct OfReduction : Face<Op, OfReduction> {};
// Each element of the result is one of the data operand's, which broadcasts.
template <typename Op> struct RepeatsElements : Face<Op, RepeatsElements> {};
// Results may be looks at the memory of the first operand.
template <typename Op> struct ViewsOperand : Face<Op, ViewsOperand> {};
// Fails by indices, which are values.
template <typename Op> struct LooksAtIndices : Face<Op, LooksAtIndices> {};
// There is code for some of its operands and attributes; the interface CodeOp says for which.
template <typename Op> struct HasCodeLimit : Face<Op, HasCodeLimit> {};
// Only where the code can be left for the kernels, so not in loops and branches.
template <typename Op> struct NeedsStraightLine : Face<Op, NeedsStraightLine> {};

// Works on a cell of the codelet, in the order of such ops; has no meaning elsewhere.
template <typename Op> struct UsesCell : Face<Op, UsesCell> {};

// Works on boxes of the codelet, in the order of such ops; has no meaning elsewhere.
template <typename Op> struct UsesBox : Face<Op, UsesBox> {};

// Why nothing flows back through ops of this name; empty where something does, and where nobody
// asks.
llvm::StringRef reasonAgainstGradient(mlir::OperationName name);
// Why no op of this name has code, as a clause; empty for those that have, and where nobody asks.
llvm::StringRef reasonAgainstCode(mlir::OperationName name);

} // namespace sluice

#include "dialects/interfaces/CodeOps.h.inc"
#include "dialects/interfaces/Differentiable.h.inc"
