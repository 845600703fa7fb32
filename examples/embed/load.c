// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Loads the library that the command line names, whatever it is, and tells what it has. Compiled
// with sluice.h alone.
#include <sluice.h>

#include <stdio.h>

static void tell(const char *kind, const sluice_port *port) {
  int i;
  printf("  %s %s, type %d, [", kind, port->name, port->dtype);
  for (i = 0; i < port->rank; ++i)
    printf(i ? ", %ld" : "%ld", (long)port->dims[i]);
  printf("]\n");
}

int main(int argc, char **argv) {
  sluice_loaded loaded;
  sluice_error error;
  const sluice_program *program;
  size_t i, k;
  if (sluice_library_open(argv[argc - 1], &loaded, &error)) {
    fprintf(stderr, "error: %s\n", error.message);
    return 1;
  }
  program = loaded.library->program;
  for (i = 0; i < program->num_signatures; ++i) {
    const sluice_signature *signature = program->signatures[i];
    printf("%s\n", signature->name);
    for (k = 0; k < signature->num_feeds; ++k)
      tell("feed", signature->feeds[k]);
    for (k = 0; k < signature->num_fetches; ++k)
      tell("fetch", signature->fetches[k]);
  }
  sluice_library_close(&loaded);
  return 0;
}
