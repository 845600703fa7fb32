/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 * What the runtime and compiled codelets agree on: one constant table and two functions a codelet.
 *
 * A codelet is a group of ops without effects that was compiled to machine code. Ranks and element
 * types of its inputs and outputs are fixed when it is compiled and stand nowhere in these
 * structures; dimensions may come at run time.
 *
 * Values. Tensors are row-major and dense, without padding; a bool is one byte, 0 or 1. Scalars are
 * passed by pointer like everything else; `dims` of a scalar may be null. Data are aligned to their
 * elements; that most lie better makes code faster, but no code relies on it. Nothing beyond the
 * elements is read or written: there may be no memory. What the data pointer of a tensor without
 * elements is does not matter.
 *
 * Ownership. Everything belongs to the caller and lives until the function returns. A codelet
 * allocates nothing but room in lists, keeps no pointers, and may be called by several threads at
 * once. Inputs are read only, except for one that is also a destination (`inPlace`), and lists,
 * which are in cells. Outputs overlap neither inputs otherwise nor each other. Nothing that a
 * codelet leaves in the arena is looked at after it has returned, so no output may lie there.
 * Functions that it calls may keep, beside the buffers of inputs that are read only, what they have
 * made of them: the caller says on its thread which these are (operands.h).
 *
 * Floating point. The caller has set the control register: to nearest, denormals count as zero.
 */
#ifndef SLUICE_RUNTIME_CODELET_ABI_H
#define SLUICE_RUNTIME_CODELET_ABI_H

#include "runtime/state/list_rows.h"

#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct SluiceTensorRef {
  void *data;
  const int64_t *dims; /* numbers of elements, outermost first */
} SluiceTensorRef;

typedef struct SluiceOutputRef {
  void *data;    /* set by the runtime before `body`, once the dims are known */
  int64_t *dims; /* room for kSluiceMaxRank numbers; `sizes` writes as many as the rank */
} SluiceOutputRef;

typedef struct SluiceCodeletCall {
  const SluiceTensorRef *inputs;
  SluiceOutputRef *outputs;
  void *arena;        /* for `body`: arenaBytes bytes, aligned to 64, with undefined contents */
  int64_t arenaBytes; /* written by `sizes` */
  uint64_t loopOps;   /* `body` adds the float-valued ops executed inside its loops and branches */
  uint32_t failedMember;  /* on an error: which member of the codelet's error table */
  SluiceList *lists;      /* what the codelet's cells hold */
  void *boxes;            /* what its boxes hold, for the functions of runtime/codelet/boxes.h */
  const uint32_t *cancel; /* loops and boxes end once this is not 0, which others may set */
  void *card;             /* for the functions of runtime/codelet/card.h; null on the host */
} SluiceCodeletCall;

enum {
  kSluiceMaxRank = 8, /* of outputs */

  /* What `sizes` and `body` return. Greater than 0: number 1, 2, … of the reasons in the codelet's
   * error table, with `failedMember` set. That ends the program's call, so `body` may have written
   * to an input that is its destination. */
  kSluiceOk = 0,
  /* A guard does not hold: dimensions are not equal as assumed, an index is out of range, an
   * integer divisor is 0. The runtime then runs the codelet's members one by one, which gives the
   * result or the exact error. Only `sizes` and `body` of codelets without loops may return it;
   * `body` must not have written to an input that is its destination. */
  kSluiceBail = -1,
  /* There is no room for a list. `failedMember` is set. */
  kSluiceNoMemory = -2,
  /* A kernel that the code called has failed. The runtime knows why. */
  kSluiceKernelFailed = -3,
  /* The call was cancelled while the code ran; what it has written means nothing. */
  kSluiceCancelled = -4
};

typedef int32_t (*SluiceCodeletFn)(SluiceCodeletCall *);

/* A list that the code reads or changes: the runtime takes it from an input or makes one without
 * elements, and gives what the code has made of it as an output. Both have no data elsewhere in the
 * call; `dims` of such an input are those of a row. */
