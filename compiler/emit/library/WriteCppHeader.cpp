// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The header for C++: a class for each signature, with the functions of those that tfcompile makes.
#include "compiler/emit/library/HeaderText.h"

using namespace llvm;

namespace sluice::emit {

namespace {

class CppHeader {
public:
  CppHeader(const Interface &interface) : interface_(interface), out_(text_) {}

  std::string write() {
    const std::string guard = guardName(interface_, "_HPP");
    out_ << "// Made by " << commentText(interface_.version) << ": do not edit.\n"
         << "// Classes of the model in lib" << commentText(interface_.file) << ".\n"
         << "#ifndef " << guard << "\n#define " << guard << "\n\n#include \"" << interface_.file
         << ".h\"\n\n// What all classes have in common begins here.\n"
         << kSluiceCppHeader << "// It ends here.\n\n";
    if (!interface_.nameSpace.empty())
      out_ << openNamespaces();
    for (const InterfaceSignature &signature : interface_.signatures)
      writeClass(signature);
    if (!interface_.nameSpace.empty())
      out_ << closeNamespaces();
    out_ << "#endif\n";
    return std::move(text_);
  }

private:
  // Also for C++11, which has no a::b there.
  std::string openNamespaces() const {
    SmallVector<StringRef> parts;
    StringRef(interface_.nameSpace).split(parts, "::");
    std::string text;
    for (StringRef part : parts)
      text += ("namespace " + part + " {\n").str();
    return text + "\n";
  }
  std::string closeNamespaces() const {
    return std::string(StringRef(interface_.nameSpace).count("::") + 1, '}') + "\n\n";
  }

  void writeClass(const InterfaceSignature &signature) {
    const std::string &name = signature.className;
    out_ << "// Signature '" << commentText(signature.name)
         << "': " << portListText(signature.feeds) << " gives " << portListText(signature.fetches)
         << ".\n"
         << "class " << name << " final : public ::sluice::CompiledFunction {\npublic:\n"
         << "  static constexpr size_t kNumArgs = " << signature.feeds.size()
         << ", kNumResults = " << signature.fetches.size()
         << ", kNumVariables = " << interface_.variables.size() << ";\n\n"
         << "  // A model of its own.\n  explicit " << name
         << "(AllocMode mode = AllocMode::ARGS_VARIABLES_RESULTS_PROFILES_AND_TEMPS)\n      : "
         << name << "(nullptr, nullptr, mode) {}\n"
         << "  // The same in a context.\n  explicit " << name
         << "(sluice_context *context, AllocMode mode =\n"
         << "      AllocMode::ARGS_VARIABLES_RESULTS_PROFILES_AND_TEMPS)\n      : " << name
         << "(context, nullptr, mode) {}\n"
         << "  // That of others, whose state it shares and who outlive it.\n  explicit " << name
         << "(sluice_model *model, AllocMode mode =\n"
         << "      AllocMode::ARGS_VARIABLES_RESULTS_PROFILES_AND_TEMPS)\n      : " << name
         << "(nullptr, model, mode) {}\n\n";
    for (size_t i = 0; i < signature.feeds.size(); ++i)
      writeFeed(signature.feeds[i], i);
    for (size_t i = 0; i < signature.fetches.size(); ++i)
      writeFetch(signature.fetches[i], i);
    for (size_t i = 0; i < interface_.variables.size(); ++i)
      writeVariable(interface_.variables[i], i);
    out_ << "private:\n  " << name
         << "(sluice_context *context, sluice_model *model, AllocMode mode)\n"
         << "      : CompiledFunction(" << interface_.name << "_sluice_library, context, model, "
         << stringLiteral(signature.name) << ", mode) {}\n};\n\n";
  }

  // "size_t dim0, size_t dim1".
  static std::string parameters(int rank) {
    std::string text;
    for (int i = 0; i < rank; ++i)
      text += (i ? ", size_t dim" : "size_t dim") + std::to_string(i);
    return text;
  }
  // The row-major position.
  static std::string position(const rt::Shape &shape) {
    std::string text = shape.rank() ? "dim0" : "0";
    for (int i = 1; i < shape.rank(); ++i)
      text = "(" + text + ") * " + std::to_string(shape.dim(i)) + " + dim" + std::to_string(i);
    return text;
  }

  // Functions for the elements at `pointer`, an expression.
  void writeAccess(const std::string &name, const std::string &pointer, const InterfacePort &port) {
    const std::string type = cType(port.dtype).str();
    for (const char *constness : {"", " const"}) {
      const std::string element = (constness[0] ? "const " : "") + type;
      out_ << "  " << element << " *" << name << "_data()" << constness << " { return static_cast<"
           << element << " *>(" << pointer << "); }\n";
      if (port.shape.isComplete())
        out_ << "  " << element << " &" << name << "(" << parameters(port.shape.rank()) << ")"
             << constness << " { return " << name << "_data()[" << position(port.shape) << "]; }\n";
    }
    if (port.shape.isComplete())
      out_ << "  static constexpr size_t " << name << "_count() { return " << port.shape.elements()
           << "u; }\n"
           << "  static constexpr size_t " << name << "_size() { return " << port.shape.elements()
           << "u * sizeof(" << type << "); }\n";
  }

  void writeFeed(const InterfacePort &port, size_t index) {
    out_ << "  // Argument " << index << ": " << commentText(portText(port)) << "\n";
    const std::string number = std::to_string(index);
    for (const std::string &name : {"arg" + number, "arg_" + port.id}) {
      if (port.shape.isComplete())
        out_ << "  void set_" << name << "_data(const void *data) { (void)set_arg_data(" << number
             << ", data); }\n";
      else if (port.shape.hasRank())
        out_ << "  bool set_" << name << "_data(const void *data, const int64_t *dims) {\n"
             << "    return set_arg_data(" << number << ", data, dims, " << port.shape.rank()
             << ");\n  }\n";
      else
        out_ << "  bool set_" << name
             << "_data(const void *data, const int64_t *dims, int rank) {\n"
             << "    return set_arg_data(" << number << ", data, dims, rank);\n  }\n";
      if (port.dtype != rt::DType::kString)
        writeAccess(name, "arg_data(" + number + ")", port);
    }
    out_ << "\n";
  }

  void writeFetch(const InterfacePort &port, size_t index) {
    out_ << "  // Result " << index << ": " << commentText(portText(port)) << "\n";
    const std::string number = std::to_string(index);
    for (const std::string &name : {"result" + number, "result_" + port.id}) {
      writeAccess(name, "result_data(" + number + ")", port);
      if (!port.shape.isComplete())
        out_ << "  sluice_tensor " << name << "() const { return result(" << number << "); }\n";
    }
    out_ << "\n";
  }

  void writeVariable(const InterfacePort &port, size_t index) {
    if (!port.isOfKnownSize())
      return;
    const std::string number = std::to_string(index), name = "var_" + port.id;
    out_ << "  // Variable " << commentText(portText(port))
         << ": its elements before and after each Run.\n"
         << "  void set_" << name << "_data(" << cType(port.dtype)
         << " *data) { (void)bindVariable(" << number << ", data); }\n";
    writeAccess(name, "variableData(" + number + ")", port);
    out_ << "\n";
  }

  const Interface &interface_;
  std::string text_;
  raw_string_ostream out_;
};

} // namespace

std::string writeCppHeader(const Interface &interface) { return CppHeader(interface).write(); }

} // namespace sluice::emit
