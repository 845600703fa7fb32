// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The wire dialect: what crosses between ranks.
#ifndef SLUICE_WIRE_BASE
#define SLUICE_WIRE_BASE

include "dialects/flow/FlowBase.td"
include "mlir/IR/AttrTypeBase.td"

def Wire_Dialect : Dialect {
  let name = "wire";
  let cppNamespace = "::sluice::wire";
  let summary = "values that cross from one rank to another";
  let description = [{
    A cluster is a list of devices; a device's position in it is its *rank*. Where a value is
    produced on one rank and used on another, the partition phase puts a `wire.send` on the one
    side and a `wire.recv` on the other. The two have the same `edge`, a number that is unique in a
    signature.

    Attributes that other ops may carry:

    | attribute | on | says |
    |---|---|---|
    | `wire.requested` | any op | the device string of the graph's node |
    | `wire.colocate` | any op | a name that stands for all nodes that share a device with this one |
    | `wire.steering` | `flow.cond`, `flow.while` | the former two of its primitives: by role (`enters`, `headers`, `backs`, `invariants`, `switches`, `exits`, `pivot`; `on_true`, `on_false`, `merges`), for each init, capture or result |
    | `wire.device` | any op | the rank that the op runs on |
    | `wire.devices` | a module | name and address of each device, by rank, and its `target` if it has one: `cpu`, or `cpu:` and the CPU that its code is for |
    | `wire.rank` | a module | the rank that the module is the program of |
    | `wire.frames` | `flow.graph` | paths of all frames of the signature, on whatever rank, parents first; a frame's number between ranks is its position + 1, the root's is 0 |
  }];
  let dependentDialects = ["::sluice::flow::FlowDialect"];
  let hasOperationAttrVerify = 1;
  let useDefaultAttributePrinterParser = 1;
}

def Wire_MemoryAttr : AttrDef<Wire_Dialect, "Memory"> {
  let mnemonic = "memory";
  let summary = "the memory of a card";
  let description = [{
    As the encoding of a tensor type: the value lies in the memory of the card with this number, of
    those that the rank has beside its host. A tensor without it lies in the memory of the host.
    `tensor<4x8xf32, #wire.memory<0>>` is on the first card.
  }];
  let parameters = (ins "unsigned":$card);
  let assemblyFormat = "`<` $card `>`";
}

// References and handles mean something to the rank that made them only.
def Wire_Sendable
    : AnyTypeOf<[AnyTensor, AnyUnrankedTensor, Flow_Token], "tensor or control token">;
def Wire_Number : ConfinedAttr<I64Attr, [IntNonNegative]>;

#endif
