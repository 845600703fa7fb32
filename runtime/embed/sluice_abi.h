// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What callers and libraries of models agree on: types, and a table of functions.
#ifndef SLUICE_ABI_H
#define SLUICE_ABI_H

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* ## Version
 *
 * The table and the structs below only grow at their ends. A library refuses callers that were
 * compiled for another version. */
#define SLUICE_API_VERSION 1u

/* ## Errors
 *
 * Functions return a code, `SLUICE_OK` on success, and fill in `*error`, unless that is null, only
 * when they fail. Nothing ends the process, and nothing is written to standard error. */

/* The numbers are those of TensorFlow. */
enum {
  SLUICE_OK = 0,
  SLUICE_CANCELLED = 1,
  SLUICE_UNKNOWN = 2,
  SLUICE_INVALID_ARGUMENT = 3,
  SLUICE_DEADLINE_EXCEEDED = 4,
  SLUICE_NOT_FOUND = 5,
  SLUICE_ALREADY_EXISTS = 6,
  SLUICE_PERMISSION_DENIED = 7,
  SLUICE_RESOURCE_EXHAUSTED = 8,
  SLUICE_FAILED_PRECONDITION = 9,
  SLUICE_ABORTED = 10,
  SLUICE_OUT_OF_RANGE = 11,
  SLUICE_UNIMPLEMENTED = 12,
  SLUICE_INTERNAL = 13,
  SLUICE_UNAVAILABLE = 14,
  SLUICE_DATA_LOSS = 15
};
typedef int32_t sluice_code;

/* The caller's; texts end with a null byte, and are cut where they do not fit. */
typedef struct sluice_error {
  sluice_code code;
  /* The graph's node that failed; empty where it was none. */
  char node[508];
  char message[1536];
} sluice_error;

/* ## Tensors */

/* Types of elements: strings are `sluice_string`, complex numbers as below, halves their bits,
 * bools a byte. */
enum {
  SLUICE_F16 = 1,
  SLUICE_BF16 = 2,
  SLUICE_F32 = 3,
  SLUICE_F64 = 4,
  SLUICE_I8 = 5,
  SLUICE_I16 = 6,
  SLUICE_I32 = 7,
  SLUICE_I64 = 8,
  SLUICE_U8 = 9,
  SLUICE_U16 = 10,
  SLUICE_U32 = 11,
  SLUICE_U64 = 12,
  SLUICE_BOOL = 13,
  SLUICE_C64 = 14,
  SLUICE_C128 = 15,
  SLUICE_STRING = 16
};
typedef int32_t sluice_dtype;

/* Bytes, which may hold zeros. */
typedef struct sluice_string {
  const char *data;
  size_t size;
} sluice_string;

/* Complex numbers, laid out as those of C and C++. */
typedef struct sluice_complex64 {
  float real, imag;
} sluice_complex64;
typedef struct sluice_complex128 {
  double real, imag;
} sluice_complex128;

/* A view of elements in row-major order. It owns nothing. */
typedef struct sluice_tensor {
  sluice_dtype dtype;
  int32_t rank;
  const int64_t *dims;
  const void *data;
  /* Of all elements; of strings that of all `sluice_string`. */
  size_t bytes;
} sluice_tensor;

/* ## Description
 *
 * Lives as long as the library is open. */

/* A feed, a fetch or a variable. */
typedef struct sluice_port {
  /* As in the graph, "x:0", or what the compiler was told to call it. */
  const char *name;
  sluice_dtype dtype;
  /* -1: not known. */
  int32_t rank;
  /* -1: not known, a different one in each call. */
  const int64_t *dims;
} sluice_port;

/* One set of feeds and fetches that the model was compiled for. */
typedef struct sluice_signature {
  const char *name;
  size_t num_feeds, num_fetches, num_targets;
  const sluice_port *const *feeds;
  const sluice_port *const *fetches;
  /* Nodes that are run for their effect. */
  const char *const *targets;
} sluice_signature;

