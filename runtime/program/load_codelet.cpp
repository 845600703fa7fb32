// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Loading of codelets: operands become numbers of values, and each result learns its last reader.
#include "runtime/program/load_codelet.h"

#include <algorithm>

namespace sluice::rt {

namespace {

// Stands in for code that there is not: leaves everything to the members.
int32_t bail(SluiceCodeletCall *) { return kSluiceBail; }
constexpr SluiceCodelet kOnlyMembers = {bail,    bail, 0,       nullptr, 0,
                                        nullptr, 0,    nullptr, nullptr, nullptr};

class CodeletLoader {
public:
  CodeletLoader(RowReader &reader, const Program::Tables &tables, const Signature &signature,
                AttrStorage &attrs)
      : r_(reader), tables_(tables), signature_(signature), attrs_(attrs) {}

  Result<Codelet> load() {
    uint32_t code = r_.u32();
    c_.numInputs = r_.u32();
    c_.floatOps = r_.u32();
    c_.work = static_cast<uint64_t>(r_.i64());
    c_.memory = r_.u32();
    c_.stream = r_.u32();
    r_.list([&] { readMember(); });
    r_.list([&] { readOutput(); });
    readBoxes();
    r_.list([&] { c_.errorMembers.push_back(r_.text()); });
    r_.list([&] { c_.errorReasons.push_back(r_.text()); });
    bool hasCode = code != CodeletDesc::kNoCode;
    if (r_.failed() || (hasCode ? code >= tables_.codelets.size() : c_.members.empty()))
      return damagedImage();
    c_.code = hasCode ? tables_.codelets[code] : &kOnlyMembers;
    numberValues();
    if (!consistent_ || !outputsFit())
      return damagedImage();
    releaseAfterLastUse();
    c_.small = isSmall();
    return std::move(c_);
  }

private:
  void readMember() {
    CodeletMember m;
    m.name = r_.text();
    uint32_t kernel = r_.u32();
    memberInputs_.push_back(r_.operands());
    m.attrs = r_.attrs(attrs_);
    r_.list([&] { m.outputTypes.push_back(r_.dtype()); });
    m.kernel = pureKernel(kernel);
    c_.members.push_back(std::move(m));
  }

  void readOutput() {
    CodeletOutput o;
    o.dtype = r_.dtype();
    o.shape = r_.shape();
    outputValues_.push_back(r_.operand());
    o.box = r_.u32();
    o.memory = r_.u32();
    consistent_ &= o.memory == kHostMemory || o.memory == c_.memory;
    c_.outputs.push_back(std::move(o));
  }

  void readBoxes() {
    c_.numBoxes = r_.u32();
    r_.list([&] { readCall(); });
    for (const CodeletOutput &o : c_.outputs)
      consistent_ &= o.box == CodeletOutput::kNoBox || o.box < c_.numBoxes;
  }

  void readCall() {
    CodeletCall call;
    uint32_t kernel = r_.u32();
    for (OperandDesc o : r_.operands()) {
      bool isConstant = o.node == OperandDesc::kConstant;
      bool exists = o.port < (isConstant ? signature_.constants.size() : c_.numBoxes);
      consistent_ &= exists;
      call.inputs.push_back(
          {isConstant && exists ? &signature_.constants[o.port] : nullptr, o.port});
    }
    call.attrs = r_.attrs(attrs_);
    r_.list([&] { call.outputTypes.push_back(r_.dtype()); });
    r_.list([&] { call.results.push_back(r_.u32()); });
    consistent_ &= call.results.size() == call.outputTypes.size();
    for (uint32_t box : call.results)
      consistent_ &= box < c_.numBoxes;
    call.kernel = pureKernel(kernel);
    c_.calls.push_back(std::move(call));
  }

  const Kernel *pureKernel(uint32_t position) {
    bool isKnown = position < tables_.kernels.size();
    consistent_ &= isKnown && !(tables_.kernels[position]->flags & Kernel::kStateful);
    return isKnown ? tables_.kernels[position] : nullptr;
  }

