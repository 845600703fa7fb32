// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The C interface of compiled models as libraries: load, describe, call. Nothing is to be linked
// with: every model library brings the functions, and this header calls them through a table.
#ifndef SLUICE_H
#define SLUICE_H

#include "sluice_abi.h"

#include <dlfcn.h>

#ifdef __cplusplus
extern "C" {
#endif

/* ## Libraries */

/* A library that was loaded by its path. */
typedef struct sluice_loaded {
  const sluice_library *library;
  /* Of dlopen. */
  void *handle;
} sluice_loaded;

/* Fills in an error of the caller's own, unless `error` is null; a text that does not fit is cut,
 * and null is an empty one. */
static inline void sluice_set_error(sluice_error *error, sluice_code code, const char *message) {
  size_t i = 0;
  if (!error)
    return;
  error->code = code;
  error->node[0] = 0;
  for (; message && message[i] && i + 1 < sizeof error->message; ++i)
    error->message[i] = message[i];
  error->message[i] = 0;
}

/* Loads libNAME.so. As with dlopen, a path without a slash is looked for, and the same library
 * loaded twice is loaded once. Any thread. */
static inline sluice_code sluice_library_open(const char *path, sluice_loaded *loaded,
                                              sluice_error *error) {
  sluice_entry entry;
  sluice_code code;
  loaded->library = NULL;
  loaded->handle = dlopen(path, RTLD_NOW | RTLD_LOCAL);
  if (!loaded->handle) {
    sluice_set_error(error, SLUICE_NOT_FOUND, dlerror());
    return SLUICE_NOT_FOUND;
  }
  *(void **)(&entry) = dlsym(loaded->handle, "sluice_library_entry");
  if (entry) {
    code = entry(SLUICE_API_VERSION, &loaded->library, error);
  } else {
    code = SLUICE_INVALID_ARGUMENT;
    sluice_set_error(error, code,
                     "expected a library made with sluicec --emit=lib, but it has no function "
                     "'sluice_library_entry'");
  }
  if (code) {
    (void)dlclose(loaded->handle);
    loaded->handle = NULL;
  }
  return code;
}

/* When all its models and contexts are freed. Any thread. */
static inline void sluice_library_close(sluice_loaded *loaded) {
  if (loaded->handle)
    (void)dlclose(loaded->handle);
  loaded->handle = NULL;
  loaded->library = NULL;
}

/* The position of a signature, or num_signatures if there is none of that name. */
static inline size_t sluice_find_signature(const sluice_program *program, const char *name) {
  size_t i, at;
  for (i = 0; i < program->num_signatures; ++i) {
    const char *other = program->signatures[i]->name;
    for (at = 0; name[at] && name[at] == other[at]; ++at) {
    }
    if (name[at] == other[at])
      break;
  }
  return i;
}

/* ## Contexts */

/* Options may be null: as many threads as processors, no limit. The library must stay open until
 * the context is freed. Any thread. */
static inline sluice_code sluice_context_create(const sluice_library *library,
                                                const sluice_context_options *options,
                                                sluice_context **context, sluice_error *error) {
  return library->api->context_create(options, context, error);
}

/* A limit of docs/reference/limits.md by its name, for models that are created later. Not while
 * another thread uses the context. */
static inline sluice_code sluice_context_set_limit(const sluice_library *library,
                                                   sluice_context *context, const char *name,
                                                   uint64_t value, sluice_error *error) {
  return library->api->context_set_limit(context, name, value, error);
}

/* Bytes of tensors in use, now and at most so far; only counted if there is a limit. Elements of
 * strings are not counted. Either pointer may be null. Any thread. */
static inline void sluice_context_memory(const sluice_library *library,
                                         const sluice_context *context, uint64_t *held,
                                         uint64_t *peak) {
  library->api->context_memory(context, held, peak);
}

/* Models of the context keep what they need of it. Null is allowed. */
static inline void sluice_context_free(const sluice_library *library, sluice_context *context) {
  library->api->context_free(context);
}

/* ## Models
 *
 * Who reads or writes the state waits until no call is at work, and calls wait for that. A call
 * that waits for others, as for an element of a queue, is not at work: what it has done by then is
 * seen, and it goes on later. */

/* A new instance, whose variables have their first values; initializers have run. Without a context
 * it has its own. Options may be null. Any thread. */
static inline sluice_code sluice_model_create(const sluice_library *library,
                                              sluice_context *context,
                                              const sluice_model_options *options,
                                              sluice_model **model, sluice_error *error) {
  return library->api->model_create(library, context, options, model, error);
}

/* Fails if the model is one of another library; headers of models ask before they make calls of it.
 */
static inline sluice_code sluice_model_check(const sluice_model *model,
                                             const sluice_library *library, sluice_error *error) {
  if (model->api == library->api)
    return SLUICE_OK;
  sluice_set_error(error, SLUICE_INVALID_ARGUMENT, "the model is one of another library");
  return SLUICE_INVALID_ARGUMENT;
}

/* When all its calls are freed. Null is allowed. */
static inline void sluice_model_free(sluice_model *model) {
  if (model)
    model->api->model_free(model);
}

/* Writes all variables that have a value: to a safetensors file, or to a checkpoint of TensorFlow
 * if the path ends with .ckpt or .index. Waits until no call is at work. Any thread. */
static inline sluice_code sluice_model_save(sluice_model *model, const char *path,
                                            sluice_error *error) {
  return model->api->model_save(model, path, error);
}

/* Sets the variables that the file names, all or none. Waits until no call is at work. Any
 * thread. */
static inline sluice_code sluice_model_load(sluice_model *model, const char *path,
                                            sluice_error *error) {
  return model->api->model_load(model, path, error);
}

/* Copies a variable's elements to `data`, with room for `room` bytes, which may be null with none.
 * `value` tells what it is and how many bytes there are, whether or not they fit, and its dims are
 * in `dims`, with room for as many as the variable's rank, or for 254 where that is not known. Of
 * strings the texts are behind the array of sluice_string. Waits until no call is at work. Any
 * thread. */
static inline sluice_code sluice_model_read(sluice_model *model, size_t variable, void *data,
                                            size_t room, sluice_tensor *value, int64_t *dims,
                                            sluice_error *error) {
  return model->api->model_read(model, variable, data, room, value, dims, error);
}

/* Copies elements into a variable. Waits until no call is at work. Any thread. */
static inline sluice_code sluice_model_write(sluice_model *model, size_t variable,
                                             const sluice_tensor *value, sluice_error *error) {
  return model->api->model_write(model, variable, value, error);
}

/* ## Calls
 *
 * Calls of a model may run at the same time, each on a thread of its own; they share its state. One
 * call is used by one thread at a time, but for sluice_call_cancel. */

/* All that later runs need is made now. `signature` is a position in the description. Any thread.
 */
static inline sluice_code sluice_call_create(sluice_model *model, size_t signature,
                                             sluice_call **call, sluice_error *error) {
  return model->api->call_create(model, signature, call, error);
}

/* Null is allowed. */
static inline void sluice_call_free(sluice_call *call) {
  if (call)
    call->api->call_free(call);
}

/* From now on each run reads the feed's elements from `value->data`, which stays the caller's and
 * must be there and unchanged while it runs. Dims are copied. */
static inline sluice_code sluice_call_feed(sluice_call *call, size_t feed,
                                           const sluice_tensor *value, sluice_error *error) {
  return call->api->call_feed(call, feed, value, error);
}

/* The same with memory of the call's, aligned to 64 bytes, which stays where it is until the feed
 * is given otherwise: zeros at first. `dims` may be null where all are known. Not for strings. */
static inline sluice_code sluice_call_feed_memory(sluice_call *call, size_t feed,
                                                  const int64_t *dims, void **data,
                                                  sluice_error *error) {
  return call->api->call_feed_memory(call, feed, dims, data, error);
}

/* Runs to the end, or for so many seconds; 0: as long as it takes. It waits for other calls where
 * the graph does, as for an element of a queue, and then only for so many seconds or until it is
 * cancelled. After a failure the call can be run again. */
static inline sluice_code sluice_call_run(sluice_call *call, double seconds, sluice_error *error) {
  return call->api->call_run(call, seconds, error);
}

/* Ends the run that is under way, which then fails with SLUICE_CANCELLED; without one, nothing
 * happens. Any thread. */
static inline void sluice_call_cancel(sluice_call *call) { call->api->call_cancel(call); }

/* A result of the last run, which is there until the next one. */
static inline sluice_code sluice_call_fetch(sluice_call *call, size_t fetch, sluice_tensor *value,
                                            sluice_error *error) {
  return call->api->call_fetch(call, fetch, value, error);
}

#ifdef __cplusplus
}
#endif

#endif
