// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The nodes of a training step: derivatives, their norm, slots, updates.
#include "compiler/import/training/AddTraining.h"

#include "compiler/import/MlirTypes.h"
#include "compiler/import/NearestNames.h"
#include "compiler/import/training/GradientsNode.h"
#include "compiler/import/training/NodeWriter.h"
#include "compiler/import/training/Optimizer.h"

#include "dialects/interfaces/Gradient.h"

#include "llvm/ADT/SetVector.h"

using namespace mlir;

namespace sluice::import {

namespace {

using graphdef::DataType;

bool isVariable(const graphdef::NodeDef &node) {
  return node.op() == "VariableV2" || node.op() == "Variable" || node.op() == "VarHandleOp";
}
bool isResource(const graphdef::NodeDef &node) { return node.op() == "VarHandleOp"; }

DataType typeOf(const graphdef::NodeDef &variable) {
  const graphdef::AttrValue *type = attributeOf(variable, "dtype");
  return type ? type->type() : graphdef::DT_INVALID;
}
bool isTrainable(const graphdef::NodeDef &node) {
  DataType type = typeOf(node);
  return isVariable(node) && (type == graphdef::DT_FLOAT || type == graphdef::DT_DOUBLE ||
                              type == graphdef::DT_HALF || type == graphdef::DT_BFLOAT16);
}

// The node that an input names.
llvm::StringRef nodeOf(llvm::StringRef input) {
  input.consume_front("^");
  return input.split(':').first;
}

class StepWriter {
public:
  StepWriter(GraphFile &file, const TrainingRequest &request, DiagnosticList &diagnostics)
      : file_(file), request_(request), diagnostics_(diagnostics), nodes_(file.mutableGraph()) {}

  std::optional<Training> run(const std::vector<TensorRequest> &feeds) {
    std::string problem;
    optimizer_ = parseOptimizer(request_.optimizer, problem);
    if (!optimizer_)
      return fail("--optimizer: " + problem);
    const graphdef::NodeDef *loss = nodes_.find(nodeOf(request_.loss));
    if (!loss)
      return fail("--train " + quoted(request_.loss) + ": the graph has no node of this name" +
                  nearest(nodeOf(request_.loss)));
    if (!chooseVariables(*loss))
      return std::nullopt;
    addGradients();
    if (request_.clipNorm)
      clip(*request_.clipNorm);
    addUpdates();
    training_.signature.name = "train";
    training_.signature.feeds = feeds;
    training_.signature.fetches = {TensorRequest(request_.loss)};
    training_.signature.targets = {nodes_.add("train/step", "NoOp", waitFor(done_))};
    return std::move(training_);
  }

private:
  // A variable that is trained. Nodes are named: they move when others are added.
  struct Variable {
    std::string name;
    DataType type;
    bool isResource;
    std::string gradient;
  };

  std::nullopt_t fail(std::string message) {
    diagnostics_.error(ExitCode::kUsage, {file_.path(), "", ""}, std::move(message));
    return std::nullopt;
  }
  std::string nearest(llvm::StringRef wrong) const {
    std::vector<llvm::StringRef> names;
    for (const graphdef::NodeDef &node : file_.graph().node())
      names.push_back(node.name());
    return didYouMean(wrong, names);
  }
  static std::vector<std::string> waitFor(const std::vector<std::string> &nodes) {
    std::vector<std::string> inputs;
    for (const std::string &node : nodes)
      inputs.push_back("^" + node);
    return inputs;
  }

  bool add(const graphdef::NodeDef &node) {
    variables_.push_back({node.name(), typeOf(node), isResource(node), ""});
    return true;
  }

  bool chooseVariables(const graphdef::NodeDef &loss) {
    for (const std::string &name : request_.variables) {
      const graphdef::NodeDef *node = nodes_.find(name);
      if (!node || !isTrainable(*node)) {
        fail("--variables " + quoted(name) + ": expected a variable of floats" +
             (node ? "" : nearest(name)));
        return false;
      }
      add(*node);
    }
    if (request_.variables.empty())
      for (const graphdef::NodeDef *node : leadingTo(loss))
        if (isTrainable(*node))
          add(*node);
    if (variables_.empty())
      fail("--train " + quoted(request_.loss) + ": the loss depends on no variable of floats");
    for (const Variable &variable : variables_)
      if (optimizer_->rule->onlyResources && !variable.isResource) {
        fail("--optimizer: " + quoted(optimizer_->rule->name.str()) +
             " is for resource variables, and " + quoted(variable.name) + " is none");
        return false;
      }
    return !variables_.empty();
  }