/* What a library has, whichever of its models is asked. */
typedef struct sluice_program {
  const char *name;
  /* Of the compiler, with its target. */
  const char *version;
  size_t num_signatures, num_variables;
  const sluice_signature *const *signatures;
  const sluice_port *const *variables;
  /* The same as JSON, as an executable prints it with --describe. */
  const char *json;
} sluice_program;

/* ## Options
 *
 * Members beyond `size`, which later versions may add, are as without options. */

/* What a context allows its models. */
typedef struct sluice_context_options {
  /* sizeof(sluice_context_options). */
  size_t size;
  /* Threads that compute at a time beside those that call, 0 to 1024; -1: as many as there are
   * processors. */
  int32_t threads;
  /* Bytes of tensors that all models of the context may have in use together; 0: no limit. */
  uint64_t memory_limit;
} sluice_context_options;

/* Where a model's texts go. */
typedef struct sluice_model_options {
  /* sizeof(sluice_model_options). */
  size_t size;
  /* Receives what print ops write and warnings, without newline, from any thread that calls, one at
   * a time. Null: they are dropped. */
  void (*print)(void *user, const char *text, size_t text_size);
  /* Handed on to `print`. */
  void *user;
  /* "cpu", or "cuda:1" for the card of that number; null: what the library was compiled for. */
  const char *device;
} sluice_model_options;

/* ## Objects */

/* What models share: threads, a memory limit, other limits. Models of different libraries may have
 * the same one. */
typedef struct sluice_context sluice_context;

/* Who has loaded a library calls through this. */
typedef struct sluice_library sluice_library;

/* A program with a state of its own: variables, tables, random numbers. */
typedef struct sluice_model sluice_model;

/* Feeds, a call and its fetches, to be used again and again. */
typedef struct sluice_call sluice_call;

/* The table of functions; use those below. */
typedef struct sluice_api {
  uint32_t version;
  uint32_t size;
  sluice_code (*context_create)(const sluice_context_options *, sluice_context **, sluice_error *);
  sluice_code (*context_set_limit)(sluice_context *, const char *, uint64_t, sluice_error *);
  void (*context_memory)(const sluice_context *, uint64_t *, uint64_t *);
  void (*context_free)(sluice_context *);
  sluice_code (*model_create)(const sluice_library *, sluice_context *,
                              const sluice_model_options *, sluice_model **, sluice_error *);
  void (*model_free)(sluice_model *);
  sluice_code (*model_save)(sluice_model *, const char *, sluice_error *);
  sluice_code (*model_load)(sluice_model *, const char *, sluice_error *);
  sluice_code (*model_read)(sluice_model *, size_t, void *, size_t, sluice_tensor *, int64_t *,
                            sluice_error *);
  sluice_code (*model_write)(sluice_model *, size_t, const sluice_tensor *, sluice_error *);
  sluice_code (*call_create)(sluice_model *, size_t, sluice_call **, sluice_error *);
  void (*call_free)(sluice_call *);
  sluice_code (*call_feed)(sluice_call *, size_t, const sluice_tensor *, sluice_error *);
  sluice_code (*call_feed_memory)(sluice_call *, size_t, const int64_t *, void **, sluice_error *);
  sluice_code (*call_run)(sluice_call *, double, sluice_error *);
  void (*call_cancel)(sluice_call *);
  sluice_code (*call_fetch)(sluice_call *, size_t, sluice_tensor *, sluice_error *);
} sluice_api;

/* Objects begin with the table of the library that made them; what else they have is theirs. */
struct sluice_library {
  const sluice_api *api;
  const sluice_program *program;
};
struct sluice_model {
  const sluice_api *api;
};
struct sluice_call {
  const sluice_api *api;
};

/* What libNAME.so exports, for who loads it; linked in, it is NAME_sluice_library. Fails when the
 * version is another one, or the processor lacks what the model was compiled for. Any thread. */
typedef sluice_code (*sluice_entry)(uint32_t version, const sluice_library **library,
                                    sluice_error *error);

#ifdef __cplusplus
}
#endif

#endif
