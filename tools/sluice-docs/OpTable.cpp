// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// docs/reference/ops.md: every op with its faces, from the dialects and the table of kernels.
#include "dialects/interfaces/Faces.h"
#include "dialects/interfaces/KernelOps.h"
#include "dialects/interfaces/RegisterDialects.h"
#include "tools/sluice-docs/Pages.h"

#include "mlir/IR/Dialect.h"
#include "mlir/IR/MLIRContext.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringMap.h"
#include "llvm/ADT/StringSet.h"
#include "llvm/Support/raw_ostream.h"

using namespace mlir;

namespace {

constexpr const char *kNoOutputs = "it gives tokens only";

// Kernels without a shape rule, with the reason why there can be none.
const std::pair<const char *, const char *> noShapeRule[] = {
    {"array.read", "the element's shape is that of what was written"},
    {"array.stack_close", kNoOutputs},
    {"array.stack_pop", "the value's shape is that of what was pushed"},
    {"state.accumulator_apply", kNoOutputs},
    {"state.accumulator_apply_rows", kNoOutputs},
    {"state.accumulator_set_step", kNoOutputs},
    {"state.accumulator_take", "the shape is that of what was added"},
    {"state.accumulator_take_rows", "the sizes are those of what was added"},
    {"state.apply_adam", kNoOutputs},
    {"state.apply_gradient_descent", kNoOutputs},
    {"state.apply_momentum", kNoOutputs},
    {"state.assert", kNoOutputs},
    {"state.check_numbers", kNoOutputs},
    {"state.check_points", kNoOutputs},
    {"state.check_range", kNoOutputs},
    {"state.assign", kNoOutputs},
    {"state.assign_add", kNoOutputs},
    {"state.assign_sub", kNoOutputs},
    {"state.barrier_close", kNoOutputs},
    {"state.barrier_insert", kNoOutputs},
    {"state.barrier_take", "the shapes are those of what was inserted"},
    {"state.dequeue", "the shapes are those of what was put in"},
    {"state.dequeue_many", "the shapes are those of what was put in"},
    {"state.enqueue", kNoOutputs},
    {"state.give", kNoOutputs},
    {"state.merge_checkpoints", kNoOutputs},
    {"state.mutex_release", kNoOutputs},
    {"state.print", kNoOutputs},
    {"state.print_text", kNoOutputs},
    {"state.queue_close", kNoOutputs},
    {"state.read", "the shape is that of what was assigned"},
    {"state.save_tensors", kNoOutputs},
    {"state.scatter_add", kNoOutputs},
    {"state.scatter_div", kNoOutputs},
    {"state.scatter_max", kNoOutputs},
    {"state.scatter_min", kNoOutputs},
    {"state.scatter_mul", kNoOutputs},
    {"state.scatter_sub", kNoOutputs},
    {"state.scatter_update", kNoOutputs},
    {"state.stage_clear", kNoOutputs},
    {"state.stage_peek", "the shapes are those of what was staged"},
    {"state.stage_put", kNoOutputs},
    {"state.stage_put_at", kNoOutputs},
    {"state.stage_take", "the shapes are those of what was staged"},
    {"state.stage_take_at", "the shapes are those of what was staged"},
    {"state.stage_take_least", "the shapes are those of what was staged"},
    {"state.take", "the shapes are those of what was assigned"},
    {"state.table_export", "the sizes are those of the table"},
    {"state.table_find", "the shape of a value is the table's"},
    {"state.table_import", kNoOutputs},
    {"state.table_insert", kNoOutputs},
    {"state.table_load", kNoOutputs},
    {"state.table_remove", kNoOutputs},
    {"state.update_points", kNoOutputs},
    {"state.update_rows", kNoOutputs},
    {"state.reader_await", kNoOutputs},
    {"state.reader_reset", kNoOutputs},
    {"state.reader_restore", kNoOutputs},
    {"state.write_file", kNoOutputs},
};

// Ops that no kernel runs, by name or by dialect.
const std::pair<const char *, const char *> noKernel[] = {
    {"nd.constant", "it is a value and computes nothing"},
    {"list", "it works on a cell of compiled code"},
    {"state.variable", "it is a declaration"},
    {"state.generator", "it is a declaration"},
    {"state.object", "it is a declaration"},
    {"flow", "it steers tokens; executor and interpreter do that themselves"},
    {"wire", "it moves tokens between ranks; the executor does that itself"},
    {"exe", "it is a row of a program's tables"},
};

template <size_t N>
StringRef reasonIn(const std::pair<const char *, const char *> (&table)[N], StringRef name) {
  for (auto [key, reason] : table)
    if (name == key || name.split('.').first == key)
      return reason;
  return {};
}

// What all kernels of one op have in common.
struct Faces {
  bool hasShapeRule = true;
  bool anyType = false;
  sluice::rt::KernelKey key = sluice::rt::KernelKey::kAny;
  SmallVector<sluice::rt::DType> types;
};

llvm::StringMap<Faces> facesOfKernels() {
  llvm::StringMap<Faces> faces;
  for (const sluice::rt::KernelEntry &entry : sluice::rt::allKernels()) {
    Faces &op = faces[StringRef(entry.op.data(), entry.op.size())];
    op.hasShapeRule &= entry.kernel->shape != nullptr;
    op.anyType |= entry.dtype == sluice::rt::DType::kInvalid;
    op.key = entry.key;
    if (entry.dtype != sluice::rt::DType::kInvalid)
      op.types.push_back(entry.dtype);
  }
  return faces;
}

// Sets of element types that mostly come together.
struct TypeGroup {
  const char *name;
  bool (*contains)(sluice::rt::DType);
  size_t size;
};
const TypeGroup typeGroups[] = {
    {"floats", sluice::rt::isFloat, 4},
    {"integers", sluice::rt::isInt, 8},
    {"complex", sluice::rt::isComplex, 2},
};

// "floats, i32, i64"
std::string nameTypes(ArrayRef<sluice::rt::DType> types) {
  SmallVector<std::string> names;
  for (sluice::rt::DType dtype : types) {
    std::string name(sluice::rt::dtypeName(dtype));
    for (const TypeGroup &group : typeGroups)
      if (group.contains(dtype) && size_t(llvm::count_if(types, group.contains)) == group.size)
        name = group.name;
    if (names.empty() || names.back() != name)
      names.push_back(name);
  }
  return llvm::join(names, ", ");
}

std::string describeTypes(const Faces &faces) {
  if (faces.anyType)
    return "any";
  std::string types = nameTypes(faces.types);
  switch (faces.key) {
  case sluice::rt::KernelKey::kInput1:
    return types + " (second operand)";
  case sluice::rt::KernelKey::kOutput0:
    return types + " (result)";
  default:
    return types;
  }
}

// How compiled code treats the op, by its faces.
std::string describeCode(RegisteredOperationName op) {
  if (StringRef reason = sluice::reasonAgainstCode(op); !reason.empty())
    return (op.hasTrait<sluice::HasCardCode>() ? "on cards only: " : "none: ") + reason.str();
  if (!op.hasTrait<sluice::HasCode>())
    return "";
  SmallVector<StringRef> words;
  auto add = [&](bool holds, StringRef word) {
    if (holds)
      words.push_back(word);
  };
  add(op.hasTrait<sluice::OfElements>(), "element by element");
  add(op.hasTrait<sluice::OfReduction>(), "reduction");
  add(op.hasTrait<sluice::RepeatsElements>(), "repeats elements");
  add(op.hasTrait<sluice::MovesElements>() && !op.hasTrait<sluice::RepeatsElements>(),
      "moves elements");
  add(words.empty(), "lowering of its own");
  add(op.hasTrait<sluice::ViewsOperand>(), "a view of its operand");
  add(op.hasTrait<sluice::LooksAtIndices>(), "looks at indices");
  add(op.hasTrait<sluice::NeedsStraightLine>(), "not in loops");
  std::string limit;
  if (op.hasTrait<sluice::HasCodeLimit>())
    limit = ("only " + op.getInterface<sluice::CodeOp>()->getCodeLimit()).str();
  add(!limit.empty(), limit);
  return llvm::join(words, ", ");
}

// What becomes of derivatives at the op, by its faces.
std::string describeDerivative(RegisteredOperationName op) {
  if (StringRef reason = sluice::reasonAgainstGradient(op); !reason.empty())
    return "none: " + reason.str();
  return op.hasInterface<sluice::Differentiable>() ? "has" : "";
}

class OpTable {
public:
  explicit OpTable(raw_ostream &out) : out_(out), faces_(facesOfKernels()) {}

