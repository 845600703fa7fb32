// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The standard streams, replaceable in tests.
#pragma once

#include "runtime/base/status.h"
#include "runtime/io/disk.h"

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

} // namespace sluice::rt
