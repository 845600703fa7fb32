// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What the C++ library calls when it throws: nobody catches. Its own function names the exception,
// for which it takes apart the names of types, in 40 kB of each executable.
#include <cstdlib>
#include <string_view>
#include <unistd.h>

namespace __gnu_cxx {

void __verbose_terminate_handler();

void __verbose_terminate_handler() {
  constexpr std::string_view kMessage = "error: a bug: the C++ library threw an exception\n";
  [[maybe_unused]] ssize_t written = ::write(2, kMessage.data(), kMessage.size());
  std::abort();
}

} // namespace __gnu_cxx
