// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// TensorFlow ops of the family "table": lookup tables of both versions, which differ in the type of
// the handle only.
#include "compiler/import/GraphBuilder.h"
#include "compiler/import/tensorflow/Expansion.h"

using namespace mlir;

namespace sluice::import {

namespace {

bool hasTable(Expansion &e) {
  if (state::isObject(e.input(0).getType(), "table"))
    return true;
  e.fail(ExitCode::kBadGraph, "input 0: expected the handle of a table");
  return false;
}

// What both ops that make tables are told. Nothing, after a diagnostic, where elements of a type
// are not supported.
SmallVector<NamedAttribute> optionsOf(Expansion &e, StringRef kind) {
  Type key = e.typeAttr("key_dtype"), value = e.typeAttr("value_dtype");
  if (!key || !value)
    return {};
  TensorType shape = e.attribute("value_shape") ? e.shapeAttr("value_shape", value)
                                                : RankedTensorType::get({}, value);
  int64_t buckets = e.attribute("initial_num_buckets") ? e.intAttr("initial_num_buckets") : 0;
  return {e.text("kind", kind.str()),   e.type("key_dtype", key),     e.type("value_dtype", value),
          e.type("value_shape", shape), e.number("buckets", buckets), e.text("name", e.name())};
}

// Of a dense table: the keys of empty and of deleted places, and how full it may get.
SmallVector<Value> operandsOf(Expansion &e) {
  SmallVector<Value> operands(e.inputs());
  if (e.attribute("max_load_factor"))
    operands.push_back(e.scalar(e.builder().getF32Type(), e.floatAttr("max_load_factor")));
  return operands;
}

constexpr llvm::StringLiteral kStatic = "static", kMutable = "mutable", kDense = "dense";

// Lives on, under the name that the node says or has.
template <const llvm::StringLiteral &kKind> void declared(Expansion &e) {
  SmallVector<NamedAttribute> options = optionsOf(e, kKind);
  if (options.empty())
    return;
  options.push_back(e.builder().getNamedAttr(
      "object", e.graph().declarations().object(e.graph().graph(), e.index(), "table", e.loc(),
                                                e.boolAttr("use_node_name_sharing"))));
  auto type = state::ObjectType::get(e.builder().getContext(), "table");
  e.result(0, e.effect<state::TableHandleOp>(type, operandsOf(e), options).getResult());
}

// Made each time.
template <const llvm::StringLiteral &kKind> void anonymous(Expansion &e) {
  SmallVector<NamedAttribute> options = optionsOf(e, kKind);
  if (options.empty())
    return;
  auto type = state::ObjectType::get(e.builder().getContext(), "table");
  e.result(0, e.effect<state::MakeTableOp>(type, operandsOf(e), options).getResult());
}

template <bool kInitializes> void fill(Expansion &e) {
  if (hasTable(e))
    e.effect<state::TableImportOp>({}, e.inputs(), e.flag("initializes", kInitializes));
}

void load(Expansion &e) {
  if (!hasTable(e))
    return;
  std::string delimiter = e.stringAttr("delimiter");
  if (delimiter.size() != 1)
    return e.fail(ExitCode::kBadGraph,
                  "attribute 'delimiter': expected one byte but got " + quoted(delimiter));
  e.effect<state::TableLoadOp>({}, e.inputs(),
                               {e.number("key_index", e.intAttr("key_index")),
                                e.number("value_index", e.intAttr("value_index")),
                                e.number("vocab_size", e.intAttr("vocab_size")),
                                e.text("delimiter", delimiter),
                                e.number("offset", e.intAttr("offset"))});
}

template <typename OpT> void change(Expansion &e) {
  if (hasTable(e))
    e.effect<OpT>({}, e.inputs());
}

void find(Expansion &e) {
  if (hasTable(e))
    e.result(0,
             e.effect<state::TableFindOp>(unrankedOf(e.resultElement(0)), e.inputs()).getValues());
}

void size(Expansion &e) {
  if (hasTable(e))
    e.result(0, e.effect<state::TableSizeOp>(unrankedOf(e.resultElement(0)), e.inputs()).getSize());
}

void exportAll(Expansion &e) {
  if (!hasTable(e))
    return;
  auto op = e.effect<state::TableExportOp>(
      {unrankedOf(e.resultElement(0)), unrankedOf(e.resultElement(1))}, e.inputs());
  e.result(0, op.getKeys());
  e.result(1, op.getValues());
}

constexpr llvm::StringLiteral kNames = "container shared_name use_node_name_sharing";
constexpr llvm::StringLiteral kColumns = "key_index value_index vocab_size delimiter offset";
constexpr llvm::StringLiteral kNamesAndShape =
    "container shared_name use_node_name_sharing value_shape";
constexpr llvm::StringLiteral kPlaces = "container shared_name use_node_name_sharing value_shape "
                                        "initial_num_buckets max_load_factor";

constexpr OpExpansion kOps[] = {
    {"HashTable", declared<kStatic>, Style::kEffect, kNames},
    {"HashTableV2", declared<kStatic>, Style::kEffect, kNames},
    {"AnonymousHashTable", anonymous<kStatic>, Style::kEffect},
    {"MutableHashTable", declared<kMutable>, Style::kEffect, kNames},
    {"MutableHashTableV2", declared<kMutable>, Style::kEffect, kNames},
    {"AnonymousMutableHashTable", anonymous<kMutable>, Style::kEffect},
    {"MutableHashTableOfTensors", declared<kMutable>, Style::kEffect, kNamesAndShape},
    {"MutableHashTableOfTensorsV2", declared<kMutable>, Style::kEffect, kNamesAndShape},
    {"AnonymousMutableHashTableOfTensors", anonymous<kMutable>, Style::kEffect, "value_shape"},
    {"MutableDenseHashTableV2", declared<kDense>, Style::kEffect, kPlaces},
    {"AnonymousMutableDenseHashTable", anonymous<kDense>, Style::kEffect,
     "value_shape initial_num_buckets max_load_factor"},
    {"InitializeTable", fill<true>, Style::kEffect},
    {"InitializeTableV2", fill<true>, Style::kEffect},
    {"InitializeTableFromTextFile", load, Style::kEffect, kColumns},
    {"InitializeTableFromTextFileV2", load, Style::kEffect, kColumns},
    {"LookupTableImport", fill<false>, Style::kEffect},
    {"LookupTableImportV2", fill<false>, Style::kEffect},
    {"LookupTableInsert", change<state::TableInsertOp>, Style::kEffect},
    {"LookupTableInsertV2", change<state::TableInsertOp>, Style::kEffect},
    {"LookupTableRemoveV2", change<state::TableRemoveOp>, Style::kEffect},
    {"LookupTableFind", find, Style::kEffect},
    {"LookupTableFindV2", find, Style::kEffect},
    {"LookupTableSize", size, Style::kEffect},
    {"LookupTableSizeV2", size, Style::kEffect},
    {"LookupTableExport", exportAll, Style::kEffect},
    {"LookupTableExportV2", exportAll, Style::kEffect},
};

} // namespace

ArrayRef<OpExpansion> tableOps() { return kOps; }

} // namespace sluice::import