  // Constants come before results, so all of them are collected first.
  void numberValues() {
    for (const auto &operands : memberInputs_)
      for (OperandDesc o : operands)
        addConstant(o);
    for (OperandDesc o : outputValues_)
      addConstant(o);
    for (size_t k = 0; k < c_.members.size(); ++k) {
      CodeletMember &m = c_.members[k];
      m.firstResult = firstResult() + c_.numResults;
      for (OperandDesc o : memberInputs_[k])
        m.inputs.push_back(valueOf(o, k));
      c_.numResults += static_cast<uint32_t>(m.outputTypes.size());
    }
    if (!c_.members.empty())
      for (size_t i = 0; i < c_.outputs.size(); ++i)
        c_.outputs[i].value = valueOf(outputValues_[i], c_.members.size());
  }

  uint32_t firstResult() const { return c_.numInputs + static_cast<uint32_t>(c_.constants.size()); }

  void addConstant(OperandDesc o) {
    if (o.node != OperandDesc::kConstant)
      return;
    if (o.port < signature_.constants.size())
      c_.constants.push_back(&signature_.constants[o.port]);
    else
      consistent_ = false;
  }

  uint32_t valueOf(OperandDesc o, size_t membersBefore) {
    if (o.node == OperandDesc::kConstant)
      return c_.numInputs + nextConstant_++; // they are met in the same order again
    if (o.node == 0 && o.port < c_.numInputs)
      return o.port;
    if (o.node && o.node <= membersBefore && o.port < c_.members[o.node - 1].outputTypes.size())
      return c_.members[o.node - 1].firstResult + o.port;
    consistent_ = false;
    return 0;
  }

  // Code without `sizes` relies on the image for shapes; other code still has to know ranks.
  bool outputsFit() {
    if (c_.code == &kOnlyMembers)
      return true;
    for (CodeletOutput &o : c_.outputs) {
      bool isList = o.dtype == DType::kHandle && c_.code->numCells > 0;
      if (isList || o.box != CodeletOutput::kNoBox)
        continue;
      if (!isPlain(o.dtype) || o.shape.rank() < 0 || o.shape.rank() > kSluiceMaxRank)
        return false;
      if (o.shape.isComplete())
        o.bytes = static_cast<size_t>(o.shape.elements()) * sizeOf(o.dtype);
      else if (!c_.code->sizes)
        return false;
    }
    return true;
  }

  // Outputs of a codelet without members name no values.
  void releaseAfterLastUse() {
    if (c_.members.empty())
      return;
    std::vector<bool> needed(c_.numResults, false);
    auto use = [&](uint32_t value) {
      if (value < firstResult() || needed[value - firstResult()])
        return false;
      needed[value - firstResult()] = true;
      return true;
    };
    for (const CodeletOutput &o : c_.outputs)
      use(o.value);
    for (size_t k = c_.members.size(); k-- > 0;)
      for (uint32_t value : c_.members[k].inputs)
        if (use(value))
          c_.members[k].released.push_back(value);
  }

  bool isSmall() const {
    return c_.memory == kHostMemory && !c_.code->sizes && c_.code->numCells == 0 &&
           c_.numBoxes == 0 && c_.numInputs <= Codelet::kFewInputs &&
           c_.outputs.size() <= Codelet::kFewOutputs &&
           std::all_of(c_.outputs.begin(), c_.outputs.end(),
                       [](const CodeletOutput &o) { return o.bytes <= Tensor::kInlineBytes; });
  }

  RowReader &r_;
  const Program::Tables &tables_;
  const Signature &signature_;
  AttrStorage &attrs_;
  Codelet c_;
  std::vector<std::vector<OperandDesc>> memberInputs_;
  std::vector<OperandDesc> outputValues_;
  uint32_t nextConstant_ = 0;
  bool consistent_ = true;
};

} // namespace

Result<Codelet> loadCodelet(RowReader &reader, const Program::Tables &tables,
                            const Signature &signature, AttrStorage &attrs) {
  return CodeletLoader(reader, tables, signature, attrs).load();
}

} // namespace sluice::rt
