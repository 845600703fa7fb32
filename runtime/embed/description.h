// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What callers are told of a program: structs that point to each other.
#pragma once

#include "runtime/api/runner.h"
#include "runtime/embed/sluice.h"

#include <deque>
#include <string>
#include <vector>

namespace sluice::rt {

class Description {
public:
  // Of all signatures but those that initialize, which are nobody's to call.
  explicit Description(Runner &runner);
  Description(const Description &) = delete;

  const sluice_program &program() const { return program_; }
  // What the runner calls the signature at this position.
  size_t signatureOf(size_t position) const { return positions_[position]; }

private:
  const sluice_port *add(const std::string &name, DType dtype, const Shape &shape);
  void add(const SignatureInfo &info);

  std::deque<std::string> texts_;
  std::deque<std::vector<int64_t>> dims_;
  std::deque<sluice_port> ports_;
  std::deque<std::vector<const sluice_port *>> lists_;
  std::deque<std::vector<const char *>> names_;
  std::deque<sluice_signature> signatures_;
  std::vector<const sluice_signature *> signaturePointers_;
  std::vector<const sluice_port *> variables_;
  std::vector<size_t> positions_;
  sluice_program program_{};
};

} // namespace sluice::rt
