// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Finds recorded tests and reads the form that lists runs.
#include "tools/sluice-conformance/fixture.h"

#include "tools/sluice-conformance/compare.h"
#include "tools/sluice-conformance/files.h"

#include "llvm/Support/FileSystem.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/Path.h"

#include <algorithm>

namespace sluice::conformance {

using llvm::createStringError;
using llvm::Error;
using llvm::Expected;
using llvm::StringRef;
namespace json = llvm::json;
namespace fs = llvm::sys::fs;
namespace path = llvm::sys::path;

// Whether the file records runs of a graph, and not something else that is JSON.
static bool recordsGraphs(StringRef file) {
  auto buffer = llvm::MemoryBuffer::getFile(file);
  if (!buffer)
    return true; // whoever reads it says what is wrong
  Expected<json::Value> root = json::parse((*buffer)->getBuffer());
  if (!root) {
    llvm::consumeError(root.takeError());
    return true;
  }
  const json::Object *object = root->getAsObject();
  if (!object)
    return false;
  if (object->getString("graph") || object->getString("model"))
    return true;
  const json::Array *runs = object->getArray("runs");
  return runs && llvm::any_of(*runs, [](const json::Value &run) {
           return run.getAsObject() && run.getAsObject()->getString("graph");
         });
}

// A test that lacks one of its files is found as well, and fails when its turn comes.
static void findIn(const std::string &folder, const std::string &name,
                   std::vector<TestLocation> &found) {
  std::string runs = pathIn(folder, "runs.json");
  bool hasGraph = fs::exists(pathIn(folder, "graph1.pb"));
  if (fs::exists(runs) || hasGraph) {
    // Folders that hold other kinds of program have runs.json too.
    if (hasGraph || recordsGraphs(runs))
      found.push_back({name, folder, runs});
    return;
  }
  std::error_code code;
  for (fs::directory_iterator it(folder, code), end; it != end && !code; it.increment(code)) {
    StringRef entry = it->path();
    std::string child = name + "/" + path::stem(entry).str();
    if (fs::is_directory(entry))
      findIn(entry.str(), name + "/" + path::filename(entry).str(), found);
    else if (entry.ends_with(".json") &&
             (fs::exists(entry.drop_back(5) + ".pb") || recordsGraphs(entry)))
      found.push_back({child, folder, entry.str()});
    else if (entry.ends_with(".pb") && !fs::exists(entry.drop_back(3) + ".json"))
      found.push_back({child, folder, (entry.drop_back(3) + ".json").str()});
  }
}

Expected<std::vector<TestLocation>> findTests(StringRef where) {
  llvm::SmallString<256> absolute(where);
  if (std::error_code code = fs::make_absolute(absolute))
    return llvm::createFileError(where, code);
  path::remove_dots(absolute, /*remove_dot_dot=*/true);
  if (!fs::is_directory(absolute))
    return createStringError("'" + where + "': expected a folder of tests");
  std::string name = path::filename(absolute).str();
  if (fs::exists(pathIn(absolute, "runs.json")))
    name = path::filename(path::parent_path(absolute)).str() + "/" + name;
  std::vector<TestLocation> found;
  findIn(std::string(absolute), name, found);
  llvm::sort(found, [](const TestLocation &a, const TestLocation &b) { return a.name < b.name; });
  return found;
}

Expected<RecordedTest> loadTest(const TestLocation &location) {
  auto buffer = llvm::MemoryBuffer::getFile(location.file);
  if (!buffer)
    return llvm::createFileError(location.file, buffer.getError());
  Expected<json::Value> root = json::parse((*buffer)->getBuffer());
  if (!root)
    return root.takeError();
  const json::Object *object = root->getAsObject();
  if (!object)
    return createStringError("expected an object at the top of " + location.file);
  RecordedTest test;
  test.name = location.name;
  test.folder = location.folder;
  Error error = object->getString("model") ? readModelRuns(*object, test)
                : object->getArray("runs") ? readRuns(*object, test)
                                           : readTraining(*object, test);
  if (error)
    return std::move(error);
  return test;
}

static std::vector<std::string> readNames(const json::Object &object, StringRef key) {
  std::vector<std::string> names;
  if (const json::Array *array = object.getArray(key))
    for (const json::Value &name : *array)
      names.push_back(name.getAsString().value_or("").str());
  return names;
}

// A fetch without output number for which no value was recorded is run for its effect only.
static void moveEffectsToTargets(RecordedRun &run, const json::Array *expected) {
  std::vector<std::string> fetches;
  for (size_t i = 0; i < run.fetches.size(); ++i) {
    bool valueRecorded = expected && i < expected->size() && !(*expected)[i].getAsNull();
    if (!valueRecorded && !StringRef(run.fetches[i]).contains(':'))
      run.targets.push_back(run.fetches[i]);
    else if (!llvm::is_contained(fetches, run.fetches[i]))
      fetches.push_back(run.fetches[i]);
  }
  run.fetches = std::move(fetches);
}

static Error readExpectations(const json::Array &expected, RecordedRun &run) {
  if (expected.size() != run.fetches.size())
    return createStringError("expected as many values as fetches");
  for (size_t i = 0; i < expected.size(); ++i) {
    if (expected[i].getAsNull())
      continue;
    Expected<Tensor> value = parseTensor(expected[i]);
    if (!value)
      return value.takeError();
    run.expectations.push_back({Expectation::Dense{run.fetches[i]}, std::move(*value)});
  }
  return Error::success();
}

static Expected<RecordedRun> readRun(const json::Object &object) {
  RecordedRun run;
  run.graph = object.getString("graph").value_or("").str();
  if (run.graph.empty())
    return createStringError("expected 'graph' in every run");
  if (const json::Object *feeds = object.getObject("feeds"))
    run.feeds = *feeds;
  run.fetches = readNames(object, "fetches");
  run.targets = readNames(object, "targets");
  run.nondeterministic = object.getBoolean("nondeterministic").value_or(false);
  const json::Object *before = object.getObject("state_before");
  run.stateBefore = before ? *before : json::Object();
  if (const json::Object *after = object.getObject("state_after"))
    run.stateAfter = *after;
  const json::Array *expected = object.getArray("expect");
  if (const json::Array *error = object.getArray("error"))
    run.errorCode = errorCodeOf(error->front().getAsString().value_or("Unknown"));
  else if (!expected)
    return createStringError("expected 'expect' or 'error' in every run");
  else if (Error error = readExpectations(*expected, run))
    return std::move(error);
  moveEffectsToTargets(run, expected);
  if (const json::Array *calls = object.getArray("gradient_calls"))
    run.gradientCalls = *calls;
  return run;
}

Error readRuns(const json::Object &root, RecordedTest &test) {
  for (const json::Value &entry : *root.getArray("runs")) {
    const json::Object *object = entry.getAsObject();
    if (!object)
      return createStringError("expected an object for every run");
    Expected<RecordedRun> run = readRun(*object);
    if (!run)
      return run.takeError();
    test.runs.push_back(std::move(*run));
  }
  return Error::success();
}

} // namespace sluice::conformance
