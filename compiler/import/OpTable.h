// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Signatures of TensorFlow's ops: inputs, outputs, attributes with defaults.
//
// The table is text embedded at build time (`tensorflow/opdefs.tsv`). Only an index of names is
// made at once; a line is parsed when its op is first asked for.
#pragma once

#include "compiler/import/DataTypes.h"

#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/StringMap.h"
#include "llvm/ADT/StringRef.h"

#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace sluice::import {

// One declared input or output. It stands for one edge, or for several: `count` names the int
// attribute that says how many of one type, `typeList` says that `typeAttr` names a list of types.
struct ArgSignature {
  llvm::StringRef name;
  DataType fixedType = graphdef::DT_INVALID; // unless `typeAttr` is given
  llvm::StringRef typeAttr;
  llvm::StringRef count;
  bool typeList = false;
  bool isRef = false;
};

enum class AttrKind : uint8_t { kString, kInt, kFloat, kBool, kType, kShape, kTensor, kFunc };

struct AttrSignature {
  llvm::StringRef name;
  AttrKind kind = AttrKind::kString;
  bool isList = false;
  std::vector<DataType> allowedTypes;          // empty: all
  std::vector<llvm::StringRef> allowedStrings; // empty: all
  std::optional<int64_t> minimum;              // of the value, or of a list's length
  std::optional<graphdef::AttrValue> defaultValue;
};

struct OpSignature {
  llvm::StringRef name;
  std::vector<ArgSignature> inputs;
  std::vector<ArgSignature> outputs;
  std::vector<AttrSignature> attributes;
  bool isStateful = false;
  // Comes with the graph, so that a node with this op is a call.
  bool isFunction = false;
  // Of the node of a training step (training/GradientsNode.h), which no file has.
  bool isOurs = false;
  // Graphs of this producer version or newer may not use the op; 0: not deprecated.
  int deprecatedSince = 0;

  const AttrSignature *attribute(llvm::StringRef attributeName) const;
};

class OpTable {
public:
  // Of the embedded text.
  OpTable();
  // Of another text in the same format, which must outlive the table.
  explicit OpTable(llvm::StringRef text);

  // Null when there is no such op. The signature lives as long as the table.
  const OpSignature *find(llvm::StringRef name);
  // Takes the place of one of this name in the text.
  void add(std::unique_ptr<OpSignature> op);
  size_t size() const { return lines_.size(); }
  // Parses every line; returns the names of those that are malformed. For tests.
  std::vector<std::string> malformed();

private:
  void index(llvm::StringRef text);

  llvm::StringMap<llvm::StringRef> lines_;
  llvm::StringMap<std::unique_ptr<OpSignature>> parsed_;
};

} // namespace sluice::import
