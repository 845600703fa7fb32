// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Optimizers of TensorFlow by the inputs of their ops, and what derivatives go through before.
#include "tools/sluice-conformance/training_step.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FormatVariadic.h"

namespace sluice::conformance {

using llvm::createStringError;
using llvm::Error;
using llvm::Expected;
using llvm::StringRef;
using Node = GraphSkeleton::Node;

namespace {

// What an input of an optimizer's op is: a number by the name that the compiler's flag has for it,
// or one of these.
constexpr llvm::StringLiteral kVariable = "a variable", kDerivative = "a derivative",
                              kPower = "a power", kRows = "numbers of rows";

struct Rule {
  llvm::StringLiteral op; // behind "Apply" or "ResourceApply"
  llvm::StringLiteral optimizer;
  std::vector<StringRef> inputs;
};

const Rule kRules[] = {
    {"GradientDescent", "sgd", {kVariable, "lr", kDerivative}},
    {"Momentum", "momentum", {kVariable, kVariable, "lr", kDerivative, "momentum"}},
    {"Adam",
     "adam",
     {kVariable, kVariable, kVariable, kPower, kPower, "lr", "beta1", "beta2", "epsilon",
      kDerivative}},
    {"Adagrad", "adagrad", {kVariable, kVariable, "lr", kDerivative}},
};

// An op that changes one variable: by which rule, and where its inputs are.
struct Update {
  std::string name;
  const Node *node = nullptr;
  const Rule *rule = nullptr;
  std::vector<StringRef> inputs; // what they are
  bool isSparse = false;

  StringRef inputOf(StringRef what) const {
    return node->inputs[llvm::find(inputs, what) - inputs.begin()];
  }
};

std::string numberText(double value) {
  return llvm::formatv("{0}", llvm::format("%.17g", value)).str();
}

// The derivative that an update applies, and what makes it smaller before.
struct Applied {
  std::string derivative;
  std::string factor; // empty: nothing does
};

class Reader {
public:
  Reader(const GraphSkeleton &graph, const TrainingRecord &record)
      : graph_(graph), record_(record) {}

  Expected<TrainingStep> read() {
    if (Error error = findUpdates())
      return std::move(error);
    step_.request.loss = record_.loss;
    for (const Update &update : updates_)
      if (Error error = addUpdate(update))
        return std::move(error);
    if (Error error = readClipping())
      return std::move(error);
    if (Error error = checkOtherChanges())
      return std::move(error);
    return std::move(step_);
  }

private:
  Error findUpdates() {
    for (const std::string &name : graph_.ancestorsOf({record_.target})) {
      const Node *node = graph_.find(name);
      StringRef op = node->op;
      op.consume_front("Resource");
      bool isSparse = op.consume_front("Sparse");
      if (!op.consume_front("Apply"))
        continue;
      const Rule *rule = llvm::find_if(kRules, [&](const Rule &each) { return each.op == op; });
      if (rule == std::end(kRules))
        return createStringError("node '" + name + "': no optimizer for op " + node->op);
      Update update{name, node, rule, rule->inputs, isSparse};
      if (isSparse)
        update.inputs.insert(llvm::find(update.inputs, kDerivative) + 1, kRows);
      if (node->inputs.size() < update.inputs.size())
        return createStringError("node '" + name + "': too few inputs");
      updates_.push_back(std::move(update));
    }
    if (updates_.empty())
      return createStringError("'" + record_.target + "' has no optimizer");
    return Error::success();
  }

  // The node behind nodes that give what they get.
  std::string behindCopies(StringRef reference) const {
    std::string name = nodeOf(reference).str();
    for (const Node *node = graph_.find(name);
         node && !node->inputs.empty() && !record_.derivatives.count(name) &&
         (node->op == "Identity" || node->op == "ReadVariableOp" || node->op == "Cast");
         node = graph_.find(name))
      name = nodeOf(node->inputs.front()).str();
    return name;
  }

  // Of a constant, or of a variable that no step changes.
  Expected<double> numberOf(StringRef reference) const {
    std::string name = behindCopies(reference);
    const Node *node = graph_.find(name);
    if (node && node->op == "Const" && node->number)
      return *node->number;
    if (node && !node->variable.empty()) {
      const llvm::json::Value *value = record_.before.get(node->variable);
      if (!value || changes(node->variable))
        return createStringError("variable '" + name + "' is not the same in all steps");
      Expected<Tensor> tensor = parseTensor(*value);
      if (!tensor)
        return tensor.takeError();
      if (std::optional<double> number = scalarOf(*tensor))
        return *number;
    }
    return createStringError("node '" + name + "' is no constant and no variable of floats");
  }

  bool changes(StringRef variable) const {
    const llvm::json::Value *before = record_.before.get(variable);
    const llvm::json::Value *after = record_.after.get(variable);
    return !before || !after || *before != *after;
  }

