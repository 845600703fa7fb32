// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Facts of lists, from the ops that make and change them.
#include "compiler/optimize/ListFacts.h"

#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;

namespace sluice::optimize {

std::optional<GatedConstant> constantBehind(Value value) {
  GatedConstant found;
  while (auto gate = value.getDefiningOp<flow::GateOp>()) {
    found.tokens.append(gate.getTokens().begin(), gate.getTokens().end());
    value = gate.getValue();
  }
  auto constant = value.getDefiningOp<nd::ConstantOp>();
  found.value = constant ? dyn_cast<DenseElementsAttr>(constant.getValue()) : DenseElementsAttr();
  return found.value ? std::optional(std::move(found)) : std::nullopt;
}

std::optional<int64_t> constantNumber(Value value) {
  std::optional<GatedConstant> constant = constantBehind(value);
  if (!constant || constant->value.getNumElements() != 1 ||
      !constant->value.getElementType().isIntOrIndex())
    return std::nullopt;
  return (*constant->value.value_begin<APInt>()).getSExtValue();
}

namespace {

class FactFinder {
public:
  explicit FactFinder(const list::ListClasses &classes)
      : classes_(classes), facts_(classes.size()), differ_(classes.size()),
        hasLength_(classes.size(), true) {}

  void visit(Operation *op) {
    Value list = madeBy(op);
    if (!list)
      return;
    unsigned number = classes_.classOf(list);
    ListFacts &facts = facts_[number];
    facts.mayBeEmpty |= leavesEmpty(op);
    if (std::optional<int64_t> length = lengthOf(op); length && !facts.length)
      facts.length = length;
    else if (length != facts.length || !length)
      hasLength_[number] = hasLength_[number] && keepsLength(op);
    if (auto make = dyn_cast<list::MakeOp>(op))
      declare(number, make.getIdentical() ? Type() : make.getElementShape());
    else if (auto unstack = dyn_cast<list::UnstackOp>(op))
      declare(number, unstack.getElementShape());
    else if (isa<list::DeclareShapeOp>(op))
      declare(number, Type());
  }

  std::vector<ListFacts> finish() {
    for (unsigned i = 0; i < facts_.size(); ++i) {
      bool isOpen = classes_.isOpen(i);
      facts_[i].mayBeEmpty |= isOpen;
      if (isOpen || differ_[i] || !isa_and_nonnull<TensorType>(facts_[i].declared))
        facts_[i].declared = {};
      if (isOpen || !hasLength_[i])
        facts_[i].length.reset();
    }
    return std::move(facts_);
  }

private:
  // The list that an op on lists gives.
  static Value madeBy(Operation *op) {
    if (!isa_and_nonnull<list::ListDialect>(op->getDialect()) || op->hasTrait<UsesCell>() ||
        isa<list::PeekOp, list::OnlyOp>(op) || op->getNumResults() == 0)
      return {};
    Value last = op->getResults().back();
    return isa<list::OfType>(last.getType()) ? last : Value();
  }

  static bool leavesEmpty(Operation *op) {
    return llvm::TypeSwitch<Operation *, bool>(op)
        .Case([](list::MakeOp make) { return constantNumber(make.getSize()) != 0; })
        .Case<list::SetOp, list::ScatterOp, list::SplitOp>([](auto one) { return one.getGrow(); })
        .Case<list::GetOp, list::GatherOp>(
            [](auto one) { return one.getBeyond() || one.getClear(); })
        .Case<list::ResizeOp, list::ConcatOp>([](auto) { return true; })
        .Default([](Operation *) { return false; });
  }

  static std::optional<int64_t> lengthOf(Operation *op) {
    if (auto make = dyn_cast<list::MakeOp>(op))
      return constantNumber(make.getSize());
    auto unstack = dyn_cast<list::UnstackOp>(op);
    auto rows = unstack ? dyn_cast<RankedTensorType>(unstack.getValue().getType()) : nullptr;
    if (rows && rows.getRank() > 0 && !rows.isDynamicDim(0))
      return rows.getDimSize(0);
    return std::nullopt;
  }
  static bool keepsLength(Operation *op) {
    if (auto get = dyn_cast<list::GetOp>(op))
      return !get.getBeyond();
    if (auto set = dyn_cast<list::SetOp>(op))
      return !set.getGrow();
    if (auto scatter = dyn_cast<list::ScatterOp>(op))
      return !scatter.getGrow();
    return isa<list::AccumulateOp, list::ZerosLikeOp, list::AddOp, list::DeclareShapeOp,
               list::DeclareLimitOp>(op);
  }

  void declare(unsigned number, Type type) {
    ListFacts &facts = facts_[number];
    differ_[number] = differ_[number] || !type || (facts.declared && facts.declared != type);
    facts.declared = type;
  }

  const list::ListClasses &classes_;
  std::vector<ListFacts> facts_;
  std::vector<bool> differ_, hasLength_;
};

} // namespace

std::vector<ListFacts> findListFacts(Operation *root, const list::ListClasses &classes) {
  FactFinder finder(classes);
  root->walk([&](Operation *op) { finder.visit(op); });
  return finder.finish();
}

} // namespace sluice::optimize