  // In the order of the graph file.
  std::vector<const graphdef::NodeDef *> leadingTo(const graphdef::NodeDef &last) const {
    llvm::SetVector<const graphdef::NodeDef *> seen;
    seen.insert(&last);
    for (size_t i = 0; i < seen.size(); ++i)
      for (const std::string &input : seen[i]->input())
        if (const graphdef::NodeDef *node = nodes_.find(nodeOf(input)))
          seen.insert(node);
    std::vector<const graphdef::NodeDef *> found;
    for (const graphdef::NodeDef &node : file_.graph().node())
      if (seen.contains(&node))
        found.push_back(&node);
    return found;
  }

  void addGradients() {
    std::vector<std::string> inputs{request_.loss};
    std::vector<DataType> xs, results;
    for (const Variable &variable : variables_) {
      inputs.push_back(variable.name);
      xs.push_back(variable.isResource ? graphdef::DT_RESOURCE : variable.type);
      results.push_back(variable.type);
    }
    std::string node = nodes_.add("train/gradients", kGradientsOp, inputs);
    nodes_.types("Txs", xs);
    nodes_.types("Tresults", results);
    nodes_.type("Ty", variables_.front().type);
    for (auto [i, variable] : llvm::enumerate(variables_))
      variable.gradient = node + ":" + std::to_string(i);
  }

  std::string binary(llvm::StringRef name, llvm::StringRef op, DataType type, std::string a,
                     std::string b) {
    std::string node = nodes_.add(name, op, {std::move(a), std::move(b)});
    nodes_.type("T", type);
    return node;
  }

  // All derivatives by the same factor, so that the norm of all together is `most` at most. It is
  // computed in the type of the first one.
  void clip(double most) {
    DataType type = variables_.front().type;
    std::vector<std::string> halves;
    for (const Variable &variable : variables_) {
      halves.push_back(nodes_.add("train/half_square", "L2Loss", {variable.gradient}));
      nodes_.type("T", variable.type);
      if (variable.type != type)
        halves.back() = cast(halves.back(), variable.type, type);
    }
    std::string half = nodes_.add("train/half_squares", "AddN", halves);
    nodes_.type("T", type);
    nodes_.number("N", static_cast<int64_t>(halves.size()));
    std::string norm = nodes_.add(
        "train/norm", "Sqrt", {binary("train/square", "Mul", type, half, nodes_.scalar(type, 2))});
    nodes_.type("T", type);
    std::string inverse = binary("train/inverse", "RealDiv", type, nodes_.scalar(type, 1), norm);
    std::string least =
        binary("train/least", "Minimum", type, inverse, nodes_.scalar(type, 1 / most));
    std::string factor = binary("train/factor", "Mul", type, nodes_.scalar(type, most), least);
    for (Variable &variable : variables_) {
      std::string own = variable.type == type ? factor : cast(factor, type, variable.type);
      variable.gradient = binary("train/clipped", "Mul", variable.type, variable.gradient, own);
    }
  }

  std::string cast(const std::string &value, DataType from, DataType to) {
    std::string node = nodes_.add("train/cast", "Cast", {value});
    nodes_.type("SrcT", from);
    nodes_.type("DstT", to);
    return node;
  }

  // A variable like `like`, or one number, of the given kind. One that the graph has already will
  // do.
  std::string addVariable(const std::string &name, const Variable &kind,
                          const graphdef::TensorShapeProto &shape, double initial) {
    const graphdef::NodeDef *known = nodes_.find(name);
    if (known && isVariable(*known) && typeOf(*known) == kind.type &&
        isResource(*known) == kind.isResource)
      return name;
    std::string node = nodes_.add(name, kind.isResource ? "VarHandleOp" : "VariableV2", {});
    nodes_.type("dtype", kind.type);
    nodes_.shape("shape", shape);
    nodes_.text("shared_name", kind.isResource ? node : "");
    training_.initial[node] = initial;
    return node;
  }

  void addUpdates() {
    std::string ready = nodes_.add("train/ready", "NoOp", waitForGradients());
    std::vector<std::string> applied;
    for (const Variable &variable : variables_)
      applied.push_back(addUpdate(variable, ready));
    done_ = applied;
    for (const Power &power : powers_)
      addPowerUpdate(power, applied);
  }
  // Nothing is changed before all derivatives are there.
  std::vector<std::string> waitForGradients() const {
    std::vector<std::string> nodes;
    for (const Variable &variable : variables_)
      nodes.push_back(nodeOf(variable.gradient).str());
    llvm::sort(nodes);
    nodes.erase(std::unique(nodes.begin(), nodes.end()), nodes.end());
    nodes.push_back(nodeOf(request_.loss).str());
    return waitFor(nodes);
  }

