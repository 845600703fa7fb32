// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Loops that count.
#include "compiler/codegen/plan/KnownPushes.h"

#include "dialects/flow/Flow.h"
#include "dialects/interfaces/Faces.h"
#include "dialects/nd/Nd.h"

using namespace mlir;

namespace sluice::codegen {

// The number that a scalar is, also when it is captured.
static std::optional<int64_t> constantOf(Value value) {
  while (auto argument = dyn_cast<BlockArgument>(value)) {
    auto loop = dyn_cast<flow::WhileOp>(argument.getOwner()->getParentOp());
    unsigned own = !loop ? 0
                         : argument.getOwner()->getNumArguments() -
                               static_cast<unsigned>(loop.getCaptures().size());
    if (!loop || argument.getArgNumber() < own)
      return std::nullopt;
    value = loop.getCaptures()[argument.getArgNumber() - own];
  }
  auto constant = value.getDefiningOp<nd::ConstantOp>();
  auto elements = constant ? dyn_cast<DenseIntElementsAttr>(constant.getValue()) : nullptr;
  if (!elements || elements.getNumElements() != 1)
    return std::nullopt;
  return (*elements.value_begin<APInt>()).getSExtValue();
}

// How often the body of a loop runs whose condition is that a counter is below a constant.
static std::optional<int64_t> tripsOf(flow::WhileOp loop) {
  auto condition = cast<flow::ConditionOp>(loop.getBefore().front().getTerminator());
  auto compares = condition.getPredicate().getDefiningOp<nd::LessOp>();
  auto counter = compares ? dyn_cast<BlockArgument>(compares.getLhs()) : BlockArgument();
  if (!counter || counter.getArgNumber() >= loop.getInits().size())
    return std::nullopt;
  auto next = loop.getBody()
                  .front()
                  .getTerminator()
                  ->getOperand(counter.getArgNumber())
                  .getDefiningOp<nd::AddOp>();
  auto now = next ? dyn_cast<BlockArgument>(next.getLhs()) : BlockArgument();
  bool counts = now && now.getArgNumber() < condition.getForwarded().size() &&
                condition.getForwarded()[now.getArgNumber()] == counter &&
                constantOf(next.getRhs()) == 1;
  std::optional<int64_t> first = constantOf(loop.getInits()[counter.getArgNumber()]),
                         end = constantOf(compares.getRhs());
  if (!counts || !first || !end)
    return std::nullopt;
  return std::max<int64_t>(0, *end - *first);
}

std::optional<int64_t> knownPushes(list::CellMakeOp make) {
  if (constantOf(make.getSize()) != 0)
    return std::nullopt;
  Operation *push = nullptr;
  bool isOnly = true;
  make->getParentOfType<flow::CodeletOp>().walk([&](Operation *op) {
    if (!op->hasTrait<UsesCell>() || list::cellOf(op) != list::cellOf(make))
      return;
    if (isa<list::CellPushOp>(op))
      isOnly &= !std::exchange(push, op);
    else
      isOnly &= op == make || !isa<list::CellMakeOp, list::CellSetOp, list::CellResizeOp>(op);
  });
  if (!push || !isOnly)
    return std::nullopt;
  int64_t count = 1;
  for (Operation *around = push->getParentOp(); around != make->getParentOp();
       around = around->getParentOp()) {
    auto loop = dyn_cast<flow::WhileOp>(around);
    std::optional<int64_t> trips = loop ? tripsOf(loop) : std::nullopt;
    if (!trips || __builtin_mul_overflow(count, *trips, &count))
      return std::nullopt;
  }
  return count;
}

} // namespace sluice::codegen
