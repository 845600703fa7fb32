// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The exe dialect: the program of one device, as it is serialized into an executable.
#ifndef SLUICE_EXE_BASE
#define SLUICE_EXE_BASE

include "dialects/interfaces/OpRecord.td"
include "mlir/IR/EnumAttr.td"
include "mlir/IR/AttrTypeBase.td"
include "mlir/IR/BuiltinAttributeInterfaces.td"
include "mlir/IR/RegionKindInterface.td"
include "mlir/IR/SymbolInterfaces.td"
include "mlir/Interfaces/SideEffectInterfaces.td"

def Exe_Dialect : Dialect {
  let name = "exe";
  let cppNamespace = "::sluice::exe";
  let summary = "the program of one device, one op for each table row";
  let description = [{
    One step above bytes: frames are numbered, every node names its kernel or its role, gates and
    joins have become control edges of the nodes that wait. What the ops say is what the tables
    in the executable hold (`docs/executable-format.md`).
  }];
}

#endif