  std::string addUpdate(const Variable &variable, const std::string &ready) {
    const OptimizerRule &rule = *optimizer_->rule;
    std::string op = (variable.isResource ? "ResourceApply" : "Apply") + rule.op.str();
    const OpSignature &signature = *table_.find(op);
    std::vector<std::string> inputs{variable.name};
    for (const OptimizerSlot &slot : rule.slots) {
      const graphdef::AttrValue *shape = attributeOf(*nodes_.find(variable.name), "shape");
      double initial =
          slot.initialName.empty() ? slot.initial : optimizer_->numbers.lookup(slot.initialName);
      inputs.push_back(addVariable(variable.name + "/" + slot.suffix.str(), variable,
                                   shape ? shape->shape() : graphdef::TensorShapeProto(), initial));
    }
    for (const ArgSignature &input : llvm::ArrayRef(signature.inputs).drop_front(inputs.size()))
      inputs.push_back(inputOf(input.name, variable));
    inputs.push_back("^" + ready);
    std::string node = nodes_.add("train/update/" + variable.name, op, inputs);
    nodes_.type("T", variable.type);
    for (const OptimizerNumber &number : rule.numbers)
      if (number.isFlag)
        nodes_.flag(number.input, optimizer_->numbers.lookup(number.name) != 0);
    return node;
  }

  // By its name in the op's signature.
  std::string inputOf(llvm::StringRef name, const Variable &variable) {
    if (name == "grad" || name == "delta")
      return variable.gradient;
    for (const OptimizerNumber &number : optimizer_->rule->numbers)
      if (number.input == name)
        return nodes_.scalar(variable.type, optimizer_->numbers.lookup(number.name));
    name.consume_back("_power");
    return powerOf(name, variable);
  }

  // beta to the number of the step: a variable of its own for each element type.
  struct Power {
    std::string variable, read, factor;
    Variable kind;
  };
  std::string powerOf(llvm::StringRef beta, const Variable &kind) {
    std::string name = beta.str() + "_power";
    for (const Power &power : powers_)
      if (llvm::StringRef(power.variable).starts_with(name) && power.kind.type == kind.type &&
          power.kind.isResource == kind.isResource)
        return power.read;
    double value = optimizer_->numbers.lookup(beta);
    Power power{addVariable(name, kind, graphdef::TensorShapeProto(), value), "",
                nodes_.scalar(kind.type, value), kind};
    power.read = power.variable;
    if (kind.isResource) {
      power.read = nodes_.add("train/read", "ReadVariableOp", {power.variable});
      nodes_.type("dtype", kind.type);
    }
    powers_.push_back(power);
    return power.read;
  }
  void addPowerUpdate(const Power &power, const std::vector<std::string> &applied) {
    std::string next = binary("train/power", "Mul", power.kind.type, power.read, power.factor);
    std::vector<std::string> inputs{power.variable, next};
    for (const std::string &input : waitFor(applied))
      inputs.push_back(input);
    done_.push_back(nodes_.add("train/update/" + power.variable,
                               power.kind.isResource ? "AssignVariableOp" : "Assign", inputs));
    nodes_.type(power.kind.isResource ? "dtype" : "T", power.kind.type);
  }

  GraphFile &file_;
  const TrainingRequest &request_;
  DiagnosticList &diagnostics_;
  NodeWriter nodes_;
  OpTable table_;
  std::optional<Optimizer> optimizer_;
  std::vector<Variable> variables_;
  std::vector<Power> powers_;
  std::vector<std::string> done_;
  Training training_;
};

class ValuesOfTraining : public InitialValues {
public:
  ValuesOfTraining(std::unique_ptr<InitialValues> others, const llvm::StringMap<double> &initial)
      : others_(std::move(others)), initial_(initial) {}

  ElementsAttr valueOf(llvm::StringRef key, TensorType type, const Place &place,
                       DiagnosticList &diagnostics) override {
    auto added = initial_.find(key);
    if (added == initial_.end())
      return others_ ? others_->valueOf(key, type, place, diagnostics) : ElementsAttr();
    auto ranked = dyn_cast<RankedTensorType>(type);
    if (ranked && ranked.hasStaticShape())
      return splatOf(ranked, added->second);
    diagnostics.error(ExitCode::kUnsupported, place,
                      "training needs variables of known shapes, but that of this one is " +
                          textOf(type));
    return {};
  }
  void finish(DiagnosticList &diagnostics) override {
    if (others_)
      others_->finish(diagnostics);
  }

private:
  std::unique_ptr<InitialValues> others_;
  llvm::StringMap<double> initial_;
};

} // namespace

std::optional<Training> addTraining(GraphFile &file, const TrainingRequest &request,
                                    const std::vector<TensorRequest> &feeds,
                                    DiagnosticList &diagnostics) {
  return StepWriter(file, request, diagnostics).run(feeds);
}

std::unique_ptr<InitialValues> withInitial(std::unique_ptr<InitialValues> others,
                                           const llvm::StringMap<double> &initial) {
  return std::make_unique<ValuesOfTraining>(std::move(others), initial);
}

} // namespace sluice::import
