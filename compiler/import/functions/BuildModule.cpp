// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A stack of builders: one that needs a function waits below the builder of that function. Nothing
// recurses, however long the chain of calls is.
#include "compiler/import/functions/BuildModule.h"

#include "dialects/list/List.h"

using namespace mlir;

namespace sluice::import {

// What is known of the results before the function is built: a call of it may stand in itself.
static SmallVector<Type> resultsOf(const Function &function, MLIRContext *context) {
  SmallVector<Type> types;
  for (uint32_t node : function.body->returns) {
    DataType type = function.body->graph->node(node).inputTypes.front().type;
    Type element = elementTypeOf(context, type);
    if (type == graphdef::DT_VARIANT)
      types.push_back(list::UnknownType::get(context)); // import-resolve-lists finds out more
    else
      types.push_back(element ? unrankedOf(element) : Type());
  }
  return types;
}

std::unique_ptr<GraphBuilder> ModuleBuilder::begin(Function &function) {
  function.symbol = parts_.declarations.freshSymbol(function.body->name);
  function.results = resultsOf(function, parts_.context);
  auto [placement, isNew] = placements_.try_emplace(function.body, nullptr);
  if (isNew) {
    parts_.declarations.addGraph(*function.body->graph);
    if (keepPlacement_)
      if (auto read =
              Placement::read(*function.body->graph, parts_.diagnostics, Placement::Of::kFunction))
        placement->second = std::make_unique<Placement>(std::move(*read));
  }
  return std::make_unique<GraphBuilder>(function, parts_, placement->second.get());
}

void ModuleBuilder::addGraph(const Graph &graph, const Selection &selection,
                             const CalleesOfNodes &callees, const Placement *placement) {
  std::vector<std::unique_ptr<GraphBuilder>> open;
  open.push_back(std::make_unique<GraphBuilder>(graph, selection, callees, parts_, placement));
  while (!open.empty())
    if (Function *wanted = open.back()->build(module_))
      open.push_back(begin(*wanted));
    else
      open.pop_back();
}

} // namespace sluice::import
