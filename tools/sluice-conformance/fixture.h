// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Recorded tests as the rest of this tool sees them, whichever of the two file forms they had.
#pragma once

#include "tools/sluice-conformance/gradient_calls.h"
#include "tools/sluice-conformance/tensor.h"
#include "tools/sluice-conformance/training_request.h"

#include "llvm/Support/Error.h"
#include "llvm/Support/JSON.h"

#include <optional>
#include <string>
#include <variant>
#include <vector>

namespace sluice::conformance {

// A value that a run must give, made of one fetch, or of three if it is a sparse gradient.
struct Expectation {
  struct Dense {
    std::string fetch;
  };
  struct Sparse {
    std::string values, indices, denseShape;
  };
  std::variant<Dense, Sparse> source;
  // A plain number was recorded of a loss, which is a float32.
  struct Number {
    double value;
  };
  std::variant<Tensor, Number> value;
};

struct RecordedRun {
  std::string graph;     // file name inside the test's folder, or the folder of a model
  std::string signature; // of a model; feeds and fetches are then the signature's names
  llvm::json::Object feeds;
  std::vector<std::string> fetches;
  std::vector<std::string> targets;
  std::vector<Expectation> expectations;
  std::string errorCode; // "INVALID_ARGUMENT"; empty: the run must succeed
  // Variables before the run, all others uninitialised. Absent: as the run before left them.
  std::optional<llvm::json::Object> stateBefore;
  std::optional<llvm::json::Object> stateAfter; // absent: not recorded
  bool keepsState = false;                      // variables are afterwards as they were before
  bool nondeterministic = false;
  llvm::json::Array gradientCalls;         // as recorded; only who asks for gradients reads them
  std::vector<GradientRequest> gradients;  // to ask the compiler for, behind the fetches
  std::optional<TrainingRequest> training; // to ask the compiler for, instead of targets
  std::optional<size_t> madeOf;            // the recorded run that this one was made of

  RecordedRun() = default;
  RecordedRun(RecordedRun &&) = default;
  RecordedRun &operator=(RecordedRun &&) = default;
};

// Steps of a training graph whose derivatives are recorded.
struct RecordedTraining {
  std::string loss, target;
  size_t firstStep = 0; // the run; all later ones are steps as well
};

struct RecordedTest {
  std::string name;
  std::string folder;
  bool isModel = false;          // a SavedModel and calls of its signatures
  std::vector<std::string> tags; // of the model
  std::vector<RecordedRun> runs;
  std::optional<RecordedTraining> training;
  std::string inexpressible; // why the compiler cannot be asked for it; empty: it can
};

// Where a test was found; it is read when its turn comes.
struct TestLocation {
  std::string name;
  std::string folder;
  std::string file; // runs.json, or the .json beside a .pb
};

// All tests under `path`, sorted by name. Names start with the last part of `path`.
llvm::Expected<std::vector<TestLocation>> findTests(llvm::StringRef path);

llvm::Expected<RecordedTest> loadTest(const TestLocation &location);

// The three forms: a list of runs, one training graph with its recorded steps, and a model with
// calls of its signatures.
llvm::Error readRuns(const llvm::json::Object &root, RecordedTest &test);
llvm::Error readModelRuns(const llvm::json::Object &root, RecordedTest &test);
llvm::Error readTraining(const llvm::json::Object &root, RecordedTest &test);

} // namespace sluice::conformance
