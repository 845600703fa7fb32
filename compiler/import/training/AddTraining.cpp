// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The nodes of a training step: derivatives, their norm, slots, updates.
#include "compiler/import/training/AddTraining.h"

#include "compiler/import/training/GradientsNode.h"
#include "compiler/import/training/NodeWriter.h"
#include "compiler/import/training/Optimizer.h"
#include "compiler/import/training/TrainedVariables.h"

#include "llvm/ADT/STLExtras.h"

namespace sluice::import {

namespace {

using graphdef::DataType;

class StepWriter {
public:
  StepWriter(GraphFile &file, const TrainingRequest &request, DiagnosticList &diagnostics)
      : file_(file), request_(request), diagnostics_(diagnostics), nodes_(file.mutableGraph()) {}

  std::optional<Training> run(const std::vector<TensorRequest> &feeds) {
    std::string problem;
    optimizer_ = parseOptimizer(request_.optimizer, problem);
    if (!optimizer_)
      return fail("--optimizer: " + problem);
    llvm::StringRef loss = nodeOf(request_.loss);
    if (!nodes_.find(loss))
      return fail("--train " + quoted(request_.loss) + ": the graph has no node of this name" +
                  nearestNode(file_, loss));
    if (!choose())
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
  struct Variable : TrainedVariable {
    std::string gradient = "";
  };

  std::nullopt_t fail(std::string message) {
    diagnostics_.error(ExitCode::kUsage, {file_.path(), "", ""}, std::move(message));
    return std::nullopt;
  }
  static std::vector<std::string> waitFor(const std::vector<std::string> &nodes) {
    std::vector<std::string> inputs;
    for (const std::string &node : nodes)
      inputs.push_back("^" + node);
    return inputs;
  }

  bool choose() {
    for (TrainedVariable &variable : chooseVariables(file_, nodes_, request_, diagnostics_))
      variables_.push_back({std::move(variable)});
    for (const Variable &variable : variables_)
      if (optimizer_->rule->onlyResources && !variable.isResource) {
        fail("--optimizer: " + quoted(optimizer_->rule->name.str()) +
             " is for resource variables, and " + quoted(variable.name) + " is none");
        return false;
      }
    return !variables_.empty();
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
  std::string addVariable(const std::string &name, const TrainedVariable &kind,
                          const graphdef::TensorShapeProto &shape, double initial) {
    const graphdef::NodeDef *known = nodes_.find(name);
    if (known && isVariable(*known) && describeVariable(*known).type == kind.type &&
        describeVariable(*known).isResource == kind.isResource)
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
    for (const Count &count : counts_)
      addCountUpdate(count, applied);
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
    return name == "global_step" ? stepNumber(variable) : powerOf(name, variable);
  }

  // A variable that goes with the number of the step.
  struct Count {
    TrainedVariable variable;
    std::string used, next; // in this step, and the value for the next one
  };

  // beta to the number of the step, by the name of the input: a variable of its own for each
  // element type.
  std::string powerOf(llvm::StringRef name, const TrainedVariable &like) {
    llvm::StringRef beta = name;
    beta.consume_back("_power");
    for (const Count &count : counts_)
      if (llvm::StringRef(count.variable.name).starts_with(name) &&
          count.variable.type == like.type && count.variable.isResource == like.isResource)
        return count.used;
    double value = optimizer_->numbers.lookup(beta);
    TrainedVariable power{name.str(), like.type, like.isResource};
    power.name = addVariable(power.name, power, graphdef::TensorShapeProto(), value);
    std::string read = readOf(power);
    std::string next =
        binary("train/power", "Mul", power.type, read, nodes_.scalar(power.type, value));
    counts_.push_back({power, read, next});
    return read;
  }

  // 1 in the first step. A graph that counts steps already has the variable.
  std::string stepNumber(const TrainedVariable &like) {
    constexpr llvm::StringLiteral kName = "global_step";
    for (const Count &count : counts_)
      if (llvm::StringRef(count.variable.name).starts_with(kName))
        return count.used;
    const graphdef::NodeDef *known = nodes_.find(kName);
    TrainedVariable step{kName.str(), graphdef::DT_INT64,
                         known && isVariable(*known) ? describeVariable(*known).isResource
                                                     : like.isResource};
    step.name = addVariable(step.name, step, graphdef::TensorShapeProto(), 0);
    std::string next =
        binary("train/step_number", "AddV2", step.type, readOf(step), nodes_.scalar(step.type, 1));
    counts_.push_back({step, next, next});
    return next;
  }

  std::string readOf(const TrainedVariable &variable) {
    if (!variable.isResource)
      return variable.name;
    std::string read = nodes_.add("train/read", "ReadVariableOp", {variable.name});
    nodes_.type("dtype", variable.type);
    return read;
  }

  void addCountUpdate(const Count &count, const std::vector<std::string> &applied) {
    const TrainedVariable &variable = count.variable;
    std::vector<std::string> inputs{variable.name, count.next};
    for (const std::string &input : waitFor(applied))
      inputs.push_back(input);
    done_.push_back(nodes_.add("train/update/" + variable.name,
                               variable.isResource ? "AssignVariableOp" : "Assign", inputs));
    nodes_.type(variable.isResource ? "dtype" : "T", variable.type);
  }

  GraphFile &file_;
  const TrainingRequest &request_;
  DiagnosticList &diagnostics_;
  NodeWriter nodes_;
  OpTable table_;
  std::optional<Optimizer> optimizer_;
  std::vector<Variable> variables_;
  std::vector<Count> counts_;
  std::vector<std::string> done_;
  Training training_;
};

} // namespace

std::optional<Training> addTraining(GraphFile &file, const TrainingRequest &request,
                                    const std::vector<TensorRequest> &feeds,
                                    DiagnosticList &diagnostics) {
  return StepWriter(file, request, diagnostics).run(feeds);
}

} // namespace sluice::import
