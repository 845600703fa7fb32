// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Attributes are what they are by default, or of floats; inputs are fed.
#include "tools/sluice-docs/SampleGraph.h"

#include "llvm/ADT/STLExtras.h"

namespace sluice::docs {

using graphdef::AttrValue;
using graphdef::DataType;
using graphdef::NodeDef;
using import::ArgSignature;
using import::AttrKind;
using import::AttrSignature;
using import::OpSignature;

Opaque opaqueOf(const ArgSignature &argument) {
  if (argument.isRef)
    return Opaque::kReference;
  if (argument.fixedType == graphdef::DT_RESOURCE)
    return Opaque::kResource;
  if (argument.fixedType == graphdef::DT_VARIANT)
    return Opaque::kVariant;
  bool isText = argument.fixedType == graphdef::DT_STRING;
  return isText && argument.name.ends_with("handle") ? Opaque::kText : Opaque::kNone;
}

Opaque firstOpaque(llvm::ArrayRef<ArgSignature> arguments) {
  for (const ArgSignature &argument : arguments)
    if (Opaque opaque = opaqueOf(argument); opaque != Opaque::kNone)
      return opaque;
  return Opaque::kNone;
}

static bool isOpaque(const ArgSignature &argument) { return opaqueOf(argument) != Opaque::kNone; }

static bool isInteger(DataType type) {
  return type == graphdef::DT_INT32 || type == graphdef::DT_INT64;
}

static AttrValue &attributeOf(NodeDef &node, llvm::StringRef name) {
  for (graphdef::AttrEntry &entry : *node.mutable_attr())
    if (entry.key() == name)
      return *entry.mutable_value();
  graphdef::AttrEntry &entry = *node.add_attr();
  entry.set_key(name.str());
  return *entry.mutable_value();
}

static DataType typeFor(const AttrSignature &attribute) {
  bool takesFloats = attribute.allowedTypes.empty() ||
                     llvm::is_contained(attribute.allowedTypes, graphdef::DT_FLOAT);
  return takesFloats ? graphdef::DT_FLOAT : attribute.allowedTypes.front();
}

// Of inputs; one more than needed, since many ops do nothing with a single one.
static bool isCount(const OpSignature &op, const AttrSignature &attribute) {
  return llvm::any_of(op.inputs,
                      [&](const ArgSignature &input) { return input.count == attribute.name; });
}

static int64_t countOf(const OpSignature &op, const AttrSignature &attribute) {
  return std::max<int64_t>(attribute.minimum.value_or(1), 1) + isCount(op, attribute);
}

// Lists of types beside counts are as long as these say.
static bool countsInputs(const OpSignature &op) {
  return llvm::any_of(op.inputs, [](const ArgSignature &input) { return !input.count.empty(); });
}

// Inputs of a list of types, each of which may have a shape.
static bool takesList(const OpSignature &op) {
  return llvm::any_of(op.inputs, [](const ArgSignature &input) { return input.typeList; });
}

SampleGraph::SampleGraph(import::OpTable &table, const OpSignature &op, const SampleChoice &choice)
    : table_(table), choice_(choice) {
  node = add(op, "");
  size_t slot = 0;
  NodeDef copy = *llvm::find_if(graph.node(), [&](auto &each) { return each.name() == node; });
  for (const ArgSignature &output : op.outputs) {
    std::string tensor = node + ":" + std::to_string(slot);
    size_t count = 1;
    if (!output.count.empty())
      count = static_cast<size_t>(attributeOf(copy, output.count).i());
    if (output.typeList)
      count = static_cast<size_t>(attributeOf(copy, output.typeAttr).list().type_size());
    const OpSignature *taker = isOpaque(output) ? table_.find(choice_.taker) : nullptr;
    if (!taker)
      fetches.push_back(tensor);
    else if (std::string taken = add(*taker, tensor); !taker->outputs.empty())
      fetches.push_back(taken + ":0");
    slot += count;
  }
}

NodeDef &SampleGraph::addNode(const std::string &op) {
  NodeDef &made = *graph.add_node();
  made.set_name("n" + std::to_string(graph.node_size()));
  made.set_op(op);
  return made;
}

std::string SampleGraph::addFeed(DataType type) {
  NodeDef &feed = addNode("Placeholder");
  attributeOf(feed, "dtype").set_type(type);
  feeds.push_back(feed.name());
  return feed.name();
}

std::string SampleGraph::addIntegers(DataType type) {
  NodeDef &made = addNode("Const");
  attributeOf(made, "dtype").set_type(type);
  graphdef::TensorProto &tensor = *attributeOf(made, "value").mutable_tensor();
  tensor.set_dtype(type);
  tensor.mutable_tensor_shape();
  using Integers = SampleChoice::Integers;
  if (choice_.integers == Integers::kZeros)
    tensor.mutable_tensor_shape()->add_dim()->set_size(1);
  if (choice_.integers == Integers::kOnes) // sizes of windows of images
    tensor.mutable_tensor_shape()->add_dim()->set_size(4);
  int value = choice_.integers == Integers::kMinusOne ? -1 : choice_.integers == Integers::kOnes;
  if (type == graphdef::DT_INT32)
    tensor.add_int_val(value);
  else
    tensor.add_int64_val(value);
  return made.name();
}

// Of a reference to what the maker makes, if that is known.
std::optional<DataType> SampleGraph::typeMade(const OpSignature &op,
                                              const AttrSignature &attribute) const {
  const OpSignature *maker = table_.find(choice_.maker);
  auto isOfType = [&](const ArgSignature &input) {
    return input.isRef && input.typeAttr == attribute.name;
  };
  if (!maker || maker == &op || !llvm::any_of(op.inputs, isOfType))
    return std::nullopt;
  for (const ArgSignature &output : maker->outputs)
    if (output.isRef && output.typeAttr.empty())
      return output.fixedType;
  return std::nullopt;
}

AttrValue SampleGraph::valueOf(const OpSignature &op, const AttrSignature &attribute) const {
  AttrValue value;
  if (attribute.defaultValue)
    return *attribute.defaultValue;
  if (attribute.isList) {
    auto &list = *value.mutable_list();
    int64_t least = attribute.minimum.value_or(0);
    // A number for each dim of an image, of which formats name up to five by a letter each.
    const AttrSignature *format = op.attribute("data_format");
    int64_t dims = least;
    if (format && !attribute.minimum)
      dims = std::min<int64_t>(format->defaultValue->s().size(), 5);
    for (int64_t i = 0; attribute.kind == AttrKind::kInt && i < dims; ++i)
      list.add_i(1);
    int64_t types = std::max<int64_t>(least, 1) + countsInputs(op);
    bool isOfInputs = takesList(op);
    for (int64_t i = 0; attribute.kind == AttrKind::kType && i < types; ++i)
      list.add_type(typeFor(attribute));
    // Of each of the tensors that cut values into rows.
    const AttrSignature *cuts = op.attribute("num_row_partition_tensors");
    for (int64_t i = 0; cuts && attribute.name == "row_partition_types" && i < countOf(op, *cuts);
         ++i)
      list.add_s("ROW_SPLITS");
    for (int64_t i = 0; attribute.kind == AttrKind::kShape && i < (isOfInputs ? types : least); ++i)
      list.add_shape()->set_unknown_rank(!isOfInputs);
    return value;
  }
  switch (attribute.kind) {
  case AttrKind::kString:
    // Of the few whose text has a syntax; all others take any.
    value.set_s(attribute.name == "equation"       ? "ab,bc->ac"
                : attribute.allowedStrings.empty() ? "text"
                                                   : attribute.allowedStrings.front().str());
    break;
  case AttrKind::kInt:
    value.set_i(countOf(op, attribute));
    break;
  case AttrKind::kFloat:
    value.set_f(1);
    break;
  case AttrKind::kBool:
    value.set_b(false);
    break;
  case AttrKind::kType:
    value.set_type(choice_.holdsIntegers && op.name == choice_.maker
                       ? graphdef::DT_INT64
                       : typeMade(op, attribute).value_or(typeFor(attribute)));
    break;
  case AttrKind::kShape:
    value.mutable_shape()->set_unknown_rank(true);
    break;
  case AttrKind::kTensor: {
    const AttrSignature *type = op.attribute("dtype");
    value.mutable_tensor()->set_dtype(type ? typeFor(*type) : graphdef::DT_FLOAT);
    value.mutable_tensor()->mutable_tensor_shape();
    break;
  }
  case AttrKind::kFunc:
    break;
  }
  return value;
}

std::string SampleGraph::inputOf(const ArgSignature &argument, DataType type,
                                 const std::string &consumer) {
  if (isOpaque(argument))
    if (const OpSignature *maker = table_.find(choice_.maker); maker && consumer != choice_.maker)
      return add(*maker, "");
  if (isInteger(type) && choice_.integers != SampleChoice::Integers::kFed)
    return addIntegers(type);
  return addFeed(type);
}

// `firstOfMaker`, unless empty, is the first input that is a handle or list.
std::string SampleGraph::add(const OpSignature &op, const std::string &firstOfMaker) {
  NodeDef made;
  made.set_op(op.name.str());
  for (const AttrSignature &attribute : op.attributes)
    attributeOf(made, attribute.name) = valueOf(op, attribute);
  bool isGiven = firstOfMaker.empty();
  for (const ArgSignature &input : op.inputs) {
    std::vector<DataType> types;
    if (input.typeList)
      for (int type : attributeOf(made, input.typeAttr).list().type())
        types.push_back(static_cast<DataType>(type));
    else
      types.assign(input.count.empty() ? 1 : attributeOf(made, input.count).i(),
                   input.typeAttr.empty() ? input.fixedType
                                          : attributeOf(made, input.typeAttr).type());
    for (DataType type : types) {
      bool takesIt = !isGiven && isOpaque(input);
      isGiven |= takesIt;
      made.add_input(takesIt ? firstOfMaker : inputOf(input, type, op.name.str()));
    }
  }
  NodeDef &added = addNode(made.op());
  made.set_name(added.name());
  added = made;
  return made.name();
}

} // namespace sluice::docs
