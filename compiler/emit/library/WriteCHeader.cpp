// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The header for C: functions with the types of the graph, all inline and thin over sluice.h.
#include "compiler/emit/library/HeaderText.h"

using namespace llvm;

namespace sluice::emit {

namespace {

class CHeader {
public:
  CHeader(const Interface &interface) : interface_(interface), out_(text_) {}

  std::string write() {
    const std::string guard = guardName(interface_, "_H");
    out_ << "/* Made by " << commentText(interface_.version) << ": do not edit. */\n"
         << "/* Calls of the model in lib" << commentText(interface_.file)
         << ", by the names and types "
         << "of its graph. */\n"
         << "#ifndef " << guard << "\n#define " << guard << "\n\n#include <stdbool.h>\n\n"
         << "/* The interface of all models begins here. */\n"
         << kSluiceHeader << "/* It ends here. */\n\n"
         << "#ifdef __cplusplus\nextern \"C\" {\n#endif\n\n";
    writeModel();
    writeVariables();
    for (const InterfaceSignature &signature : interface_.signatures)
      writeSignature(signature);
    out_ << "#ifdef __cplusplus\n}\n#endif\n\n#endif\n";
    return std::move(text_);
  }

private:
  void writeModel() {
    const std::string &name = interface_.name;
    out_ << "/* For those who link with the library. */\n"
         << "sluice_code " << name
         << "_sluice_library(uint32_t version, const sluice_library **library,\n"
         << "    sluice_error *error);\n\n"
         << "/* A new instance, in a context or, without one, in its own. */\n"
         << "static inline sluice_code " << name << "_model_create(sluice_context *context,\n"
         << "    sluice_model **model, sluice_error *error) {\n"
         << "  const sluice_library *library;\n"
         << "  sluice_code code = " << name
         << "_sluice_library(SLUICE_API_VERSION, &library, error);\n"
         << "  *model = NULL;\n"
         << "  return code ? code : sluice_model_create(library, context, NULL, model, "
            "error);\n}\n\n"
         << "/* What models share. Options may be null. */\n"
         << "static inline sluice_code " << name << "_context_create(\n"
         << "    const sluice_context_options *options, sluice_context **context,\n"
         << "    sluice_error *error) {\n"
         << "  const sluice_library *library;\n"
         << "  sluice_code code = " << name
         << "_sluice_library(SLUICE_API_VERSION, &library, error);\n"
         << "  *context = NULL;\n"
         << "  return code ? code : sluice_context_create(library, options, context, error);\n}\n\n"
         << "static inline void " << name << "_context_free(sluice_context *context) {\n"
         << "  const sluice_library *library;\n"
         << "  if (" << name
         << "_sluice_library(SLUICE_API_VERSION, &library, NULL) == SLUICE_OK)\n"
         << "    sluice_context_free(library, context);\n}\n\n";
  }

  void writeVariables() {
    if (interface_.variables.empty())
      return;
    out_ << "/* For sluice_model_read and sluice_model_write. */\nenum {\n";
    for (size_t i = 0; i < interface_.variables.size(); ++i) {
      const InterfacePort &variable = interface_.variables[i];
      out_ << "  /* " << commentText(portText(variable)) << " */\n  " << interface_.name << "_var_"
           << variable.id << " = " << i << (i + 1 < interface_.variables.size() ? ",\n" : "\n");
    }
    out_ << "};\n\n";
  }

  void writeSignature(const InterfaceSignature &signature) {
    const std::string &prefix = signature.prefix, type = prefix + "_call";
    out_ << "/* Calls of signature '" << commentText(signature.name)
         << "'. Feeds: " << portListText(signature.feeds)
         << ". Fetches: " << portListText(signature.fetches) << ". */\n"
         << "typedef struct " << type << " {\n  sluice_call *call;\n} " << type << ";\n\n"
         << "static inline sluice_code " << type << "_create(sluice_model *model, " << type
         << " *call,\n    sluice_error *error) {\n"
         << "  const sluice_library *library;\n"
         << "  sluice_code code = " << interface_.name
         << "_sluice_library(SLUICE_API_VERSION, &library, error);\n"
         << "  call->call = NULL;\n"
         << "  code = code ? code : sluice_model_check(model, library, error);\n"
         << "  if (code)\n    return code;\n"
         << "  return sluice_call_create(model,\n      sluice_find_signature(library->program, "
         << stringLiteral(signature.name) << "),\n      &call->call, error);\n}\n\n"
         << "static inline void " << type << "_free(" << type
         << " call) { sluice_call_free(call.call); }\n\n"
         << "static inline sluice_code " << prefix << "_run(" << type
         << " call, double seconds, sluice_error *error) {\n"
         << "  return sluice_call_run(call.call, seconds, error);\n}\n\n"
         << "static inline void " << prefix << "_cancel(" << type
         << " call) { sluice_call_cancel(call.call); }\n\n";
    for (size_t i = 0; i < signature.feeds.size(); ++i)
      writeFeed(signature, signature.feeds[i], i);
    for (size_t i = 0; i < signature.fetches.size(); ++i)
      writeFetch(signature, signature.fetches[i], i);
  }

