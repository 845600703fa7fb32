// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Lines of fields with delimiters between them, as TensorFlow reads them.
#pragma once

#include "runtime/base/status.h"
#include "runtime/memory/tensor.h"

#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace sluice::rt {

struct CsvForm {
  char delimiter = ',';
  bool quotes = true;                    // fields may be between double quotes
  std::span<const int64_t> columns = {}; // positions of the fields that count; none: all
};

// The fields of a line. INVALID_ARGUMENT where quotes or ends of lines are where they may not be.
Result<std::vector<std::string>> splitCsv(std::string_view line, const CsvForm &form);

// Of a decimal without sign, beyond the range of its type: whether it is too large, not too small.
bool isLargeDecimal(std::string_view digits);

// Stores the number that the text is, with blanks around it; texts as they are. False if it is
// none.
bool storeField(std::string_view text, Tensor &tensor, int64_t index);

} // namespace sluice::rt
