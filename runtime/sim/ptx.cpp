// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Reads what PTX says of its kernels: parameters and the required block. Code is not looked at.
#include "runtime/sim/image_readers.h"
#include "runtime/sim/ptx_tokens.h"

#include <cstdlib>
#include <cstring>

namespace sluice::rt::sim {

// ".f32" is 4; 0 for what is no type.
static uint32_t bytesOfType(std::string_view word) {
  if (word.size() < 3 || word[0] != '.' || !strchr("bsuf", word[1]))
    return 0;
  uint32_t bits = atoi(std::string(word.substr(2)).c_str());
  return bits == 8 || bits == 16 || bits == 32 || bits == 64 || bits == 128 ? bits / 8 : 0;
}

// Behind the name of a kernel: `(.param .u64 .ptr .global .align 16 a, .param .align 8 .b8 b[16])`.
// Returns what comes behind that.
static std::string_view readParameters(PtxTokens &tokens, ImageKernel &kernel) {
  std::string_view token = tokens.next();
  if (token != "(")
    return token;
  uint32_t bytes = 0;
  for (token = tokens.next(); !token.empty() && token != ")"; token = tokens.next()) {
    if (uint32_t type = bytesOfType(token); type && !bytes)
      bytes = type;
    else if (token == "[")
      bytes *= atoi(std::string(tokens.next()).c_str());
    else if (token == ",") {
      kernel.parameterBytes.push_back(bytes);
      bytes = 0;
    }
  }
  if (bytes)
    kernel.parameterBytes.push_back(bytes);
  return tokens.next();
}

static void readBlock(PtxTokens &tokens, ImageKernel &kernel) {
  for (uint32_t &size : kernel.block)
    size = 1;
  for (int i = 0; i < 3; ++i) {
    kernel.block[i] = atoi(std::string(tokens.next()).c_str());
    PtxTokens behind = tokens;
    if (behind.next() != ",")
      return;
    tokens = behind;
  }
}

bool readPtx(std::string_view text, Image &image, std::string &problem) {
  PtxTokens tokens(text);
  bool versioned = false;
  for (std::string_view token = tokens.next(); !token.empty(); token = tokens.next()) {
    versioned |= token == ".version";
    if (token == ".target") {
      std::string_view target = tokens.next();
      if (target.starts_with("sm_"))
        image.architecture = atoi(std::string(target.substr(3)).c_str());
    }
    if (token != ".entry")
      continue;
    ImageKernel kernel;
    kernel.name = tokens.next();
    for (token = readParameters(tokens, kernel); !token.empty() && token != "{" && token != ";";
         token = tokens.next())
      if (token == ".reqntid")
        readBlock(tokens, kernel);
    image.kernels.push_back(std::move(kernel));
  }
  if (!versioned || !image.architecture)
    problem = "expected a cubin or PTX";
  return problem.empty();
}

bool readImage(std::string_view bytes, Image &image, std::string &problem) {
  if (bytes.empty()) {
    problem = "expected a cubin or PTX";
    return false;
  }
  return bytes[0] == 0x7f ? readCubin(bytes, image, problem) : readPtx(bytes, image, problem);
}

} // namespace sluice::rt::sim
