// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Which results of a function depend on which of its arguments, through ops that have derivatives.
//
// Functions may call themselves, so an answer may depend on itself. Answers begin with "on nothing"
// and grow until none does any more: at most as often as there are arguments and results.
#pragma once

#include "dialects/flow/Flow.h"

#include "mlir/IR/SymbolTable.h"

#include <map>
#include <tuple>
#include <vector>

namespace sluice::differentiate {

// One for each argument, or each result that is a value, of a function.
using Bits = std::vector<bool>;

class CallDependence {
public:
  // The results that vary where `arguments` do.
  Bits resultsOf(flow::FuncOp function, const Bits &arguments) {
    return answer({function, arguments, {}});
  }
  // Those of the `arguments`, which vary, that `results` depend on.
  Bits argumentsOf(flow::FuncOp function, const Bits &arguments, const Bits &results) {
    return answer({function, arguments, results});
  }

  flow::FuncOp calleeOf(flow::CallOp call);
  mlir::SymbolTableCollection &symbols() { return symbols_; }

private:
  // A function, its arguments, and its results unless they are asked for.
  using Question = std::tuple<flow::FuncOp, Bits, Bits>;
  struct Earlier {
    bool operator()(const Question &a, const Question &b) const;
  };
  using Answers = std::map<Question, Bits, Earlier>;

  Bits answer(const Question &question);
  Bits findOut(const Question &question);
  void settle();

  mlir::SymbolTableCollection symbols_;
  Answers answers_;
  std::vector<Answers::iterator> order_; // as they were first asked
  size_t numSettled_ = 0;
  bool isSettling_ = false;
};

// How many results of the function are values; a token comes behind them.
unsigned numValues(flow::FuncOp function);

} // namespace sluice::differentiate
