// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The sci dialect: what scientific libraries have. Its definition and the bases of its ops.
#ifndef SLUICE_SCI_BASE
#define SLUICE_SCI_BASE

include "dialects/nd/NdBase.td"

def Sci_Dialect : Dialect {
  let name = "sci";
  let cppNamespace = "::sluice::sci";
  let summary = "what scientific libraries have";
  let description = [{
    Special functions, bits, parts of complex numbers, linear algebra, Fourier transforms and random
    numbers: kernels that models use now and then, and that no code is made for.
  }];
  let dependentDialects = ["::sluice::nd::NDDialect"];
  let extraClassDeclaration = [{
    // Lets each op family register itself in its own translation unit.
    template <typename... Ops> void addFamily() { addOperations<Ops...>(); }
  }];
}

class Sci_Op<string mnemonic, ND_Code how, Sluice_Gradient gradient, list<Trait> traits = []>
    : Sluice_Op<Sci_Dialect, mnemonic,
                !listconcat([Pure, HasKernel, Computes], how.traits, gradient.traits, traits)> {
  let fires = "when every operand has arrived.";
  let dead = "the results are dead when any operand is dead, and the kernel does not run.";
  let failures = "none.";
}

#endif
