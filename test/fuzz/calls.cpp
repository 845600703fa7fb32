// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Fuzzes lines of --calls. Every line gets an answer, which is one JSON object.
#include "runtime/api/calls.h"
#include "runtime/io/json.h"
#include "test/fuzz/fuzz_target.h"
#include "test/runtime/api/fake_runner.h"

using namespace sluice::rt;

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  FakeRunner runner;
  RunOptions options;
  CallSession session(runner, options.limits, nullptr);
  Result<Json> answer = parseJson(session.answer({sluice::fuzz::textOf(data, size), {}}));
  sluice::fuzz::require(answer.ok() && answer->is(Json::Kind::kObject),
                        "every request gets a JSON object as answer");
  return 0;
}