typedef struct SluiceCell {
  int32_t input;        /* -1: none */
  int32_t output;       /* -1: none */
  int32_t dtype;        /* of a row: a DType (runtime/base/dtype.h) */
  int32_t withStates;   /* 1: the code looks at states and keeps them */
  int32_t changes;      /* 1: the code changes rows, or how many there are */
  int32_t emptyIsZeros; /* 1: of a new list: an empty row may be read */
  int32_t rank;         /* of a row */
  const int64_t *dims;  /* of a row; below 0: see below */
} SluiceCell;

/* A dim of a row that is as the list has it; and, less k * kSluiceDimsOfInput + d, one that is as
 * dim d of input k, also where the list has no row yet. */
enum { kSluiceDimOfList = -1, kSluiceDimOfInput = -2, kSluiceDimsOfInput = 256 };

/* ---- Codelets of a card ----------------------------------------------------------------------
 * Their code runs on the host and enqueues kernels. Data of tensors on the card, and the arena, are
 * in the card's memory, which the code never looks at; scalars of the host are passed as above. */

typedef struct SluiceKernelImage {
  const void *bytes;    /* a cubin, or PTX with a 0 behind it */
  int64_t size;         /* without that 0 */
  int32_t architecture; /* 90 for sm_90 */
  int32_t isText;
} SluiceKernelImage;

/* The same kernels for several cards: the first image that the driver takes is used. */
typedef struct SluiceKernelImages {
  int64_t count;
  const SluiceKernelImage *images;
} SluiceKernelImages;

typedef struct SluiceKernel {
  const char *name; /* in the images */
  int32_t threads;  /* of a block */
} SluiceKernel;

/* A loop that the card runs by itself, in steps. Every kernel takes the address of the loop's
 * words, which are 8 bytes each, in the card's memory: parameters, and what numbers have come to.
 * What is done in each iteration is done only while the word kSluiceLoopLive is 1, so that more
 * iterations may be enqueued than there are. */
enum {
  kSluiceLoopGoesOn = 0, /* whether there is another iteration */
  kSluiceLoopLive = 1,   /* that, and the budget is not used up */
  kSluiceLoopBudget = 2, /* iterations that may still be done; set by the runtime */
  kSluiceLoopStatus = 3, /* as the body of a codelet returns */
  kSluiceLoopFailedMember = 4,
  kSluiceLoopKnownWords = 5,

  kSluiceStepLaunch = 0,
  kSluiceStepBranch = 1,
  kSluiceStepLoop = 2
};

typedef struct SluiceCardStep {
  int32_t kind;
  int32_t what;   /* number of a kernel; of a branch: the word that is 1 if it is taken; of a loop:
                   * the one that is 1 as long as it goes on */
  int32_t blocks; /* of a launch: how many are enough; from -1 down: word 0, 1, … has it; of a
                   * branch: 1 if it is taken where the branch before it is not */
  int32_t length; /* of a branch or loop: how many of the next steps are in it */
} SluiceCardStep;

typedef struct SluiceCardLoop {
  int32_t numWords;
  int32_t isBlock; /* 1: the body is one launch that does iterations until kSluiceLoopLive is 0 */
  int32_t numEnter, numBody, numExit;
  int32_t numResume; /* done before the card goes on, for loops within it */
  const SluiceCardStep *steps; /* of all four */
  /* With the kernel sluice_set_condition(address of a word, handle of a condition of a graph). */
  const SluiceKernelImages *conditions;
} SluiceCardLoop;

/* One constant global for each codelet; its symbol is sluice_codelet_<hash of what it computes>. */
typedef struct SluiceCodelet {
  /* Writes dims of all outputs, and arenaBytes. Reads dims of inputs, and data only of those from
   * which dims are computed. Null: the dims of all outputs and of the arena were known when it was
   * compiled; the program's image then has those of the outputs. */
  SluiceCodeletFn sizes;
  SluiceCodeletFn body;
  int64_t arenaBytes; /* when `sizes` is null */
  /* A word for each output: bit i allows input i (i < 32) to be its destination, when nobody else
   * holds it and it has the dims and element type of the output. Null: nowhere. */
  const uint32_t *inPlace;
  int64_t numCells;
  const SluiceCell *cells;
  int64_t numKernels; /* 0 on the host */
  const SluiceKernel *kernels;
  const SluiceKernelImages *images; /* null without kernels */
  const SluiceCardLoop *loop;       /* null without */
} SluiceCodelet;

#ifdef __cplusplus
}
#endif

#endif
