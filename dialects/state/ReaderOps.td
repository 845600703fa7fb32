// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Ops of the state dialect on readers, which take names of files from queues and give what is in the
// files record by record.
#ifndef SLUICE_STATE_READER_OPS
#define SLUICE_STATE_READER_OPS

include "dialects/state/StateBase.td"

def State_ReaderHandleOp : State_ObjectHandleOp<"reader_handle", State_Reader, (ins StrAttr:$form, I64Attr:$skipped_lines, I64Attr:$header_bytes, I64Attr:$record_bytes, I64Attr:$footer_bytes, I64Attr:$hop_bytes, StrAttr:$compression)> {
  let summary = "handle of a reader";
  let semantics = [{The reader `object` itself. `form` says what a record is, and its key: with "names" the name of the file, for both; with "whole" the file, under its name. All others have the name of the file, a colon and a number as key. With "lines" a record is a line, without its end, after `skipped_lines` others; the number is that of the line, from 1 on. With "fixed" it is `record_bytes` bytes; the first one begins behind `header_bytes`, each other one `hop_bytes` behind the one before, or `record_bytes` if that is 0, and none goes into the last `footer_bytes`; the number counts from 0 on. With "records" it is a record of a TFRecord file; the number is the offset where it begins. `compression` is "", "ZLIB" or "GZIP"; numbers are those of the bytes before they were compressed.}];
  let failures = "INVALID_ARGUMENT when the reader has been made with other attributes, or one of them is negative or `record_bytes` is 0 where it counts.";
  let constraints = [{C1. `object` names a `state.object` of the kind "reader". C2. `form` is one of "names", "whole", "lines", "fixed", "records". C3. `compression` is "", "ZLIB" or "GZIP".}];
  let example = [{%r, %t = state.reader_handle {object = @r, form = "lines", skipped_lines = 1 : i64, header_bytes = 0 : i64, record_bytes = 0 : i64, footer_bytes = 0 : i64, hop_bytes = 0 : i64, compression = "", name = "r"} : () -> (!state.object<"reader">, !flow.token)}];
  let hasVerifier = 1;
}

def State_ReaderAwaitOp : State_WaitingOp<"reader_await"> {
  let summary = "wait until a reader has a file";
  let semantics = [{Done once the reader has a file under way, or the name of the next one, which it takes from the queue. If `count` is 0 nothing is waited for. Of several that wait one takes a name, and all go on when it is there.}];
  let failures = "INVALID_ARGUMENT when the elements of the queue are no strings, or `count` is negative or no scalar; OUT_OF_RANGE when the queue is closed and has no element.";
  let constraints = [{C1. `reader` is the handle of a reader. C2. `queue` is the handle of a queue. C3. `count` holds i64.}];
  let example = [{%t = state.reader_await %r, %q, %n : (!state.object<"reader">, !state.object<"queue">, tensor<i64>) -> !flow.token}];
  let arguments = (ins State_Reader:$reader, State_Queue:$queue, ND_I64:$count, Variadic<Flow_Token>:$after);
  let results = (outs Flow_Token:$done);
}

def State_ReaderReadOp : State_Op<"reader_read"> {
  let summary = "records of a reader's file";
  let semantics = [{Up to `count` records of the file that is under way; if none is, of the one whose name the reader has been given. `found` is false when there are none although some are wanted: the file has come to its end, or there is none. A file whose end was not reached stays under way, also after an error.}];
  let failures = "INVALID_ARGUMENT when `count` is negative or no scalar, or what the queue gave is no name; NOT_FOUND, PERMISSION_DENIED, FAILED_PRECONDITION or UNAVAILABLE when the system refuses; OUT_OF_RANGE when a file is shorter than its header; DATA_LOSS when a checksum is wrong, a record has been cut off, or what was compressed is damaged; UNIMPLEMENTED for names of other file systems; RESOURCE_EXHAUSTED when memory does not suffice.";
  let constraints = [{C1. `reader` is the handle of a reader. C2. `count` holds i64. C3. `found` holds i1. C4. `keys` and `values` hold strings.}];
  let example = [{%f, %k, %v, %t = state.reader_read %r, %n : (!state.object<"reader">, tensor<i64>) -> (tensor<i1>, tensor<?x!nd.string>, tensor<?x!nd.string>, !flow.token)}];
  let arguments = (ins State_Reader:$reader, ND_I64:$count, Variadic<Flow_Token>:$after);
  let results = (outs ND_Bool:$found, ND_Text:$keys, ND_Text:$values, Flow_Token:$done);
}

def State_ReaderCountOp : State_Op<"reader_count", [OnlyReads]> {
  let summary = "how much a reader has read";
  let semantics = [{How many records the reader has given, or with `what` "files" how many files it has read to their ends.}];
  let failures = "none.";
  let constraints = [{C1. `reader` is the handle of a reader. C2. `what` is "records" or "files". C3. `number` holds i64.}];
  let example = [{%n, %t = state.reader_count %r {what = "files"} : (!state.object<"reader">) -> (tensor<i64>, !flow.token)}];
  let arguments = (ins State_Reader:$reader, StrAttr:$what, Variadic<Flow_Token>:$after);
  let results = (outs ND_I64:$number, Flow_Token:$done);
  let hasVerifier = 1;
}

def State_ReaderSaveOp : State_Op<"reader_save", [OnlyReads]> {
  let summary = "state of a reader as a string";
  let semantics = [{A string that `state.reader_restore` understands, as TensorFlow writes it.}];
  let failures = "UNIMPLEMENTED unless the form is \"names\" or \"whole\".";
  let constraints = [{C1. `reader` is the handle of a reader. C2. `text` holds strings.}];
  let example = [{%s, %t = state.reader_save %r : (!state.object<"reader">) -> (tensor<!nd.string>, !flow.token)}];
  let arguments = (ins State_Reader:$reader, Variadic<Flow_Token>:$after);
  let results = (outs ND_Text:$text, Flow_Token:$done);
}

def State_ReaderRestoreOp : State_Op<"reader_restore"> {
  let summary = "give a reader a state";
  let semantics = [{The reader is as another one was when `state.reader_save` gave `text`.}];
  let failures = "INVALID_ARGUMENT when `text` is no scalar or no such string, UNIMPLEMENTED unless the form is \"names\" or \"whole\"; the reader is then as after `state.reader_reset`.";
  let constraints = [{C1. `reader` is the handle of a reader. C2. `text` holds strings.}];
  let example = [{%t = state.reader_restore %r, %s : (!state.object<"reader">, tensor<!nd.string>) -> !flow.token}];
  let arguments = (ins State_Reader:$reader, ND_Text:$text, Variadic<Flow_Token>:$after);
  let results = (outs Flow_Token:$done);
}

def State_ReaderResetOp : State_Op<"reader_reset"> {
  let summary = "let a reader begin again";
  let semantics = [{The reader forgets the file that is under way and what it has counted.}];
  let failures = "none.";
  let constraints = [{C1. `reader` is the handle of a reader.}];
  let example = [{%t = state.reader_reset %r : (!state.object<"reader">) -> !flow.token}];
  let arguments = (ins State_Reader:$reader, Variadic<Flow_Token>:$after);
  let results = (outs Flow_Token:$done);
}

#endif
