// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Runs a command line on a disk and streams in memory.
#pragma once

#include "runtime/api/command_line.h"
#include "runtime/io/memory_disk.h"
#include "test/runtime/api/fake_runner.h"

#include <algorithm>
#include <cstring>
#include <initializer_list>
#include <vector>

namespace sluice::rt {

class MemoryConsole final : public Console {
public:
  class Source final : public ByteSource {
  public:
    // A few bytes at a time, as a pipe may give them.
    Result<size_t> read(char *data, size_t size) override {
      if (!failure.ok())
        return failure;
      size_t n = std::min({size, size_t{7}, text.size() - used});
      std::memcpy(data, text.data() + used, n);
      used += n;
      return n;
    }
    bool awaitReadable(int) override { return looks-- <= 0; }
    std::string text;
    size_t used = 0;
    int looks = 0; // that find nothing to read
    Status failure;
  };

  ByteSource &input() override { return in; }
  Status write(std::string_view text) override {
    if (!writeFailure.ok())
      return writeFailure;
    out += text;
    return {};
  }
  void writeError(std::string_view text) override { err += text; }

  Source in;
  std::string out, err;
  Status writeFailure;
};

// The world of one test; state of the runner and the disk live on between runs.
struct Bench {
  int run(std::initializer_list<const char *> arguments) {
    return run(std::vector<const char *>(arguments));
  }
  int run(std::vector<const char *> arguments) {
    console.out.clear();
    console.err.clear();
    return runCommandLine(std::span<const char *const>(arguments),
                          {runner, disk, console, "./fake"});
  }

  FakeRunner runner;
  MemoryDisk disk;
  MemoryConsole console;
  const std::string &out = console.out;
  const std::string &err = console.err;
};

} // namespace sluice::rt
