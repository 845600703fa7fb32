// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Which ops of TensorFlow give handles of objects that calls share.
#pragma once

#include "llvm/ADT/StringRef.h"

namespace sluice::import {

// The kind of object of which the op gives a handle, as in !state.object; empty if it is none.
llvm::StringRef kindOfHandleFrom(llvm::StringRef op);

} // namespace sluice::import
