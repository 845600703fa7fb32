// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// codegen-place-on-cards: which values of a rank lie in the memory of its card, and the copies.
//
// Values travel from one memory to the other where an op needs them there. What a card has code for
// is on the card, but for single numbers and the few integers of shapes, which the host needs,
// unless they follow from what is on the card. What only hands values on leaves them where they
// are; loops carry what any iteration puts there.
#include "compiler/codegen/CardWork.h"
#include "compiler/codegen/CompileCodelets.h"
#include "compiler/codegen/Passes.h"
#include "compiler/codegen/gpu/CardLowerings.h"
#include "dialects/flow/GraphOrder.h"
#include "dialects/nd/Nd.h"
#include "dialects/wire/Memory.h"
#include "dialects/wire/Wire.h"

#include "llvm/ADT/MapVector.h"

using namespace mlir;

namespace sluice::codegen {
#define GEN_PASS_DEF_CODEGENPLACEONCARDS
#include "compiler/codegen/Passes.h.inc"

namespace {

constexpr unsigned kCard = 0;

// The operands that a result of an op that only hands values on may be; empty for other ops.
SmallVector<Value> handedOn(OpResult result) {
  Operation *op = result.getOwner();
  if (isa<flow::GateOp, flow::SwitchOp, flow::EnterOp, flow::ExitOp, flow::NextIterationOp>(op))
    return {op->getOperand(0)};
  if (auto merge = dyn_cast<flow::MergeOp>(op); merge && result.getResultNumber() == 0)
    return llvm::to_vector(merge->getOperands());
  return {};
}

class GraphPlacer {
public:
  explicit GraphPlacer(flow::GraphOp graph) : graph_(graph) {}

  void run() {
    for (Operation *op : flow::operandsFirst(graph_))
      order_.push_back(op);
    while (place()) {
    }
    for (Value value : onCard_)
      value.setType(wire::onCard(cast<RankedTensorType>(value.getType()), kCard));
    for (Operation *op : order_)
      copyOperands(op);
    for (auto &[value, other] : llvm::reverse(copies_)) // in one memory only
      if (value.use_empty() &&
          isa<flow::EnterOp, flow::NextIterationOp, nd::ConstantOp>(value.getDefiningOp()))
        value.getDefiningOp()->erase();
  }

  unsigned numOps() const { return ops_.size(); }
  unsigned numCopies() const { return numCopies_; }

private:
  bool isOnCard(Value value) const { return onCard_.contains(value); }
  bool put(Value value) { return isa<RankedTensorType>(value.getType()) && onCard_.insert(value); }

  bool wantsCard(Operation *op) const {
    if (!canRunOnCard(op))
      return false;
    return !isForHost(op) ||
           llvm::any_of(*cardOperands(op), [&](unsigned i) { return isOnCard(op->getOperand(i)); });
  }

  // Values of unknown rank cannot be copied to where the others are.
  bool isHandedOnByCard(ArrayRef<Value> values) const {
    auto isRanked = [](Value value) { return isa<RankedTensorType>(value.getType()); };
    return llvm::all_of(values, isRanked) &&
           llvm::any_of(values, [&](Value value) { return isOnCard(value); });
  }

  // Whether anything has changed; what is on the card stays there.
  bool place() {
    bool hasChanged = false;
    for (Operation *op : order_) {
      if (!ops_.contains(op) && wantsCard(op)) {
        ops_.insert(op);
        for (Value result : op->getResults())
          hasChanged |= put(result);
      }
      for (OpResult result : op->getResults())
        if (isHandedOnByCard(handedOn(result)))
          hasChanged |= put(result);
    }
    return hasChanged;
  }

  // ---- Copies -----------------------------------------------------------------------------------

  void copyOperands(Operation *op) {
    bool handsOn =
        llvm::any_of(op->getResults(), [&](OpResult result) { return !handedOn(result).empty(); });
    for (OpOperand &operand : op->getOpOperands()) {
      if (!isa<RankedTensorType>(operand.get().getType()))
        continue;
      bool needsCard = ops_.contains(op) ? needsOnCard(operand)
                       : handsOn         ? handsOnCard(operand)
                                         : false;
      if (needsCard != wire::cardOf(operand.get()).has_value())
        operand.set(inOtherMemory(operand.get()));
    }
  }

  // Numbers of the host are parameters of kernels.
  bool needsOnCard(OpOperand &operand) {
    if (!llvm::is_contained(*cardOperands(operand.getOwner()), operand.getOperandNumber()))
      return false;
    auto type = cast<RankedTensorType>(operand.get().getType());
    return wire::cardOf(type) || !type.hasStaticShape() || type.getNumElements() != 1;
  }
  static bool handsOnCard(OpOperand &operand) {
    Operation *op = operand.getOwner();
    bool isHandedOn = isa<flow::MergeOp>(op) || operand.getOperandNumber() == 0;
    return isHandedOn && llvm::any_of(op->getResults(), [](OpResult result) {
             return !handedOn(result).empty() && wire::cardOf(result);
           });
  }

  Value inOtherMemory(Value value) {
    if (Value known = copies_.lookup(value))
      return known;
    auto type = cast<RankedTensorType>(value.getType());
    RankedTensorType target = wire::cardOf(type) ? wire::onHost(type) : wire::onCard(type, kCard);
    OpBuilder b(graph_.getContext());
    b.setInsertionPointAfterValue(value);
    if (Operation *op = value.getDefiningOp(); isa<flow::EnterOp, flow::NextIterationOp>(op)) {
      // Once, in front of the loop; between iterations nothing but a merge may stand.
      Operation *other = b.clone(*op);
      Value before = inOtherMemory(op->getOperand(0));
      other->setOperand(0, before);
      other->getResult(0).setType(before.getType());
      return copies_[value] = other->getResult(0);
    }
    Value &other = copies_[value];
    if (auto constant = value.getDefiningOp<nd::ConstantOp>()) {
      other =
          nd::ConstantOp::create(b, value.getLoc(), target, withType(constant.getValue(), target));
    } else {
      other = wire::CopyOp::create(b, value.getLoc(), target, value);
      ++numCopies_;
    }
    return other;
  }

  static ElementsAttr withType(ElementsAttr value, RankedTensorType type) {
    if (auto resource = dyn_cast<DenseResourceElementsAttr>(value))
      return DenseResourceElementsAttr::get(type, resource.getRawHandle());
    return cast<DenseElementsAttr>(value).reshape(type);
  }

  flow::GraphOp graph_;
  SmallVector<Operation *> order_;
  llvm::SetVector<Value> onCard_;
  llvm::SetVector<Operation *> ops_; // that run on the card
  llvm::MapVector<Value, Value> copies_;
  unsigned numCopies_ = 0;
};

struct PlaceOnCards : impl::CodegenPlaceOnCardsBase<PlaceOnCards> {
  // To see what code an element has, it is written.
  void getDependentDialects(DialectRegistry &registry) const override {
    registerCodegenDialects(registry);
    registry.insert<wire::WireDialect>();
  }
  void runOnOperation() override {
    place(getOperation());
    for (auto rank : getOperation().getOps<ModuleOp>())
      place(rank);
  }

  void place(ModuleOp program) {
    if (!program->hasAttr(kHasCardAttr))
      return;
    for (auto graph : program.getOps<flow::GraphOp>()) {
      GraphPlacer placer(graph);
      placer.run();
      numOps += placer.numOps();
      numCopies += placer.numCopies();
    }
  }
};

} // namespace
} // namespace sluice::codegen
