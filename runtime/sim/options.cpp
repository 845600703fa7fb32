// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Reads the environment.
#include "runtime/sim/options.h"

#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <unistd.h>

namespace sluice::rt::sim {

[[noreturn]] static void refuse(const char *name, const char *expected, const char *value) {
  fprintf(stderr, "sluice-sim: expected %s in %s but got '%s'\n", expected, name, value);
  _exit(2);
}

static uint64_t number(const char *name, uint64_t otherwise, uint64_t most) {
  const char *text = getenv(name);
  if (!text)
    return otherwise;
  char *end = nullptr;
  errno = 0;
  uint64_t value = strtoull(text, &end, 0);
  if (errno || end == text || *end || value > most)
    refuse(name, "a number", text);
  return value;
}

static Policy policy(uint64_t seed) {
  constexpr const char *kNames[] = {"lazy", "eager", "random"};
  const char *text = getenv("SLUICE_SIM_POLICY");
  if (!text)
    return Policy(seed % 3);
  for (int i = 0; i < 3; ++i)
    if (!strcmp(text, kNames[i]))
      return Policy(i);
  refuse("SLUICE_SIM_POLICY", "lazy, eager or random", text);
}

static std::vector<InjectedFailure> failures() {
  std::vector<InjectedFailure> all;
  const char *text = getenv("SLUICE_SIM_FAIL");
  for (const char *rest = text; rest && *rest;) {
    char function[64];
    unsigned long long call;
    int result, used = 0;
    if (sscanf(rest, "%63[A-Za-z0-9_]:%llu=%d%n", function, &call, &result, &used) != 3 ||
        (rest[used] && rest[used] != ','))
      refuse("SLUICE_SIM_FAIL", "FUNCTION:CALL=RESULT,…", text);
    all.push_back({function, call, result});
    rest += used + (rest[used] == ',');
  }
  return all;
}

static Omission omission() {
  Omission asked;
  const char *text = getenv("SLUICE_SIM_OMIT");
  if (!text)
    return asked;
  asked.counts = !strcmp(text, "count");
  for (Omissible kind : {Omissible::kBarrier, Omissible::kCopy, Omissible::kEdge,
                         Omissible::kQuestion, Omissible::kWait}) {
    unsigned long long number;
    int used = 0;
    std::string pattern = std::string(nameOf(kind)) + ":%llu%n";
    if (sscanf(text, pattern.c_str(), &number, &used) == 1 && !text[used] && number > 0) {
      asked.kind = kind;
      asked.number = number;
    }
  }
  if (!asked.counts && asked.kind == Omissible::kNothing)
    refuse("SLUICE_SIM_OMIT", "count or one of barrier:N, copy:N, edge:N, question:N and wait:N",
           text);
  return asked;
}

static int wantedDevices = 1;

Options optionsOfEnvironment() {
  Options options;
  options.devices = wantedDevices;
  options.seed = number("SLUICE_SIM_SEED", options.seed, UINT64_MAX);
  options.policy = policy(options.seed);
  options.memory = number("SLUICE_SIM_MEMORY", options.memory, uint64_t(1) << 40);
  options.devices = number("SLUICE_SIM_DEVICES", options.devices, 64);
  options.peers = number("SLUICE_SIM_PEERS", 1, 1);
  options.interpretsPtx = number("SLUICE_SIM_PTX", 0, 1);
  if (options.interpretsPtx)
    options.architecture = 100;
  options.architecture = number("SLUICE_SIM_ARCHITECTURE", options.architecture, 999);
  options.version = number("SLUICE_SIM_VERSION", options.version, 99990);
  options.omission = omission();
  options.grid = number("SLUICE_SIM_GRID", UINT32_MAX, UINT32_MAX);
  if (!options.grid)
    refuse("SLUICE_SIM_GRID", "a number above 0", "0");
  options.leaks = number("SLUICE_SIM_LEAKS", 0, 1);
  options.cublasLt = number("SLUICE_SIM_CUBLASLT", 0, 1);
  if (const char *folder = getenv("SLUICE_SIM_TWINS"))
    options.twins = folder;
  if (const char *file = getenv("SLUICE_SIM_STATISTICS"))
    options.statistics = file;
  if (const char *file = getenv("SLUICE_SIM_TRACE"))
    options.trace = file;
  options.failures = failures();
  return options;
}

extern "C" void sluice_sim_want_devices(int count) { wantedDevices = count; }

} // namespace sluice::rt::sim
