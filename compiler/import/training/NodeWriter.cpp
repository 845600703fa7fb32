// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Nodes, attributes and constants in the words of the graph file.
#include "compiler/import/training/NodeWriter.h"

#include "llvm/Support/FormatVariadic.h"

using namespace llvm;

namespace sluice::import {

const graphdef::AttrValue *attributeOf(const graphdef::NodeDef &node, StringRef name) {
  for (const graphdef::AttrEntry &entry : node.attr())
    if (entry.key() == name)
      return &entry.value();
  return nullptr;
}

NodeWriter::NodeWriter(graphdef::GraphDef &graph) : graph_(graph) {
  for (int i = 0; i < graph.node_size(); ++i)
    nodes_.try_emplace(graph.node(i).name(), i);
}

const graphdef::NodeDef *NodeWriter::find(StringRef name) const {
  auto found = nodes_.find(name);
  return found == nodes_.end() ? nullptr : &graph_.node(found->second);
}

std::string NodeWriter::add(StringRef name, StringRef op, const std::vector<std::string> &inputs) {
  std::string free = name.str();
  for (int i = 1; nodes_.contains(free); ++i)
    free = formatv("{0}_{1}", name, i);
  nodes_[free] = graph_.node_size();
  graphdef::NodeDef &node = *graph_.add_node();
  node.set_name(free);
  node.set_op(op.str());
  for (const std::string &input : inputs)
    node.add_input(input);
  return free;
}

graphdef::AttrValue &NodeWriter::attribute(StringRef name) {
  graphdef::AttrEntry &entry = *graph_.mutable_node(graph_.node_size() - 1)->add_attr();
  entry.set_key(name.str());
  return *entry.mutable_value();
}
void NodeWriter::type(StringRef name, graphdef::DataType value) { attribute(name).set_type(value); }
void NodeWriter::types(StringRef name, const std::vector<graphdef::DataType> &values) {
  graphdef::AttrValue &all = attribute(name);
  all.mutable_list();
  for (graphdef::DataType value : values)
    all.mutable_list()->add_type(value);
}
void NodeWriter::number(StringRef name, int64_t value) { attribute(name).set_i(value); }
void NodeWriter::flag(StringRef name, bool value) { attribute(name).set_b(value); }
void NodeWriter::text(StringRef name, StringRef value) { attribute(name).set_s(value.str()); }
void NodeWriter::shape(StringRef name, const graphdef::TensorShapeProto &value) {
  *attribute(name).mutable_shape() = value;
}

std::string NodeWriter::scalar(graphdef::DataType type, double value) {
  std::string &known = scalars_[std::to_string(static_cast<int>(type)) +
                                std::string(reinterpret_cast<const char *>(&value), sizeof(value))];
  if (!known.empty())
    return known;
  // As f64, which a cast rounds once.
  std::string wide = add("train/number", "Const", {});
  this->type("dtype", graphdef::DT_DOUBLE);
  graphdef::TensorProto &tensor = *attribute("value").mutable_tensor();
  tensor.set_dtype(graphdef::DT_DOUBLE);
  tensor.mutable_tensor_shape();
  tensor.add_double_val(value);
  if (type == graphdef::DT_DOUBLE)
    return known = wide;
  known = add("train/number/cast", "Cast", {wide});
  this->type("SrcT", graphdef::DT_DOUBLE);
  this->type("DstT", type);
  return known;
}

} // namespace sluice::import
