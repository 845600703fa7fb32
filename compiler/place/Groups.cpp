// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Union-find over the ops of all graphs of a module and the state that they share.
#include "compiler/place/Groups.h"

#include "dialects/array/Array.h"
#include "dialects/flow/FirstIterationAnalysis.h"
#include "dialects/interfaces/NodeName.h"
#include "dialects/list/List.h"
#include "dialects/nd/Nd.h"
#include "dialects/state/State.h"
#include "dialects/wire/Wire.h"

#include "llvm/ADT/StringSet.h"

using namespace mlir;

namespace sluice::place {

bool onlyOrders(Operation *op) {
  return isa<flow::GateOp, flow::AfterOp, flow::JoinOp, flow::TriggerOp, flow::TargetOp>(op);
}

static bool isEverywhere(Operation *op) {
  return op->hasTrait<IsConstant>() || isa<flow::StartOp>(op);
}

// What holds the ends of an edge together that carries a value which cannot leave its device.
static Tie tieOf(OpResult value, Operation *declaration) {
  if (isa<array::HandleType>(value.getType()))
    return {Tie::kArray, isa<array::CreateOp>(value.getOwner()) ? nodeNameOf(value.getLoc()) : ""};
  if (isa<array::StackType>(value.getType()))
    return {Tie::kStack,
            isa<array::StackCreateOp>(value.getOwner()) ? nodeNameOf(value.getLoc()) : ""};
  if (isa<list::OfType>(value.getType()))
    return {Tie::kList, isa<list::MakeOp>(value.getOwner()) ? nodeNameOf(value.getLoc()) : ""};
  if (auto handle = dyn_cast<state::ObjectType>(value.getType())) {
    auto object = dyn_cast_or_null<state::ObjectOp>(declaration);
    return {Tie::kObject,
            object                                      ? object.getKey()
            : isa<state::MakeTableOp>(value.getOwner()) ? nodeNameOf(value.getLoc())
                                                        : "",
            handle.getKind()};
  }
  if (auto handles = dyn_cast<state::HandlesType>(value.getType()))
    return {Tie::kObject, "", handles.getKind()};
  auto variable = dyn_cast_or_null<state::VariableOp>(declaration);
  return {Tie::kVariable, variable ? variable.getKey() : ""};
}

std::optional<Groups> Groups::find(ModuleOp module) {
  Groups groups;
  for (Operation &op : *module.getBody())
    if (op.hasTrait<DeclaresState>()) {
      groups.addMember(&op);
      groups.declared_[FlatSymbolRefAttr::get(SymbolTable::getSymbolName(&op))] = &op;
    } else if (auto function = dyn_cast<flow::FuncOp>(op)) {
      groups.functions_[function.getSymName()] = function;
    }
  for (auto graph : module.getOps<flow::GraphOp>())
    for (Operation &op : graph.getBody().front())
      if (!isEverywhere(&op))
        groups.addMember(&op);
  groups.sets_ = DisjointSets(static_cast<unsigned>(groups.members_.size()));
  for (Operation *op : groups.members_) {
    groups.tieByNames(op);
    groups.tieByValues(op);
  }
  for (auto graph : module.getOps<flow::GraphOp>()) {
    std::optional<flow::FrameAnalysis> frames = flow::FrameAnalysis::run(graph);
    if (!frames)
      return std::nullopt;
    groups.tieByFrames(graph, *frames);
  }
  groups.finish();
  return groups;
}

std::optional<unsigned> Groups::memberOf(Operation *op) const {
  auto it = numbers_.find(op);
  if (it == numbers_.end())
    return std::nullopt;
  return it->second;
}

void Groups::addMember(Operation *op) {
  numbers_[op] = static_cast<unsigned>(members_.size());
  members_.push_back(op);
}

void Groups::tie(Operation *a, Operation *b, Tie why) {
  auto from = memberOf(a), to = memberOf(b);
  if (from && to && sets_.join(*from, *to))
    links_.push_back({*from, *to, why});
}

// Colocated nodes, and the state that an op names. Where an op that only orders stands is nobody's
// wish: an after on another device than its producer would have the whole value sent.
void Groups::tieByNames(Operation *op) {
  if (auto set = op->getAttrOfType<StringAttr>(wire::kColocate); set && !onlyOrders(op))
    if (auto [first, isNew] = colocated_.try_emplace(set, op); !isNew)
      tie(first->second, op, {Tie::kColocation, set.getValue()});
  tieToState(op, op);
  if (auto call = dyn_cast<flow::CallOp>(op))
    tieToCallees(call);
}

// To the state that `user` names.
void Groups::tieToState(Operation *op, Operation *user) {
  for (const char *name : {"variable", "generator", "object"}) {
    auto symbol = user->getAttrOfType<FlatSymbolRefAttr>(name);
    Operation *declaration = symbol ? declared_.lookup(symbol) : nullptr;
    if (auto variable = dyn_cast_or_null<state::VariableOp>(declaration))
      tie(variable, op, {Tie::kVariable, variable.getKey()});
    else if (auto generator = dyn_cast_or_null<state::GeneratorOp>(declaration))
      tie(generator, op, {Tie::kGenerator, generator.getKey()});
    else if (auto object = dyn_cast_or_null<state::ObjectOp>(declaration))
      tie(object, op, {Tie::kObject, object.getKey(), object.getKind()});
  }
}

// A function runs where it is called, with all that it calls.
void Groups::tieToCallees(flow::CallOp call) {
  auto [users, isNew] = stateUsers_.try_emplace(call.getCallee());
  SmallVector<StringRef> open;
  if (isNew)
    open.push_back(call.getCallee());
  llvm::StringSet<> seen;
  while (!open.empty()) {
    flow::FuncOp function = functions_.lookup(open.pop_back_val());
    if (!function || !seen.insert(function.getSymName()).second)
      continue;
    function.walk([&](Operation *inner) {
      if (inner->hasAttr("variable") || inner->hasAttr("generator") || inner->hasAttr("object"))
        users->second.push_back(inner);
      if (auto further = dyn_cast<flow::CallOp>(inner))
        open.push_back(further.getCallee());
    });
  }
  for (Operation *user : users->second)
    tieToState(call, user);
}

void Groups::tieByValues(Operation *op) {
  for (OpResult result : op->getResults()) {
    if (wire::isSendable(result.getType()))
      continue;
    auto symbol = op->getAttrOfType<FlatSymbolRefAttr>("variable");
    if (!symbol)
      symbol = op->getAttrOfType<FlatSymbolRefAttr>("object");
    Tie why = tieOf(result, symbol ? declared_.lookup(symbol) : nullptr);
    for (Operation *user : result.getUsers())
      tie(op, user, why);
  }
}

void Groups::tieByFrames(flow::GraphOp graph, const flow::FrameAnalysis &frames) {
  // By frame: what makes its ops one group, if anything does.
  std::vector<std::optional<Tie>> whole(frames.frames().size());
  for (auto [i, frame] : llvm::enumerate(frames.frames()))
    if (i != flow::FrameAnalysis::kRoot && !frame.pivot && !frame.enters.empty())
      whole[i] = {Tie::kFrame, flow::EnterOp(frame.enters.front()).getFrame()};
  flow::FirstIterationAnalysis first(graph, frames);
  for (auto [from, to, frame] : first.edges())
    tie(from, to, {Tie::kFirstIteration, frame});
  for (auto [frame, name] : first.wholeFrames())
    whole[frame] = {Tie::kFirstIteration, name};

  // A frame inside such a frame belongs to the outermost one. Parents come first.
  std::vector<unsigned> holder(whole.size());
  for (unsigned i = 0; i < whole.size(); ++i) {
    unsigned parent = frames.frames()[i].parent;
    holder[i] = whole[parent] ? holder[parent] : i;
    whole[i] = whole[holder[i]];
  }
  std::vector<Operation *> anchors(whole.size());
  for (Operation &op : graph.getBody().front())
    for (unsigned frame : {frames.frameOf(&op), frames.resultFrameOf(&op)})
      if (whole[frame] && !isEverywhere(&op)) {
        Operation *&anchor = anchors[holder[frame]];
        anchor = anchor ? anchor : &op;
        tie(anchor, &op, *whole[frame]);
      }
}

void Groups::finish() {
  groupOf_ = sets_.numberSets();
  for (unsigned group : groupOf_) {
    if (group == sizes_.size())
      sizes_.push_back(0);
    ++sizes_[group];
  }
}

} // namespace sluice::place
