// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Reading of signature files.
#include "tools/sluicec/SignatureFile.h"

#include "llvm/Support/JSON.h"
#include "llvm/Support/MemoryBuffer.h"

using namespace llvm;

namespace sluice::import {
static bool fromJSON(const json::Value &value, SignatureRequest &request, json::Path path) {
  json::ObjectMapper map(value, path);
  return map && map.map("name", request.name) && map.mapOptional("feeds", request.feeds) &&
         map.mapOptional("fetches", request.fetches) && map.mapOptional("targets", request.targets);
}
} // namespace sluice::import

namespace sluice {

Expected<std::vector<import::SignatureRequest>> readSignatureFile(StringRef path) {
  auto file = MemoryBuffer::getFile(path, /*IsText=*/true);
  if (!file)
    return createStringError(file.getError(), "cannot read '%s': %s", path.str().c_str(),
                             file.getError().message().c_str());
  auto value = json::parse((*file)->getBuffer());
  if (!value)
    return createStringError("'%s' is no JSON: %s", path.str().c_str(),
                             toString(value.takeError()).c_str());
  std::vector<import::SignatureRequest> requests;
  json::Path::Root root("signature file");
  json::ObjectMapper map(*value, root);
  if (!map || !map.map("signatures", requests))
    return createStringError("'%s': %s", path.str().c_str(), toString(root.getError()).c_str());
  return requests;
}

} // namespace sluice