  static std::string dimsList(const rt::Shape &shape) {
    std::string list;
    for (int64_t dim : shape.dims())
      list += (list.empty() ? "" : ", ") + std::to_string(dim);
    return list.empty() ? "1" : list; // an array has one element at least
  }

  void writeSize(const std::string &name, const InterfacePort &port) {
    if (port.shape.isComplete() && port.shape.elements() <= INT32_MAX)
      out_ << "enum { " << name << "_count = " << port.shape.elements() << " };\n";
  }

  void writeFeed(const InterfaceSignature &signature, const InterfacePort &port, size_t index) {
    const std::string name = signature.prefix + "_arg_" + port.id;
    const bool hasRank = port.shape.hasRank(), known = port.shape.isComplete();
    const char *dims = known     ? ""
                       : hasRank ? " const int64_t *dims,"
                                 : " const int64_t *dims, int32_t rank,";
    out_ << "/* Feed " << commentText(portText(port))
         << ": elements that each run reads, where they are. */\n";
    writeSize(name, port);
    out_ << "static inline sluice_code " << signature.prefix << "_set_arg_" << port.id << "(\n    "
         << signature.prefix << "_call call, const " << cType(port.dtype) << " *data," << dims
         << " sluice_error *error) {\n";
    if (known)
      out_ << "  static const int64_t dims[] = {" << dimsList(port.shape) << "};\n";
    out_ << "  sluice_tensor value;\n";
    if (!known)
      out_ << "  int32_t i;\n";
    out_ << "  value.dtype = " << static_cast<int>(port.dtype) + 1 << ";\n  value.rank = ";
    if (hasRank)
      out_ << port.shape.rank();
    else
      out_ << "rank";
    out_ << ";\n  value.dims = dims;\n  value.data = data;\n  value.bytes = sizeof(*data)";
    if (known)
      out_ << " * " << port.shape.elements() << "u;\n";
    else
      out_ << ";\n  for (i = 0; i < value.rank; ++i)\n"
           << "    value.bytes *= (size_t)dims[i];\n";
    out_ << "  return sluice_call_feed(call.call, " << index << ", &value, error);\n}\n\n";
    if (port.dtype == rt::DType::kString || !hasRank)
      return;
    out_ << "/* The same in memory of the call's; null if there is none. */\n"
         << "static inline " << cType(port.dtype) << " *" << name << "(" << signature.prefix
         << "_call call," << dims << " sluice_error *error) {\n  void *data;\n"
         << "  return sluice_call_feed_memory(call.call, " << index << ", "
         << (known ? "NULL" : "dims") << ", &data, error) == SLUICE_OK\n      ? ("
         << cType(port.dtype) << " *)data\n      : NULL;\n}\n\n";
  }

  void writeFetch(const InterfaceSignature &signature, const InterfacePort &port, size_t index) {
    const std::string name = signature.prefix + "_result_" + port.id;
    out_ << "/* Fetch " << commentText(portText(port))
         << " of the last run, and its dims if `value` is not null; null if that has failed. */\n";
    writeSize(name, port);
    out_ << "static inline const " << cType(port.dtype) << " *" << name << "(" << signature.prefix
         << "_call call, sluice_tensor *value) {\n  sluice_tensor own;\n"
         << "  value = value ? value : &own;\n"
         << "  return sluice_call_fetch(call.call, " << index << ", value, NULL) == SLUICE_OK\n"
         << "      ? (const " << cType(port.dtype) << " *)value->data\n      : NULL;\n}\n\n";
  }

  const Interface &interface_;
  std::string text_;
  raw_string_ostream out_;
};

} // namespace

std::string writeCHeader(const Interface &interface) { return CHeader(interface).write(); }

} // namespace sluice::emit
