// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// docs/reference/tensorflow-ops.md: the ops that graphs may use, from the importer's tables.
#include "compiler/import/DataTypes.h"
#include "compiler/import/OpTable.h"
#include "compiler/import/tensorflow/Expansion.h"
#include "compiler/import/tensorflow/UnreadAttributes.h"
#include "tools/sluice-docs/Pages.h"
#include "tools/sluice-docs/PassedDerivatives.h"

#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/raw_ostream.h"

using namespace sluice::import;
using sluice::docs::PassedDerivatives;
using sluice::docs::Passing;

namespace {

// "`float`, `double`, …", in the order of TensorFlow's numbers.
std::string elementTypes(bool areOnlyMoved) {
  std::vector<std::string> names;
  for (int type = 1; isValueType(type); ++type)
    if (isTensorType(static_cast<DataType>(type)) &&
        isOnlyMoved(static_cast<DataType>(type)) == areOnlyMoved)
      names.push_back("`" + typeName(type) + "`");
  return llvm::join(names, ", ");
}

// "`exclusive`, `reverse`".
std::string attributesOf(const OpExpansion &op) {
  auto quotedName = [](llvm::StringRef name) { return "`" + name.str() + "`"; };
  return llvm::join(llvm::map_range(op.attributeNames(), quotedName), ", ");
}

void printHarmless(llvm::raw_ostream &out) {
  out << "\n| attribute | why its value does not matter |\n|---|---|\n";
  for (const HarmlessAttribute &attribute : harmlessAttributes())
    out << "| `" << attribute.name << "` | " << attribute.reason << " |\n";
}

llvm::StringRef remarkOf(Passing passing) {
  switch (passing) {
  case Passing::kYes:
    return "differentiable";
  case Passing::kAsFunctions:
    return "differentiable as its functions";
  case Passing::kAsLoop:
    return "differentiable as its loop";
  case Passing::kRefused:
    return "refused where a derivative would pass";
  case Passing::kNo:
  case Passing::kUnknown:
    return "";
  }
  llvm_unreachable("all cases return");
}

// One op a line, so that a change of the page shows which.
bool printFamily(const OpFamily &family, OpTable &signatures, PassedDerivatives &derivatives,
                 llvm::raw_ostream &out) {
  bool isGood = true;
  std::vector<const OpExpansion *> ops;
  for (const OpExpansion &op : family.ops)
    ops.push_back(&op);
  llvm::sort(ops, [](const OpExpansion *a, const OpExpansion *b) { return a->name < b->name; });
  out << "\n## " << llvm::toUpper(family.name.front()) << family.name.drop_front() << "\n\n*"
      << family.summary << "*\n\n";
  for (const OpExpansion *op : ops) {
    std::vector<std::string> remarks;
    if (int version = signatures.find(op->name)->deprecatedSince)
      remarks.push_back("below version " + std::to_string(version));
    if (!op->attributes.empty())
      remarks.push_back("with " + attributesOf(*op));
    if (op->isComposite)
      remarks.push_back("composite");
    if (op->movesElements)
      remarks.push_back("moves");
    Passing passing = derivatives.through(*op);
    if (llvm::StringRef remark = remarkOf(passing); !remark.empty())
      remarks.push_back(remark.str());
    if (passing == Passing::kUnknown) {
      llvm::errs() << "error: op " << op->name << ": expected a sample that can be imported, which "
                   << "says whether derivatives pass through it\n";
      isGood = false;
    }
    out << '`' << op->name << '`';
    if (!remarks.empty())
      out << " (" << llvm::join(remarks, ", ") << ')';
    out << (op == ops.back() ? "\n" : ",\n");
  }
  return isGood;
}

} // namespace

mlir::LogicalResult sluice::docs::printTensorFlowOpPage(llvm::raw_ostream &out) {
  OpTable signatures;
  PassedDerivatives derivatives;
  bool isGood = true;
  out << "# TensorFlow ops\n\n"
         "Generated from the importer's tables in `compiler/import/tensorflow/`. Graphs may use\n"
         "these "
      << supportedOps().size()
      << " ops; those that make loops, branches and variables are among them. Elements\n"
         "of tensors may be "
      << elementTypes(/*areOnlyMoved=*/false)
      << ". Quantized ones are integers: programs call a\n"
         "`qint8` `i8`. *Moves*: the op looks at no element, and takes these as well, as integers "
         "of\n"
         "a byte: "
      << elementTypes(/*areOnlyMoved=*/true)
      << ".\n\n"
         "When a signature needs others, `sluicec` names all of them at once, each with its\n"
         "nodes, and ends with [exit code 4](exit-codes.md):\n\n"
         "- `op CudnnRNN is not supported`: it is not on this page;\n"
         "- `op Mystery is not known`: nor is it one of the "
      << signatures.size()
      << " ops of TensorFlow that the importer\n"
         "  knows by their signatures;\n"
         "- `op Identity is not supported for variant`: the op is, but not for such elements.\n\n"
         "Some ops take fewer types of elements, or fewer values of an attribute, than in\n"
         "TensorFlow. `sluicec` says so once all ops are supported, with the same code. *Below\n"
         "version 7* means that TensorFlow has withdrawn the op: a graph whose producer has that\n"
         "version or a newer one is malformed if the op is in it.\n\n"
         "*With* names the attributes that change what an op does. Those that give element types\n"
         "and numbers of inputs and outputs are not named, nor are these, which may have any\n"
         "value. An op with another attribute that has not its default value is not supported.\n\n"
         "*Composite*: import keeps the name, because the op's derivative is not that of the ops\n"
         "which compute it ([rationale](../rationale/composites.md)). The derivatives of all "
         "others are\n"
         "those of [the ops](ops.md#nd) that they are made of. *Differentiable*: derivatives pass\n"
         "through it, or through what it reads. Through an op without this word none does: what "
         "depends\n"
         "on something by such ops alone has zeros as its derivative\n"
         "([rationale](../rationale/differentiation.md)).\n";
  printHarmless(out);
  for (const OpFamily &family : opFamilies())
    isGood &= printFamily(family, signatures, derivatives, out);
  return mlir::success(isGood);
}
