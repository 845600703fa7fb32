// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A program in this process's image, of which models are made.
#pragma once

#include "runtime/embed/description.h"
#include "runtime/program/program.h"

#include <memory>

namespace sluice::rt {

class Library final : public sluice_library {
public:
  // Image and tables as for Program::load. UNIMPLEMENTED for a rank of a cluster.
  static Result<std::unique_ptr<Library>> load(std::span<const char> image, Program::Tables tables);

  // A program of its own for each model.
  Result<std::unique_ptr<Program>> makeProgram() const { return Program::load(image_, tables_); }
  const Description &description() const { return *description_; }

private:
  Library(std::span<const char> image, Program::Tables tables) : image_(image), tables_(tables) {}

  std::span<const char> image_;
  Program::Tables tables_;
  std::unique_ptr<Description> description_;
};

} // namespace sluice::rt
