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

// What is known of a fact: nothing yet, one value, or that there is none for all.
template <typename T> struct Agreed {
  std::optional<T> value;
  bool differs = false;

  // Returns whether something changed.
  bool add(const std::optional<T> &other) {
    if (differs || (value && value == other))
      return false;
    differs = value || !other;
    value = differs ? std::nullopt : other;
    return true;
  }
  bool add(const Agreed &other) {
    return other.differs ? add(std::nullopt) : other.value ? add(other.value) : false;
  }
};

struct Known {
  bool mayBeEmpty = false;
  Agreed<Type> declared;
  Agreed<int64_t> length;
  Agreed<Operation *> maker;
  Agreed<Attribute> constant;
};

class FactFinder {
public:
  explicit FactFinder(const list::ListClasses &threads)
      : threads_(threads), known_(threads.size()) {}

  void visit(Operation *op) {
    if (!isa_and_nonnull<list::ListDialect>(op->getDialect()) || op->hasTrait<UsesCell>() ||
        list::onlyLooks(op) || op->getNumResults() == 0 ||
        !isa<list::OfType>(op->getResults().back().getType()))
      return;
    unsigned number = threads_.classOf(op->getResults().back());
    Known &known = known_[number];
    known.mayBeEmpty |= leavesEmpty(op);
    if (makesList(op)) {
      known.length.add(lengthOf(op));
      known.maker.add(op);
    } else if (!keepsLength(op)) {
      known.length.add(std::nullopt);
      known.maker.add(std::nullopt);
    }
    addConstant(op, known.constant);
    if (auto make = dyn_cast<list::MakeOp>(op))
      known.declared.add(make.getIdentical() ? std::nullopt
                                             : std::optional(make.getElementShape()));
    else if (auto unstack = dyn_cast<list::UnstackOp>(op))
      known.declared.add(unstack.getElementShape());
    else if (isa<list::DeclareShapeOp>(op))
      known.declared.add(std::nullopt);
    else if (isa<list::ZerosLikeOp>(op))
      zeros_.push_back({threads_.classOf(op->getOperand(0)), number});
    else if (isa<list::AddOp, list::AppendOp>(op))
      joined_.push_back({threads_.classOf(op->getOperand(1)), number});
  }

  std::vector<ListFacts> finish() {
    for (unsigned i = 0; i < known_.size(); ++i)
      if (threads_.isOpen(i))
        forget(known_[i]);
    while (spread())
      ;
    std::vector<ListFacts> facts;
    for (const Known &known : known_) {
      ListFacts &one = facts.emplace_back();
      one.mayBeEmpty = known.mayBeEmpty;
      one.declared = dyn_cast_or_null<TensorType>(known.declared.value.value_or(Type()));
      one.length = known.length.value;
      one.maker = known.maker.value.value_or(nullptr);
      if (!known.mayBeEmpty)
        one.constant = dyn_cast_or_null<ElementsAttr>(known.constant.value.value_or(Attribute()));
    }
    return facts;
  }

private:
  static void forget(Known &known) {
    known.mayBeEmpty = true;
    known.declared.add(std::nullopt);
    known.length.add(std::nullopt);
    known.maker.add(std::nullopt);
    known.constant.add(std::nullopt);
  }

  // From lists to their zeros, and to sums.
  bool spread() {
    bool changed = false;
    for (auto [from, to] : zeros_) {
      changed |= known_[from].mayBeEmpty && !known_[to].mayBeEmpty;
      known_[to].mayBeEmpty |= known_[from].mayBeEmpty;
      changed |= known_[to].length.add(known_[from].length);
      changed |= known_[to].maker.add(known_[from].maker);
      changed |= known_[to].declared.add(known_[from].declared);
    }
    for (auto [from, to] : joined_) {
      changed |= known_[from].mayBeEmpty && !known_[to].mayBeEmpty;
      known_[to].mayBeEmpty |= known_[from].mayBeEmpty;
      changed |= known_[to].declared.add(known_[from].declared);
    }
    return changed;
  }

  static bool makesList(Operation *op) { return isa<list::MakeOp, list::UnstackOp>(op); }

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
    auto rows = dyn_cast<RankedTensorType>(op->getOperand(0).getType());
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

  static void addConstant(Operation *op, Agreed<Attribute> &constant) {
    Value value;
    if (auto push = dyn_cast<list::PushOp>(op))
      value = push.getValue();
    else if (auto set = dyn_cast<list::SetOp>(op))
      value = set.getValue();
    else if (isa<list::MakeOp, list::PopOp, list::DeclareShapeOp, list::DeclareLimitOp>(op))
      return;
    std::optional<GatedConstant> found = value ? constantBehind(value) : std::nullopt;
    constant.add(found ? std::optional<Attribute>(found->value) : std::nullopt);
  }

  const list::ListClasses &threads_;
  std::vector<Known> known_;
  std::vector<std::pair<unsigned, unsigned>> zeros_, joined_; // from one class to another
};

} // namespace

ListThreads::ListThreads(Operation *root) : classes_(root, list::ListClasses::Of::kThread) {
  FactFinder finder(classes_);
  root->walk([&](Operation *op) { finder.visit(op); });
  facts_ = finder.finish();
}

ListFacts ListThreads::factsOf(Value list) const {
  while (auto gate = list.getDefiningOp<flow::GateOp>())
    list = gate.getValue();
  if (std::optional<unsigned> number = classes_.findClass(list))
    return facts_[*number];
  ListFacts nothing;
  nothing.mayBeEmpty = true;
  return nothing;
}

} // namespace sluice::optimize
