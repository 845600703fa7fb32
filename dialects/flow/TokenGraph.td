// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The interface of ops whose region is a graph of tokens.
#ifndef SLUICE_FLOW_TOKEN_GRAPH
#define SLUICE_FLOW_TOKEN_GRAPH

include "mlir/IR/OpBase.td"

def Flow_TokenGraph : OpInterface<"TokenGraph"> {
  let cppNamespace = "::sluice::flow";
  let description = [{
    A graph of tokens with one root frame: what analyses and passes of graphs work on. It is a signature
    (`flow.graph`) or a function (`flow.func`).
  }];
  let methods = [
    InterfaceMethod<"The region, which has one block and is a graph region.",
                    "::mlir::Region &", "getBody">,
    InterfaceMethod<"The name of the signature or function.", "::llvm::StringRef", "getSymName">];
}

#endif
