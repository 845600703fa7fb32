// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// TensorFlow ops of the family "reader": readers of both versions, which differ in the type of the
// handle only.
//
// A file may turn out to have no records. So reading is a loop: a file is awaited and read, until
// there is a record.
#include "compiler/import/tensorflow/FunctionCalls.h"
#include "compiler/import/tensorflow/SharedObjects.h"
#include "compiler/import/tensorflow/SizeVectors.h"
#include "compiler/import/tensorflow/Texts.h"

using namespace mlir;

namespace sluice::import {

namespace {

// The attribute, if the op has it.
int64_t numberIn(Expansion &e, StringRef name) { return e.attribute(name) ? e.intAttr(name) : 0; }

void reader(Expansion &e, StringRef form, StringRef compressionAttribute) {
  std::string compression;
  if (!compressionAttribute.empty() && e.attribute(compressionAttribute))
    compression = e.stringAttr(compressionAttribute);
  if (!llvm::is_contained({"", "ZLIB", "GZIP"}, compression))
    return e.unsupported("attribute " + quoted(compressionAttribute.str()) +
                         ": expected '', 'ZLIB' or 'GZIP' but got " + quoted(compression));
  bool isFixed = form == "fixed";
  giveHandle<state::ReaderHandleOp>(
      e, "reader",
      {e.text("form", form.str()),
       e.number("skipped_lines", form == "lines" ? numberIn(e, "skip_header_lines") : 0),
       e.number("header_bytes", isFixed ? numberIn(e, "header_bytes") : 0),
       e.number("record_bytes", isFixed ? numberIn(e, "record_bytes") : 0),
       e.number("footer_bytes", isFixed ? numberIn(e, "footer_bytes") : 0),
       e.number("hop_bytes", isFixed ? numberIn(e, "hop_bytes") : 0),
       e.text("compression", compression)},
      /*nodeNameCounts=*/true);
}

void names(Expansion &e) { reader(e, "names", ""); }
void whole(Expansion &e) { reader(e, "whole", ""); }
void lines(Expansion &e) { reader(e, "lines", ""); }
void fixed(Expansion &e) { reader(e, "fixed", "encoding"); }
void records(Expansion &e) { reader(e, "records", "compression_type"); }

// ---- Reading

// The loop's keys and values.
flow::WhileOp readLoop(Expansion &e, Value count) {
  Type strings = unrankedOf(nd::StringType::get(e.builder().getContext()));
  SmallVector<Value> tokens = tokensOfCall(e);
  SmallVector<Value> none{e.gated(texts(e, {}), tokens), e.gated(texts(e, {}), tokens)};
  SmallVector<Value> captures{e.input(0), e.input(1), count};
  SmallVector<Type> carried{strings, strings}, types(carried);
  llvm::append_range(types, ValueRange(captures).getTypes());
  auto op = flow::WhileOp::create(e.builder(), e.loc(), carried, none, captures, e.name(),
                                  /*parallel_iterations=*/1);
  OpBuilder::InsertionGuard guard(e.builder());
  Block &before = beginRegion(e, op.getBefore(), types);
  Value handle = before.getArgument(2), wanted = before.getArgument(4);
  Value last = flow::AfterOp::create(e.builder(), e.loc(), e.tokenType(), before.getArgument(0));
  Value hasFile =
      e.make<state::ReaderAwaitOp>(e.tokenType(), {handle, before.getArgument(3), wanted, last})
          .getDone();
  Type flag = RankedTensorType::get({}, e.builder().getI1Type());
  auto read = e.make<state::ReaderReadOp>({flag, strings, strings, e.tokenType()},
                                          {handle, wanted, hasFile});
  Value again = e.like<nd::LogicalNotOp>(read.getFound());
  flow::ConditionOp::create(e.builder(), e.loc(), again,
                            ValueRange{read.getKeys(), read.getValues()});
  Block &body = beginRegion(e, op.getBody(), types);
  flow::YieldOp::create(e.builder(), e.loc(), body.getArguments().take_front(2));
  return op;
}

bool hasQueue(Expansion &e) {
  if (!hasObject(e, "reader"))
    return false;
  if (state::isObject(e.input(1).getType(), "queue"))
    return true;
  e.fail(ExitCode::kBadGraph, "input 1: expected the handle of a queue");
  return false;
}

void finish(Expansion &e, flow::WhileOp loop) {
  Value done = e.graph().joined(loop.getResults(), e.loc());
  e.done(done);
  e.graph().addEffect(done);
}

void readUpTo(Expansion &e) {
  if (!hasQueue(e))
    return;
  flow::WhileOp loop = readLoop(e, e.input(2));
  finish(e, loop);
  for (uint32_t i = 0; i < e.numResults(); ++i)
    e.result(i, loop.getResult(i));
}

void read(Expansion &e) {
  if (!hasQueue(e))
    return;
  flow::WhileOp loop = readLoop(e, e.scalar(e.builder().getI64Type(), 1));
  finish(e, loop);
  for (uint32_t i = 0; i < e.numResults(); ++i)
    e.result(i, e.like<nd::ReshapeOp>({loop.getResult(i), e.ints({})}));
}

// ---- Others

template <bool kOfFiles> void count(Expansion &e) {
  if (hasObject(e, "reader"))
    giveResults(e, e.effect<state::ReaderCountOp>(resultTypes(e), e.inputs(),
                                                  e.text("what", kOfFiles ? "files" : "records")));
}

template <typename OpT> void onReader(Expansion &e) {
  if (hasObject(e, "reader"))
    giveResults(e, e.effect<OpT>(resultTypes(e), e.inputs()));
}

constexpr llvm::StringLiteral kNames = "container shared_name";

constexpr OpExpansion kOps[] = {
    {"IdentityReader", names, Style::kEffect, kNames},
    {"IdentityReaderV2", names, Style::kEffect, kNames},
    {"WholeFileReader", whole, Style::kEffect, kNames},
    {"WholeFileReaderV2", whole, Style::kEffect, kNames},
    {"TextLineReader", lines, Style::kEffect, "container shared_name skip_header_lines"},
    {"TextLineReaderV2", lines, Style::kEffect, "container shared_name skip_header_lines"},
    {"FixedLengthRecordReader", fixed, Style::kEffect,
     "container shared_name header_bytes record_bytes footer_bytes hop_bytes"},
    {"FixedLengthRecordReaderV2", fixed, Style::kEffect,
     "container shared_name header_bytes record_bytes footer_bytes hop_bytes encoding"},
    {"TFRecordReader", records, Style::kEffect, "container shared_name compression_type"},
    {"TFRecordReaderV2", records, Style::kEffect, "container shared_name compression_type"},
    {"ReaderRead", read, Style::kEffect},
    {"ReaderReadV2", read, Style::kEffect},
    {"ReaderReadUpTo", readUpTo, Style::kEffect},
    {"ReaderReadUpToV2", readUpTo, Style::kEffect},
    {"ReaderNumRecordsProduced", count<false>, Style::kEffect},
    {"ReaderNumRecordsProducedV2", count<false>, Style::kEffect},
    {"ReaderNumWorkUnitsCompleted", count<true>, Style::kEffect},
    {"ReaderNumWorkUnitsCompletedV2", count<true>, Style::kEffect},
    {"ReaderSerializeState", onReader<state::ReaderSaveOp>, Style::kEffect},
    {"ReaderSerializeStateV2", onReader<state::ReaderSaveOp>, Style::kEffect},
    {"ReaderRestoreState", onReader<state::ReaderRestoreOp>, Style::kEffect},
    {"ReaderRestoreStateV2", onReader<state::ReaderRestoreOp>, Style::kEffect},
    {"ReaderReset", onReader<state::ReaderResetOp>, Style::kEffect},
    {"ReaderResetV2", onReader<state::ReaderResetOp>, Style::kEffect},
};

} // namespace

ArrayRef<OpExpansion> readerOps() { return kOps; }

} // namespace sluice::import
