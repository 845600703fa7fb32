// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The nn dialect: what only neural nets have. Its definition and the bases of its ops.
#ifndef SLUICE_NN_BASE
#define SLUICE_NN_BASE

include "dialects/nd/NdBase.td"

def Nn_Dialect : Dialect {
  let name = "nn";
  let cppNamespace = "::sluice::nn";
  let summary = "what only neural nets have";
  let description = [{
    Convolutions and pools: ops that look at windows of images. Boxes that things were found in, and
    labels of sequences whose times are not known. What other ops express, such as batch norms, most
    losses and cells of recurrent nets, is made of those.

    An image has one to three *spatial* dims between a first dim, which tells images apart, and a
    last one, its *channels*. Along a spatial dim of size `n`, windows of `w` elements that are `d`
    apart (a *dilation*) reach over `r = (w - 1) d + 1` places, and begin every `s` places (a
    *stride*). `padding` says where the first one begins, and how many there are:

    - `"valid"`: all that lie within the image, `floor((n - r) / s) + 1`.
    - `"same"`: `ceil(n / s)`, over the image and as many places around it as that needs, of which
      the odd one is at the end.
    - `"explicit"`: all that lie within the image and the places that `pads` adds before and behind
      each spatial dim.
  }];
  let dependentDialects = ["::sluice::nd::NDDialect"];
  let extraClassDeclaration = [{
    // Lets each op family register itself in its own translation unit.
    template <typename... Ops> void addFamily() { addOperations<Ops...>(); }
  }];
}

// Several families say so.
def Nn_NoCode : ND_NoCode<"a kernel does it, which is as fast as code would be">;
class Nn_CardCode<string dims = "std::nullopt">
    : ND_CardCode<"a kernel does it, which is as fast as code would be", "{}", dims>;

class Nn_Op<string mnemonic, ND_Code how, Sluice_Gradient gradient, list<Trait> traits = []>
    : Sluice_Op<Nn_Dialect, mnemonic,
                !listconcat([Pure, HasKernel, Computes], how.traits, gradient.traits, traits)> {
  let fires = "when every operand has arrived.";
  let dead = "the results are dead when any operand is dead, and the kernel does not run.";
  let failures = "none.";
}

#endif
