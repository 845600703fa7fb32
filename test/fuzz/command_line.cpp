// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Fuzzes the command line of executables: one argument a line, and the content of the files that
// they name. No flag makes a disk or a runner do anything beyond memory.
#include "runtime/memory/buffer.h"
#include "runtime/memory/guard_pages.h"
#include "test/fuzz/fuzz_target.h"
#include "test/runtime/api/bench.h"

#include <string>
#include <vector>

using namespace sluice::rt;

// After a line `--`, the rest of the bytes is what every file holds.
static std::vector<std::string> splitArguments(std::string_view text, std::string_view &content) {
  std::vector<std::string> arguments;
  while (!text.empty() && arguments.size() < 32) {
    size_t end = std::min(text.find('\n'), text.size());
    std::string_view line = text.substr(0, end);
    text.remove_prefix(std::min(end + 1, text.size()));
    if (line == "--")
      break;
    // A C string ends at its first NUL.
    arguments.emplace_back(line.substr(0, line.find('\0')));
  }
  content = text;
  return arguments;
}

// Numbers of calls are the caller's choice, and they take their time.
static bool takesLong(const std::vector<std::string> &arguments) {
  for (const std::string &argument : arguments)
    if (argument.starts_with("--steps"))
      return true;
  return false;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  setMemoryLimit(1 << 20);
  guardBuffers(GuardSide::kNone); // an input before may have asked for guards
  std::string_view content;
  std::vector<std::string> arguments =
      splitArguments(sluice::fuzz::textOf(data, size), content);
  if (takesLong(arguments))
    return -1;
  Bench bench;
  for (const char *name : {"x.npy", "x.npz", "x.json", "x.safetensors", "calls"})
    bench.disk.files[name] = content;
  std::vector<const char *> pointers;
  for (const std::string &argument : arguments)
    pointers.push_back(argument.c_str());
  int code = bench.run(pointers);
  bool documented = (code >= 0 && code <= 3) || code == 5 || code == 14;
  sluice::fuzz::require(documented, "the exit code is documented");
  sluice::fuzz::require(code == 0 || !bench.err.empty() || !bench.out.empty(),
                        "a failure says something");
  return 0;
}
