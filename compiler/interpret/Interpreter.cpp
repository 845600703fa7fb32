// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The interpreter behind the Runner interface: state that lives on between calls.
#include "compiler/interpret/Interpreter.h"

#include "compiler/interpret/Call.h"
#include "dialects/state/State.h"
#include "runtime/base/denormal_mode.h"
#include "runtime/state/object_slot.h"

using namespace mlir;

namespace sluice::interpret {

namespace {

class Interpreter final : public rt::Runner {
public:
  rt::Status prepare(ModuleOp module);

  std::span<const rt::SignatureInfo> signatures() const override { return signatures_; }
  std::span<rt::Variable *const> variables() override { return variables_; }
  void setOptions(const rt::RunOptions &options) override;
  rt::Result<std::vector<rt::Tensor>> call(size_t signature,
                                           std::span<const rt::Tensor> feeds) override;
  uint64_t leftoverTokens() const override { return counters_.leftoverTokens; }
  rt::Stats stats() const override;
  std::string_view programName() const override { return name_; }
  std::string_view versionText() const override { return SLUICE_VERSION; }

private:
  rt::Status addResource(Operation *op);

  std::string name_;
  std::vector<std::unique_ptr<Graph>> graphs_;
  std::vector<rt::SignatureInfo> signatures_; // those of the graphs
  llvm::StringMap<int64_t> positions_;        // of resources, by symbol
  std::vector<rt::Ref<rt::Object>> resources_;
  std::vector<rt::Object *> resourcePointers_;
  std::vector<rt::Variable *> variables_;
  std::function<void(std::string_view)> print_;
  Schedule schedule_;
  Counters counters_;
};

rt::Status Interpreter::addResource(Operation *op) {
  rt::Object *object;
  if (auto variable = dyn_cast<state::VariableOp>(op)) {
    Type type = variable.getType();
    auto *made = new rt::Variable(variable.getKey().str(),
                                  dtypeOf(type).value_or(rt::DType::kInvalid), shapeOf(type));
    if (made->isShown())
      variables_.push_back(made);
    object = made;
    if (std::optional<ElementsAttr> initial = variable.getInitial()) {
      SLUICE_ASSIGN_OR_RETURN(made->value, tensorOf(*initial));
    }
  } else if (isa<state::GeneratorOp>(op)) {
    object = new rt::Generator();
  } else if (auto shared = dyn_cast<state::ObjectOp>(op)) {
    StringRef kind = shared.getKind();
    object = new rt::ObjectSlot(rt::ObjectSlot::typeOf({kind.data(), kind.size()}));
  } else {
    return rt::okStatus();
  }
  positions_[cast<SymbolOpInterface>(op).getName()] = static_cast<int64_t>(resources_.size());
  resources_.push_back(rt::Ref<rt::Object>::adopt(object));
  resourcePointers_.push_back(object);
  return rt::okStatus();
}

rt::Status Interpreter::prepare(ModuleOp module) {
  name_ = module.getName().value_or("interpreter").str();
  for (Operation &op : *module.getBody())
    SLUICE_RETURN_IF_ERROR(addResource(&op));
  std::string unknownSymbol;
  auto resolve = [&](StringRef symbol) {
    auto it = positions_.find(symbol);
    if (it != positions_.end())
      return it->second;
    unknownSymbol = symbol.str();
    return int64_t{0};
  };
  for (auto op : module.getOps<flow::GraphOp>()) {
    SLUICE_ASSIGN_OR_RETURN(std::unique_ptr<Graph> graph, Graph::make(op, resolve));
    signatures_.push_back(graph->signature());
    graphs_.push_back(std::move(graph));
  }
  if (!unknownSymbol.empty())
    return rt::notFound("the module declares no variable, generator or object @" + unknownSymbol);
  return rt::okStatus();
}

void Interpreter::setOptions(const rt::RunOptions &options) {
  print_ = options.print;
  schedule_ = {options.parallelIterations, std::nullopt, options.limits[rt::Limit::kIterations],
               options.limits[rt::Limit::kCallDepth], options.timer};
  if (options.scheduleSeed)
    schedule_.random.emplace(*options.scheduleSeed);
}

rt::Result<std::vector<rt::Tensor>> Interpreter::call(size_t signature,
                                                      std::span<const rt::Tensor> feeds) {
  rt::FlushDenormals scope;
  rt::Environment environment;
  environment.resources = resourcePointers_;
  environment.call = ++counters_.calls;
  environment.print = &print_;
  Call call(*graphs_[signature], schedule_, environment, counters_);
  return call.run(feeds);
}

rt::Stats Interpreter::stats() const {
  auto number = [](uint64_t n) { return static_cast<double>(n); };
  return {{"firings", number(counters_.firings)},
          {"dead_firings", number(counters_.deadFirings)},
          {"kernels", number(counters_.kernels)},
          {"iterations", number(counters_.iterations)},
          {"frames_entered", number(counters_.framesEntered)},
          {"max_live_iterations", number(counters_.maxLiveIterations)},
          {"leftover_tokens", number(counters_.leftoverTokens)}};
}

} // namespace

rt::Result<std::unique_ptr<rt::Runner>> makeInterpreter(ModuleOp module) {
  auto interpreter = std::make_unique<Interpreter>();
  SLUICE_RETURN_IF_ERROR(interpreter->prepare(module));
  return std::unique_ptr<rt::Runner>(std::move(interpreter));
}

} // namespace sluice::interpret
