// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// An array or stack can be a list if everything that is done with it is in sight. Nothing else has
// to be known: what fails with the one fails with the other, and where the graph leaves open which
// of two accesses comes first, every order is one that the graph allows.
#include "compiler/raise/Containers.h"

#include "compiler/raise/Carried.h"
#include "compiler/raise/GraphFacts.h"
#include "dialects/flow/GraphOrder.h"
#include "dialects/interfaces/KernelOps.h"
#include "dialects/nd/Nd.h"
#include "dialects/state/State.h"

#include "mlir/IR/TypeUtilities.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;

namespace sluice::raise {

void Container::refuse(Operation *op, StringRef why) {
  if (obstacle.empty())
    obstacle = (describe(op) + ": " + why).str();
}

Containers::Containers(flow::TokenGraph graph) {
  SmallVector<Operation *> creates;
  graph.walk([&](Operation *op) {
    if (array::makesContainer(op))
      creates.push_back(op);
  });
  for (Operation *create : creates)
    add(create, nullptr, create->getResult(0));
  for (size_t i = 0; i < all_.size(); ++i) // gradient arrays are found on the way
    follow(*all_[i]);
  checkLiveness(graph);
  for (const auto &container : all_) {
    findElement(*container);
    findConstant(*container);
  }
  checkClosed();
  checkGradients();
  // An array and its gradient arrays are lists together or not at all.
  for (const auto &container : all_)
    if (Container *forward = container->forward; forward && forward->obstacle.empty())
      forward->obstacle = container->obstacle;
  for (const auto &container : all_)
    if (container->forward && container->obstacle.empty())
      container->obstacle = container->forward->obstacle;
  for (const auto &container : all_)
    if (container->obstacle.empty())
      for (Operation *access : container->accesses)
        accessed_[access] = container.get();
}

Container &Containers::add(Operation *create, Container *forward, Value handle) {
  Container &container = *all_.emplace_back(std::make_unique<Container>());
  container.create = create;
  container.forward = forward;
  if (handle)
    container.handles.insert(handle);
  return container;
}

void Containers::follow(Container &container) {
  for (size_t i = 0; i < container.handles.size(); ++i)
    for (OpOperand &use : container.handles[i].getUses())
      followUse(container, use);
}

void Containers::followUse(Container &container, OpOperand &use) {
  Operation *op = use.getOwner();
  if (isCapture(use)) {
    SmallVector<Value> inside = carriedTo(use);
    container.handles.insert(inside.begin(), inside.end());
    return;
  }
  if (auto gate = dyn_cast<flow::GateOp>(op))
    container.handles.insert(gate.getResult());
  // A read of a variable that waits for other values as well, which are not there before.
  bool isRead = isa<state::ReadOp>(op) && op->getNumOperands() > 2;
  bool isAccess = isRead || isa<flow::AfterOp, flow::GateOp>(op) ||
                  (op->hasTrait<UsesContainers>() && use.getOperandNumber() == 0);
  if (!isAccess)
    return container.refuse(op, "its handle is used for more than to reach its elements");
  auto grad = dyn_cast<array::GradOp>(op);
  if (isa<array::GradWithShapeOp>(op) || (grad && container.isGradient()))
    return container.refuse(op, "its gradient array is not made as others are");
  container.accesses.insert(op);
  if (!grad)
    return;
  Container *&gradient = container.gradients[grad.getSourceAttr()];
  if (!gradient)
    gradient = &add(container.create, &container, Value());
  gradient->handles.insert(grad.getGradient());
}

// ---- The type of elements -----------------------------------------------------------------------

// What an op puts into a container; null if it puts in nothing.
static Type writtenBy(Operation *access) {
  auto rowOf = [](Type type, bool keepsFirst) -> Type {
    auto ranked = dyn_cast<RankedTensorType>(type);
    if (!ranked || ranked.getRank() == 0)
      return UnrankedTensorType::get(getElementTypeOrSelf(type));
    SmallVector<int64_t> dims(ranked.getShape());
    if (keepsFirst)
      dims[0] = ShapedType::kDynamic;
    return RankedTensorType::get(keepsFirst ? ArrayRef(dims) : ArrayRef(dims).drop_front(),
                                 ranked.getElementType());
  };
  return llvm::TypeSwitch<Operation *, Type>(access)
      .Case([](array::WriteOp op) { return op.getValue().getType(); })
      .Case([](array::StackPushOp op) { return op.getValue().getType(); })
      .Case([&](array::ScatterOp op) { return rowOf(op.getValue().getType(), false); })
      .Case([&](array::SplitOp op) { return rowOf(op.getValue().getType(), true); })
      .Default([](Operation *) { return Type(); });
}

// What both types say.
static Type join(Type a, Type b) {
  auto left = dyn_cast<RankedTensorType>(a), right = dyn_cast<RankedTensorType>(b);
  if (!left || !right || left.getRank() != right.getRank())
    return UnrankedTensorType::get(getElementTypeOrSelf(a));
  SmallVector<int64_t> dims(left.getShape());
  for (auto [dim, other] : llvm::zip(dims, right.getShape()))
    if (dim != other)
      dim = ShapedType::kDynamic;
  return RankedTensorType::get(dims, left.getElementType());
}

// Whether what is declared of elements in part is known to be true of them: code does not look.
static bool mustHold(TensorType declared, Type element) {
  if (!declared.hasRank())
    return true;
  auto type = dyn_cast<RankedTensorType>(element);
  return type && type.getRank() == declared.getRank() &&
         llvm::all_of(llvm::zip(declared.getShape(), type.getShape()), [](auto dims) {
           auto [wanted, dim] = dims;
           return ShapedType::isDynamic(wanted) || wanted == dim;
         });
}

void Containers::findElement(Container &container) {
  auto create = dyn_cast<array::CreateOp>(container.create);
  if (auto stack = dyn_cast<array::StackCreateOp>(container.create);
      stack && !stack.getMaxSize().getDefiningOp<nd::ConstantOp>())
    return container.refuse(stack, "how large it may become is not known before it runs");
  Type dtype = create ? create.getDtype() : cast<array::StackCreateOp>(container.create).getDtype();
  SmallVector<Container *> written{&container};
  if (container.forward)
    written.push_back(container.forward);
  Type element;
  for (Container *from : written)
    for (Operation *access : from->accesses)
      if (Type type = writtenBy(access)) {
        if (!isa<TensorType>(type))
          return container.refuse(access, "its elements are arrays or stacks themselves");
        if (getElementTypeOrSelf(type) != dtype)
          return container.refuse(access, "it writes elements of another type");
        element = element ? join(element, type) : type;
      }
  for (Operation *access : container.accesses) {
    bool reads = isa<array::ReadOp, array::GatherOp, array::ConcatOp, array::StackPopOp>(access);
    if (reads && getElementTypeOrSelf(access->getResult(0).getType()) != dtype)
      return container.refuse(access, "it expects elements of another type");
  }
  auto declared = create ? cast<TensorType>(create.getElementShape()) : TensorType();
  bool isDeclared = declared && declared.hasStaticShape();
  if (declared && !isDeclared && element && !mustHold(declared, element))
    return container.refuse(create, "its elements may have another shape than declared");
  if (isDeclared)
    element = RankedTensorType::get(declared.getShape(), dtype);
  container.element = element ? element : UnrankedTensorType::get(dtype);
  std::optional<rt::DType> type = dtypeOf(container.element);
  bool adds = type && rt::isPlain(*type) && *type != rt::DType::kBool;
  if (container.isGradient() && !adds)
    container.refuse(container.create, "elements of its gradient array cannot be added");
}

// The constant that is pushed, whatever it waits for.
static ElementsAttr constantPushedBy(Operation *access) {
  auto push = dyn_cast<array::StackPushOp>(access);
  Value value = push ? push.getValue() : Value();
  while (auto gate = value ? value.getDefiningOp<flow::GateOp>() : flow::GateOp())
    value = gate.getValue();
  auto constant = value ? value.getDefiningOp<nd::ConstantOp>() : nd::ConstantOp();
  return constant ? constant.getValue() : ElementsAttr();
}

// Gradients save what loops know of shapes: then all elements are one constant.
void Containers::findConstant(Container &container) {
  if (!isa<array::StackCreateOp>(container.create))
    return;
  ElementsAttr common;
  for (Operation *access : container.accesses) {
    if (!isa<array::StackPushOp>(access))
      continue;
    ElementsAttr pushed = constantPushedBy(access);
    if (!pushed || (common && common != pushed))
      return;
    common = pushed;
  }
  container.constant = common;
}

// ---- What may be dead ---------------------------------------------------------------------------

// Whether tokens of a primitive come and go by rules of their own.
static bool mayBeDead(Operation *op) {
  return isa<flow::SwitchOp, flow::MergeOp, flow::EnterOp, flow::ExitOp, flow::NextIterationOp>(
             op) ||
         op->hasTrait<CrossesDevices>();
}

// In a graph with primitives an access may be dead, or be in another frame. A list would be dead
// from there on; the container is not.
void Containers::checkLiveness(flow::TokenGraph graph) {
  llvm::DenseSet<Operation *> uncertain;
  for (Operation *op : flow::operandsFirst(graph)) {
    bool isUncertain = mayBeDead(op);
    for (Value operand : op->getOperands())
      isUncertain |= operand.getDefiningOp() && uncertain.contains(operand.getDefiningOp());
    if (isUncertain)
      uncertain.insert(op);
  }
  Block &block = graph.getBody().front();
  for (const auto &container : all_) {
    auto check = [&](Operation *op) {
      if (uncertain.contains(block.findAncestorOpInBlock(*op)))
        container->refuse(op, "it may be dead, or in a loop without regions");
    };
    check(container->create);
    llvm::for_each(container->accesses, check);
  }
}

} // namespace sluice::raise
