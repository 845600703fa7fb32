// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Chooses identifiers. Two tensors may differ in what identifiers cannot have, and one may be
// called what is made of the other: "x" has "arg_x_size", which "x_size" would have, too.
#include "compiler/emit/library/Interface.h"

#include "compiler/emit/library/Identifiers.h"

#include "llvm/ADT/STLExtras.h"

using namespace llvm;

namespace sluice::emit {

// What is made of a tensor's part in C, after the signature's prefix, and in C++, within the class.
static constexpr StringRef kFeedNames[] = {"_arg_$",        "_arg_$_count",    "_set_arg_$",
                                           "::arg_$",       "::arg_$_data",    "::arg_$_size",
                                           "::arg_$_count", "::set_arg_$_data"};
static constexpr StringRef kFetchNames[] = {"_result_$",       "_result_$_count",
                                            "::result_$",      "::result_$_data",
                                            "::result_$_size", "::result_$_count"};
static constexpr StringRef kVariableNames[] = {"_var_$",       "::var_$",       "::var_$_data",
                                               "::var_$_size", "::var_$_count", "::set_var_$_data"};

namespace {

class Describer {
public:
  Describer(const rt::ProgramDesc &program, StringRef file, StringRef cppClass) {
    result_.file = file.str();
    result_.name = identifier(file);
    result_.version = program.version;
    auto [outer, last] = cppClass.rsplit("::");
    result_.nameSpace = last.empty() ? "" : outer.str();
    class_ = !last.empty() ? last.str() : !outer.empty() ? outer.str() : className(file);
  }

  Interface describe(const rt::ProgramDesc &program) {
    for (StringRef function :
         {"_sluice_library", "_model_create", "_context_create", "_context_free", "_call",
          "_call_create", "_call_free", "_run", "_cancel"})
      (void)taken_.take(result_.name, {("$" + function).str()});
    for (const rt::ResourceDesc &resource : program.resources)
      if (resource.kind == rt::ResourceKind::kVariable && resource.dtype != rt::DType::kHandle)
        result_.variables.push_back(
            describe(resource.key, resource.dtype, resource.shape, result_.name, kVariableNames));
    const size_t standard = standardSignature(program.signatures);
    if (standard < program.signatures.size())
      add(program.signatures[standard], result_.name, class_);
    for (auto [i, signature] : enumerate(program.signatures))
      if (!signature.initializes && i != standard)
        addFurther(signature);
    return std::move(result_);
  }

private:
  static size_t standardSignature(ArrayRef<rt::SignatureDesc> signatures);

  InterfacePort describe(StringRef name, rt::DType dtype, const rt::Shape &shape, StringRef prefix,
                         ArrayRef<StringRef> patterns) {
    SmallVector<std::string> whole;
    for (StringRef pattern : patterns)
      whole.push_back((prefix + pattern).str());
    SmallVector<StringRef> references(whole.begin(), whole.end());
    return {name.str(), taken_.take(identifierPart(name), references), dtype, shape};
  }

  void addFurther(const rt::SignatureDesc &signature) {
    const std::string begin = result_.name + "_$";
    const std::string whole[] = {begin + "_call", begin + "_call_create", begin + "_call_free",
                                 begin + "_run", begin + "_cancel"};
    SmallVector<StringRef> references(std::begin(whole), std::end(whole));
    std::string part = taken_.take(identifierPart(signature.name), references);
    add(signature, result_.name + "_" + part, class_ + "_" + part);
  }

  void add(const rt::SignatureDesc &signature, const std::string &prefix, std::string name) {
    InterfaceSignature described{signature.name, prefix, std::move(name), {}, {}};
    for (const rt::PortDesc &port : signature.feeds)
      described.feeds.push_back(describe(port.name, port.dtype, port.shape, prefix, kFeedNames));
    for (const rt::PortDesc &port : signature.fetches)
      described.fetches.push_back(describe(port.name, port.dtype, port.shape, prefix, kFetchNames));
    result_.signatures.push_back(std::move(described));
  }

  Interface result_;
  std::string class_;
  TakenIdentifiers taken_;
};

} // namespace

// As executables choose it.
size_t Describer::standardSignature(ArrayRef<rt::SignatureDesc> signatures) {
  for (StringRef name : {"main", "serving_default"})
    for (auto [i, signature] : enumerate(signatures))
      if (!signature.initializes && signature.name == name)
        return i;
  for (auto [i, signature] : enumerate(signatures))
    if (!signature.initializes)
      return i;
  return signatures.size();
}

Interface describeInterface(const rt::ProgramDesc &program, StringRef file, StringRef cppClass) {
  return Describer(program, file, cppClass).describe(program);
}

bool nameVariable(Interface &interface, StringRef variable, StringRef name) {
  auto found = find_if(interface.variables,
                       [&](const InterfacePort &port) { return port.name == variable; });
  if (found == interface.variables.end())
    return false;
  if (name.empty())
    return true;
  TakenIdentifiers others;
  for (const InterfacePort &other : interface.variables)
    if (&other != &*found)
      (void)others.take(other.id, kVariableNames);
  found->id = others.take(identifierPart(name), kVariableNames);
  return true;
}

StringRef cType(rt::DType dtype) {
  switch (dtype) {
  case rt::DType::kF16:
  case rt::DType::kBF16:
  case rt::DType::kU16:
    return "uint16_t";
  case rt::DType::kF32:
    return "float";
  case rt::DType::kF64:
    return "double";
  case rt::DType::kI8:
    return "int8_t";
  case rt::DType::kI16:
    return "int16_t";
  case rt::DType::kI32:
    return "int32_t";
  case rt::DType::kI64:
    return "int64_t";
  case rt::DType::kU8:
    return "uint8_t";
  case rt::DType::kU32:
    return "uint32_t";
  case rt::DType::kU64:
    return "uint64_t";
  case rt::DType::kBool:
    return "bool";
  case rt::DType::kC64:
    return "sluice_complex64";
  case rt::DType::kC128:
    return "sluice_complex128";
  default:
    return "sluice_string";
  }
}

std::string portText(const InterfacePort &port) {
  return "'" + port.name + "' " + std::string(rt::dtypeName(port.dtype)) + port.shape.toString();
}

} // namespace sluice::emit
