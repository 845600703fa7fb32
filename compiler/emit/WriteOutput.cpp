// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Streams say what is wrong with them only when asked, and end the program if they were not.
#include "compiler/emit/WriteOutput.h"

#include "compiler/emit/PendingOutput.h"

#include "llvm/ADT/Twine.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/raw_ostream.h"

using namespace llvm;

namespace sluice::emit {

static bool isDevice(StringRef path) {
  sys::fs::file_status status;
  return !sys::fs::status(path, status) && status.type() == sys::fs::file_type::character_file;
}

static FileFailure writeTo(raw_fd_ostream &stream, StringRef bytes, const Twine &name) {
  if (!stream.has_error())
    stream << bytes;
  stream.flush();
  if (!stream.has_error())
    return std::nullopt;
  std::string failure = ("cannot write to " + name + ": " + stream.error().message()).str();
  stream.clear_error(); // told by us
  return failure;
}

static rt::Status writeFile(StringRef bytes, StringRef path) {
  SLUICE_ASSIGN_OR_RETURN(PendingOutput output, PendingOutput::create(path));
  SLUICE_RETURN_IF_ERROR(output.write(bytes));
  return output.moveIntoPlace();
}

FileFailure writeOutput(StringRef bytes, StringRef path) {
  if (path == "-")
    return writeTo(outs(), bytes, "standard output");
  if (!isDevice(path)) {
    rt::Status status = writeFile(bytes, path);
    return status.ok() ? std::nullopt : FileFailure(status.message());
  }
  std::error_code error;
  raw_fd_ostream device(path, error);
  if (error)
    return ("cannot write to '" + path + "': " + error.message()).str();
  return writeTo(device, bytes, "'" + path + "'");
}

} // namespace sluice::emit
