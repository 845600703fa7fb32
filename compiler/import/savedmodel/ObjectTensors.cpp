// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A walk over the objects of a model and of a checkpoint at once, by the names of attributes.
#include "compiler/import/savedmodel/ObjectTensors.h"

#include "compiler/import/savedmodel/RestoreMap.h"

#include "llvm/ADT/SmallVector.h"

#include <map>
#include <utility>
#include <vector>

using llvm::StringRef;

namespace sluice::import {

using graphdef::ObjectGraph;
using graphdef::SavedObjects;

namespace {

constexpr int kNone = -1;

bool isInside(int node, int count) { return node >= 0 && node < count; }

// The stored object for each saved one, or none.
class SameObjects {
public:
  SameObjects(const SavedObjects &saved, const ObjectGraph &stored)
      : saved_(saved), stored_(stored), same_(static_cast<size_t>(saved.nodes_size()), kNone) {
    add(0, 0);
    for (size_t i = 0; i < order_.size(); ++i)
      visitChildren(order_[i]);
    for (size_t i = 0; i < order_.size(); ++i) // more join these, which have no slots
      visitSlots(order_[i]);
  }

  int of(int saved) const {
    return isInside(saved, saved_.nodes_size()) ? same_[static_cast<size_t>(saved)] : kNone;
  }

private:
  void add(int saved, int stored) {
    if (!isInside(saved, saved_.nodes_size()) || !isInside(stored, stored_.nodes_size()) ||
        of(saved) != kNone)
      return;
    same_[static_cast<size_t>(saved)] = stored;
    order_.push_back(saved);
  }

  void visitChildren(int saved) {
    llvm::StringMap<int> children;
    for (const auto &child : stored_.nodes(of(saved)).children())
      children.try_emplace(child.local_name(), child.node_id());
    for (const auto &child : saved_.nodes(saved).children())
      if (auto found = children.find(child.local_name()); found != children.end())
        add(child.node_id(), found->second);
  }

  void visitSlots(int saved) {
    std::map<std::pair<int, StringRef>, int> slots;
    for (const auto &slot : stored_.nodes(of(saved)).slot_variables())
      slots.try_emplace({slot.original_variable_node_id(), slot.slot_name()},
                        slot.slot_variable_node_id());
    for (const auto &slot : saved_.nodes(saved).slot_variables())
      if (auto found = slots.find({of(slot.original_variable_node_id()), slot.slot_name()});
          found != slots.end())
        add(slot.slot_variable_node_id(), found->second);
  }

  const SavedObjects &saved_;
  const ObjectGraph &stored_;
  std::vector<int> same_; // by number of the saved one
  std::vector<int> order_;
};

// The tensor of an object that is a variable; empty if it is none.
std::string tensorOf(const ObjectGraph &stored, int object) {
  if (object != kNone)
    for (const auto &tensor : stored.nodes(object).attributes())
      if (tensor.name() == "VARIABLE_VALUE")
        return tensor.checkpoint_key();
  return "";
}

StringRef nodeOf(StringRef input) { return input.split(':').first; }

llvm::StringMap<std::string> tensorsOfCaptured(const SavedObjects &saved,
                                               const graphdef::GraphDef &graph,
                                               const ObjectGraph &stored) {
  llvm::StringMap<std::string> tensors;
  llvm::StringMap<const SavedObjects::ConcreteFunction *> functions;
  for (const auto &entry : saved.concrete_functions())
    functions.try_emplace(entry.key(), &entry.value());
  if (functions.empty())
    return tensors;
  llvm::StringMap<const graphdef::NodeDef *> variables;
  for (const graphdef::NodeDef &node : graph.node())
    if (declaresVariable(node.op()))
      variables.try_emplace(node.name(), &node);
  SameObjects same(saved, stored);
  for (const graphdef::NodeDef &node : graph.node()) {
    const SavedObjects::ConcreteFunction *function = functions.lookup(calledFunction(node));
    if (!function)
      continue;
    llvm::SmallVector<StringRef> inputs;
    for (const std::string &input : node.input())
      if (!StringRef(input).starts_with("^"))
        inputs.push_back(input);
    auto bound = static_cast<size_t>(function->bound_inputs_size());
    if (bound > inputs.size())
      continue;
    for (auto [input, object] :
         llvm::zip_equal(llvm::ArrayRef(inputs).take_back(bound), function->bound_inputs()))
      if (const graphdef::NodeDef *variable = variables.lookup(nodeOf(input)))
        if (isInside(object, saved.nodes_size()) && saved.nodes(object).has_variable())
          tensors.try_emplace(variableKey(*variable), tensorOf(stored, same.of(object)));
  }
  return tensors;
}

llvm::StringMap<std::string> tensorsOfNames(const ObjectGraph &stored) {
  llvm::StringMap<std::string> tensors;
  llvm::StringMap<unsigned> counts;
  for (const auto &object : stored.nodes())
    for (const auto &tensor : object.attributes())
      if (!tensor.full_name().empty() && ++counts[tensor.full_name()] == 1)
        tensors.try_emplace(tensor.full_name(), tensor.checkpoint_key());
      else
        tensors.erase(tensor.full_name());
  return tensors;
}

} // namespace

ObjectTensors tensorsOfObjects(const SavedObjects &saved, const graphdef::GraphDef &graph,
                               const ObjectGraph &stored) {
  return {tensorsOfCaptured(saved, graph, stored), tensorsOfNames(stored)};
}

} // namespace sluice::import
