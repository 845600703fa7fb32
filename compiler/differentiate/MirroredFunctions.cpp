// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Two functions for each way in which a function is differentiated.
#include "compiler/differentiate/MirroredFunctions.h"

#include "compiler/differentiate/Reverse.h"

#include "dialects/flow/GraphOrder.h"

using namespace mlir;

namespace sluice::differentiate {

static Type typeOfSaved(MLIRContext *context) {
  return list::OfType::get(context, list::AnyType::get(context));
}

static SmallVector<Type> chosen(ArrayRef<Type> types, const Bits &bits) {
  SmallVector<Type> some;
  for (auto [type, isChosen] : llvm::zip(types, bits))
    if (isChosen)
      some.push_back(type);
  return some;
}

static SmallVector<Type> derivativesOf(ArrayRef<Type> types, const Bits &bits) {
  SmallVector<Type> some = chosen(types, bits);
  for (Type &type : some)
    type = derivativeType(type);
  return some;
}

MirroredFunction *MirroredFunctions::find(flow::FuncOp function, const Bits &wanted,
                                          const Bits &reached) {
  auto [entry, isNew] = known_.try_emplace({function, wanted, reached});
  MirroredFunction &mirrored = entry->second;
  if (isNew) {
    mirrored = {function,
                wanted,
                reached,
                calls_.argumentsOf(function, wanted, reached),
                Bits(wanted.size()),
                {},
                {}};
  }
  if (!mirrored.saves) {
    declare(mirrored);
    if (!isBuilding_ && failed(buildAll()))
      return nullptr;
  }
  return &mirrored;
}

void MirroredFunctions::declare(MirroredFunction &mirrored) {
  flow::FuncOp function = mirrored.function;
  OpBuilder b(function.getContext());
  ArrayRef<Type> inputs = function.getFunctionType().getInputs(),
                 results = function.getFunctionType().getResults();
  unsigned values = numValues(function);
  Type saved = typeOfSaved(b.getContext());

  SmallVector<Type> more(results);
  more.insert(more.begin() + values, saved);
  mirrored.saves = function.clone();
  mirrored.saves.setFunctionType(b.getFunctionType(inputs, more));
  mirrored.saves.setSymName((function.getSymName() + "/saved").str());

  SmallVector<Type> taken = chosen(inputs, mirrored.used);
  llvm::append_range(taken, derivativesOf(results.take_front(values), mirrored.reached));
  taken.push_back(saved);
  auto type = b.getFunctionType(taken, derivativesOf(inputs, mirrored.given));
  mirrored.mirror =
      flow::FuncOp::create(b, function.getLoc(), (function.getSymName() + "/mirror").str(), type);
  mirrored.mirror.getBody().emplaceBlock();

  SymbolTable &symbols =
      calls_.symbols().getSymbolTable(function->getParentOfType<ModuleOp>().getOperation());
  symbols.insert(mirrored.saves);
  symbols.insert(mirrored.mirror);
  open_.push_back(&mirrored);
}

void MirroredFunctions::drop(MirroredFunction &mirrored) {
  SymbolTable &symbols = calls_.symbols().getSymbolTable(
      mirrored.function->getParentOfType<ModuleOp>().getOperation());
  symbols.erase(mirrored.saves);
  symbols.erase(mirrored.mirror);
  mirrored.saves = mirrored.mirror = {};
}

LogicalResult MirroredFunctions::buildAll() {
  MirroredFunction *root = open_.front();
  isBuilding_ = true;
  size_t reported = report_.size();
  do {
    needsMore_ = false;
    for (size_t i = 0; i < open_.size(); ++i) // those that are called join
      if (failed(build(*open_[i])))
        return failure();
    if (needsMore_) {
      for (MirroredFunction *mirrored : open_)
        drop(*mirrored);
      open_.clear();
      report_.resize(reported);
      declare(*root);
    }
  } while (needsMore_);
  open_.clear();
  isBuilding_ = false;
  return success();
}

LogicalResult MirroredFunctions::build(MirroredFunction &mirrored) {
  flow::FuncOp saves = mirrored.saves, mirror = mirrored.mirror;
  Location loc = saves.getLoc();
  auto graph = cast<flow::TokenGraph>(saves.getOperation());
  std::vector<Operation *> ops = flow::operandsFirst(graph);
  for (Operation *op : ops) // the order in the text is one in which they could run
    op->moveBefore(&saves.getBody().front(), saves.getBody().front().end());
  Activity activity(saves, mirrored.wanted, calls_);
  activity.demand(mirrored.reached);
  Reverser reverser(activity, *this, graph, /*request=*/{}, choices_);

  Block &block = mirror.getBody().front();
  OpBuilder b(mirror.getContext());
  int64_t numTaken = 0;
  auto take = [&](Location from, Type type) -> Value {
    b.setInsertionPointToEnd(&block);
    return flow::ArgumentOp::create(b, from, type, numTaken++);
  };
  SmallVector<Value> taken(mirrored.used.size());
  SmallVector<flow::ArgumentOp> arguments = saves.getArguments();
  for (flow::ArgumentOp argument : arguments)
    if (auto i = static_cast<size_t>(argument.getIndex()); mirrored.used[i])
      taken[i] = take(argument.getLoc(), argument.getType());
  Adjoints adjoints;
  for (auto [value, isReached] : llvm::zip(saves.getReturn().getValues(), mirrored.reached))
    if (isReached) {
      Value part = take(value.getLoc(), derivativeType(value.getType()));
      if (activity.isActive(value))
        adjoints.add(b, loc, value, part);
    }
  Value saved = take(loc, typeOfSaved(b.getContext()));
  b.setInsertionPointToEnd(&block);
  if (failed(reverser.reverse(ops, b, adjoints)))
    return failure();

  SmallVector<Value> found;
  for (auto [argument, isGiven] : llvm::zip_equal(arguments, mirrored.given))
    if (isGiven) {
      Value part = adjoints.of(argument.getResult());
      found.push_back(part ? part : zeroDerivative(b, loc, argument.getResult()));
    }
  flow::ReturnOp::create(b, loc, found);
  reverser.mirror().connect(saves, mirror, saved, [&](flow::ArgumentOp argument) {
    Value &value = taken[static_cast<size_t>(argument.getIndex())];
    if (!value) {
      needsMore_ = true;
      mirrored.used[static_cast<size_t>(argument.getIndex())] = true;
      value = take(argument.getLoc(), argument.getType());
    }
    return value;
  });
  llvm::append_range(report_, reverser.mirror().report());
  return success();
}

} // namespace sluice::differentiate
