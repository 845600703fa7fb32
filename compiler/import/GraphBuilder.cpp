// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The walk over the nodes of a selection.
#include "compiler/import/GraphBuilder.h"

#include "compiler/import/References.h"
#include "dialects/list/List.h"

#include "llvm/ADT/SetVector.h"

using namespace mlir;

namespace sluice::import {

namespace {

uint64_t keyOf(Endpoint endpoint) { return uint64_t(endpoint.node) << 32 | endpoint.slot; }

bool isConstant(Value value) { return value.getDefiningOp<nd::ConstantOp>() != nullptr; }

// Nobody has to wait for it.
bool isAlwaysThere(Value value) {
  auto reference = value.getDefiningOp<state::ReferenceOp>();
  return isConstant(value) || (reference && reference.getAfter().empty());
}

// An after-token of a value that is an operand anyway adds nothing, nor does the start of the call:
// whoever can wait for it is in the root frame, where nothing fires earlier.
void dropRedundantTokens(ValueRange inputs, llvm::SmallVector<Value> &tokens) {
  llvm::SmallSetVector<Value, 4> kept;
  for (Value token : tokens) {
    auto after = token.getDefiningOp<flow::AfterOp>();
    bool isOperand = after && llvm::is_contained(inputs, after.getValue());
    if (!isOperand && !token.getDefiningOp<flow::StartOp>())
      kept.insert(token);
  }
  tokens.assign(kept.begin(), kept.end());
}

} // namespace

GraphBuilder::GraphBuilder(const Graph &graph, const Selection &selection,
                           const CalleesOfNodes &callees, ModuleParts &parts,
                           const Placement *placement)
    : graph_(graph), selection_(selection), calleesOf_(callees), parts_(parts),
      diagnostics_(parts.diagnostics), handles_(graph, {}, parts.context), placement_(placement),
      builder_(parts.context), tokenType_(flow::TokenType::get(parts.context)) {}

GraphBuilder::GraphBuilder(Function &function, ModuleParts &parts, const Placement *placement)
    : graph_(*function.body->graph), selection_(function.body->selection),
      calleesOf_(function.body->callees), function_(&function), parts_(parts),
      diagnostics_(parts.diagnostics), handles_(graph_, function.arguments, parts.context),
      placement_(placement), builder_(parts.context),
      tokenType_(flow::TokenType::get(parts.context)) {}

Function *GraphBuilder::build(ModuleOp module) {
  if (!body_)
    begin(module);
  for (; next_ < selection_.nodes.size(); ++next_)
    if (Function *wanted = buildNode(selection_.nodes[next_]))
      return wanted;
  finish();
  return nullptr;
}

void GraphBuilder::begin(ModuleOp module) {
  builder_.setInsertionPointToEnd(module.getBody());
  Location loc = FileLineColLoc::get(builder_.getStringAttr(graph_.file().path()), 0, 0);
  if (function_) {
    auto type = builder_.getFunctionType(function_->arguments, {}); // results are not known yet
    auto op = flow::FuncOp::create(builder_, loc, function_->symbol.getValue(), type);
    body_ = &op.getBody().emplaceBlock();
  } else {
    auto op = flow::GraphOp::create(builder_, loc, selection_.name, selection_.initializes);
    body_ = &op.getBody().emplaceBlock();
  }
  builder_.setInsertionPointToEnd(body_);
  results_.resize(graph_.nodes().size());
  done_.resize(graph_.nodes().size());
  failed_.resize(graph_.nodes().size());
  isDoneAfterAll_.resize(graph_.nodes().size());
  carries_ = findReferenceCarriers(graph_, selection_);
  collectUses();
  addFeeds();
  addArguments();
}

void GraphBuilder::finish() {
  patchBackEdges();
  if (function_)
    return addReturn();
  addFetches();
  addGradients();
  addTargets();
}

void GraphBuilder::collectUses() {
  isControlUsed_.resize(graph_.nodes().size());
  for (uint32_t node : selection_.nodes) {
    StringRef op = graph_.node(node).opName();
    hasSwitches_ |= isSwitch(op) || op == "_SwitchN";
    for (Endpoint from : graph_.node(node).inputs)
      used_.insert(keyOf(from));
    for (uint32_t from : graph_.node(node).controls)
      isControlUsed_[from] = true;
  }
  for (uint32_t target : selection_.targets)
    isControlUsed_[target] = true;
  for (Endpoint fetch : selection_.fetches)
    used_.insert(keyOf(fetch));
  for (const SelectedGradients &gradients : selection_.gradients)
    for (const auto &endpoints :
         {gradients.ys, gradients.seeds, gradients.xs, gradients.stops, gradients.tangents})
      for (Endpoint endpoint : endpoints)
        used_.insert(keyOf(endpoint));
}

bool GraphBuilder::isUsed(Endpoint endpoint) const { return used_.contains(keyOf(endpoint)); }

Location GraphBuilder::locationOf(uint32_t node) {
  StringAttr name = builder_.getStringAttr(graph_.node(node).name());
  TextPosition at = graph_.file().nodePosition(node);
  if (at.line == 0)
    return NameLoc::get(name);
  return NameLoc::get(
      name, FileLineColLoc::get(builder_.getStringAttr(graph_.file().path()), at.line, at.column));
}

Value GraphBuilder::valueOf(Endpoint endpoint) const {
  if (auto feed = selection_.feedIndex(endpoint))
    return feeds_[*feed];
  const auto &values = results_[endpoint.node];
  return endpoint.slot < values.size() ? values[endpoint.slot] : Value();
}

bool GraphBuilder::isBackEdge(Endpoint endpoint) const {
  return !selection_.isFed(endpoint) && isNextIteration(graph_.node(endpoint.node).opName());
}

void GraphBuilder::setResult(Endpoint endpoint, Value value) {
  auto &values = results_[endpoint.node];
  if (values.size() <= endpoint.slot)
    values.resize(endpoint.slot + 1);
  values[endpoint.slot] = value;
}

// ---- Control edges

Value GraphBuilder::startToken() {
  if (!start_) {
    OpBuilder atStart = OpBuilder::atBlockBegin(body_);
    start_ = flow::StartOp::create(atStart, body_->getParentOp()->getLoc(), tokenType_);
  }
  return start_;
}

Value GraphBuilder::controlToken(uint32_t node) {
  if (selection_.isFedNode[node])
    return startToken();
  if (failed_[node] || done_[node])
    return done_[node];
  if (isDoneAfterAll_[node] && results_[node].size() > 1)
    return done_[node] = joined(results_[node], locationOf(node));
  Value value;
  for (Value candidate : results_[node])
    value = value ? value : candidate;
  // A constant is always there, so its control output fires at the start of the call.
  if (!value || isConstant(value))
    return done_[node] = startToken();
  auto after = flow::AfterOp::create(builder_, locationOf(node), tokenType_, value);
  if (placement_)
    placement_->annotate(after, node);
  return done_[node] = after.getToken();
}

// ---- Nodes

bool GraphBuilder::gather(uint32_t index, llvm::SmallVector<Value> &inputs,
                          llvm::SmallVector<Value> &tokens) {
  const Node &node = graph_.node(index);
  for (Endpoint from : node.inputs) {
    Value value = isBackEdge(from) ? Value() : valueOf(from);
    if (!value && !isBackEdge(from))
      return false;
    inputs.push_back(value);
  }
  for (uint32_t from : node.controls) {
    Value token = controlToken(from);
    if (!token)
      return false;
    tokens.push_back(token);
  }
  dropRedundantTokens(inputs, tokens);
  return true;
}

Value GraphBuilder::readReference(Value value, Location loc, ValueRange triggers) {
  auto reference = dyn_cast<state::RefType>(value.getType());
  if (!reference)
    return value;
  SmallVector<Value> operands{value};
  for (Value trigger : triggers) {
    if (trigger == value)
      continue;
    // A token of another reference, which may be one to a variable of another device.
    if (isa<state::RefType>(trigger.getType()))
      trigger = flow::AfterOp::create(builder_, loc, tokenType_, trigger);
    operands.push_back(trigger);
  }
  auto read =
      state::ReadOp::create(builder_, loc, TypeRange{reference.getValue(), tokenType_}, operands);
  return read.getValue();
}

// Reads the references that the node wants as tensors, each when all else that the node waits for
// is there. Returns whether any was read, which then waits for the tokens too.
bool GraphBuilder::readReferences(uint32_t index, Style style, llvm::SmallVector<Value> &inputs,
                                  ValueRange tokens) {
  const Node &node = graph_.node(index);
  llvm::SmallSetVector<Value, 4> references;
  for (size_t i = 0; i < inputs.size(); ++i) {
    bool asIs = node.inputTypes[i].isRef || (style == Style::kForward && i == 0 && carries_[index]);
    if (!asIs && isa<state::RefType>(inputs[i].getType()))
      references.insert(inputs[i]);
  }
  SmallVector<Value> triggers(inputs);
  llvm::erase_if(triggers, [](Value input) { return !input || isAlwaysThere(input); });
  triggers.append(tokens.begin(), tokens.end());
  if (references.size() > 2 && !triggers.empty()) // one token, so that edges stay linear in number
    triggers = {joined(triggers, locationOf(index))};
  for (Value reference : references) {
    Value value = readReference(reference, locationOf(index), triggers);
    for (size_t i = 0; i < inputs.size(); ++i)
      if (inputs[i] == reference && !node.inputTypes[i].isRef)
        inputs[i] = value;
  }
  return !references.empty();
}

Value GraphBuilder::joined(ValueRange values, Location loc) {
  llvm::SmallSetVector<Value, 8> tokens;
  for (Value value : values)
    if (isa<flow::TokenType>(value.getType()))
      tokens.insert(value);
    else if (!isConstant(value))
      tokens.insert(flow::AfterOp::create(builder_, loc, tokenType_, value));
  if (tokens.empty())
    return startToken();
  return flow::JoinOp::create(builder_, loc, tokenType_, tokens.getArrayRef());
}

// Lets one operand wait for the tokens: the first that is no constant, else the first.
static bool gateOperand(OpBuilder &builder, Location loc, Style style,
                        llvm::SmallVector<Value> &inputs, ValueRange tokens) {
  if (inputs.empty())
    return false;
  size_t chosen = 0;
  bool computes = style == Style::kPure || style == Style::kLists;
  if (computes)
    while (chosen + 1 < inputs.size() && isConstant(inputs[chosen]))
      ++chosen;
  if (computes && isConstant(inputs[chosen]))
    chosen = 0;
  inputs[chosen] =
      flow::GateOp::create(builder, loc, inputs[chosen].getType(), inputs[chosen], tokens);
  return true;
}

// What computes can take neither handles nor arrays, whatever the op's type attribute says.
bool GraphBuilder::areTensors(uint32_t index, ValueRange inputs, bool orLists) {
  for (Value input : inputs)
    if (!isa<TensorType, state::RefType>(input.getType()) &&
        !(orLists && isa<list::OfType, list::UnknownType, state::ObjectType, state::HandlesType>(
                         input.getType()))) {
      failed_[index] = true;
      diagnostics_.error(ExitCode::kUnsupported, graph_.place(index),
                         "op " + graph_.node(index).opName().str() +
                             " is not supported for handles of variables, objects, arrays or "
                             "stacks, nor for lists");
      return false;
    }
  return true;
}

// Returns a function that has to be built first.
Function *GraphBuilder::buildNode(uint32_t index) {
  const OpExpansion *expansion = expansionOf(graph_.node(index));
  llvm::SmallVector<Value> inputs, tokens;
  if (!expansion || !gather(index, inputs, tokens)) {
    failed_[index] = true; // what it depends on has been reported
    return nullptr;
  }
  if (Function *wanted = findCallees(index, inputs))
    return wanted;
  Style style = expansion->style;
  bool takesLists = style == Style::kLists;
  if ((style == Style::kPure || takesLists) && !areTensors(index, inputs, takesLists))
    return nullptr;
  Operation *last = body_->empty() ? nullptr : &body_->back();
  bool waits = tokens.empty() || style == Style::kOwn || style == Style::kEffect;
  if (style != Style::kOwn && readReferences(index, style, inputs, tokens))
    waits = true;
  if (!waits)
    waits = gateOperand(builder_, locationOf(index), style, inputs, tokens);
  Expansion work(*this, index, inputs, tokens);
  if (expansion->isComposite)
    buildComposite(index, *expansion, work);
  else
    expansion->build(work);
  if (!waits && !failed_[index])
    for (Value &value : results_[index])
      value = value ? work.gated(value, tokens) : value;
  if (parts_.asksForGradients && !failed_[index])
    nameOwnGradient(index, inputs);
  for (auto [slot, value] : llvm::enumerate(results_[index]))
    if (Endpoint endpoint{index, static_cast<uint32_t>(slot)}; value) {
      value = independent(endpoint, value);
      linkFeed(endpoint, value);
    }
  if (placement_)
    placement_->annotateAfter(last, *body_, index);
  if (function_)
    collectEffects(last);
  return nullptr;
}

// ---- Loops

void GraphBuilder::addBackEdge(Operation *merge, unsigned operand, Endpoint endpoint) {
  backEdges_.push_back({merge, operand, endpoint});
}

void GraphBuilder::patchBackEdges() {
  for (const BackEdge &edge : backEdges_)
    if (Value value = valueOf(edge.from))
      edge.merge->setOperand(edge.operand, value);
}

} // namespace sluice::import
