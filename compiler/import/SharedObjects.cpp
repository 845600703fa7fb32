// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The kinds of objects, by what the names of ops have in common.
#include "compiler/import/SharedObjects.h"

#include "llvm/ADT/StringSwitch.h"

using llvm::StringRef;

namespace sluice::import {

StringRef kindOfHandleFrom(StringRef op) {
  if (op.contains("HashTable"))
    return "table";
  op.consume_back("V2");
  return llvm::StringSwitch<StringRef>(op)
      .Cases({"FIFOQueue", "PaddingFIFOQueue", "PriorityQueue", "RandomShuffleQueue"}, "queue")
      .Case("Barrier", "barrier")
      .Cases({"ConditionalAccumulator", "ResourceConditionalAccumulator",
              "SparseConditionalAccumulator"},
             "accumulator")
      .Cases({"WholeFileReader", "TextLineReader", "FixedLengthRecordReader", "TFRecordReader",
              "IdentityReader"},
             "reader")
      .Case("Mutex", "mutex")
      .Case("MutexLock", "lock")
      .Default("");
}

} // namespace sluice::import
