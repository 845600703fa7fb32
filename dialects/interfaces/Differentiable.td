// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The interface of ops that have a derivative.
#ifndef SLUICE_DIFFERENTIABLE
#define SLUICE_DIFFERENTIABLE

include "dialects/interfaces/Faces.td"

def DifferentiableInterface : OpInterface<"Differentiable"> {
  let cppNamespace = "::sluice";
  let description = [{
    An op that knows how what depends on its results depends on its operands. The derivative is built
    of ops that have derivatives themselves, so it can be differentiated again.
  }];
  let methods = [InterfaceMethod<[{Builds the derivatives with respect to those operands for which they are
    wanted, of those with respect to the results that are there (Gradient.h).}],
    "void", "buildGradient", (ins "::sluice::Gradient &":$gradient)>];
}

// What becomes of derivatives at an op. None can lack it: an op has a derivative, or says why not.
class Sluice_Gradient<list<Trait> faces> {
  list<Trait> traits = faces;
}
def HasGradient : Sluice_Gradient<[DeclareOpInterfaceMethods<DifferentiableInterface>]>;
class Sluice_NoGradientTrait<string reason>
    : Sluice_Face<"HasNoGradient", "static constexpr ::llvm::StringLiteral getReasonAgainstGradient() { return \""
                                   # reason # "\"; }">;
// Nothing flows back through the op: its derivative is zero wherever there is one. The reason is a
// clause after "because".
class NoGradient<string reason> : Sluice_Gradient<[Sluice_NoGradientTrait<reason>]>;

#endif
