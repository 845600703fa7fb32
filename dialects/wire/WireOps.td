// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Ops of the wire dialect.
#ifndef SLUICE_WIRE_OPS
#define SLUICE_WIRE_OPS

include "dialects/wire/WireBase.td"

class Wire_Op<string mnemonic> : Sluice_Op<Wire_Dialect, mnemonic, [CrossesDevices]>;

def Wire_SendOp : Wire_Op<"send"> {
  let summary = "give a value to another rank";
  let semantics = [{Sends `value`, or that `value` is dead, to the `wire.recv` of the same `edge` on rank `to`. The
message carries the tag, so any number of iterations may be on their way.}];
  let fires = "when `value` has arrived, whatever it is.";
  let dead = "sent as a message that says so.";
  let failures = "those of the connection.";
  let constraints = [{C1. `value` is a tensor or a control token: references and handles do not leave their rank. C2. `edge` is not negative. C3. `to` is not negative.}];
  let example = [{wire.send %x {edge = 3 : i64, to = 1 : i64} : (tensor<f32>) -> ()}];
  let arguments = (ins Wire_Sendable:$value, Wire_Number:$edge, Wire_Number:$to);
}

def Wire_RecvOp : Wire_Op<"recv"> {
  let summary = "take a value from another rank";
  let semantics = [{The value that the `wire.send` of the same `edge` on rank `from` gave for the same tag. Takes exactly
one message for each tag for which it fires. The `gates` say for which tags that is.}];
  let fires = "when the message and all `gates` of its tag have arrived; in the root frame, without gates, once a call.";
  let dead = "dead gates do not matter: the result is dead when the message says so.";
  let failures = "those of the connection.";
  let constraints = [{C1. `gates` are control tokens. C2. `value` is a tensor or a control token. C3. `edge` is not negative. C4. `from` is not negative.}];
  let example = [{%x = wire.recv %t {edge = 3 : i64, from = 0 : i64} : (!flow.token) -> tensor<f32>}];
  let arguments = (ins Variadic<Flow_Token>:$gates, Wire_Number:$edge, Wire_Number:$from);
  let results = (outs Wire_Sendable:$value);
}

def CopiesBetweenMemories : Sluice_Face<"CopiesBetweenMemories">;

def Wire_CopyOp : Sluice_Op<Wire_Dialect, "copy", [CopiesBetweenMemories]> {
  let summary = "the same value in another memory of its rank";
  let semantics = [{`result` has the dims and elements of `value`; their types say in whose memory each lies: the host's, or
that of a card (`#wire.memory`). What is enqueued on a card goes on meanwhile. In a codelet that a card runs by itself it
is a load or a store there, of a single number.}];
  let fires = "when `value` has arrived.";
  let dead = "passed on.";
  let failures = "those of the device, and RESOURCE_EXHAUSTED where there is no room.";
  let constraints = [{C1. `value` and `result` are tensors of one rank, with the same dims as far as both know them, and of one element type. C2. They lie in different memories.}];
  let example = [{%y = wire.copy %x : (tensor<4xf32>) -> tensor<4xf32, #wire.memory<0>>}];
  let arguments = (ins AnyRankedTensor:$value);
  let results = (outs AnyRankedTensor:$result);
  let hasVerifier = 1;
}

#endif
