// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Adds nodes to a graph file.
#pragma once

#include "compiler/import/graphdef.pb.h"

#include "llvm/ADT/StringMap.h"
#include "llvm/ADT/StringRef.h"

#include <string>
#include <vector>

namespace sluice::import {

class NodeWriter {
public:
  explicit NodeWriter(graphdef::GraphDef &graph);

  // Null if there is none of this name.
  const graphdef::NodeDef *find(llvm::StringRef name) const;
  // A node with a name that nobody has, which begins with `name`; gives the name.
  std::string add(llvm::StringRef name, llvm::StringRef op, const std::vector<std::string> &inputs);

  // Attributes of the last node that was added.
  void type(llvm::StringRef name, graphdef::DataType value);
  void types(llvm::StringRef name, const std::vector<graphdef::DataType> &values);
  void number(llvm::StringRef name, int64_t value);
  void flag(llvm::StringRef name, bool value);
  void text(llvm::StringRef name, llvm::StringRef value);
  void shape(llvm::StringRef name, const graphdef::TensorShapeProto &value);

  // A scalar constant, the same one for equal numbers; gives the name.
  std::string scalar(graphdef::DataType type, double value);

private:
  graphdef::AttrValue &attribute(llvm::StringRef name);

  graphdef::GraphDef &graph_;
  llvm::StringMap<int> nodes_; // by name: position
  llvm::StringMap<std::string> scalars_;
};

// Null if the node has no such attribute.
const graphdef::AttrValue *attributeOf(const graphdef::NodeDef &node, llvm::StringRef name);

} // namespace sluice::import
