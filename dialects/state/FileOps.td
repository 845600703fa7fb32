// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Ops of the state dialect that read and write files on the machine where they fire.
#ifndef SLUICE_STATE_FILE_OPS
#define SLUICE_STATE_FILE_OPS

include "dialects/state/StateBase.td"

def State_ReadFileOp : State_Op<"read_file"> {
  let summary = "content of a file";
  let semantics = [{All bytes of the file `filename` at the moment of firing.}];
  let failures = "INVALID_ARGUMENT when `filename` is no scalar; NOT_FOUND, PERMISSION_DENIED or UNAVAILABLE when the system refuses; FAILED_PRECONDITION when it is no regular file; UNIMPLEMENTED when the name begins with the scheme of another file system; RESOURCE_EXHAUSTED when memory does not suffice.";
  let constraints = [{C1. `filename` and `content` hold strings.}];
  let example = [{%x, %t = state.read_file %f : (tensor<!nd.string>) -> (tensor<!nd.string>, !flow.token)}];
  let arguments = (ins ND_Text:$filename, Variadic<Flow_Token>:$after);
  let results = (outs ND_Text:$content, Flow_Token:$done);
}

def State_WriteFileOp : State_Op<"write_file"> {
  let summary = "replace a file";
  let semantics = [{The file `filename` has the bytes `content` when the op has fired. Folders that it is in are made. Nobody sees a part of it.}];
  let failures = "INVALID_ARGUMENT when an operand is no scalar; NOT_FOUND, PERMISSION_DENIED or UNAVAILABLE when the system refuses; FAILED_PRECONDITION when there is something else than a regular file; UNIMPLEMENTED when the name begins with the scheme of another file system.";
  let constraints = [{C1. `filename` and `content` hold strings.}];
  let example = [{%t = state.write_file %f, %x : (tensor<!nd.string>, tensor<!nd.string>) -> !flow.token}];
  let arguments = (ins ND_Text:$filename, ND_Text:$content, Variadic<Flow_Token>:$after);
  let results = (outs Flow_Token:$done);
}

def State_MatchingFilesOp : State_Op<"matching_files"> {
  let summary = "names of files that match patterns";
  let semantics = [{The names of all files and folders that match one of the `patterns`, sorted by their bytes; a name is there once for each pattern that it matches. `*` and `?` stand for any characters and for one, brackets for one of a set, and a backslash takes the meaning from what follows; none of them stands for a slash. A pattern without any of them is the name of a file, which may be there.}];
  let failures = "INVALID_ARGUMENT when `patterns` is neither a scalar nor a vector; UNIMPLEMENTED when one begins with the scheme of another file system.";
  let constraints = [{C1. `patterns` and `filenames` hold strings.}];
  let example = [{%f, %t = state.matching_files %p : (tensor<!nd.string>) -> (tensor<?x!nd.string>, !flow.token)}];
  let arguments = (ins ND_Text:$patterns, Variadic<Flow_Token>:$after);
  let results = (outs ND_Text:$filenames, Flow_Token:$done);
}

#endif
