// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Ops of the state dialect that read and write checkpoints on the machine where they fire.
#ifndef SLUICE_STATE_CHECKPOINT_OPS
#define SLUICE_STATE_CHECKPOINT_OPS

include "dialects/state/StateBase.td"

def State_SaveTensorsOp : State_Op<"save_tensors"> {
  let summary = "write tensors to a checkpoint";
  let semantics = [{Writes `tensors`, after which come tokens, under the `names`, as many as there are tensors. An element of `slices` that is not empty says that the tensor is a part of a larger one: the dims of the whole, then for each dim "-" or the first index, a comma, and how many, with colons between; "10 4 0,5:-" is its upper half. With `form` "bundle" an index file and a file of elements are written, whose names begin with `prefix`; with "table" one file of this name. All of it has been written when the op has fired, or nothing of the old files has changed.}];
  let failures = "INVALID_ARGUMENT when there is not one prefix, names and slices are not as many as the tensors, a name is there twice, or a slice is not of the shape of its tensor; INTERNAL when a slice goes beyond the dims that it names; UNIMPLEMENTED when elements cannot be written; NOT_FOUND, PERMISSION_DENIED or UNAVAILABLE when the system refuses.";
  let constraints = [{C1. `prefix`, `names` and `slices` hold strings. C2. `form` is "bundle" or "table". C3. `tensors` are tensors and, behind them, tokens.}];
  let example = [{%t = state.save_tensors %p, %n, %s, %x {form = "bundle"} : (tensor<!nd.string>, tensor<1x!nd.string>, tensor<1x!nd.string>, tensor<2xf32>) -> !flow.token}];
  let arguments = (ins ND_Text:$prefix, ND_Text:$names, ND_Text:$slices, Variadic<AnyType>:$tensors, StrAttr:$form);
  let results = (outs Flow_Token:$done);
  let hasVerifier = 1;
}

def State_RestoreTensorsOp : State_Op<"restore_tensors"> {
  let summary = "read tensors from a checkpoint";
  let semantics = [{The tensors of the `names`, one for each result that is a tensor; or that part of one which an element of `slices` asks for, written as in `state.save_tensors`. With `form` "any" the checkpoint is an index file and files of elements whose names begin with `prefix`, or if there is no such index, one of tables; with "table" only the latter: all files that match `prefix`, in which `*`, `?` and brackets have their meaning. Checksums are compared.}];
  let failures = "INVALID_ARGUMENT when there is not one prefix, names and slices are not as many as the results, an element type is not that of the result, or a slice is not of the tensor or is not all there; INTERNAL when a slice goes beyond the dims that it names; NOT_FOUND when there is no such file or tensor; DATA_LOSS when a checksum is wrong; OUT_OF_RANGE when a file has been cut off.";
  let constraints = [{C1. `prefix`, `names` and `slices` hold strings. C2. `form` is "any" or "table".}];
  let example = [{%x, %t = state.restore_tensors %p, %n, %s {form = "any"} : (tensor<!nd.string>, tensor<1x!nd.string>, tensor<1x!nd.string>) -> (tensor<*xf32>, !flow.token)}];
  let arguments = (ins ND_Text:$prefix, ND_Text:$names, ND_Text:$slices, StrAttr:$form, Variadic<Flow_Token>:$after);
  let results = (outs Variadic<ND_Any>:$tensors, Flow_Token:$done);
  let hasVerifier = 1;
}

def State_MergeCheckpointsOp : State_Op<"merge_checkpoints"> {
  let summary = "make one checkpoint of several";
  let semantics = [{The bundles whose names begin with the `prefixes` become one whose names begin with `destination`: their files of elements are renamed, and one index takes the place of theirs. `delete_old_folders` removes folders that are empty then; `allow_missing_files` passes over prefixes that have no index.}];
  let failures = "INVALID_ARGUMENT when a tensor is in two of them, one has no index, none is left, `prefixes` is no vector, or there is not one `destination`; DATA_LOSS when an index is damaged.";
  let constraints = [{C1. `prefixes` and `destination` hold strings.}];
  let example = [{%t = state.merge_checkpoints %p, %d {delete_old_folders = true, allow_missing_files = false} : (tensor<2x!nd.string>, tensor<!nd.string>) -> !flow.token}];
  let arguments = (ins ND_Text:$prefixes, ND_Text:$destination, BoolAttr:$delete_old_folders, BoolAttr:$allow_missing_files, Variadic<Flow_Token>:$after);
  let results = (outs Flow_Token:$done);
}

#endif
