// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Kernels with a thread for each position of some dims.
#include "compiler/codegen/gpu/PositionKernel.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/SCF/IR/SCF.h"

using namespace mlir;

namespace sluice::codegen {

// Enough warps to hide latencies; small enough for kernels with many registers.
static constexpr int64_t kThreads = 256;

static Value product(ImplicitLocOpBuilder &b, ArrayRef<Value> sizes) {
  Value result = arith::ConstantIndexOp::create(b, 1);
  for (Value size : sizes)
    result = b.createOrFold<arith::MulIOp>(result, size);
  return result;
}

SmallVector<Value> positionAt(ImplicitLocOpBuilder &b, Value number, ArrayRef<Value> sizes) {
  SmallVector<Value> position(sizes.size());
  for (size_t dim = sizes.size(); dim-- > 0;) {
    if (dim == 0) {
      position[0] = number;
      break;
    }
    position[dim] = arith::RemUIOp::create(b, number, sizes[dim]);
    number = arith::DivUIOp::create(b, number, sizes[dim]);
  }
  return position;
}

void forEachPositionOnCard(ImplicitLocOpBuilder &b, ArrayRef<Value> sizes, ArrayRef<Value> used,
                           function_ref<void(ArrayRef<Value> position, IRMapping &inside)> body) {
  KernelBuilder kernel(b, kThreads);
  for (ArrayRef<Value> values : {sizes, used})
    for (Value value : values)
      kernel.parameters().add(value);
  Value blocks = b.createOrFold<arith::CeilDivUIOp>(
      product(b, sizes), arith::ConstantIndexOp::create(b, kThreads).getResult());
  kernel.launch(blocks, [&](const KernelThread &thread, IRMapping &inside) {
    SmallVector<Value> own =
        llvm::map_to_vector(sizes, [&](Value size) { return inside.lookup(size); });
    // Neighbouring threads take neighbouring positions, then all step over what all took.
    Value threads = arith::ConstantIndexOp::create(b, thread.threads);
    Value first =
        arith::AddIOp::create(b, arith::MulIOp::create(b, thread.block, threads), thread.thread);
    Value step = arith::MulIOp::create(b, thread.blocks, threads);
    auto loop = scf::ForOp::create(b, first, product(b, own), step);
    OpBuilder::InsertionGuard guard(b);
    b.setInsertionPointToStart(loop.getBody());
    body(positionAt(b, loop.getInductionVar(), own), inside);
  });
}

} // namespace sluice::codegen