  LogicalResult print(MLIRContext &context) {
    SmallVector<RegisteredOperationName> ops(context.getRegisteredOperations());
    llvm::sort(ops, [](auto a, auto b) { return a.getStringRef() < b.getStringRef(); });
    // In the order in which a graph meets them.
    for (StringRef dialect : {"flow", "nd", "nn", "sci", "array", "list", "state", "wire", "exe"}) {
      out_ << "\n## " << dialect
           << "\n\n| op | shape rule | kernel for | compiled code | derivative |\n"
              "|---|---|---|---|---|\n";
      for (RegisteredOperationName op : ops)
        if (op.getDialectNamespace() == dialect)
          printRow(op);
    }
    for (RegisteredOperationName op : ops)
      if (!seen_.contains(op.getStringRef()) && op.getDialectNamespace() != "builtin")
        fault(op.getStringRef(), "expected its dialect among those of this page");
    for (auto &entry : faces_)
      if (!seen_.contains(entry.getKey()))
        fault(entry.getKey(), "has a kernel but no definition");
    return success(!failed_);
  }

private:
  void fault(StringRef op, const Twine &what) {
    llvm::errs() << "error: " << op << ": " << what << "\n";
    failed_ = true;
  }

  void printRow(RegisteredOperationName op) {
    StringRef name = op.getStringRef();
    std::string anchor = name.str();
    llvm::erase(anchor, '.');
    out_ << "| [" << name << "](dialects/" << name.split('.').first << ".md#" << anchor << ") | ";
    if (sluice::isKernelOp(op))
      printFaces(name);
    else
      printReason(name);
    out_ << " | " << describeCode(op) << " | " << describeDerivative(op) << " |\n";
    seen_.insert(name);
  }

