// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// docs/reference/tensorflow-ops.md: the ops that graphs may use, from the importer's tables.
#include "compiler/import/DataTypes.h"
#include "compiler/import/OpTable.h"
#include "compiler/import/tensorflow/Expansion.h"
#include "tools/sluice-docs/Pages.h"

#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/raw_ostream.h"

using namespace sluice::import;

namespace {

// "`float`, `double`, …", in the order of TensorFlow's numbers.
std::string elementTypes() {
  std::vector<std::string> names;
  for (int type = 1; isValueType(type); ++type)
    if (isTensorType(static_cast<DataType>(type)))
      names.push_back("`" + typeName(type) + "`");
  return llvm::join(names, ", ");
}

// One op a line, so that a change of the page shows which.
void printFamily(const OpFamily &family, OpTable &signatures, llvm::raw_ostream &out) {
  std::vector<llvm::StringRef> names;
  for (const OpExpansion &op : family.ops)
    names.push_back(op.name);
  llvm::sort(names);
  out << "\n## " << llvm::toUpper(family.name.front()) << family.name.drop_front() << "\n\n*"
      << family.summary << "*\n\n";
  for (llvm::StringRef name : names) {
    out << '`' << name << '`';
    if (int version = signatures.find(name)->deprecatedSince)
      out << " (below version " << version << ')';
    out << (name == names.back() ? "\n" : ",\n");
  }
}

} // namespace

void sluice::docs::printTensorFlowOpPage(llvm::raw_ostream &out) {
  OpTable signatures;
  out << "# TensorFlow ops\n\n"
         "Generated from the importer's tables in `compiler/import/tensorflow/`. Graphs may use\n"
         "these "
      << supportedOps().size()
      << " ops; those that make loops, branches and variables are among them. Elements\n"
         "of tensors may be "
      << elementTypes()
      << ".\n\n"
         "When a signature needs others, `sluicec` names all of them at once, each with its\n"
         "nodes, and ends with [exit code 4](exit-codes.md):\n\n"
         "- `op Qr is not supported`: it is not on this page;\n"
         "- `op Mystery is not known`: nor is it one of the "
      << signatures.size()
      << " ops of TensorFlow that the importer\n"
         "  knows by their signatures;\n"
         "- `op Identity is not supported for variant`: the op is, but not for such elements.\n\n"
         "Some ops take fewer types of elements, or fewer values of an attribute, than in\n"
         "TensorFlow. `sluicec` says so once all ops are supported, with the same code. *Below\n"
         "version 7* means that TensorFlow has withdrawn the op: a graph whose producer has that\n"
         "version or a newer one is malformed if the op is in it.\n\n"
         "`While`, `If`, `PartitionedCall` and others that call functions are missing. TensorFlow\n"
         "makes primitives of them: [get a graph out of TensorFlow](../how-to/get-a-graph.md).\n";
  for (const OpFamily &family : opFamilies())
    printFamily(family, signatures, out);
}
