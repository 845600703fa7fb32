// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A walk from the loss back to variables.
#include "compiler/import/training/TrainedVariables.h"

#include "compiler/import/NearestNames.h"

#include "llvm/ADT/SetVector.h"
#include "llvm/ADT/StringSet.h"

namespace sluice::import {

using graphdef::NodeDef;
using llvm::StringRef;

bool isVariable(const NodeDef &node) {
  return node.op() == "VariableV2" || node.op() == "Variable" || node.op() == "VarHandleOp";
}

TrainedVariable describeVariable(const NodeDef &variable) {
  const graphdef::AttrValue *type = attributeOf(variable, "dtype");
  return {variable.name(), type ? type->type() : graphdef::DT_INVALID,
          variable.op() == "VarHandleOp"};
}

StringRef nodeOf(StringRef input) {
  input.consume_front("^");
  return input.split(':').first;
}

std::string nearestNode(const GraphFile &file, StringRef wrong) {
  std::vector<StringRef> names;
  for (const NodeDef &node : file.graph().node())
    names.push_back(node.name());
  return didYouMean(wrong, names);
}

static bool holdsFloats(const NodeDef &node) {
  graphdef::DataType type = describeVariable(node).type;
  return isVariable(node) && (type == graphdef::DT_FLOAT || type == graphdef::DT_DOUBLE ||
                              type == graphdef::DT_HALF || type == graphdef::DT_BFLOAT16);
}

// In the order of the graph file.
static std::vector<const NodeDef *> leadingTo(const NodeDef &last, const GraphFile &file,
                                              const NodeWriter &nodes) {
  llvm::SetVector<const NodeDef *> seen;
  seen.insert(&last);
  for (size_t i = 0; i < seen.size(); ++i)
    for (const std::string &input : seen[i]->input())
      if (const NodeDef *node = nodes.find(nodeOf(input)))
        seen.insert(node);
  std::vector<const NodeDef *> found;
  for (const NodeDef &node : file.graph().node())
    if (seen.contains(&node))
      found.push_back(&node);
  return found;
}

std::vector<TrainedVariable> chooseVariables(const GraphFile &file, const NodeWriter &nodes,
                                             const TrainingRequest &request,
                                             DiagnosticList &diagnostics) {
  auto fail = [&](std::string message) {
    diagnostics.error(ExitCode::kUsage, {file.path(), "", ""}, std::move(message));
    return std::vector<TrainedVariable>();
  };
  std::vector<TrainedVariable> chosen;
  for (const std::string &name : request.variables) {
    const NodeDef *node = nodes.find(name);
    if (!node || !holdsFloats(*node))
      return fail("--variables " + quoted(name) + ": expected a variable of floats" +
                  (node ? "" : nearestNode(file, name)));
    chosen.push_back(describeVariable(*node));
  }
  if (!chosen.empty())
    return chosen;
  llvm::StringSet<> trainable;
  if (request.trainable)
    trainable.insert_range(*request.trainable);
  bool anyLeftOut = false;
  for (const NodeDef *node : leadingTo(*nodes.find(nodeOf(request.loss)), file, nodes)) {
    bool isChosen = !request.trainable || trainable.contains(node->name());
    if (holdsFloats(*node) && isChosen)
      chosen.push_back(describeVariable(*node));
    anyLeftOut |= holdsFloats(*node) && !isChosen;
  }
  if (chosen.empty())
    return fail("--train " + quoted(request.loss) + ": the loss depends on no variable of floats" +
                (anyLeftOut ? " that is among the model's trainable_variables; choose with "
                              "--variables"
                            : ""));
  return chosen;
}

} // namespace sluice::import
