// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// TensorFlow ops of the family "list": TensorLists, and optionals, which are lists of one element
// or none.
//
// A graph says of a list that it is a variant. Its type is taken from the attributes that tell
// elements; what is left open, import-resolve-lists finds out.
#include "compiler/import/tensorflow/Lists.h"

using namespace mlir;

namespace sluice::import {

Type unknownList(Expansion &e) { return list::UnknownType::get(e.builder().getContext()); }

bool isListValue(Value value) { return isa<list::OfType, list::UnknownType>(value.getType()); }

namespace {

// Whether variants are ragged or sparse tensors: what makes them, or what wants them, tells.
bool holdsEncoded(Expansion &e) {
  auto isText = [](Value input) {
    return isa<TensorType>(input.getType()) && isa<nd::StringType>(Expansion::elementOf(input));
  };
  return llvm::any_of(e.inputs(), isText) || e.graph().handles().isDecoded(e.index());
}

// What is known of an element by an attribute that tells its type; null after a diagnostic.
Type elementFrom(Expansion &e, DataType type, StringRef attribute) {
  if (type == graphdef::DT_VARIANT)
    return holdsEncoded(e) ? unrankedOf(nd::StringType::get(e.builder().getContext()))
                           : unknownList(e);
  if (Type numbers = elementTypeOf(e.builder().getContext(), type))
    return unrankedOf(numbers);
  e.unsupported("attribute " + quoted(attribute.str()) + ": lists of " + typeName(type) +
                " are not supported");
  return {};
}
Type elementType(Expansion &e) {
  return elementFrom(e, e.dataTypeAttr("element_dtype"), "element_dtype");
}
// For ops on whole tensors.
Type tensorElement(Expansion &e) {
  Type element = elementType(e);
  if (!element || isa<TensorType>(element))
    return element;
  e.unsupported("op " + e.node().opName().str() + " is not supported for lists of lists");
  return {};
}

// The list operand must be one that this compiler knows.
bool hasList(Expansion &e, size_t i = 0) {
  if (isListValue(e.input(i)))
    return true;
  e.fail(ExitCode::kBadGraph, "input " + std::to_string(i) + ": expected a TensorList");
  return false;
}

// A list is made when all inputs are there: the size, which may be a constant, waits for them.
Value makeList(Expansion &e, Type element, Value size) {
  SmallVector<Value> others;
  for (Value input : e.inputs())
    if (input != size)
      others.push_back(input);
  if (size.getDefiningOp<nd::ConstantOp>() && !others.empty())
    if (Value all = e.graph().joined(others, e.loc()); !all.getDefiningOp<flow::StartOp>())
      size = e.gated(size, all);
  return e.make<list::MakeOp>(list::OfType::get(e.builder().getContext(), element), size,
                              {e.type("element_shape", element), e.flag("identical", false)});
}

template <typename OpT>
Value changed(Expansion &e, Value list, ValueRange others,
              ArrayRef<NamedAttribute> attributes = {}) {
  SmallVector<Value> operands{list};
  operands.append(others.begin(), others.end());
  return e.make<OpT>(list.getType(), operands, attributes)->getResults().back();
}

void emptyTensorList(Expansion &e) {
  Type element = elementType(e);
  if (!element)
    return;
  Value list = makeList(e, element, e.int32(0));
  list = changed<list::DeclareShapeOp>(e, list, e.input(0));
  e.result(0, changed<list::DeclareLimitOp>(e, list, e.input(1)));
}

void reserve(Expansion &e) {
  if (Type element = elementType(e))
    e.result(0, changed<list::DeclareShapeOp>(e, makeList(e, element, e.input(1)), e.input(0)));
}

void fromTensor(Expansion &e) {
  Type element = tensorElement(e);
  if (!element)
    return;
  Value list = e.make<list::UnstackOp>(list::OfType::get(e.builder().getContext(), element),
                                       e.input(0), e.type("element_shape", element));
  e.result(0, changed<list::DeclareShapeOp>(e, list, e.input(1)));
}

// ---- Changes ------------------------------------------------------------------------------------

void pushBack(Expansion &e) {
  if (hasList(e))
    e.result(0, changed<list::PushOp>(e, e.input(0), e.input(1), e.number("limit", -1)));
}

void popBack(Expansion &e) {
  Type element = elementType(e);
  if (!element || !hasList(e))
    return;
  auto op = e.make<list::PopOp>({element, e.input(0).getType()}, e.inputs(),
                                e.type("element_shape", element));
  e.result(0, op.getResult());
  e.result(1, op.getValue());
}

void setItem(Expansion &e) {
  if (hasList(e))
    e.result(0, changed<list::SetOp>(e, e.input(0), {e.input(1), e.input(2)},
                                     {e.flag("grow", e.boolAttr("resize_if_index_out_of_bounds")),
                                      e.flag("once", false)}));
}

void resize(Expansion &e) {
  if (hasList(e))
    e.result(0, changed<list::ResizeOp>(e, e.input(0), e.input(1)));
}

Value scattered(Expansion &e, Value list, Value indices, Value rows) {
  return changed<list::ScatterOp>(
      e, list, {indices, rows},
      {e.flag("accumulate", false), e.flag("grow", true), e.flag("once", false)});
}

void scatterIntoExisting(Expansion &e) {
  if (hasList(e) && tensorElement(e))
    e.result(0, scattered(e, e.input(0), e.input(2), e.input(1)));
}

void scatter(Expansion &e) {
  Type element = tensorElement(e);
  if (!element)
    return;
  Value list = makeList(e, element, e.int32(0));
  list = changed<list::DeclareShapeOp>(e, list, e.input(2));
  e.result(0, scattered(e, list, e.input(1), e.input(0)));
}

// With a number of elements, other than -1, there are so many, and all indices are below it.
void scatterV2(Expansion &e) {
  Type element = tensorElement(e);
  if (!element)
    return;
  Value number = e.input(3), any = e.compare<nd::EqualOp>(number, e.int32(-1));
  auto choose = [&](Value condition, Value yes, Value no) {
    return e.tensor<nd::SelectOp>(e.builder().getI32Type(), {condition, yes, no},
                                  e.flag("leading", false));
  };
  Value list = makeList(e, element, choose(any, e.int32(0), number));
  list = changed<list::DeclareShapeOp>(e, list, e.input(2));
  list = scattered(e, list, e.input(1), e.input(0));
  Value length = e.tensor<list::LengthOp>(e.builder().getI32Type(), list);
  Value fits = e.compare<nd::LogicalOrOp>(any, e.compare<nd::EqualOp>(length, number));
  e.result(0, changed<list::ResizeOp>(e, list, choose(fits, length, e.int32(-1))));
}

void split(Expansion &e) {
  Type element = tensorElement(e);
  if (!element)
    return;
  Value list = makeList(e, element, e.int32(0));
  list = changed<list::DeclareShapeOp>(e, list, e.input(1));
  e.result(0, changed<list::SplitOp>(
                  e, list, {e.input(0), e.input(2)},
                  {e.flag("accumulate", false), e.flag("grow", true), e.flag("once", false)}));
}

void concatLists(Expansion &e) {
  if (hasList(e, 0) && hasList(e, 1))
    e.result(0, changed<list::AppendOp>(e, e.input(0), e.input(1)));
}

// ---- Looks --------------------------------------------------------------------------------------

void length(Expansion &e) {
  if (hasList(e))
    e.result(0, e.tensor<list::LengthOp>(e.builder().getI32Type(), e.input(0)));
}

void elementShape(Expansion &e) {
  if (hasList(e))
    e.result(0, e.tensor<list::ElementShapeOp>(e.typeAttr("shape_type"), e.input(0)));
}

void getItem(Expansion &e) {
  Type element = elementType(e);
  if (element && hasList(e))
    e.result(0, e.make<list::PeekOp>(element, e.inputs(), e.type("element_shape", element)));
}

void stack(Expansion &e) {
  Type element = tensorElement(e);
  if (element && hasList(e))
    e.result(0, e.make<list::StackOp>(element, e.inputs(),
                                      {e.type("element_shape", element),
                                       e.number("num_elements", e.intAttr("num_elements"))}));
}

void gather(Expansion &e) {
  Type element = tensorElement(e);
  if (element && hasList(e))
    e.result(0, e.make<list::RowsOp>(element, e.inputs(), e.type("element_shape", element)));
}

void joinAll(Expansion &e, Type element, ValueRange operands, Type known) {
  auto op = e.make<list::JoinOp>({element, unrankedOf(e.builder().getI64Type())}, operands,
                                 e.type("element_shape", known));
  e.result(0, op.getValue());
  e.result(1, op.getLengths());
}

void concat(Expansion &e) {
  Type element = tensorElement(e);
  if (!element || !hasList(e))
    return;
  Value none = e.ints({}, e.builder().getI64Type());
  joinAll(e, element, {e.input(0), none},
          e.shapeAttr("element_shape", getElementTypeOrSelf(element)));
}

void concatV2(Expansion &e) {
  Type element = tensorElement(e);
  if (element && hasList(e))
    joinAll(e, element, {e.input(0), e.input(2), e.input(1)}, element);
}

// ---- Optionals ----------------------------------------------------------------------------------

bool hasOneComponent(Expansion &e, StringRef attribute) {
  int count = e.attribute(attribute)->list().type_size();
  if (count == 1)
    return true;
  e.unsupported("optionals of " + std::to_string(count) +
                " components are not supported; expected one");
  return false;
}

void optionalFromValue(Expansion &e) {
  if (!hasOneComponent(e, "Toutput_types"))
    return;
  Type element = elementFrom(e, static_cast<DataType>(e.attribute("Toutput_types")->list().type(0)),
                             "Toutput_types");
  if (!element)
    return;
  Value list = makeList(e, element, e.int32(0));
  e.result(0, changed<list::PushOp>(e, list, e.input(0), e.number("limit", -1)));
}

void optionalNone(Expansion &e) { e.result(0, emptyList(e)); }

void optionalGetValue(Expansion &e) {
  if (!hasOneComponent(e, "output_types") || !hasList(e))
    return;
  Type element = elementFrom(e, static_cast<DataType>(e.attribute("output_types")->list().type(0)),
                             "output_types");
  if (!element)
    return;
  Type shape = element;
  const auto &shapes = e.attribute("output_shapes")->list();
  if (auto tensor = dyn_cast<TensorType>(element); tensor && shapes.shape_size() == 1)
    shape = tensorTypeOf(tensor.getElementType(), shapes.shape(0));
  e.result(0, e.make<list::OnlyOp>(element, e.input(0), e.type("element_shape", shape)));
}

void optionalHasValue(Expansion &e) {
  if (!hasList(e))
    return;
  Value length = e.tensor<list::LengthOp>(e.builder().getI32Type(), e.input(0));
  e.result(0, e.compare<nd::GreaterOp>(length, e.int32(0)));
}

constexpr OpExpansion kOps[] = {
    {"EmptyTensorList", emptyTensorList, Style::kLists},
    {"TensorListReserve", reserve, Style::kLists},
    {"TensorListFromTensor", fromTensor, Style::kLists},
    {"TensorListPushBack", pushBack, Style::kLists},
    {"TensorListPopBack", popBack, Style::kLists},
    {"TensorListSetItem", setItem, Style::kLists, "resize_if_index_out_of_bounds"},
    {"TensorListResize", resize, Style::kLists},
    {"TensorListScatter", scatter, Style::kLists},
    {"TensorListScatterV2", scatterV2, Style::kLists},
    {"TensorListScatterIntoExistingList", scatterIntoExisting, Style::kLists},
    {"TensorListSplit", split, Style::kLists},
    {"TensorListConcatLists", concatLists, Style::kLists},
    {"TensorListLength", length, Style::kLists},
    {"TensorListElementShape", elementShape, Style::kLists},
    {"TensorListGetItem", getItem, Style::kLists},
    {"TensorListStack", stack, Style::kLists, "num_elements"},
    {"TensorListGather", gather, Style::kLists},
    {"TensorListConcat", concat, Style::kLists, "element_shape"},
    {"TensorListConcatV2", concatV2, Style::kLists},
    {"OptionalFromValue", optionalFromValue, Style::kLists},
    {"OptionalNone", optionalNone, Style::kLists},
    {"OptionalGetValue", optionalGetValue, Style::kLists, "output_shapes"},
    {"OptionalHasValue", optionalHasValue, Style::kLists},
};

} // namespace

Value emptyList(Expansion &e) {
  return e.make<list::MakeOp>(
      unknownList(e), e.gated(e.int32(0), e.tokens()),
      {e.type("element_shape", unknownList(e)), e.flag("identical", false)});
}

void zerosLikeList(Expansion &e) { e.result(0, changed<list::ZerosLikeOp>(e, e.input(0), {})); }

void addLists(Expansion &e) {
  Value sum = e.input(0);
  for (Value next : e.inputs().drop_front())
    sum = changed<list::AddOp>(e, sum, next);
  e.result(0, sum);
}

ArrayRef<OpExpansion> listOps() { return kOps; }

} // namespace sluice::import
