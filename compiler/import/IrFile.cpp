// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Checks before and after MLIR's parser.
#include "compiler/import/IrFile.h"

#include "compiler/import/ChildTrial.h"
#include "compiler/import/FileContent.h"
#include "compiler/import/ForeignFormat.h"
#include "compiler/import/IrContainer.h"
#include "compiler/import/IrScan.h"
#include "dialects/interfaces/Faces.h"

#include "mlir/IR/AttrTypeSubElements.h"
#include "mlir/IR/BuiltinTypes.h"
#include "mlir/IR/Diagnostics.h"
#include "mlir/IR/Verifier.h"
#include "mlir/Parser/Parser.h"

#include <cerrno>
#include <cstring>

using namespace mlir;

namespace sluice::import {

static std::string positionText(const std::string &path, StringRef text, size_t offset) {
  StringRef before = text.take_front(offset);
  size_t line = before.count('\n') + 1;
  size_t lineStart = before.rfind('\n') == StringRef::npos ? 0 : before.rfind('\n') + 1;
  return path + ":" + std::to_string(line) + ":" + std::to_string(offset - lineStart + 1);
}

std::optional<StringRef> checkIrBytes(const std::string &path, StringRef bytes,
                                      const Limits &limits, DiagnosticList &diagnostics) {
  if (std::string foreign = foreignIr(bytes); !foreign.empty()) {
    diagnostics.error(ExitCode::kBadGraph, {path, "", ""},
                      "is no IR of Sluice" + looksLike(foreign));
    return std::nullopt;
  }
  if (looksLikeBytecode(bytes)) {
    llvm::Expected<StringRef> bytecode = unwrapBytecode(bytes);
    if (bytecode)
      return *bytecode;
    diagnostics.error(ExitCode::kBadGraph, {path, "", ""}, llvm::toString(bytecode.takeError()));
    return std::nullopt;
  }
  if (auto problem = scanIr(bytes, limits)) {
    diagnostics.error(ExitCode::kBadGraph, {positionText(path, bytes, problem->offset), "", ""},
                      problem->message);
    return std::nullopt;
  }
  return bytes;
}

// What is wrong with a type that the parser accepts; empty when nothing is.
static std::string problemOfType(Type type, const Limits &limits) {
  auto shaped = dyn_cast<ShapedType>(type);
  if (!shaped || !shaped.hasRank())
    return "";
  auto rank = static_cast<uint64_t>(shaped.getRank());
  if (!limits.allows(LimitId::kRank, rank))
    return limits.excess(LimitId::kRank, "dims", rank);
  int64_t elements = 1;
  for (int64_t dim : shaped.getShape())
    if (dim > 0 && __builtin_mul_overflow(elements, dim, &elements))
      return "the product of the dims overflows 64 bits";
  return "";
}

// Ops on cells and boxes are in no graph: nothing checks the order in which they stand.
static bool isOfSluice(Operation *op) {
  static constexpr StringRef kDialects[] = {"builtin", "flow", "nd",    "nn",   "sci",
                                            "array",   "list", "state", "wire", "exe"};
  return llvm::is_contained(kDialects, op->getName().getDialectNamespace()) &&
         !op->hasTrait<UsesCell>() && !op->hasTrait<UsesBox>();
}

static LogicalResult checkModule(ModuleOp module, const Limits &limits) {
  Operation *at = module;
  AttrTypeWalker types;
  types.addWalk([&](Type type) {
    std::string problem = problemOfType(type, limits);
    if (problem.empty())
      return WalkResult::advance();
    std::string text;
    llvm::raw_string_ostream(text) << type;
    at->emitError() << problem << ", in the type " << quoted(text);
    return WalkResult::interrupt();
  });
  auto isGood = [&](auto things) {
    return llvm::none_of(things, [&](auto thing) { return types.walk(thing).wasInterrupted(); });
  };
  WalkResult result = module.walk<WalkOrder::PreOrder>([&](Operation *op) {
    at = op;
    if (!isOfSluice(op)) {
      op->emitError("expected ops of flow, nd, nn, sci, array, list, state, wire and exe but got '")
          << op->getName() << "'";
      return WalkResult::interrupt();
    }
    bool good =
        isGood(op->getResultTypes()) && !types.walk(op->getAttrDictionary()).wasInterrupted();
    for (Region &region : op->getRegions())
      for (Block &block : region)
        good = good && isGood(block.getArgumentTypes());
    return good ? WalkResult::advance() : WalkResult::interrupt();
  });
  return failure(result.wasInterrupted());
}

OwningOpRef<ModuleOp> readIr(MLIRContext &context, const std::string &path, const Limits &limits,
                             DiagnosticList &diagnostics) {
  auto content = readRegularFile(path, limits, LimitId::kFileBytes, diagnostics);
  return content ? parseIr(context, path, *content, limits, diagnostics) : nullptr;
}

static OwningOpRef<ModuleOp> parse(MLIRContext &context, const std::string &path, StringRef bytes) {
  ParserConfig config(&context, /*verifyAfterParse=*/false);
  return parseSourceString<ModuleOp>(bytes, config, path);
}

bool parsesHere(MLIRContext &context, const std::string &path, StringRef bytes,
                const Limits &limits) {
  OwningOpRef<ModuleOp> module = parse(context, path, bytes);
  return module && succeeded(checkModule(*module, limits)) && succeeded(verify(*module));
}

bool survivesParsing(MLIRContext &context, const std::string &path,
                     llvm::function_ref<bool()> parse, DiagnosticList &diagnostics) {
  bool hasError = false;
  ScopedDiagnosticHandler listener(&context, [&](mlir::Diagnostic &diagnostic) {
    hasError |= diagnostic.getSeverity() == DiagnosticSeverity::Error;
    return failure(); // others print it
  });
  TrialOutcome outcome = tryInChild(context, parse);
  if (outcome == TrialOutcome::kNoProcess)
    diagnostics.error(ExitCode::kOutOfMemory, {path, "", ""},
                      std::string("cannot start a process in which to parse IR: ") +
                          std::strerror(errno));
  else if (outcome != TrialOutcome::kGood && !hasError)
    diagnostics.error(ExitCode::kBadGraph, {path, "", ""},
                      "expected IR but got what MLIR's parser cannot read to its end");
  return outcome == TrialOutcome::kGood;
}

OwningOpRef<ModuleOp> parseIr(MLIRContext &context, const std::string &path, StringRef content,
                              const Limits &limits, DiagnosticList &diagnostics) {
  auto bytes = checkIrBytes(path, content, limits, diagnostics);
  auto tryIt = [&] { return parsesHere(context, path, *bytes, limits); };
  // What went well there, verifying included, goes well here.
  return bytes && survivesParsing(context, path, tryIt, diagnostics) ? parse(context, path, *bytes)
                                                                     : nullptr;
}

} // namespace sluice::import
