// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Functions and calls: verifiers, and access to their parts.
#include "dialects/flow/Compatible.h"
#include "dialects/flow/Flow.h"

using namespace mlir;
using namespace sluice::flow;

SmallVector<ArgumentOp> FuncOp::getArguments() {
  SmallVector<ArgumentOp> arguments(getBody().getOps<ArgumentOp>());
  llvm::sort(arguments, [](ArgumentOp a, ArgumentOp b) { return a.getIndex() < b.getIndex(); });
  return arguments;
}

ReturnOp FuncOp::getReturn() { return *getBody().getOps<ReturnOp>().begin(); }

static bool isToken(Value value) { return isa<TokenType>(value.getType()); }

static unsigned countValues(ValueRange values) {
  return static_cast<unsigned>(llvm::find_if(values, isToken) - values.begin());
}

// Whether values of the types `given` can be handed over where `expected` ones are asked for.
static LogicalResult verifyTypes(Operation *op, TypeRange given, TypeRange expected,
                                 StringRef what) {
  bool fits = given.size() == expected.size();
  for (size_t i = 0; fits && i < given.size(); ++i)
    fits = mayBecome(given[i], expected[i]);
  if (fits)
    return success();
  return op->emitOpError("expected ")
         << what << " that can be (" << expected << ") but got (" << given << ")";
}

LogicalResult FuncOp::verifyRegions() {
  SmallVector<Type> taken;
  for (auto [position, argument] : llvm::enumerate(getArguments())) { // C1
    if (argument.getIndex() != position)
      return argument.emitOpError("expected arguments numbered from 0, each once, but got index ")
             << argument.getIndex() << " where " << position << " is missing";
    taken.push_back(argument.getResult().getType());
  }
  if (failed(verifyTypes(*this, taken, getFunctionType().getInputs(), "arguments")))
    return failure();
  auto returns = getBody().getOps<ReturnOp>(); // C2
  if (auto count = std::distance(returns.begin(), returns.end()); count != 1)
    return emitOpError("expected one flow.return but got ") << count;
  if (failed(verifyTypes(getReturn(), getReturn().getValues().getTypes(),
                         getFunctionType().getResults(), "values")))
    return failure();
  return verifyTokenGraph(*this); // C2, C3
}

LogicalResult ArgumentOp::verify() {
  if (static_cast<int64_t>(getIndex()) < 0) // C1
    return emitOpError("expected an index of at least 0 but got ")
           << static_cast<int64_t>(getIndex());
  return success();
}

LogicalResult ReturnOp::verify() {
  if (countValues(getValues()) + 1 < getValues().size()) // C1
    return emitOpError("expected a token as last operand only");
  return success();
}

OperandRange CallOp::getArguments() {
  return getOperands_().take_front(countValues(getOperands_()));
}
OperandRange CallOp::getTokens() { return getOperands_().drop_front(countValues(getOperands_())); }
ResultRange CallOp::getValues() { return getResults().drop_back(); }
Value CallOp::getDone() { return getResults().back(); }

LogicalResult CallOp::verify() {
  bool fits = llvm::all_of(getTokens(), isToken) && getNumResults() > 0 &&
              countValues(getResults()) + 1 == getNumResults();
  return fits ? success()
              : emitOpError("expected tokens behind all values, and one as last result");
}

LogicalResult CallOp::verifySymbolUses(SymbolTableCollection &symbols) {
  auto callee = symbols.lookupNearestSymbolFrom<FuncOp>(*this, getCalleeAttr());
  if (!callee) // C1
    return emitOpError("expected the name of a flow.func but got ") << getCalleeAttr();
  TypeRange given = callee.getFunctionType().getResults();
  if (!given.empty() && isa<TokenType>(given.back()))
    given = given.drop_back();
  if (failed(verifyTypes(*this, getArguments().getTypes(), callee.getFunctionType().getInputs(),
                         "arguments"))) // C2
    return failure();
  return verifyTypes(*this, getValues().getTypes(), given, "results");
}