  Error addUpdate(const Update &update) {
    for (auto [what, input] : llvm::zip(update.inputs, update.node->inputs)) {
      const Node *node = graph_.find(behindCopies(input));
      if ((what == kVariable || what == kPower) && node)
        step_.variables.insert(node->variable);
    }
    step_.request.variables.push_back(behindCopies(update.node->inputs.front()));
    Expected<std::string> optimizer = optimizerOf(update);
    if (!optimizer)
      return optimizer.takeError();
    if (update.isSparse && update.rule->optimizer == "momentum" && !record_.sameFeeds)
      return createStringError("node '" + update.name +
                               "': momentum of rows that are not in a step stays as it is");
    std::string &known = step_.request.optimizer;
    if (!known.empty() && known != *optimizer)
      return createStringError("variables are trained in two ways, " + known + " and " +
                               *optimizer);
    known = *optimizer;
    return Error::success();
  }

  Expected<std::string> optimizerOf(const Update &update) const {
    std::vector<std::string> numbers;
    for (auto [what, input] : llvm::zip(update.inputs, update.node->inputs)) {
      if (llvm::is_contained({kVariable, kDerivative, kPower, kRows}, what))
        continue;
      Expected<double> number = numberOf(input);
      if (!number)
        return number.takeError();
      numbers.push_back(what.str() + "=" + numberText(*number));
    }
    if (update.node->flags.count("use_nesterov"))
      numbers.push_back("nesterov=1");
    return (update.rule->optimizer + "(" + llvm::join(numbers, ",") + ")").str();
  }

  Expected<Applied> appliedBy(const Update &update) const {
    Applied applied;
    std::string name = behindCopies(update.inputOf(kDerivative));
    const Node *node = graph_.find(name);
    // Rows of the same number are added up first.
    if (update.isSparse && node && node->op == "UnsortedSegmentSum")
      node = graph_.find(name = behindCopies(node->inputs.front()));
    if (node && node->op == "Mul" && !record_.derivatives.count(name)) {
      applied.factor = behindCopies(node->inputs[1]);
      node = graph_.find(name = behindCopies(node->inputs[0]));
    }
    if (!node || !record_.derivatives.count(name))
      return createStringError("node '" + name + "': derivatives are changed before they are used");
    applied.derivative = name;
    return applied;
  }

  // All derivatives as they are, or all by one factor.
  Error readClipping() {
    std::set<std::string> derivatives, factors;
    bool anySparse = false;
    for (const Update &update : updates_) {
      Expected<Applied> applied = appliedBy(update);
      if (!applied)
        return applied.takeError();
      derivatives.insert(applied->derivative);
      factors.insert(applied->factor);
      anySparse |= update.isSparse;
    }
    if (factors == std::set<std::string>{""})
      return Error::success();
    if (factors.size() > 1)
      return createStringError("derivatives get different factors");
    if (anySparse)
      return createStringError("the norm of sparse derivatives counts each row by itself");
    return readFactor(*factors.begin(), derivatives);
  }

  const Node *operand(const Node *of, size_t index, StringRef op) const {
    if (!of || index >= of->inputs.size())
      return nullptr;
    const Node *node = graph_.find(behindCopies(of->inputs[index]));
    return node && node->op == op ? node : nullptr;
  }

  // most · min(1 / norm, 1 / most), to which norm - norm may be added, which shows what is not
  // finite.
  Error readFactor(const std::string &name, const std::set<std::string> &derivatives) {
    const Node *factor = graph_.find(name);
    if (factor && StringRef(factor->op).starts_with("Add") && operand(factor, 1, "Sub"))
      factor = operand(factor, 0, "Mul");
    const Node *least = operand(factor, 1, "Minimum");
    const Node *inverse = operand(least, 0, "RealDiv");
    const Node *norm = operand(inverse, 1, "Sqrt");
    const Node *sum = operand(operand(norm, 0, "Mul"), 0, "Sum");
    const Node *all = operand(sum, 0, "Pack");
    if (!all || squaredIn(*all) != derivatives)
      return createStringError("node '" + name +
                               "': derivatives get a factor that is not that of their norm");
    Expected<double> most = numberOf(factor->inputs[0]);
    if (!most)
      return most.takeError();
    step_.request.clipNorm = numberText(*most);
    return Error::success();
  }

  std::set<std::string> squaredIn(const Node &all) const {
    std::set<std::string> found;
    for (size_t i = 0; i < all.inputs.size(); ++i)
      if (const Node *half = operand(&all, i, "L2Loss"))
        found.insert(behindCopies(half->inputs.front()));
    return found;
  }

  // What else a step changes, it does not change when the compiler has made it.
  Error checkOtherChanges() const {
    GraphSkeleton::Needs needs;
    graph_.addNeeds(needs, {}, {record_.loss}, {});
    for (const std::string &variable : needs.variables)
      if (!step_.variables.count(variable) && changes(variable))
        return createStringError("variable '" + variable + "' is changed by no optimizer");
    return Error::success();
  }

  const GraphSkeleton &graph_;
  const TrainingRecord &record_;
  std::vector<Update> updates_;
  TrainingStep step_;
};

} // namespace

std::vector<std::string> TrainingRequest::flags() const {
  std::vector<std::string> flags{"--train", loss, "--optimizer", optimizer};
  if (!clipNorm.empty())
    flags.insert(flags.end(), {"--clip-norm", clipNorm});
  for (const std::string &variable : variables)
    flags.insert(flags.end(), {"--variables", variable});
  return flags;
}

Expected<TrainingStep> readTrainingStep(const GraphSkeleton &graph, const TrainingRecord &record) {
  return Reader(graph, record).read();
}

} // namespace sluice::conformance
