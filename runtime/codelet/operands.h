// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What a codelet that runs on this thread was given, for functions of support.h: they see addresses
// alone, and keep forms of operands beside the buffers that hold them.
#pragma once

#include "runtime/memory/kept_forms.h"
#include "runtime/memory/tensor.h"

#include <vector>

namespace sluice::rt {

class CodeletOperands {
public:
  CodeletOperands() : outer_(current) { current = this; }
  CodeletOperands(const CodeletOperands &) = delete;

  // Of the codelet that runs on this thread: the buffer with the element at the address, if that is
  // of an operand that is not written to. Null if there is none, or no codelet.
  static Buffer *bufferWith(const void *element) {
    return current ? current->find(element) : nullptr;
  }
  // Keeps a form until the codelet has returned.
  static void use(KeptForms::Use form) { current->uses_.push_back(std::move(form)); }

protected:
  ~CodeletOperands() { current = outer_; }

private:
  virtual Buffer *find(const void *element) const = 0;

  static inline constinit thread_local CodeletOperands *current = nullptr;
  CodeletOperands *outer_;
  std::vector<KeptForms::Use> uses_;
};

// The buffer if the address lies in the tensor.
inline Buffer *bufferIfWithin(const Tensor &tensor, const void *element) {
  if (!tensor.valid())
    return nullptr;
  auto *first = static_cast<const char *>(tensor.raw()), *at = static_cast<const char *>(element);
  return at >= first && at < first + tensor.bytes() ? tensor.buffer() : nullptr;
}

} // namespace sluice::rt
