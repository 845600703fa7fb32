// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What the environment asks of the simulated driver.
//
//   SLUICE_SIM_SEED=7          draws every order that a real device leaves open; 1 without it
//   SLUICE_SIM_POLICY=lazy     when streams run: lazy, eager or random; the seed draws else
//   SLUICE_SIM_MEMORY=67108864 bytes of a device; 1 GiB without it
//   SLUICE_SIM_DEVICES=1       how many there are; without it as many as a program that carries the
//                              simulator has code for
//   SLUICE_SIM_PEERS=0         they do not reach each other's memory directly
//   SLUICE_SIM_ARCHITECTURE=90 the device's sm_ number
//   SLUICE_SIM_VERSION=13000   the driver's
//   SLUICE_SIM_TWINS=FOLDER    where twins of images are, as HASH.so
//   SLUICE_SIM_PTX=1           PTX is interpreted, twins are not looked for, cubins are refused;
//                              the device is sm_100 then, whose PTX all programs have
//   SLUICE_SIM_STATISTICS=FILE a line is appended when a context goes: what was interpreted
//   SLUICE_SIM_TRACE=FILE      what streams do, as trace.h says
//   SLUICE_SIM_FAIL=cuMemAllocAsync:3=2,…   the third call of that function answers 2
//   SLUICE_SIM_OMIT=barrier:3  the third barrier is left out; or copy:N, edge:N, question:N or
//                              wait:N; a line says what that is. `count`: nothing is left out,
//                              and there is a line for everything that could be
//   SLUICE_SIM_GRID=1          no kernel gets more blocks than that, so that they go on in strides
//   SLUICE_SIM_LEAKS=1         memory that is left when the context goes is reported
//   SLUICE_SIM_CUBLASLT=1      there is a library for products, a fake that computes
#pragma once

#include "runtime/sim/omissions.h"

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

namespace sluice::rt::sim {

// Lazy: nothing runs before somebody waits for it, and then only what that needs. Eager: all that
// can run has run when a call returns. Random: each call runs some of it.
enum class Policy { kLazy, kEager, kRandom };

struct InjectedFailure {
  std::string function;
  uint64_t call;
  int result;
};

struct Options {
  uint64_t seed = 1;
  Policy policy = Policy::kRandom;
  size_t memory = size_t(1) << 30;
  int devices = 1;
  bool peers = true;
  int architecture = 90;
  int version = 13000;
  uint32_t grid = UINT32_MAX; // most blocks
  Omission omission;
  bool leaks = false;
  bool cublasLt = false;
  bool interpretsPtx = false;
  std::string twins;
  std::string statistics;
  std::string trace;
  std::vector<InjectedFailure> failures;
};

// Ends the process where a value cannot be read: a test that asks for something must get it.
Options optionsOfEnvironment();

// Where the environment does not say it. Before anything else is called.
extern "C" void sluice_sim_want_devices(int count);

} // namespace sluice::rt::sim
