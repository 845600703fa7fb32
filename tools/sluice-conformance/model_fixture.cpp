// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Reads the form of calls of a model's signatures.
#include "tools/sluice-conformance/compare.h"
#include "tools/sluice-conformance/fixture.h"

#include <algorithm>

namespace sluice::conformance {

using llvm::createStringError;
using llvm::Error;
using llvm::Expected;
using llvm::StringRef;
namespace json = llvm::json;

// Variables are recorded as tensors.
static json::Object withoutOutputs(const json::Object &state) {
  json::Object result;
  for (const auto &[key, value] : state) {
    StringRef name = key;
    name.consume_back(":0");
    result[name.str()] = value;
  }
  return result;
}

// A signature's fetches are in the order of their names.
static Error readExpectations(const json::Object &expected, RecordedRun &run) {
  for (const auto &entry : expected)
    run.fetches.push_back(entry.first.str());
  llvm::sort(run.fetches);
  for (const std::string &name : run.fetches) {
    Expected<Tensor> value = parseTensor(*expected.get(name));
    if (!value)
      return value.takeError();
    run.expectations.push_back({Expectation::Dense{name}, std::move(*value)});
  }
  return Error::success();
}

static Expected<RecordedRun> readRun(const json::Object &object, StringRef model) {
  RecordedRun run;
  run.graph = model.str();
  run.signature = object.getString("signature").value_or("").str();
  if (run.signature.empty())
    return createStringError("expected 'signature' in every run");
  if (const json::Object *inputs = object.getObject("inputs"))
    run.feeds = *inputs;
  run.nondeterministic = object.getBoolean("nondeterministic").value_or(false);
  const json::Object *after = object.getObject("state_after");
  if (after && !after->empty())
    run.stateAfter = withoutOutputs(*after);
  run.keepsState = after && after->empty();
  const json::Object *expected = object.getObject("expect");
  if (const json::Array *error = object.getArray("error"))
    run.errorCode = errorCodeOf(error->front().getAsString().value_or("Unknown"));
  else if (!expected)
    return createStringError("expected 'expect' or 'error' in every run");
  else if (Error problem = readExpectations(*expected, run))
    return std::move(problem);
  return run;
}

Error readModelRuns(const json::Object &root, RecordedTest &test) {
  test.isModel = true;
  StringRef model = *root.getString("model");
  if (const json::Array *tags = root.getArray("tags"))
    for (const json::Value &tag : *tags)
      test.tags.push_back(tag.getAsString().value_or("").str());
  const json::Array *runs = root.getArray("runs");
  if (!runs)
    return createStringError("expected 'runs' beside 'model'");
  for (const json::Value &entry : *runs) {
    const json::Object *object = entry.getAsObject();
    if (!object)
      return createStringError("expected an object for every run");
    Expected<RecordedRun> run = readRun(*object, model);
    if (!run)
      return run.takeError();
    test.runs.push_back(std::move(*run));
  }
  return Error::success();
}

} // namespace sluice::conformance
