/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 * A list as compiled code sees it: rows of one shape and type, one behind the other.
 *
 * Code reads and writes rows and states below `capacity` and changes `length`. For more room it
 * calls sluice_list_reserve (runtime/codelet/support.h), which may move both. Where a list is made
 * in the code, and dims of its rows depend on the sizes of operands, the code sets them and
 * `rowBytes` first.
 */
#ifndef SLUICE_RUNTIME_STATE_LIST_ROWS_H
#define SLUICE_RUNTIME_STATE_LIST_ROWS_H

#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

enum { kSluiceRowsAlignment = 64 };

enum {
  kSluiceRowEmpty = 0, /* nothing was set; all bytes are 0 */
  kSluiceRowSet = 1,
  kSluiceRowCleared = 2, /* taken away; the bytes mean nothing */
  kSluiceRowZeros = 3,   /* all bytes are 0; what is added to it keeps its bits */
  kSluiceRowRead = 4     /* an empty one that was read: no longer one to be set once */
};

typedef struct SluiceList {
  void *rows; /* aligned to kSluiceRowsAlignment; row i is at i * rowBytes */
  uint8_t
      *states; /* one for each row below the capacity, empty above the length; null: all are set */
  int64_t length;
  int64_t capacity; /* in rows */
  int64_t rowBytes;
  int64_t emptyIsZeros; /* 1: an empty row may be read */
  int64_t *dims;        /* of a row: as many as its rank */
  void *owner;          /* the runtime's */
} SluiceList;

#ifdef __cplusplus
}
#endif

#endif
