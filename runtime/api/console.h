// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The standard streams, replaceable in tests.
#pragma once

#include "runtime/base/status.h"
#include "runtime/io/disk.h"

#include <memory>
#include <string>
#include <string_view>

namespace sluice::rt {

class Console {
public:
  virtual ~Console() = default;
  virtual ByteSource &input() = 0;
  // Unbuffered; a failure is an I/O error of the program.
  virtual Status write(std::string_view text) = 0;
  // Diagnostics: a failure could be told to nobody.
  virtual void writeError(std::string_view text) = 0;
};

// The streams of the process. Its creation opens what the parent left closed in such a way that
// reading gives nothing and writing fails, so that no file takes the place of a standard stream.
class ProcessConsole final : public Console {
public:
  ProcessConsole();
  ByteSource &input() override { return input_; }
  Status write(std::string_view text) override;
  void writeError(std::string_view text) override;

private:
  class Input final : public ByteSource {
  public:
    Result<size_t> read(char *data, size_t size) override;
    bool awaitReadable(int milliseconds) override;
  };
  Input input_;
};

// Splits a stream into lines, which stay where they were read to.
class LineReader {
public:
  LineReader(ByteSource &source, uint64_t longest) : source_(source), longest_(longest) {}
  // The next line without its newline, until the next call. False at the end. OUT_OF_RANGE for a
  // line that is too long.
  Result<bool> next(std::string_view &line);

private:
  struct Release {
    void operator()(char *text) const;
  };
  // Room for a block behind what is there.
  void makeRoom();

  ByteSource &source_;
  uint64_t longest_;
  std::unique_ptr<char, Release> text_; // of which `at_` to `end_` have not been given away
  size_t room_ = 0, at_ = 0, end_ = 0;
  bool ended_ = false;
};

} // namespace sluice::rt
