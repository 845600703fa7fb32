// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Answers that grow.
#include "compiler/differentiate/CallDependence.h"

#include "compiler/differentiate/Activity.h"

using namespace mlir;

namespace sluice::differentiate {

unsigned numValues(flow::FuncOp function) {
  ArrayRef<Type> results = function.getFunctionType().getResults();
  bool endsWithToken = !results.empty() && isa<flow::TokenType>(results.back());
  return static_cast<unsigned>(results.size()) - (endsWithToken ? 1 : 0);
}

// Any order will do: nobody goes through the answers in it.
bool CallDependence::Earlier::operator()(const Question &a, const Question &b) const {
  auto keyOf = [](const Question &question) {
    const auto &[function, arguments, results] = question;
    return std::tie(arguments, results);
  };
  Operation *first = std::get<0>(a), *second = std::get<0>(b);
  return first != second ? std::less<>()(first, second) : keyOf(a) < keyOf(b);
}

flow::FuncOp CallDependence::calleeOf(flow::CallOp call) {
  return symbols_.lookupNearestSymbolFrom<flow::FuncOp>(call, call.getCalleeAttr());
}

Bits CallDependence::answer(const Question &question) {
  const auto &[function, arguments, results] = question;
  auto [entry, isNew] = answers_.try_emplace(
      question, results.empty() ? numValues(flow::FuncOp(function)) : arguments.size());
  if (isNew) {
    order_.push_back(entry);
    if (!isSettling_)
      settle();
  }
  return entry->second;
}

Bits CallDependence::findOut(const Question &question) {
  const auto &[function, arguments, results] = question;
  Activity activity(function, arguments, *this);
  if (results.empty())
    return activity.variedResults();
  activity.demand(results);
  return activity.activeArguments();
}

void CallDependence::settle() {
  isSettling_ = true;
  size_t fresh = numSettled_;
  for (bool hasGrown = true; hasGrown;) {
    // All that is asked on the way, one by one.
    for (; fresh < order_.size(); ++fresh) {
      Bits found = findOut(order_[fresh]->first);
      order_[fresh]->second = std::move(found);
    }
    hasGrown = false;
    // What was asked last is about whoever is called, as a rule.
    for (size_t i = fresh; i-- > numSettled_;) {
      Bits found = findOut(order_[i]->first);
      hasGrown |= found != order_[i]->second;
      order_[i]->second = std::move(found);
    }
    hasGrown |= fresh < order_.size();
  }
  numSettled_ = order_.size();
  isSettling_ = false;
}

} // namespace sluice::differentiate
