// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Which tensor of a checkpoint belongs to a variable, by the objects of the program that was saved:
// for variables that the graph itself does not restore.
#pragma once

#include "compiler/import/model.pb.h"

#include "llvm/ADT/StringMap.h"

#include <string>

namespace sluice::import {

// By the key of a variable.
struct ObjectTensors {
  // Of variables that functions of the model capture: the model says which objects these are. Empty
  // if the checkpoint has no such object.
  llvm::StringMap<std::string> captured;
  // Of variables that have the name of an object, which no other object has.
  llvm::StringMap<std::string> named;
};

// `saved` are the objects as the model has them, `stored` as its checkpoint or another one has
// them. Objects are the same if the same attributes lead to them.
ObjectTensors tensorsOfObjects(const graphdef::SavedObjects &saved, const graphdef::GraphDef &graph,
                               const graphdef::ObjectGraph &stored);

} // namespace sluice::import
