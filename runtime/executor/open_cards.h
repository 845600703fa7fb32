// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// How programs open their cards. The compiler gives a program the one that it needs, so that others
// carry no driver's interface.
#pragma once

#include "runtime/program/program.h"

namespace sluice::rt {

extern "C" {
// Cards of CUDA.
void sluice_open_cards(Program &program, const CardOptions &options, std::unique_ptr<Cards> &cards,
                       Status &status);
// The same on a driver within the program that simulates them.
void sluice_open_simulated_cards(Program &program, const CardOptions &options,
                                 std::unique_ptr<Cards> &cards, Status &status);
}

// With a driver that was found; `load` finds the library for products.
namespace cuda {
struct Driver;
struct CublasLt;
} // namespace cuda
Status openCards(const cuda::Driver &driver, Result<cuda::CublasLt> (*load)(), Program &program,
                 const CardOptions &options, std::unique_ptr<Cards> &cards);

} // namespace sluice::rt
