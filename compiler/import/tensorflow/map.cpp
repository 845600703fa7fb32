// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// TensorFlow ops of the family "map": TensorMaps, which a graph says are variants.
#include "compiler/import/tensorflow/Lists.h"
#include "dialects/list/Maps.h"

using namespace mlir;

namespace sluice::import {

namespace {

Type mapType(Expansion &e) {
  MLIRContext *context = e.builder().getContext();
  return list::OfType::get(context, list::AnyType::get(context));
}

// The first input has to be a map, and the others tensors.
bool hasMap(Expansion &e) {
  if (!isListValue(e.input(0))) {
    e.fail(ExitCode::kBadGraph, "input 0: expected a TensorMap");
    return false;
  }
  for (size_t i = 1; i < e.numInputs(); ++i)
    if (isListValue(e.input(i))) {
      e.unsupported("keys and values of maps that are lists are not supported");
      return false;
    }
  return true;
}

// What an attribute says that a result holds; null after a diagnostic.
Type tensorOf(Expansion &e, StringRef attribute) {
  DataType type = e.dataTypeAttr(attribute);
  if (type != graphdef::DT_VARIANT)
    if (Type element = elementTypeOf(e.builder().getContext(), type))
      return unrankedOf(element);
  e.unsupported("attribute " + quoted(attribute.str()) + ": maps of " + typeName(type) +
                " are not supported");
  return {};
}

void emptyMap(Expansion &e) {
  e.result(0, e.make<list::MapMakeOp>(mapType(e), e.gated(e.int32(0), e.tokens())));
}

void insert(Expansion &e) {
  if (hasMap(e))
    e.result(0, e.make<list::MapInsertOp>(e.input(0).getType(), e.inputs()));
}

void lookup(Expansion &e) {
  if (!hasMap(e))
    return;
  if (Type value = tensorOf(e, "value_dtype"))
    e.result(0, e.make<list::MapLookupOp>(value, e.inputs()));
}

void erase(Expansion &e) {
  if (hasMap(e))
    e.result(0,
             e.make<list::MapEraseOp>(e.input(0).getType(), e.inputs(), e.flag("required", true)));
}

void hasKey(Expansion &e) {
  if (hasMap(e))
    e.result(0, e.tensor<list::MapHasKeyOp>(e.builder().getI1Type(), e.inputs()));
}

void size(Expansion &e) {
  if (hasMap(e))
    e.result(0, e.tensor<list::MapSizeOp>(e.builder().getI32Type(), e.inputs()));
}

void stackKeys(Expansion &e) {
  if (!hasMap(e))
    return;
  if (Type keys = tensorOf(e, "key_dtype"))
    e.result(0, e.make<list::MapKeysOp>(keys, e.inputs()));
}

constexpr OpExpansion kOps[] = {
    {"EmptyTensorMap", emptyMap, Style::kLists},      {"TensorMapInsert", insert, Style::kLists},
    {"TensorMapLookup", lookup, Style::kLists},       {"TensorMapErase", erase, Style::kLists},
    {"TensorMapHasKey", hasKey, Style::kLists},       {"TensorMapSize", size, Style::kLists},
    {"TensorMapStackKeys", stackKeys, Style::kLists},
};

} // namespace

ArrayRef<OpExpansion> mapOps() { return kOps; }

} // namespace sluice::import
