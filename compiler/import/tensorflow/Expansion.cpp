// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Attributes, constants and results of an expansion, and the table of all families.
#include "compiler/import/tensorflow/Expansion.h"

#include "compiler/import/GraphBuilder.h"
#include "compiler/import/training/GradientsNode.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/ErrorHandling.h"

using namespace mlir;

namespace sluice::import {

Expansion::Expansion(GraphBuilder &graph, uint32_t node, llvm::SmallVector<Value> inputs,
                     llvm::SmallVector<Value> tokens)
    : graph_(&graph), index_(node), node_(&graph.graph().node(node)), builder_(&graph.builder()),
      loc_(graph.locationOf(node)), inputs_(std::move(inputs)), tokens_(std::move(tokens)) {}

bool Expansion::isUsed(uint32_t slot) const { return graph_->isUsed({index_, slot}); }

// ---- Attributes. The checks have made sure that they are there and of the right kind.

const graphdef::AttrValue *Expansion::attribute(StringRef name) const {
  const AttrSignature *signature = node_->op->attribute(name);
  if (!signature)
    return nullptr;
  if (signature->kind != AttrKind::kType && !expansionOf(*node_)->reads(name))
    llvm::report_fatal_error(Twine("op ") + node_->opName() + " reads attribute '" + name +
                             "', which its line in the import tables does not name");
  return graph_->graph().attribute(*node_, name);
}

int64_t Expansion::intAttr(StringRef name) const { return attribute(name)->i(); }
double Expansion::floatAttr(StringRef name) const {
  return static_cast<double>(attribute(name)->f());
}
bool Expansion::boolAttr(StringRef name) const { return attribute(name)->b(); }
std::string Expansion::stringAttr(StringRef name) const { return attribute(name)->s(); }
DataType Expansion::dataTypeAttr(StringRef name) const { return attribute(name)->type(); }

SmallVector<int64_t> Expansion::intsAttr(StringRef name) const {
  const auto &values = attribute(name)->list().i();
  return {values.begin(), values.end()};
}

Type Expansion::typeAttr(StringRef name) {
  DataType type = dataTypeAttr(name);
  Type element = elementTypeOf(builder_->getContext(), type);
  if (!element)
    unsupported("attribute " + quoted(name.str()) + ": elements of " + typeName(type) +
                " are not supported");
  return element;
}

TensorType Expansion::shapeAttr(StringRef name, Type elementType) const {
  return tensorTypeOf(elementType, attribute(name)->shape());
}

// Of the kinds that lines of composites name.
static Attribute attributeOf(Builder &builder, const AttrSignature &signature,
                             const graphdef::AttrValue &value) {
  switch (signature.isList ? AttrKind::kTensor : signature.kind) {
  case AttrKind::kInt:
    return builder.getI64IntegerAttr(value.i());
  case AttrKind::kFloat:
    return builder.getF32FloatAttr(value.f());
  case AttrKind::kBool:
    return builder.getBoolAttr(value.b());
  case AttrKind::kString:
    return builder.getStringAttr(value.s());
  default:
    llvm::report_fatal_error(Twine("attribute '") + signature.name +
                             "' of a composite is neither a number, a flag nor a text");
  }
}

DictionaryAttr Expansion::attributes() const {
  SmallVector<NamedAttribute> named;
  for (StringRef name : expansionOf(*node_)->attributeNames())
    if (const graphdef::AttrValue *value = attribute(name))
      named.push_back(builder_->getNamedAttr(
          name, attributeOf(*builder_, *node_->op->attribute(name), *value)));
  return named.empty() ? DictionaryAttr() : builder_->getDictionaryAttr(named);
}

NamedAttribute Expansion::flag(StringRef name, bool value) {
  return builder_->getNamedAttr(name, builder_->getBoolAttr(value));
}
NamedAttribute Expansion::number(StringRef name, int64_t value) {
  return builder_->getNamedAttr(name, builder_->getI64IntegerAttr(value));
}
NamedAttribute Expansion::text(StringRef name, const std::string &value) {
  return builder_->getNamedAttr(name, builder_->getStringAttr(value));
}
NamedAttribute Expansion::type(StringRef name, Type value) {
  return builder_->getNamedAttr(name, TypeAttr::get(value));
}

// ---- Values

Type Expansion::tokenType() const { return builder_->getType<flow::TokenType>(); }

Type Expansion::elementOf(Value value) { return getElementTypeOrSelf(value.getType()); }

Type Expansion::resultElement(size_t slot) {
  DataType type = node_->outputTypes[slot].type;
  Type element = elementTypeOf(builder_->getContext(), type);
  if (element)
    return element;
  unsupported("output " + std::to_string(slot) + ": elements of " + typeName(type) +
              " are not supported");
  return builder_->getI1Type(); // the graph is refused anyway
}

static DenseElementsAttr splat(RankedTensorType type, double value) {
  Type element = type.getElementType();
  if (auto complex = dyn_cast<ComplexType>(element)) {
    const llvm::fltSemantics &format =
        cast<FloatType>(complex.getElementType()).getFloatSemantics();
    APFloat real(value), imaginary(0.0);
    bool lost = false;
    real.convert(format, APFloat::rmNearestTiesToEven, &lost);
    imaginary.convert(format, APFloat::rmNearestTiesToEven, &lost);
    return DenseElementsAttr::get(type, std::complex<APFloat>(real, imaginary));
  }
  if (isa<FloatType>(element))
    return DenseElementsAttr::get(type, FloatAttr::get(element, value).getValue());
  APInt number(element.getIntOrFloatBitWidth(), static_cast<uint64_t>(static_cast<int64_t>(value)),
               /*isSigned=*/true, /*implicitTrunc=*/true);
  return DenseElementsAttr::get(type, number);
}

Value Expansion::scalar(Type elementType, double value) {
  auto type = RankedTensorType::get({}, elementType);
  if (isa<nd::StringType>(elementType))
    return nd::ConstantOp::create(*builder_, loc_, type,
                                  DenseStringElementsAttr::get(type, StringRef("")));
  return nd::ConstantOp::create(*builder_, loc_, type, splat(type, value));
}

Value Expansion::ints(ArrayRef<int64_t> values, Type elementType) {
  if (!elementType)
    elementType = builder_->getI32Type();
  auto type = RankedTensorType::get({static_cast<int64_t>(values.size())}, elementType);
  SmallVector<APInt> numbers;
  for (int64_t value : values)
    numbers.push_back(APInt(elementType.getIntOrFloatBitWidth(), static_cast<uint64_t>(value),
                            /*isSigned=*/true));
  return nd::ConstantOp::create(*builder_, loc_, type, DenseElementsAttr::get(type, numbers));
}

Value Expansion::int32(int64_t value) {
  return scalar(builder_->getI32Type(), static_cast<double>(value));
}

Value Expansion::gated(Value value, ValueRange tokens) {
  return tokens.empty()
             ? value
             : Value(flow::GateOp::create(*builder_, loc_, value.getType(), value, tokens));
}

bool Expansion::hasVariables(size_t count, Holding holding) {
  for (size_t i = 0; i < count; ++i) {
    std::string place = "input " + std::to_string(i);
    if (!isa<state::RefType, state::ResourceType>(inputs_[i].getType())) {
      fail(ExitCode::kBadGraph, place + ": expected a variable");
      return false;
    }
    if (holding == Holding::kTensors && !isa<TensorType>(heldType(inputs_[i]))) {
      unsupported(place + ": op " + node_->opName().str() +
                  " is not supported for variables of lists");
      return false;
    }
  }
  return true;
}

Type Expansion::heldType(Value variable) {
  auto reference = dyn_cast<state::RefType>(variable.getType());
  return reference ? reference.getValue()
                   : cast<state::ResourceType>(variable.getType()).getValue();
}

TensorType Expansion::valueType(Value variable) { return cast<TensorType>(heldType(variable)); }

void Expansion::forwardVariable(Value done) {
  if (numResults() > 0 && isUsed(0))
    result(0, gated(inputs_[0], done));
}

SmallVector<Value> Expansion::afterAllInputs(ArrayRef<Value> values) {
  SmallVector<Value> results(values.begin(), values.end());
  if (values.size() < 2)
    return results;
  Value all = graph_->joined(inputs_, loc_);
  for (Value &value : results)
    value = all.getDefiningOp<flow::StartOp>() ? value : gated(value, all);
  return results;
}

// ---- Handing over

void Expansion::result(uint32_t slot, Value value) { graph_->setResult({index_, slot}, value); }
void Expansion::done(Value token) { graph_->setDone(index_, token); }
bool Expansion::failed() const { return graph_->hasFailed(index_); }

void Expansion::fail(ExitCode code, std::string message) {
  graph_->diagnostics().error(code, graph_->graph().place(index_), std::move(message));
  graph_->setFailed(index_);
}

// ---- The table

ArrayRef<OpFamily> opFamilies() {
  static const OpFamily families[] = {
      {"control flow", "constants, placeholders, identities, the primitives of loops and branches",
       controlFlowOps()},
      {"functions", "calls of functions, and branches and loops made of them", functionOps()},
      {"angle", "functions of angles and of hyperbolas", angleOps()},
      {"elementwise", "arithmetic, comparisons, selection, casts", elementwiseOps()},
      {"activation", "rectifiers and their kin, softmax, cross entropy", activationOps()},
      {"reduce", "reductions, positions of extremes, running sums", reduceOps()},
      {"matmul", "matrix products, and the biases that follow them", matmulOps()},
      {"einsum", "sums of products along labelled axes", einsumOps()},
      {"matrix", "diagonals of matrices, and bands around them", matrixOps()},
      {"linear", "decompositions of matrices, and what is solved with them", linearOps()},
      {"fourier", "discrete Fourier transforms", fourierOps()},
      {"quantize", "numbers rounded as if integers stood for them", quantizeOps()},
      {"quantized", "floats as quantized numbers, and back", quantizedOps()},
      {"special", "functions of elements that are no elementary ones", specialOps()},
      {"bits", "bits of integers, and numbers seen as others", bitsOps()},
      {"parts", "parts of complex numbers, and places of values among others", partsOps()},
      {"shape", "sizes, and views of the same elements", shapeOps()},
      {"layout", "the same elements, joined, cut, moved and repeated", layoutOps()},
      {"index", "elements chosen or placed by indices", indexOps()},
      {"block", "blocks of images that become images or channels", blockOps()},
      {"group", "elements put into groups, counted in them, and joined from them", groupOps()},
      {"convolution", "products of windows of images and a filter", convolutionOps()},
      {"pool", "windows of images that become numbers, and mirror images", poolOps()},
      {"boxes", "parts of images, and which of them overlap", boxesOps()},
      {"sequence", "labels of sequences whose times are not known", sequenceOps()},
      {"normalization", "images scaled by the statistics of a batch or of channels",
       normalizationOps()},
      {"cell", "steps of recurrent nets", cellOps()},
      {"cell_loop", "recurrent nets with all their steps", cellLoopOps()},
      {"image", "sizes of images, orders of their dims, and the likeliest classes", imageOps()},
      {"color", "colors of images as others, and with other contrast, hue and saturation",
       colorOps()},
      {"array", "TensorArrays and stacks", arrayOps()},
      {"list", "TensorLists, and optionals of one component", listOps()},
      {"map", "TensorMaps", mapOps()},
      {"state", "variables, assertions and printing", stateOps()},
      {"random", "random numbers, of streams that go on or that follow from seeds", randomOps()},
      {"generator", "random numbers whose place in a stream is a variable's value", generatorOps()},
      {"optimizer", "steps of training", optimizerOps()},
      {"table", "lookup tables", tableOps()},
      {"queue", "queues", queueOps()},
      {"coordination", "barriers, accumulators of gradients, and mutexes", coordinationOps()},
      {"stage", "staging areas", stageOps()},
      {"checkpoint", "saving and restoring tensors, and the names of files", checkpointOps()},
      {"record", "files, the records that they are made of, and patterns of strings", recordOps()},
      {"reader", "files read record by record, whose names come from queues", readerOps()},
      {"text", "strings: their parts, numbers in them, hashes of them, and printing", textOps()},
      {"sparse", "places of values in sparse tensors", sparseOps()},
      {"sparse_math", "arithmetic of sparse tensors, with each other and with dense ones",
       sparseMathOps()},
      {"sparse_cross", "features of rows, each of one column with each of the others",
       sparseCrossOps()},
      {"sparse_segment", "rows looked up and put together in segments, and counts",
       sparseSegmentOps()},
      {"ragged", "ragged tensors as sparse and as dense ones", raggedOps()},
      {"ragged_row", "rows of ragged tensors, chosen or made of numbers", raggedRowOps()},
      {"encoded", "ragged and sparse tensors as strings, also as variants", encodedOps()},
      {"set", "sets in the last dim of tensors", setOps()},
  };
  return families;
}

static const llvm::StringMap<const OpExpansion *> &allExpansions() {
  static const llvm::StringMap<const OpExpansion *> table = [] {
    llvm::StringMap<const OpExpansion *> result;
    for (const OpFamily &family : opFamilies())
      for (const OpExpansion &op : family.ops)
        result[op.name] = &op;
    return result;
  }();
  return table;
}

SmallVector<StringRef> OpExpansion::attributeNames() const {
  SmallVector<StringRef> names;
  llvm::SplitString(attributes, names, " ");
  return names;
}

bool OpExpansion::reads(StringRef attribute) const {
  return llvm::is_contained(attributeNames(), attribute);
}

const OpExpansion *findExpansion(StringRef op) { return allExpansions().lookup(op); }

const OpExpansion *expansionOf(const Node &node) {
  if (node.op && node.op->isOurs)
    return &gradientsExpansion();
  bool isCall = node.op && node.op->isFunction;
  return findExpansion(isCall ? "PartitionedCall" : node.opName());
}

bool isSupported(const OpSignature &op) {
  return op.isFunction || op.isOurs || findExpansion(op.name);
}

std::vector<StringRef> supportedOps() {
  std::vector<StringRef> names;
  for (const auto &entry : allExpansions())
    names.push_back(entry.first());
  llvm::sort(names);
  return names;
}

} // namespace sluice::import
