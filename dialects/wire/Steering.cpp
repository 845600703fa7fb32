// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Reading, writing and checking of `wire.steering`.
#include "dialects/wire/Steering.h"

#include "mlir/IR/Builders.h"

using namespace mlir;

namespace sluice::wire {

DictionaryAttr wishesOf(Operation *op) {
  NamedAttrList wishes;
  for (StringRef name : {StringRef(kRequested), StringRef(kColocate)})
    if (Attribute value = op->getDiscardableAttr(name))
      wishes.append(name, value);
  return wishes.getDictionary(op->getContext());
}

void giveWishes(Operation *op, DictionaryAttr wishes) {
  for (NamedAttribute wish : wishes ? wishes.getValue() : ArrayRef<NamedAttribute>())
    op->setDiscardableAttr(wish.getName(), wish.getValue());
}

Steering::Steering(Operation *structured) {
  auto kept = structured->getAttrOfType<DictionaryAttr>(kSteering);
  for (NamedAttribute list : kept ? kept.getValue() : ArrayRef<NamedAttribute>())
    for (auto wishes : cast<ArrayAttr>(list.getValue()).getAsRange<DictionaryAttr>())
      lists_[list.getName().getValue()].push_back(wishes);
}

void Steering::add(StringRef role, DictionaryAttr wishes) { lists_[role].push_back(wishes); }

DictionaryAttr Steering::wishes(StringRef role, unsigned number) const {
  auto list = lists_.find(role);
  bool asks = list != lists_.end() && number < list->second.size() && list->second[number] &&
              !list->second[number].empty();
  return asks ? list->second[number] : DictionaryAttr();
}

void Steering::giveTo(Operation *primitive, StringRef role, unsigned number) const {
  giveWishes(primitive, wishes(role, number));
}

void Steering::erase(StringRef role, unsigned number) {
  if (auto list = lists_.find(role); list != lists_.end())
    list->second.erase(list->second.begin() + number);
}

void Steering::widen(StringRef role, size_t more) {
  if (auto list = lists_.find(role); list != lists_.end())
    list->second.append(more, DictionaryAttr());
}

void Steering::attachTo(Operation *structured) const {
  Builder b(structured->getContext());
  NamedAttrList kept;
  for (const auto &[role, list] : lists_) {
    SmallVector<Attribute> entries;
    for (DictionaryAttr wishes : list)
      entries.push_back(wishes ? wishes : b.getDictionaryAttr({}));
    if (!llvm::all_of(entries, [](Attribute entry) { return cast<DictionaryAttr>(entry).empty(); }))
      kept.append(role, b.getArrayAttr(entries));
  }
  if (kept.empty())
    structured->removeDiscardableAttr(kSteering);
  else
    structured->setDiscardableAttr(kSteering, kept.getDictionary(structured->getContext()));
}

// How many entries the list of a role has; nothing for a role that the op does not have.
static std::optional<size_t> sizeOf(Operation *op, StringRef role) {
  if (auto cond = dyn_cast<flow::CondOp>(op)) {
    if (role == kOnTrue || role == kOnFalse)
      return cond.getCaptures().size();
    return role == kMerges ? std::optional<size_t>(cond.getNumResults()) : std::nullopt;
  }
  auto loop = dyn_cast<flow::WhileOp>(op);
  if (!loop)
    return std::nullopt;
  if (role == kEnters || role == kHeaders || role == kBacks)
    return loop.getInits().size();
  if (role == kInvariants)
    return loop.getCaptures().size();
  if (role == kSwitches || role == kExits)
    return loop.getNumResults();
  return role == kPivot ? std::optional<size_t>(1) : std::nullopt;
}

static bool isWishes(Attribute value) {
  auto wishes = dyn_cast<DictionaryAttr>(value);
  return wishes && llvm::all_of(wishes, [](NamedAttribute wish) {
           auto text = dyn_cast<StringAttr>(wish.getValue());
           StringRef name = wish.getName();
           return text && !text.empty() && (name == kRequested || name == kColocate);
         });
}

bool isSteeringOf(Operation *op, Attribute value) {
  auto lists = dyn_cast<DictionaryAttr>(value);
  return lists && llvm::all_of(lists, [&](NamedAttribute list) {
           auto entries = dyn_cast<ArrayAttr>(list.getValue());
           return entries && sizeOf(op, list.getName()) == entries.size() &&
                  llvm::all_of(entries, isWishes);
         });
}

} // namespace sluice::wire
