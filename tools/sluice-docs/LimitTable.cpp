// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The compiler's part of docs/reference/limits.md: what input may have at most.
#include "tools/sluice-docs/LimitTable.h"

#include "compiler/import/Limits.h"

void sluice::docs::printLimitTable(llvm::raw_ostream &out) {
  out << "| name | value | may be set up to | what it bounds |\n|---|---|---|---|\n";
  for (const import::LimitRow &row : import::limitRows())
    out << "| `" << row.name << "` | " << row.value << " | " << row.greatest << " | " << row.what
        << " |\n";
}
