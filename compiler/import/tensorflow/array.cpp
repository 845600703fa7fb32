// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// TensorFlow ops of the family "array": TensorArrays of all three versions, and stacks.
//
// The versions differ in the type of the handle only (a reference to strings, a string, a
// resource). Here a handle has the type of the op that made it, so one builder serves all.
#include "compiler/import/GraphBuilder.h"
#include "compiler/import/tensorflow/Lists.h"

using namespace mlir;

namespace sluice::import {

namespace {

Type flowType(Expansion &e) { return unrankedOf(e.builder().getF32Type()); }

std::string nameOr(Expansion &e, StringRef attribute) {
  std::string name = e.stringAttr(attribute);
  return name.empty() ? e.name() : name;
}

// The handle must have come from an op that this compiler knows as a maker of such handles.
template <typename HandleT> bool hasHandle(Expansion &e) {
  if (isa<HandleT>(e.input(0).getType()))
    return true;
  e.fail(ExitCode::kBadGraph,
         std::string("input 0: expected the handle of ") +
             (std::is_same_v<HandleT, array::HandleType> ? "a TensorArray" : "a stack"));
  return false;
}

// Null after a diagnostic.
Type elementOf(Expansion &e) {
  DataType type = e.dataTypeAttr("dtype");
  return type == graphdef::DT_VARIANT ? storedTypeOf(e.builder().getContext(), type)
                                      : e.typeAttr("dtype");
}

void create(Expansion &e) {
  Type element = elementOf(e);
  if (!element)
    return;
  bool identical =
      e.attribute("identical_element_shapes") && e.boolAttr("identical_element_shapes");
  auto op = e.effect<array::CreateOp>(
      {array::HandleType::get(e.builder().getContext(), unrankedOf(element)), flowType(e)},
      e.input(0),
      {e.type("dtype", element), e.type("element_shape", e.shapeAttr("element_shape", element)),
       e.flag("dynamic_size", e.boolAttr("dynamic_size")),
       e.flag("clear_after_read", e.boolAttr("clear_after_read")),
       e.flag("identical_element_shapes", identical),
       e.text("name", nameOr(e, "tensor_array_name"))});
  e.result(0, op.getHandle());
  if (e.numResults() > 1) // only the third version starts the flow itself
    e.result(1, op.getFlow());
}

template <typename OpT> void writing(Expansion &e) { // gives a new flow
  if (!hasHandle<array::HandleType>(e))
    return;
  if (llvm::any_of(e.inputs(), isListValue))
    return e.unsupported("arrays of lists are not supported");
  e.result(0, e.effect<OpT>(flowType(e), e.inputs()).getFlowOut());
}

void read(Expansion &e) {
  if (!hasHandle<array::HandleType>(e))
    return;
  if (Type element = elementOf(e))
    e.result(0, e.effect<array::ReadOp>(unrankedOf(element), e.inputs()).getValue());
}

void gather(Expansion &e) {
  if (!hasHandle<array::HandleType>(e))
    return;
  if (Type element = elementOf(e))
    e.result(
        0, e.effect<array::GatherOp>(unrankedOf(element), e.inputs(),
                                     e.type("element_shape", e.shapeAttr("element_shape", element)))
               .getValue());
}

void concat(Expansion &e) {
  if (!hasHandle<array::HandleType>(e))
    return;
  Type element = elementOf(e);
  if (!element)
    return;
  auto op = e.effect<array::ConcatOp>(
      {unrankedOf(element), unrankedOf(e.builder().getI64Type())}, e.inputs(),
      e.type("element_shape_except0", e.shapeAttr("element_shape_except0", element)));
  e.result(0, op.getValue());
  e.result(1, op.getLengths());
}

void size(Expansion &e) {
  if (hasHandle<array::HandleType>(e))
    e.result(0,
             e.effect<array::SizeOp>(unrankedOf(e.builder().getI32Type()), e.inputs()).getSize());
}

void close(Expansion &e) {
  if (hasHandle<array::HandleType>(e))
    e.effect<array::CloseOp>({}, e.inputs());
}

template <typename OpT> void gradient(Expansion &e) {
  if (!hasHandle<array::HandleType>(e))
    return;
  auto op = e.effect<OpT>({e.input(0).getType(), flowType(e)}, e.inputs(),
                          e.text("source", e.stringAttr("source")));
  e.result(0, op.getGradient());
  if (e.numResults() > 1)
    e.result(1, op.getFlowOut());
}

// ---- Stacks

// The first version has no size input: such stacks have no bound.
void stackCreate(Expansion &e) {
  Type element = e.graph().handles().elementOfStack(e.index());
  if (!element)
    return e.unsupported("a stack of " + typeName(e.dataTypeAttr("elem_type")) +
                         " on which no known handle is pushed is not supported");
  Value size = e.numInputs() > 0 ? e.input(0) : e.int32(-1);
  Type stored = element;
  if (auto tensor = dyn_cast<TensorType>(element))
    stored = tensor.getElementType();
  auto op = e.effect<array::StackCreateOp>(
      array::StackType::get(e.builder().getContext(), element), size,
      {e.type("dtype", stored), e.text("name", nameOr(e, "stack_name"))});
  e.result(0, op.getStack());
}

void stackPush(Expansion &e) {
  if (!hasHandle<array::StackType>(e))
    return;
  auto op = e.effect<array::StackPushOp>(e.input(1).getType(), e.inputs(),
                                         e.flag("swap_memory", e.boolAttr("swap_memory")));
  e.result(0, op.getResult());
}

void stackPop(Expansion &e) {
  if (!hasHandle<array::StackType>(e))
    return;
  Type element = cast<array::StackType>(e.input(0).getType()).getElement();
  e.result(0, e.effect<array::StackPopOp>(element, e.input(0)).getValue());
}

void stackClose(Expansion &e) {
  if (hasHandle<array::StackType>(e))
    e.effect<array::StackCloseOp>({}, e.input(0));
}

constexpr llvm::StringLiteral kArray =
    "element_shape dynamic_size clear_after_read tensor_array_name";
constexpr llvm::StringLiteral kArrayV3 =
    "element_shape dynamic_size clear_after_read tensor_array_name identical_element_shapes";

constexpr OpExpansion kOps[] = {
    {"TensorArray", create, Style::kEffect, kArray},
    {"TensorArrayV2", create, Style::kEffect, kArray},
    {"TensorArrayV3", create, Style::kEffect, kArrayV3},
    {"TensorArrayWrite", writing<array::WriteOp>, Style::kEffect},
    {"TensorArrayWriteV2", writing<array::WriteOp>, Style::kEffect},
    {"TensorArrayWriteV3", writing<array::WriteOp>, Style::kEffect},
    {"TensorArrayScatter", writing<array::ScatterOp>, Style::kEffect},
    {"TensorArrayScatterV2", writing<array::ScatterOp>, Style::kEffect},
    {"TensorArrayScatterV3", writing<array::ScatterOp>, Style::kEffect},
    {"TensorArraySplit", writing<array::SplitOp>, Style::kEffect},
    {"TensorArraySplitV2", writing<array::SplitOp>, Style::kEffect},
    {"TensorArraySplitV3", writing<array::SplitOp>, Style::kEffect},
    {"TensorArrayRead", read, Style::kEffect},
    {"TensorArrayReadV2", read, Style::kEffect},
    {"TensorArrayReadV3", read, Style::kEffect},
    {"TensorArrayGather", gather, Style::kEffect, "element_shape"},
    {"TensorArrayGatherV2", gather, Style::kEffect, "element_shape"},
    {"TensorArrayGatherV3", gather, Style::kEffect, "element_shape"},
    {"TensorArrayConcat", concat, Style::kEffect, "element_shape_except0"},
    {"TensorArrayConcatV2", concat, Style::kEffect, "element_shape_except0"},
    {"TensorArrayConcatV3", concat, Style::kEffect, "element_shape_except0"},
    {"TensorArraySize", size, Style::kEffect},
    {"TensorArraySizeV2", size, Style::kEffect},
    {"TensorArraySizeV3", size, Style::kEffect},
    {"TensorArrayClose", close, Style::kEffect},
    {"TensorArrayCloseV2", close, Style::kEffect},
    {"TensorArrayCloseV3", close, Style::kEffect},
    {"TensorArrayGrad", gradient<array::GradOp>, Style::kEffect, "source"},
    {"TensorArrayGradV2", gradient<array::GradOp>, Style::kEffect, "source"},
    {"TensorArrayGradV3", gradient<array::GradOp>, Style::kEffect, "source"},
    {"TensorArrayGradWithShape", gradient<array::GradWithShapeOp>, Style::kEffect, "source"},
    {"Stack", stackCreate, Style::kEffect, "stack_name"},
    {"StackV2", stackCreate, Style::kEffect, "stack_name"},
    {"StackPush", stackPush, Style::kEffect, "swap_memory"},
    {"StackPushV2", stackPush, Style::kEffect, "swap_memory"},
    {"StackPop", stackPop, Style::kEffect},
    {"StackPopV2", stackPop, Style::kEffect},
    {"StackClose", stackClose, Style::kEffect},
    {"StackCloseV2", stackClose, Style::kEffect},
};

} // namespace

ArrayRef<OpExpansion> arrayOps() { return kOps; }

} // namespace sluice::import
