// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Firings that wait for what somebody else brings: an element of a queue, room in it, a lock.
//
// A kernel that cannot go on *parks* its call. It leaves what is to be done, with the ParkedCall,
// in the object that it waits for, and returns; its node has not ended. Whoever brings what it
// waits for, the firing of another node, of another call, on another thread, fills in the results
// and resumes it. So no thread ever waits within a kernel, and whoever runs the call knows what is
// parked, and on what.
#pragma once

#include "runtime/memory/object.h"
#include "runtime/memory/tensor.h"

#include <memory>
#include <span>
#include <string>

namespace sluice::rt {

class ParkedCall {
public:
  virtual ~ParkedCall() = default;
  // Results, one for each of the op's, for whoever resumes it.
  virtual std::span<Tensor> outputs() = 0;
  // Ends the firing, well or not. From any thread, at best without a lock, and once.
  static void resume(std::unique_ptr<ParkedCall> call, Status status) {
    ParkedCall &self = *call;
    self.end(std::move(call), std::move(status));
  }

private:
  virtual void end(std::unique_ptr<ParkedCall> self, Status status) = 0;
};

// An object that calls can be parked on. Several calls and threads use it at the same time.
class Waitable : public Object {
public:
  using Object::Object;
  // Drops a call that is parked here, with what it wanted to do. False if it is not here any more:
  // then it is being resumed, and that will end soon.
  virtual bool withdraw(const ParkedCall &call) = 0;
  // For messages: "queue 'q'".
  virtual std::string title() const = 0;
};

// Who runs a call offers this to kernels (Environment::parking).
class Parking {
public:
  virtual ~Parking() = default;
  // The firing that is under way ends when the call is resumed, and not when its kernel returns.
  // At most once in a firing, and before anybody else can see the object's new state. `what` is a
  // literal: "dequeue".
  virtual std::unique_ptr<ParkedCall> park(Waitable &object, const char *what) = 0;
};

// Who asks an object for something: where results go if they are there at once, and how it waits
// else.
struct Client {
  std::span<Tensor> outputs;
  Parking *parking;
};

} // namespace sluice::rt
