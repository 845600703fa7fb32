// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The socket at which higher ranks knock.
#pragma once

#include "runtime/transport/tcp/address.h"
#include "runtime/transport/tcp/socket.h"

namespace sluice::rt {

// Never blocks. ALREADY_EXISTS when the address is in use or not one of this machine.
Result<Socket> listenAt(const SocketAddress &address);

// Takes a socket from outside. INVALID_ARGUMENT when it does not listen.
Result<Socket> adoptListener(int fd);

// The next connection, ready for use; not open when nobody waits. A failure when the process has no
// room for it: try again later.
Result<Socket> acceptFrom(const Socket &listener);

// A socket that never blocks and sends at once.
Result<Socket> openSocket(int family);

} // namespace sluice::rt