  void printReason(StringRef name) {
    StringRef reason = reasonIn(noKernel, name);
    if (reason.empty())
      fault(name, "expected a reason why no kernel runs it, in noKernel of this page");
    out_ << "none: " << reason << " | none";
  }

  void printFaces(StringRef name) {
    auto it = faces_.find(name);
    if (it == faces_.end())
      return fault(name, "expected a kernel but found none in runtime/kernels/kernels.def");
    const Faces &faces = it->second;
    StringRef reason = reasonIn(noShapeRule, name);
    if (!faces.hasShapeRule && reason.empty())
      fault(name, "expected a shape rule, or a reason in noShapeRule of this page");
    if (faces.hasShapeRule && !reason.empty())
      fault(name, "has a shape rule, so noShapeRule of this page is wrong");
    out_ << (faces.hasShapeRule ? "has" : "none: " + reason.str()) << " | " << describeTypes(faces);
  }

  raw_ostream &out_;
  llvm::StringMap<Faces> faces_;
  llvm::StringSet<> seen_;
  bool failed_ = false;
};

} // namespace

LogicalResult sluice::docs::printOpTable(raw_ostream &out) {
  out << "# All ops and their faces\n\n"
         "Generated from the dialects and the table of kernels (`runtime/kernels/kernels.def`). "
         "What the\n"
         "faces are tells [the op contract](../rationale/op-contract.md); what an op means tells "
         "its\n"
         "record, which is linked. The plain kernel runs everywhere: in executables, in the "
         "reference\n"
         "interpreter and in constant folding. It is listed with the element types of the first "
         "operand,\n"
         "unless it says otherwise; floats are f16, bf16, f32 and f64, integers i8 to i64 and u8 "
         "to u64,\n"
         "complex c64 and c128. *Compiled code* tells what codelets and native loops make of an "
         "op.\n\n"
         "*Derivative* tells whether one flows back through the op. Where it is empty, nobody asks "
         "the op:\n"
         "[differentiation](../rationale/differentiation.md) tells how derivatives pass branches, "
         "loops and\n"
         "variables, and what ends in an error.\n";
  DialectRegistry registry;
  registerDialects(registry);
  MLIRContext context(registry, MLIRContext::Threading::DISABLED);
  context.loadAllAvailableDialects();
  return OpTable(out).print(context);
}
