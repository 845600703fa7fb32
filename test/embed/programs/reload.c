// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Loads, calls and unloads a library 1,000 times. Prints how much the process has grown since the
// 100th time, in pages.
#define _POSIX_C_SOURCE 200809L
#include <sluice.h>

#include <pthread.h>
#include <stdio.h>

static const char *path;

static long pages(void) {
  long all = 0, resident = 0;
  FILE *file = fopen("/proc/self/statm", "r");
  if (!file || fscanf(file, "%ld %ld", &all, &resident) != 2)
    return -1;
  (void)fclose(file);
  return resident;
}

static void *once(void *unused) {
  static const float x = 1;
  sluice_tensor value = {SLUICE_F32, 0, NULL, &x, sizeof x};
  sluice_loaded loaded;
  sluice_error error;
  sluice_model *model;
  sluice_call *call;
  (void)unused;
  if (sluice_library_open(path, &loaded, &error) ||
      sluice_model_create(loaded.library, NULL, NULL, &model, &error) ||
      sluice_call_create(model, 0, &call, &error) || sluice_call_feed(call, 0, &value, &error) ||
      sluice_call_feed(call, 1, &value, &error) || sluice_call_run(call, 0, &error)) {
    puts(error.message);
    return &path;
  }
  sluice_call_free(call);
  sluice_model_free(model);
  sluice_library_close(&loaded);
  if (dlopen(path, RTLD_NOW | RTLD_NOLOAD)) {
    puts("it is still loaded");
    return &path;
  }
  return NULL;
}

int main(int argc, char **argv) {
  long before = 0;
  int i;
  path = argv[argc - 1];
  for (i = 0; i < 1000; ++i) {
    pthread_t thread;
    void *failed = once(NULL); /* on a thread that goes on, then on one that ends */
    if (pthread_create(&thread, NULL, once, NULL) || failed || pthread_join(thread, &failed) ||
        failed)
      return 1;
    if (i == 100)
      before = pages();
  }
  printf("%ld\n", pages() - before);
  return 0;
}
