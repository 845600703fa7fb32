// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The sections of card-check.
#pragma once

#include "test/gpu/card/card_session.h"

namespace sluice::test {

void describeCard(CardSession &session);
// Every kernel as a cubin and as PTX.
void loadImages(CardSession &session);
void runKernels(CardSession &session);
// Loops and branches that kernels steer.
void runConditions(CardSession &session);
void orderStreams(CardSession &session);
// What calls with wrong parameters answer, to be compared with the simulated driver's answers.
void showErrorCodes(CardSession &session);
void measureFloors(CardSession &session);
void measureCopies(CardSession &session);
void measureGraphs(CardSession &session);

} // namespace sluice::test
