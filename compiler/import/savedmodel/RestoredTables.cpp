// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What restoring a table would do, as nodes of the graph.
#include "compiler/import/savedmodel/RestoredTables.h"

#include "compiler/import/Graph.h"

#include "llvm/ADT/StringSet.h"

namespace sluice::import {

using graphdef::NodeDef;

namespace {

class TableImports {
public:
  TableImports(Model &model, StoredTensors &stored, Expectation expectation,
               DiagnosticList &diagnostics)
      : model_(model), stored_(stored), expectation_(expectation), diagnostics_(diagnostics) {
    for (const NodeDef &node : model.graph->graph().node())
      names_.insert(node.name());
  }

  void add(const std::string &table, NodeDef import, const RestoredTable &restored) {
    std::optional<TensorValue> keys = read(table, restored.keys);
    std::optional<TensorValue> values = keys ? read(table, restored.values) : std::nullopt;
    if (!values)
      return;
    import.clear_input();
    import.add_input(table);
    import.add_input(addConstant(table + "/restored_keys", *keys));
    import.add_input(addConstant(table + "/restored_values", *values));
    import.set_name(newName(table + "/restored"));
    model_.tableImports.push_back(import.name());
    addNode(std::move(import));
  }

private:
  std::optional<TensorValue> read(const std::string &table, const RestoredTensor &tensor) {
    if (stored_.has(tensor.name))
      return stored_.read(tensor.name, tensor.part, diagnostics_);
    if (expectation_ == Expectation::kGiven)
      diagnostics_.warning({stored_.indexPath(), "", ""},
                           "there are no entries for table " + quoted(table));
    else
      diagnostics_.error(ExitCode::kBadGraph, {model_.path, "", ""},
                         "table " + quoted(table) + ": checkpoint " + quoted(stored_.indexPath()) +
                             " has no tensor " + quoted(tensor.name));
    return std::nullopt;
  }

  std::string newName(std::string name) {
    while (!names_.insert(name).second)
      name += "_";
    return name;
  }

  void addNode(NodeDef node) { *model_.graph->mutableGraph().add_node() = std::move(node); }

  std::string addConstant(const std::string &name, TensorValue &value) {
    NodeDef node;
    node.set_name(newName(name));
    node.set_op("Const");
    graphdef::AttrEntry &type = *node.add_attr();
    type.set_key("dtype");
    type.mutable_value()->set_type(value.type);
    graphdef::AttrEntry &entry = *node.add_attr();
    entry.set_key("value");
    graphdef::TensorProto &tensor = *entry.mutable_value()->mutable_tensor();
    tensor.set_dtype(value.type);
    for (int64_t size : value.shape)
      tensor.mutable_tensor_shape()->add_dim()->set_size(size);
    if (value.type == graphdef::DT_STRING)
      for (std::string &text : value.strings)
        tensor.add_string_val(std::move(text));
    else
      tensor.set_tensor_content(std::move(value.bytes));
    std::string given = node.name();
    addNode(std::move(node));
    return given;
  }

  Model &model_;
  StoredTensors &stored_;
  Expectation expectation_;
  DiagnosticList &diagnostics_;
  llvm::StringSet<> names_;
};

} // namespace

void addTableImports(Model &model, llvm::ArrayRef<RestoredTable> tables, StoredTensors &stored,
                     Expectation expectation, DiagnosticList &diagnostics) {
  TableImports imports(model, stored, expectation, diagnostics);
  for (const RestoredTable &table : tables) // these are nodes of the graph that grows
    imports.add(table.table->name(), *table.import, table);
}

} // namespace sluice::import
