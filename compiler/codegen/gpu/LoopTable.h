// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The rows of a loop's steps, as they are in the attribute of the function and in the program
// (SluiceCardStep in runtime/codelet/abi.h).
#pragma once

#include "runtime/codelet/abi.h"

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/SmallVector.h"

namespace sluice::codegen {

inline constexpr size_t kStepFields = 4;

// kind, kernel, blocks, length
inline void addLaunchRow(llvm::SmallVectorImpl<int32_t> &table, int64_t kernel, int32_t blocks) {
  table.append({kSluiceStepLaunch, static_cast<int32_t>(kernel), blocks, 0});
}
// Of steps that are done if a word is 1, or as long as it is; where it goes, so that the length can
// be set when the steps in it are there.
inline size_t addBranchRow(llvm::SmallVectorImpl<int32_t> &table, unsigned word, bool isLoop,
                           bool isElse) {
  table.append(
      {isLoop ? kSluiceStepLoop : kSluiceStepBranch, static_cast<int32_t>(word), isElse, 0});
  return table.size() - kStepFields;
}
inline void endBranchRow(llvm::SmallVectorImpl<int32_t> &table, size_t row) {
  table[row + 3] = static_cast<int32_t>((table.size() - row) / kStepFields - 1);
}

} // namespace sluice::codegen
