// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What a program declares and what lives on between its calls: variables, the positions of random
// generators, tables, queues. A checkpoint holds the content of all of them, and knows no more
// about them than what stands here.
#pragma once

#include "runtime/memory/named_tensor.h"
#include "runtime/memory/object.h"

#include <vector>

namespace sluice::rt {

// Both functions are called between calls of the program, when nobody else uses the object.
class LastingObject : public Object {
public:
  // Its whole content as tensors, none of them of handles: whatever has an influence on later
  // calls, the order of what it shows included. Names are the object's own, each of them once; no
  // tensor at all is a content, too. UNIMPLEMENTED for what tensors cannot say.
  virtual Result<std::vector<NamedTensor>> save() const = 0;
  // Takes a content that `save` of such an object of the same program has given, in the same order,
  // instead of its own. It comes from a file: INVALID_ARGUMENT, and nothing has changed, if it is
  // not such a content.
  virtual Status restore(std::vector<NamedTensor> content) = 0;

protected:
  using Object::Object;
};

// An object of a program, by what it is called there.
struct LastingResource {
  std::string kind; // "variable", "generator", "queue"
  std::string key;
  LastingObject *object;
};

} // namespace sluice::rt
