// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What headers tell of a program: its signatures and variables, under identifiers.
#pragma once

#include "runtime/program/program_desc.h"

#include "llvm/ADT/StringRef.h"

#include <string>
#include <vector>

namespace sluice::emit {

struct InterfacePort {
  std::string name; // the graph's, or the caller's
  std::string id;
  rt::DType dtype;
  rt::Shape shape;
  bool isOfKnownSize() const { return shape.isComplete() && dtype != rt::DType::kString; }
};

struct InterfaceSignature {
  std::string name;
  std::string prefix;    // of C functions: "model", or "model_train" if it is not the one
  std::string className; // without namespaces
  std::vector<InterfacePort> feeds, fetches;
};

struct Interface {
  std::string name;      // what functions and types begin with
  std::string nameSpace; // of classes, "a::b"; empty: none
  std::string file;      // of headers, without extension
  std::string version;   // of the compiler
  std::vector<InterfaceSignature> signatures;
  std::vector<InterfacePort> variables;
};

// `file` is what the headers are called, without folder and extension; `cppClass`, if any, a name
// for the first signature's class.
Interface describeInterface(const rt::ProgramDesc &program, llvm::StringRef file,
                            llvm::StringRef cppClass);

// From now on the variable has the name that the user gives it. False if there is none of the old
// name.
bool nameVariable(Interface &interface, llvm::StringRef variable, llvm::StringRef name);

// The type of elements as sluice.h has it.
llvm::StringRef cType(rt::DType dtype);
// "f32[2,?]".
std::string portText(const InterfacePort &port);

// The headers.
std::string writeCHeader(const Interface &interface);
std::string writeCppHeader(const Interface &interface);

} // namespace sluice::emit
