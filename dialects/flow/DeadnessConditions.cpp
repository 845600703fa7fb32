// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The algebra of conditions: conjunctions of numbered literals, each kept once.
#include "dialects/flow/DeadnessAnalysis.h"

#include "llvm/ADT/STLExtras.h"

#include <algorithm>

using namespace mlir;

namespace sluice::flow {

// Longer conditions are not worked out: chains of 100,000 switches exist.
static constexpr size_t kMaxLiterals = 128;
static constexpr size_t kMaxMerged = 32;

// Each number and the odd one after it are a literal and its opposite.
static unsigned oppositeOf(unsigned number) { return number ^ 1; }

unsigned DeadnessAnalysis::numberOf(const Literal &literal) {
  const void *source = literal.source.getAsOpaquePointer();
  auto [it, isNew] =
      literalNumbers_.try_emplace({literal.kind, literal.home, source}, literals_.size());
  if (isNew)
    addPair(literal);
  return it->second + literal.negated;
}

void DeadnessAnalysis::addPair(Literal literal) {
  for (bool negated : {false, true}) {
    literal.negated = negated;
    literals_.push_back(literal);
  }
}

unsigned DeadnessAnalysis::condition(Literals literals) {
  auto [it, isNew] = conditionNumbers_.try_emplace(std::move(literals), conditions_.size());
  if (isNew)
    conditions_.push_back(&it->first);
  return it->second;
}

unsigned DeadnessAnalysis::unknown(unsigned home) {
  addPair({Literal::kUnknown, false, home, Value()});
  return condition({static_cast<unsigned>(literals_.size() - 2)});
}

unsigned DeadnessAnalysis::unknown(unsigned home, Value value) {
  return condition({numberOf({Literal::kUnknown, false, home, value})});
}

// A literal of `a` whose opposite is in `b`.
static std::optional<unsigned> findOpposite(ArrayRef<unsigned> a, ArrayRef<unsigned> b) {
  for (unsigned number : a)
    if (llvm::binary_search(b, oppositeOf(number)))
      return number;
  return std::nullopt;
}

unsigned DeadnessAnalysis::conjunction(unsigned a, unsigned b) {
  if (a == b || b == kAlways)
    return a;
  if (a == kAlways)
    return b;
  auto [it, isNew] = conjunctions_.try_emplace({std::min(a, b), std::max(a, b)}, 0);
  if (!isNew)
    return it->second;
  Literals all;
  std::ranges::set_union(literalsOf(a), literalsOf(b), std::back_inserter(all));
  bool never = findOpposite(literalsOf(a), literalsOf(b)).has_value();
  return it->second = never || all.size() > kMaxLiterals ? unknown(kNowhere) : condition(all);
}

// The condition of two merged values, if it is a conjunction again.
std::optional<unsigned> DeadnessAnalysis::resolve(unsigned a, unsigned b) {
  if (implies(b, a))
    return a;
  if (implies(a, b))
    return b;
  std::optional<unsigned> opposite = findOpposite(literalsOf(a), literalsOf(b));
  if (!opposite)
    return std::nullopt;
  unsigned rest = without(a, *opposite);
  return rest == without(b, oppositeOf(*opposite)) ? std::optional(rest) : std::nullopt;
}

unsigned DeadnessAnalysis::disjunction(ArrayRef<unsigned> conditions, unsigned frame) {
  SmallVector<unsigned> open(conditions);
  llvm::sort(open);
  auto [it, isNew] = disjunctions_.try_emplace(open, 0);
  if (!isNew)
    return it->second;
  for (size_t i = 0; i < open.size() && open.size() <= kMaxMerged; ++i)
    for (size_t j = i + 1; j < open.size(); ++j)
      if (std::optional<unsigned> both = resolve(open[i], open[j])) {
        open[i] = *both; // which may resolve with one that did not before
        open.erase(open.begin() + j);
        i = ~size_t(0);
        break;
      }
  return it->second = open.size() == 1 ? open.front() : unknown(frame);
}

unsigned DeadnessAnalysis::with(unsigned condition, unsigned literal) {
  return conjunction(condition, this->condition({literal}));
}

unsigned DeadnessAnalysis::without(unsigned condition, unsigned literal) {
  Literals rest(literalsOf(condition));
  llvm::erase(rest, literal);
  return this->condition(rest);
}

bool DeadnessAnalysis::includes(unsigned condition, unsigned literal) const {
  return llvm::binary_search(literalsOf(condition), literal);
}

bool DeadnessAnalysis::implies(unsigned condition, unsigned other) const {
  return std::ranges::includes(literalsOf(condition), literalsOf(other));
}

} // namespace sluice::flow
