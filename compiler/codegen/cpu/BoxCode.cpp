// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Boxes as code sees them: numbers that it hands to the runtime.
#include "compiler/codegen/cpu/BoxCode.h"

#include "compiler/codegen/Boxes.h"
#include "compiler/codegen/cpu/BufferGenerics.h"
#include "compiler/codegen/elements/RuntimeCalls.h"
#include "dialects/interfaces/KernelOps.h"
#include "runtime/codelet/abi.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;

namespace sluice::codegen {

bool isBoxedOutput(flow::BoxGetOp get) {
  return !get->use_empty() && llvm::all_of(get->getUsers(), [](Operation *user) {
    return isa<flow::YieldOp>(user) && isa<flow::CodeletOp>(user->getParentOp());
  });
}

bool isBoxedInput(BlockArgument input) {
  return !input.use_empty() && llvm::all_of(input.getUsers(), llvm::IsaPred<flow::BoxPutOp>);
}

SmallVector<flow::BoxRunOp> callsOf(flow::CodeletOp codelet) {
  SmallVector<flow::BoxRunOp> calls;
  codelet.getBody().walk([&](flow::BoxRunOp run) { calls.push_back(run); });
  return calls;
}

namespace {

class BoxCode {
public:
  explicit BoxCode(Emitter &emitter) : emitter_(emitter), b_(emitter.builder()) {}

  void emit(flow::BoxPutOp put) {
    auto input = dyn_cast<BlockArgument>(put.getValue());
    if (input && input.getOwner()->getParentOp() == emitter_.codelet()) {
      call("sluice_box_take", {i32(put.getBox()), i32(input.getArgNumber()), i32(put.getLast())});
      return;
    }
    Value memory = emitter_.buffer(put.getValue());
    SmallVector<Value> arguments{i32(put.getBox())};
    describe(put.getValue(), arguments);
    arguments.push_back(emitter_.pointerTo(dense(put.getValue(), memory)));
    emitter_.failOn(call("sluice_box_put", arguments, b_.getI32Type()), put);
  }

  void emit(flow::BoxGetOp get) {
    if (isBoxedOutput(get))
      return;
    Value memory = emitter_.destination(get.getValue());
    SmallVector<Value> arguments{i32(get.getBox())};
    describe(get.getValue(), arguments);
    arguments.push_back(emitter_.pointerTo(memory));
    emitter_.failOn(call("sluice_box_get", arguments, b_.getI32Type()), get);
  }

  void emit(flow::BoxMoveOp move) {
    call("sluice_box_move", {i32(move.getFrom()), i32(move.getTo()), i32(move.getLast())});
  }

  void emit(flow::BoxDropOp drop) {
    for (int64_t box : drop.getBoxes())
      call("sluice_box_drop", {i32(box)});
  }

  void emit(flow::BoxRunOp run) {
    uint64_t last = 0;
    for (int64_t operand : run.getLast())
      last |= uint64_t(1) << operand;
    Value mask = arith::ConstantIntOp::create(b_, static_cast<int64_t>(last), 64);
    Value status = call("sluice_box_run", {i32(emitter_.positionOf(run)), mask}, b_.getI32Type());
    emitter_.failOn(status, run.getOp());
  }

private:
  Value i32(int64_t value) { return arith::ConstantIntOp::create(b_, value, 32); }

  Value call(StringRef function, ArrayRef<Value> arguments, Type result = {}) {
    SmallVector<Value> all{emitter_.call()};
    llvm::append_range(all, arguments);
    return callRuntime(b_, function, all, result);
  }

  // What views others is copied to where its elements lie side by side.
  Value dense(Value value, Value memory) {
    if (cast<MemRefType>(memory.getType()).getLayout().isIdentity())
      return memory;
    Value copy = emitter_.allocate(value);
    copyBuffer(b_, memory, copy);
    return copy;
  }

  // Made where the function begins: a loop would make one in each iteration.
  Value variable(Type type) {
    OpBuilder::InsertionGuard guard(b_);
    b_.setInsertionPointToStart(cast<BlockArgument>(emitter_.call()).getOwner());
    return emitter_.local(type);
  }

  // Element type, rank, and dims, which lie in a variable of the function.
  void describe(Value value, SmallVectorImpl<Value> &arguments) {
    auto type = cast<RankedTensorType>(value.getType());
    arguments.push_back(i32(static_cast<int64_t>(*dtypeOf(type))));
    arguments.push_back(i32(type.getRank()));
    auto array = LLVM::LLVMArrayType::get(b_.getI64Type(), std::max<int64_t>(type.getRank(), 1));
    Value dims = variable(array);
    for (auto [i, size] : llvm::enumerate(emitter_.dims(value))) {
      Value at = LLVM::GEPOp::create(b_, dims.getType(), array, dims,
                                     ArrayRef<LLVM::GEPArg>{0, static_cast<int32_t>(i)});
      LLVM::StoreOp::create(b_, arith::IndexCastOp::create(b_, b_.getI64Type(), size), at);
    }
    arguments.push_back(dims);
  }

  Emitter &emitter_;
  ImplicitLocOpBuilder &b_;
};

} // namespace

void emitBoxOp(Emitter &emitter, Operation *op) {
  BoxCode code(emitter);
  llvm::TypeSwitch<Operation *>(op)
      .Case<flow::BoxPutOp, flow::BoxGetOp, flow::BoxMoveOp, flow::BoxDropOp, flow::BoxRunOp>(
          [&](auto box) { code.emit(box); });
}

} // namespace sluice::codegen
