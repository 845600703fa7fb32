// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Reads the form with one graph: outputs and gradients at the first state, then training steps.
#include "tools/sluice-conformance/fixture.h"

namespace sluice::conformance {

using llvm::createStringError;
using llvm::Error;
using llvm::Expected;
using llvm::StringRef;
namespace json = llvm::json;

namespace {

// All runs but the later training steps start from the recorded first state.
class TrainingReader {
public:
  TrainingReader(const json::Object &root, RecordedTest &test) : root_(root), test_(test) {}

  Error read() {
    if (!root_.getString("graph"))
      return createStringError("expected 'runs' or 'graph'");
    if (Error error = addOutputs())
      return error;
    if (Error error = addGradients())
      return error;
    if (root_.getArray("losses_5_steps"))
      addSteps();
    else if (std::optional<StringRef> target = root_.getString("run"))
      addLastRun(*target);
    return Error::success();
  }

private:
  RecordedRun startRun() const {
    RecordedRun run;
    run.graph = root_.getString("graph")->str();
    if (const json::Object *feeds = root_.getObject("feeds"))
      run.feeds = *feeds;
    const json::Object *before = root_.getObject("state_before");
    run.stateBefore = before ? *before : json::Object();
    return run;
  }

  static void want(RecordedRun &run, StringRef fetch,
                   std::variant<Tensor, Expectation::Number> value) {
    run.fetches.push_back(fetch.str());
    run.expectations.push_back({Expectation::Dense{fetch.str()}, std::move(value)});
  }

  static Expectation::Number numberOf(const json::Value &value) {
    return {value.getAsNumber().value_or(0)};
  }

  Error addOutputs() {
    const json::Object *outputs = root_.getObject("outputs");
    if (!outputs || outputs->empty())
      return Error::success();
    RecordedRun run = startRun();
    for (const auto &[name, recorded] : *outputs) {
      Expected<Tensor> value = parseTensor(recorded);
      if (!value)
        return value.takeError();
      want(run, name, std::move(*value));
    }
    test_.runs.push_back(std::move(run));
    return Error::success();
  }

  Error addGradient(RecordedRun &run, const json::Value &name, const json::Value &recorded) {
    if (name.getAsNull() || recorded.getAsNull())
      return Error::success();
    Expected<Tensor> value = parseTensor(recorded);
    if (!value)
      return value.takeError();
    if (std::optional<StringRef> dense = name.getAsString()) {
      want(run, *dense, std::move(*value));
      return Error::success();
    }
    const json::Object *parts = name.getAsObject();
    if (!parts || !parts->getString("values") || !parts->getString("indices") ||
        !parts->getString("dense_shape"))
      return createStringError("expected a gradient's name or its values, indices, dense_shape");
    Expectation::Sparse sparse{parts->getString("values")->str(),
                               parts->getString("indices")->str(),
                               parts->getString("dense_shape")->str()};
    for (const std::string &fetch : {sparse.values, sparse.indices, sparse.denseShape})
      run.fetches.push_back(fetch);
    run.expectations.push_back({std::move(sparse), std::move(*value)});
    return Error::success();
  }

  Error addGradients() {
    const json::Array *names = root_.getArray("gradient_names");
    const json::Array *values = root_.getArray("gradient_values");
    if (!names || !values)
      return Error::success();
    if (names->size() != values->size())
      return createStringError("expected as many gradient_values as gradient_names");
    RecordedRun run = startRun();
    for (size_t i = 0; i < names->size(); ++i)
      if (Error error = addGradient(run, (*names)[i], (*values)[i]))
        return error;
    // The loss of the first step belongs to the same state, unless its feeds are others.
    const json::Array *losses = root_.getArray("losses_5_steps");
    if (losses && !losses->empty() && !root_.getArray("feeds_per_step"))
      want(run, root_.getString("loss").value_or(""), numberOf(losses->front()));
    if (const json::Array *xs = root_.getArray("gradient_xs"))
      run.gradientCalls.push_back(
          json::Object{{"ys", json::Array{root_.getString("loss").value_or("")}},
                       {"xs", json::Array(*xs)},
                       {"grads", json::Array(*names)},
                       {"values", json::Array(*values)}});
    test_.runs.push_back(std::move(run));
    return Error::success();
  }

  void addSteps() {
    const json::Array &losses = *root_.getArray("losses_5_steps");
    const json::Array *feedsPerStep = root_.getArray("feeds_per_step");
    if (root_.getArray("gradient_names") && root_.getString("train") && root_.getString("loss"))
      test_.training = {root_.getString("loss")->str(), root_.getString("train")->str(),
                        test_.runs.size()};
    for (size_t step = 0; step < losses.size(); ++step) {
      RecordedRun run = startRun();
      if (step > 0)
        run.stateBefore.reset();
      if (feedsPerStep && step < feedsPerStep->size())
        if (const json::Object *feeds = (*feedsPerStep)[step].getAsObject())
          run.feeds = *feeds;
      want(run, root_.getString("loss").value_or(""), numberOf(losses[step]));
      if (std::optional<StringRef> train = root_.getString("train"))
        run.targets.push_back(train->str());
      if (step + 1 == losses.size())
        expectLastState(run);
      test_.runs.push_back(std::move(run));
    }
  }

  void addLastRun(StringRef target) {
    RecordedRun run = startRun();
    run.targets.push_back(target.str());
    expectLastState(run);
    test_.runs.push_back(std::move(run));
  }

  void expectLastState(RecordedRun &run) const {
    if (const json::Object *after = root_.getObject("state_after"))
      run.stateAfter = *after;
  }

  const json::Object &root_;
  RecordedTest &test_;
};

} // namespace

Error readTraining(const json::Object &root, RecordedTest &test) {
  return TrainingReader(root, test).read();
}

} // namespace sluice::conformance
