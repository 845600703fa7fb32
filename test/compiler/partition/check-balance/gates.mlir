// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Recvs that fire once for each iteration that the pivot decides for. Each case breaks a module
// that balances.
// RUN: sluice-opt %s --split-input-file --verify-diagnostics --partition-check-balance

// A gate in the root frame.
module @rank0 attributes {wire.rank = 0 : i64} {
  flow.graph @g attributes {wire.frames = []} {
    %x = flow.feed {name = "x"} : () -> tensor<f32>
    wire.send %x {edge = 0 : i64, to = 1 : i64} : (tensor<f32>) -> ()
    %y = wire.recv {edge = 1 : i64, from = 1 : i64} : () -> tensor<f32>
    flow.fetch %y {name = "y"} : (tensor<f32>) -> ()
  }
}
module @rank1 attributes {wire.rank = 1 : i64} {
  flow.graph @g attributes {wire.frames = []} {
    %start = flow.start : () -> !flow.token
    // expected-error@below {{edge 0: expected no gate in the root frame, where a recv fires once a call}}
    %x = wire.recv %start {edge = 0 : i64, from = 0 : i64} : (!flow.token) -> tensor<f32>
    %y = nd.neg %x : (tensor<f32>) -> tensor<f32>
    wire.send %y {edge = 1 : i64, to = 0 : i64} : (tensor<f32>) -> ()
  }
}

// -----
// A gate by a switch instead of the merge.
module @rank0 attributes {wire.rank = 0 : i64} {
  flow.graph @g attributes {wire.frames = ["loop"]} {
    %zero = nd.constant {value = dense<0> : tensor<i32>} : () -> tensor<i32>
    %one = nd.constant {value = dense<1> : tensor<i32>} : () -> tensor<i32>
    %two = nd.constant {value = dense<2> : tensor<i32>} : () -> tensor<i32>
    %first = flow.enter %zero {frame = "loop", constant = false, parallel_iterations = 10 : i64} : (tensor<i32>) -> tensor<i32>
    %i, %index, %merged = flow.merge %first, %again : (tensor<i32>, tensor<i32>) -> (tensor<i32>, tensor<i32>, !flow.token)
    %less = nd.less %i, %two : (tensor<i32>, tensor<i32>) -> tensor<i1>
    %go = flow.loop_cond %less : (tensor<i1>) -> tensor<i1>
    wire.send %go {edge = 0 : i64, to = 1 : i64} : (tensor<i1>) -> ()
    %leave, %stay, %switched = flow.switch %i, %go : (tensor<i32>, tensor<i1>) -> (tensor<i32>, tensor<i32>, !flow.token)
    wire.send %stay {edge = 1 : i64, to = 1 : i64} : (tensor<i32>) -> ()
    %next = nd.add %stay, %one : (tensor<i32>, tensor<i32>) -> tensor<i32>
    %again = flow.next_iteration %next : (tensor<i32>) -> tensor<i32>
  }
}
module @rank1 attributes {wire.rank = 1 : i64} {
  flow.graph @g attributes {wire.frames = ["loop"]} {
    %true = nd.constant {value = dense<true> : tensor<i1>} : () -> tensor<i1>
    %e = flow.enter %true {frame = "loop", constant = false, parallel_iterations = 10 : i64} : (tensor<i1>) -> tensor<i1>
    %m, %mi, %gate = flow.merge %e, %n : (tensor<i1>, tensor<i1>) -> (tensor<i1>, tensor<i32>, !flow.token)
    // expected-note@below {{the gate}}
    %end, %on, %st = flow.switch %m, %p : (tensor<i1>, tensor<i1>) -> (tensor<i1>, tensor<i1>, !flow.token)
    %n = flow.next_iteration %on : (tensor<i1>) -> tensor<i1>
    %p = wire.recv %gate {edge = 0 : i64, from = 0 : i64} : (!flow.token) -> tensor<i1>
    // expected-error@below {{edge 1: expected a gate from the merge of a control loop, live or dead once an iteration, but got one from flow.switch}}
    %x = wire.recv %st {edge = 1 : i64, from = 0 : i64} : (!flow.token) -> tensor<i32>
  }
}

// -----
// A gate by one way of the switch.
module @rank0 attributes {wire.rank = 0 : i64} {
  flow.graph @g attributes {wire.frames = ["loop"]} {
    %zero = nd.constant {value = dense<0> : tensor<i32>} : () -> tensor<i32>
    %one = nd.constant {value = dense<1> : tensor<i32>} : () -> tensor<i32>
    %two = nd.constant {value = dense<2> : tensor<i32>} : () -> tensor<i32>
    %first = flow.enter %zero {frame = "loop", constant = false, parallel_iterations = 10 : i64} : (tensor<i32>) -> tensor<i32>
    %i, %index, %merged = flow.merge %first, %again : (tensor<i32>, tensor<i32>) -> (tensor<i32>, tensor<i32>, !flow.token)
    %less = nd.less %i, %two : (tensor<i32>, tensor<i32>) -> tensor<i1>
    %go = flow.loop_cond %less : (tensor<i1>) -> tensor<i1>
    wire.send %go {edge = 0 : i64, to = 1 : i64} : (tensor<i1>) -> ()
    %leave, %stay, %switched = flow.switch %i, %go : (tensor<i32>, tensor<i1>) -> (tensor<i32>, tensor<i32>, !flow.token)
    wire.send %stay {edge = 1 : i64, to = 1 : i64} : (tensor<i32>) -> ()
    %next = nd.add %stay, %one : (tensor<i32>, tensor<i32>) -> tensor<i32>
    %again = flow.next_iteration %next : (tensor<i32>) -> tensor<i32>
  }
}
module @rank1 attributes {wire.rank = 1 : i64} {
  flow.graph @g attributes {wire.frames = ["loop"]} {
    %true = nd.constant {value = dense<true> : tensor<i1>} : () -> tensor<i1>
    %e = flow.enter %true {frame = "loop", constant = false, parallel_iterations = 10 : i64} : (tensor<i1>) -> tensor<i1>
    %m, %mi, %gate = flow.merge %e, %n : (tensor<i1>, tensor<i1>) -> (tensor<i1>, tensor<i32>, !flow.token)
    %end, %on, %st = flow.switch %m, %p : (tensor<i1>, tensor<i1>) -> (tensor<i1>, tensor<i1>, !flow.token)
    %n = flow.next_iteration %on : (tensor<i1>) -> tensor<i1>
    %p = wire.recv %gate {edge = 0 : i64, from = 0 : i64} : (!flow.token) -> tensor<i1>
    // expected-note@below {{the gate}}
    %t = flow.after %on : (tensor<i1>) -> !flow.token
    // expected-error@below {{edge 1: expected a gate from the merge of a control loop, live or dead once an iteration, but got one from flow.after}}
    %x = wire.recv %t {edge = 1 : i64, from = 0 : i64} : (!flow.token) -> tensor<i32>
  }
}

// -----
// A loop variable is no control loop.
module @rank0 attributes {wire.rank = 0 : i64} {
  flow.graph @g attributes {wire.frames = ["loop"]} {
    %zero = nd.constant {value = dense<0> : tensor<i32>} : () -> tensor<i32>
    %one = nd.constant {value = dense<1> : tensor<i32>} : () -> tensor<i32>
    %two = nd.constant {value = dense<2> : tensor<i32>} : () -> tensor<i32>
    %first = flow.enter %zero {frame = "loop", constant = false, parallel_iterations = 10 : i64} : (tensor<i32>) -> tensor<i32>
    %i, %index, %merged = flow.merge %first, %again : (tensor<i32>, tensor<i32>) -> (tensor<i32>, tensor<i32>, !flow.token)
    %less = nd.less %i, %two : (tensor<i32>, tensor<i32>) -> tensor<i1>
    %go = flow.loop_cond %less : (tensor<i1>) -> tensor<i1>
    wire.send %go {edge = 0 : i64, to = 1 : i64} : (tensor<i1>) -> ()
    %leave, %stay, %switched = flow.switch %i, %go : (tensor<i32>, tensor<i1>) -> (tensor<i32>, tensor<i32>, !flow.token)
    wire.send %stay {edge = 1 : i64, to = 1 : i64} : (tensor<i32>) -> ()
    %next = nd.add %stay, %one : (tensor<i32>, tensor<i32>) -> tensor<i32>
    %again = flow.next_iteration %next : (tensor<i32>) -> tensor<i32>
  }
}
module @rank1 attributes {wire.rank = 1 : i64} {
  flow.graph @g attributes {wire.frames = ["loop"]} {
    %true = nd.constant {value = dense<true> : tensor<i1>} : () -> tensor<i1>
    %e = flow.enter %true {frame = "loop", constant = false, parallel_iterations = 10 : i64} : (tensor<i1>) -> tensor<i1>
    %m, %mi, %gate = flow.merge %e, %n : (tensor<i1>, tensor<i1>) -> (tensor<i1>, tensor<i32>, !flow.token)
    %end, %on, %st = flow.switch %m, %p : (tensor<i1>, tensor<i1>) -> (tensor<i1>, tensor<i1>, !flow.token)
    %n = flow.next_iteration %on : (tensor<i1>) -> tensor<i1>
    %p = wire.recv %gate {edge = 0 : i64, from = 0 : i64} : (!flow.token) -> tensor<i1>
    %f = flow.enter %true {frame = "loop", constant = false, parallel_iterations = 10 : i64} : (tensor<i1>) -> tensor<i1>
    %v, %vi, %vgate = flow.merge %f, %vn : (tensor<i1>, tensor<i1>) -> (tensor<i1>, tensor<i32>, !flow.token)
    %vend, %von, %vst = flow.switch %v, %p : (tensor<i1>, tensor<i1>) -> (tensor<i1>, tensor<i1>, !flow.token)
    %not = nd.logical_not %von : (tensor<i1>) -> tensor<i1>
    // expected-note@below {{in the loop of this flow.next_iteration}}
    %vn = flow.next_iteration %not : (tensor<i1>) -> tensor<i1>
    // expected-error@below {{edge 1: expected a gate from a control loop, whose next_iteration takes what its merge gives and its switch lets stay}}
    %x = wire.recv %vgate {edge = 1 : i64, from = 0 : i64} : (!flow.token) -> tensor<i32>
  }
}

// -----
// A merge that waits for something else.
module @rank0 attributes {wire.rank = 0 : i64} {
  flow.graph @g attributes {wire.frames = ["loop"]} {
    %zero = nd.constant {value = dense<0> : tensor<i32>} : () -> tensor<i32>
    %one = nd.constant {value = dense<1> : tensor<i32>} : () -> tensor<i32>
    %two = nd.constant {value = dense<2> : tensor<i32>} : () -> tensor<i32>
    %first = flow.enter %zero {frame = "loop", constant = false, parallel_iterations = 10 : i64} : (tensor<i32>) -> tensor<i32>
    %i, %index, %merged = flow.merge %first, %again : (tensor<i32>, tensor<i32>) -> (tensor<i32>, tensor<i32>, !flow.token)
    %less = nd.less %i, %two : (tensor<i32>, tensor<i32>) -> tensor<i1>
    %go = flow.loop_cond %less : (tensor<i1>) -> tensor<i1>
    wire.send %go {edge = 0 : i64, to = 1 : i64} : (tensor<i1>) -> ()
    %leave, %stay, %switched = flow.switch %i, %go : (tensor<i32>, tensor<i1>) -> (tensor<i32>, tensor<i32>, !flow.token)
    wire.send %stay {edge = 1 : i64, to = 1 : i64} : (tensor<i32>) -> ()
    %next = nd.add %stay, %one : (tensor<i32>, tensor<i32>) -> tensor<i32>
    %again = flow.next_iteration %next : (tensor<i32>) -> tensor<i32>
  }
}
module @rank1 attributes {wire.rank = 1 : i64} {
  flow.graph @g attributes {wire.frames = ["loop"]} {
    %true = nd.constant {value = dense<true> : tensor<i1>} : () -> tensor<i1>
    %e = flow.enter %true {frame = "loop", constant = false, parallel_iterations = 10 : i64} : (tensor<i1>) -> tensor<i1>
    // expected-note@below {{in the loop of this flow.merge}}
    %m, %mi, %gate = flow.merge %e, %n, %other : (tensor<i1>, tensor<i1>, !flow.token) -> (tensor<i1>, tensor<i32>, !flow.token)
    %end, %on, %st = flow.switch %m, %p : (tensor<i1>, tensor<i1>) -> (tensor<i1>, tensor<i1>, !flow.token)
    %n = flow.next_iteration %on : (tensor<i1>) -> tensor<i1>
    // expected-error@below {{edge 0: expected a gate from a control loop, whose merge takes one flow.enter and one flow.next_iteration only}}
    %p = wire.recv %gate {edge = 0 : i64, from = 0 : i64} : (!flow.token) -> tensor<i1>
    %other = flow.after %c : (tensor<i1>) -> !flow.token
    %c = flow.enter %true {frame = "loop", constant = true, parallel_iterations = 10 : i64} : (tensor<i1>) -> tensor<i1>
    %x = wire.recv %gate {edge = 1 : i64, from = 0 : i64} : (!flow.token) -> tensor<i32>
  }
}

// -----
// A constant enter starts the loop again in every iteration.
module @rank0 attributes {wire.rank = 0 : i64} {
  flow.graph @g attributes {wire.frames = ["loop"]} {
    %zero = nd.constant {value = dense<0> : tensor<i32>} : () -> tensor<i32>
    %one = nd.constant {value = dense<1> : tensor<i32>} : () -> tensor<i32>
    %two = nd.constant {value = dense<2> : tensor<i32>} : () -> tensor<i32>
    %first = flow.enter %zero {frame = "loop", constant = false, parallel_iterations = 10 : i64} : (tensor<i32>) -> tensor<i32>
    %i, %index, %merged = flow.merge %first, %again : (tensor<i32>, tensor<i32>) -> (tensor<i32>, tensor<i32>, !flow.token)
    %less = nd.less %i, %two : (tensor<i32>, tensor<i32>) -> tensor<i1>
    %go = flow.loop_cond %less : (tensor<i1>) -> tensor<i1>
    wire.send %go {edge = 0 : i64, to = 1 : i64} : (tensor<i1>) -> ()
    %leave, %stay, %switched = flow.switch %i, %go : (tensor<i32>, tensor<i1>) -> (tensor<i32>, tensor<i32>, !flow.token)
    wire.send %stay {edge = 1 : i64, to = 1 : i64} : (tensor<i32>) -> ()
    %next = nd.add %stay, %one : (tensor<i32>, tensor<i32>) -> tensor<i32>
    %again = flow.next_iteration %next : (tensor<i32>) -> tensor<i32>
  }
}
module @rank1 attributes {wire.rank = 1 : i64} {
  flow.graph @g attributes {wire.frames = ["loop"]} {
    %true = nd.constant {value = dense<true> : tensor<i1>} : () -> tensor<i1>
    %e = flow.enter %true {frame = "loop", constant = true, parallel_iterations = 10 : i64} : (tensor<i1>) -> tensor<i1>
    // expected-note@below {{in the loop of this flow.merge}}
    %m, %mi, %gate = flow.merge %e, %n : (tensor<i1>, tensor<i1>) -> (tensor<i1>, tensor<i32>, !flow.token)
    %end, %on, %st = flow.switch %m, %p : (tensor<i1>, tensor<i1>) -> (tensor<i1>, tensor<i1>, !flow.token)
    %n = flow.next_iteration %on : (tensor<i1>) -> tensor<i1>
    // expected-error@below {{edge 0: expected a gate from a control loop, whose merge takes one flow.enter and one flow.next_iteration only}}
    %p = wire.recv %gate {edge = 0 : i64, from = 0 : i64} : (!flow.token) -> tensor<i1>
    %x = wire.recv %gate {edge = 1 : i64, from = 0 : i64} : (!flow.token) -> tensor<i32>
  }
}

// -----
// The loop goes on when the pivot says stop.
module @rank0 attributes {wire.rank = 0 : i64} {
  flow.graph @g attributes {wire.frames = ["loop"]} {
    %zero = nd.constant {value = dense<0> : tensor<i32>} : () -> tensor<i32>
    %one = nd.constant {value = dense<1> : tensor<i32>} : () -> tensor<i32>
    %two = nd.constant {value = dense<2> : tensor<i32>} : () -> tensor<i32>
    %first = flow.enter %zero {frame = "loop", constant = false, parallel_iterations = 10 : i64} : (tensor<i32>) -> tensor<i32>
    %i, %index, %merged = flow.merge %first, %again : (tensor<i32>, tensor<i32>) -> (tensor<i32>, tensor<i32>, !flow.token)
    %less = nd.less %i, %two : (tensor<i32>, tensor<i32>) -> tensor<i1>
    %go = flow.loop_cond %less : (tensor<i1>) -> tensor<i1>
    wire.send %go {edge = 0 : i64, to = 1 : i64} : (tensor<i1>) -> ()
    %leave, %stay, %switched = flow.switch %i, %go : (tensor<i32>, tensor<i1>) -> (tensor<i32>, tensor<i32>, !flow.token)
    wire.send %stay {edge = 1 : i64, to = 1 : i64} : (tensor<i32>) -> ()
    %next = nd.add %stay, %one : (tensor<i32>, tensor<i32>) -> tensor<i32>
    %again = flow.next_iteration %next : (tensor<i32>) -> tensor<i32>
  }
}
module @rank1 attributes {wire.rank = 1 : i64} {
  flow.graph @g attributes {wire.frames = ["loop"]} {
    %true = nd.constant {value = dense<true> : tensor<i1>} : () -> tensor<i1>
    %e = flow.enter %true {frame = "loop", constant = false, parallel_iterations = 10 : i64} : (tensor<i1>) -> tensor<i1>
    %m, %mi, %gate = flow.merge %e, %n : (tensor<i1>, tensor<i1>) -> (tensor<i1>, tensor<i32>, !flow.token)
    %end, %on, %st = flow.switch %m, %p : (tensor<i1>, tensor<i1>) -> (tensor<i1>, tensor<i1>, !flow.token)
    // expected-note@below {{in the loop of this flow.next_iteration}}
    %n = flow.next_iteration %end : (tensor<i1>) -> tensor<i1>
    // expected-error@below {{edge 0: expected a gate from a control loop, whose next_iteration takes what its merge gives and its switch lets stay}}
    %p = wire.recv %gate {edge = 0 : i64, from = 0 : i64} : (!flow.token) -> tensor<i1>
    %x = wire.recv %gate {edge = 1 : i64, from = 0 : i64} : (!flow.token) -> tensor<i32>
  }
}

// -----
// A switch that asks something else.
module @rank0 attributes {wire.rank = 0 : i64} {
  flow.graph @g attributes {wire.frames = ["loop"]} {
    %zero = nd.constant {value = dense<0> : tensor<i32>} : () -> tensor<i32>
    %one = nd.constant {value = dense<1> : tensor<i32>} : () -> tensor<i32>
    %two = nd.constant {value = dense<2> : tensor<i32>} : () -> tensor<i32>
    %first = flow.enter %zero {frame = "loop", constant = false, parallel_iterations = 10 : i64} : (tensor<i32>) -> tensor<i32>
    %i, %index, %merged = flow.merge %first, %again : (tensor<i32>, tensor<i32>) -> (tensor<i32>, tensor<i32>, !flow.token)
    %less = nd.less %i, %two : (tensor<i32>, tensor<i32>) -> tensor<i1>
    %go = flow.loop_cond %less : (tensor<i1>) -> tensor<i1>
    wire.send %go {edge = 0 : i64, to = 1 : i64} : (tensor<i1>) -> ()
    %leave, %stay, %switched = flow.switch %i, %go : (tensor<i32>, tensor<i1>) -> (tensor<i32>, tensor<i32>, !flow.token)
    wire.send %stay {edge = 1 : i64, to = 1 : i64} : (tensor<i32>) -> ()
    %next = nd.add %stay, %one : (tensor<i32>, tensor<i32>) -> tensor<i32>
    %again = flow.next_iteration %next : (tensor<i32>) -> tensor<i32>
  }
}
module @rank1 attributes {wire.rank = 1 : i64} {
  flow.graph @g attributes {wire.frames = ["loop"]} {
    %true = nd.constant {value = dense<true> : tensor<i1>} : () -> tensor<i1>
    %e = flow.enter %true {frame = "loop", constant = false, parallel_iterations = 10 : i64} : (tensor<i1>) -> tensor<i1>
    %m, %mi, %gate = flow.merge %e, %n : (tensor<i1>, tensor<i1>) -> (tensor<i1>, tensor<i32>, !flow.token)
    // expected-note@below {{in the loop of this flow.switch}}
    %end, %on, %st = flow.switch %m, %m : (tensor<i1>, tensor<i1>) -> (tensor<i1>, tensor<i1>, !flow.token)
    %n = flow.next_iteration %on : (tensor<i1>) -> tensor<i1>
    // expected-error@below {{edge 0: expected a gate from a control loop, whose switch asks the pivot of its frame, here or over the wire}}
    %p = wire.recv %gate {edge = 0 : i64, from = 0 : i64} : (!flow.token) -> tensor<i1>
    %x = wire.recv %gate {edge = 1 : i64, from = 0 : i64} : (!flow.token) -> tensor<i32>
  }
}

// -----
// A switch that asks for another value of the pivot's rank.
module @rank0 attributes {wire.rank = 0 : i64} {
  flow.graph @g attributes {wire.frames = ["loop"]} {
    %zero = nd.constant {value = dense<0> : tensor<i32>} : () -> tensor<i32>
    %one = nd.constant {value = dense<1> : tensor<i32>} : () -> tensor<i32>
    %two = nd.constant {value = dense<2> : tensor<i32>} : () -> tensor<i32>
    %first = flow.enter %zero {frame = "loop", constant = false, parallel_iterations = 10 : i64} : (tensor<i32>) -> tensor<i32>
    %i, %index, %merged = flow.merge %first, %again : (tensor<i32>, tensor<i32>) -> (tensor<i32>, tensor<i32>, !flow.token)
    %less = nd.less %i, %two : (tensor<i32>, tensor<i32>) -> tensor<i1>
    %go = flow.loop_cond %less : (tensor<i1>) -> tensor<i1>
    wire.send %less {edge = 0 : i64, to = 1 : i64} : (tensor<i1>) -> ()
    %leave, %stay, %switched = flow.switch %i, %go : (tensor<i32>, tensor<i1>) -> (tensor<i32>, tensor<i32>, !flow.token)
    wire.send %stay {edge = 1 : i64, to = 1 : i64} : (tensor<i32>) -> ()
    %next = nd.add %stay, %one : (tensor<i32>, tensor<i32>) -> tensor<i32>
    %again = flow.next_iteration %next : (tensor<i32>) -> tensor<i32>
  }
}
module @rank1 attributes {wire.rank = 1 : i64} {
  flow.graph @g attributes {wire.frames = ["loop"]} {
    %true = nd.constant {value = dense<true> : tensor<i1>} : () -> tensor<i1>
    %e = flow.enter %true {frame = "loop", constant = false, parallel_iterations = 10 : i64} : (tensor<i1>) -> tensor<i1>
    %m, %mi, %gate = flow.merge %e, %n : (tensor<i1>, tensor<i1>) -> (tensor<i1>, tensor<i32>, !flow.token)
    // expected-note@below {{in the loop of this flow.switch}}
    %end, %on, %st = flow.switch %m, %p : (tensor<i1>, tensor<i1>) -> (tensor<i1>, tensor<i1>, !flow.token)
    %n = flow.next_iteration %on : (tensor<i1>) -> tensor<i1>
    // expected-error@below {{edge 0: expected a gate from a control loop, whose switch asks the pivot of its frame, here or over the wire}}
    %p = wire.recv %gate {edge = 0 : i64, from = 0 : i64} : (!flow.token) -> tensor<i1>
    %x = wire.recv %gate {edge = 1 : i64, from = 0 : i64} : (!flow.token) -> tensor<i32>
  }
}

// -----
// An inner loop that asks the pivot of the outer one would not have its predicate in the right
// frame; one that asks the wrong value of its own frame is refused.
module @rank0 attributes {wire.rank = 0 : i64} {
  flow.graph @g attributes {wire.frames = ["outer", "outer>inner"]} {
    %zero = nd.constant {value = dense<0> : tensor<i32>} : () -> tensor<i32>
    %two = nd.constant {value = dense<2> : tensor<i32>} : () -> tensor<i32>
    %ofirst = flow.enter %zero {frame = "outer", constant = false, parallel_iterations = 10 : i64} : (tensor<i32>) -> tensor<i32>
    %o, %oindex, %omerged = flow.merge %ofirst, %oagain : (tensor<i32>, tensor<i32>) -> (tensor<i32>, tensor<i32>, !flow.token)
    %oless = nd.less %o, %two : (tensor<i32>, tensor<i32>) -> tensor<i1>
    %ogo = flow.loop_cond %oless : (tensor<i1>) -> tensor<i1>
    wire.send %ogo {edge = 0 : i64, to = 1 : i64} : (tensor<i1>) -> ()
    %oleave, %ostay, %oswitched = flow.switch %o, %ogo : (tensor<i32>, tensor<i1>) -> (tensor<i32>, tensor<i32>, !flow.token)
    %first = flow.enter %ostay {frame = "inner", constant = false, parallel_iterations = 10 : i64} : (tensor<i32>) -> tensor<i32>
    %i, %index, %merged = flow.merge %first, %again : (tensor<i32>, tensor<i32>) -> (tensor<i32>, tensor<i32>, !flow.token)
    %less = nd.less %i, %two : (tensor<i32>, tensor<i32>) -> tensor<i1>
    %go = flow.loop_cond %less : (tensor<i1>) -> tensor<i1>
    wire.send %go {edge = 1 : i64, to = 1 : i64} : (tensor<i1>) -> ()
    %leave, %stay, %switched = flow.switch %i, %go : (tensor<i32>, tensor<i1>) -> (tensor<i32>, tensor<i32>, !flow.token)
    %again = flow.next_iteration %stay : (tensor<i32>) -> tensor<i32>
    %left = flow.exit %leave : (tensor<i32>) -> tensor<i32>
    %oagain = flow.next_iteration %left : (tensor<i32>) -> tensor<i32>
  }
}
module @rank1 attributes {wire.rank = 1 : i64} {
  flow.graph @g attributes {wire.frames = ["outer", "outer>inner"]} {
    %true = nd.constant {value = dense<true> : tensor<i1>} : () -> tensor<i1>
    %oe = flow.enter %true {frame = "outer", constant = false, parallel_iterations = 10 : i64} : (tensor<i1>) -> tensor<i1>
    %om, %omi, %ogate = flow.merge %oe, %on : (tensor<i1>, tensor<i1>) -> (tensor<i1>, tensor<i32>, !flow.token)
    %oend, %os, %ost = flow.switch %om, %op : (tensor<i1>, tensor<i1>) -> (tensor<i1>, tensor<i1>, !flow.token)
    %on = flow.next_iteration %os : (tensor<i1>) -> tensor<i1>
    %op = wire.recv %ogate {edge = 0 : i64, from = 0 : i64} : (!flow.token) -> tensor<i1>
    %e = flow.enter %om {frame = "inner", constant = false, parallel_iterations = 10 : i64} : (tensor<i1>) -> tensor<i1>
    %m, %mi, %gate = flow.merge %e, %n : (tensor<i1>, tensor<i1>) -> (tensor<i1>, tensor<i32>, !flow.token)
    // expected-note@below {{in the loop of this flow.switch}}
    %end, %s, %st = flow.switch %m, %m : (tensor<i1>, tensor<i1>) -> (tensor<i1>, tensor<i1>, !flow.token)
    %n = flow.next_iteration %s : (tensor<i1>) -> tensor<i1>
    // expected-error@below {{edge 1: expected a gate from a control loop, whose switch asks the pivot of its frame, here or over the wire}}
    %p = wire.recv %gate {edge = 1 : i64, from = 0 : i64} : (!flow.token) -> tensor<i1>
  }
}

// -----
// An inner loop that starts from what is dead in the outer one's last iteration.
module @rank0 attributes {wire.rank = 0 : i64} {
  flow.graph @g attributes {wire.frames = ["outer", "outer>inner"]} {
    %zero = nd.constant {value = dense<0> : tensor<i32>} : () -> tensor<i32>
    %two = nd.constant {value = dense<2> : tensor<i32>} : () -> tensor<i32>
    %ofirst = flow.enter %zero {frame = "outer", constant = false, parallel_iterations = 10 : i64} : (tensor<i32>) -> tensor<i32>
    %o, %oindex, %omerged = flow.merge %ofirst, %oagain : (tensor<i32>, tensor<i32>) -> (tensor<i32>, tensor<i32>, !flow.token)
    %oless = nd.less %o, %two : (tensor<i32>, tensor<i32>) -> tensor<i1>
    %ogo = flow.loop_cond %oless : (tensor<i1>) -> tensor<i1>
    wire.send %ogo {edge = 0 : i64, to = 1 : i64} : (tensor<i1>) -> ()
    %oleave, %ostay, %oswitched = flow.switch %o, %ogo : (tensor<i32>, tensor<i1>) -> (tensor<i32>, tensor<i32>, !flow.token)
    %first = flow.enter %ostay {frame = "inner", constant = false, parallel_iterations = 10 : i64} : (tensor<i32>) -> tensor<i32>
    %i, %index, %merged = flow.merge %first, %again : (tensor<i32>, tensor<i32>) -> (tensor<i32>, tensor<i32>, !flow.token)
    %less = nd.less %i, %two : (tensor<i32>, tensor<i32>) -> tensor<i1>
    %go = flow.loop_cond %less : (tensor<i1>) -> tensor<i1>
    wire.send %go {edge = 1 : i64, to = 1 : i64} : (tensor<i1>) -> ()
    %leave, %stay, %switched = flow.switch %i, %go : (tensor<i32>, tensor<i1>) -> (tensor<i32>, tensor<i32>, !flow.token)
    %again = flow.next_iteration %stay : (tensor<i32>) -> tensor<i32>
    %left = flow.exit %leave : (tensor<i32>) -> tensor<i32>
    %oagain = flow.next_iteration %left : (tensor<i32>) -> tensor<i32>
  }
}
module @rank1 attributes {wire.rank = 1 : i64} {
  flow.graph @g attributes {wire.frames = ["outer", "outer>inner"]} {
    %true = nd.constant {value = dense<true> : tensor<i1>} : () -> tensor<i1>
    %oe = flow.enter %true {frame = "outer", constant = false, parallel_iterations = 10 : i64} : (tensor<i1>) -> tensor<i1>
    %om, %omi, %ogate = flow.merge %oe, %on : (tensor<i1>, tensor<i1>) -> (tensor<i1>, tensor<i32>, !flow.token)
    %oend, %os, %ost = flow.switch %om, %op : (tensor<i1>, tensor<i1>) -> (tensor<i1>, tensor<i1>, !flow.token)
    %on = flow.next_iteration %os : (tensor<i1>) -> tensor<i1>
    %op = wire.recv %ogate {edge = 0 : i64, from = 0 : i64} : (!flow.token) -> tensor<i1>
    // expected-note@below {{in the loop of this flow.enter}}
    %e = flow.enter %os {frame = "inner", constant = false, parallel_iterations = 10 : i64} : (tensor<i1>) -> tensor<i1>
    %m, %mi, %gate = flow.merge %e, %n : (tensor<i1>, tensor<i1>) -> (tensor<i1>, tensor<i32>, !flow.token)
    %end, %s, %st = flow.switch %m, %p : (tensor<i1>, tensor<i1>) -> (tensor<i1>, tensor<i1>, !flow.token)
    %n = flow.next_iteration %s : (tensor<i1>) -> tensor<i1>
    // expected-error@below {{edge 1: expected a gate from a control loop, whose enter takes what the merge of the control loop around it gives}}
    %p = wire.recv %gate {edge = 1 : i64, from = 0 : i64} : (!flow.token) -> tensor<i1>
  }
}

// -----
// An outer loop that starts from a value instead of a constant.
module @rank0 attributes {wire.rank = 0 : i64} {
  flow.graph @g attributes {wire.frames = ["loop"]} {
    %zero = nd.constant {value = dense<0> : tensor<i32>} : () -> tensor<i32>
    %one = nd.constant {value = dense<1> : tensor<i32>} : () -> tensor<i32>
    %two = nd.constant {value = dense<2> : tensor<i32>} : () -> tensor<i32>
    %first = flow.enter %zero {frame = "loop", constant = false, parallel_iterations = 10 : i64} : (tensor<i32>) -> tensor<i32>
    %i, %index, %merged = flow.merge %first, %again : (tensor<i32>, tensor<i32>) -> (tensor<i32>, tensor<i32>, !flow.token)
    %less = nd.less %i, %two : (tensor<i32>, tensor<i32>) -> tensor<i1>
    %go = flow.loop_cond %less : (tensor<i1>) -> tensor<i1>
    wire.send %go {edge = 0 : i64, to = 1 : i64} : (tensor<i1>) -> ()
    %leave, %stay, %switched = flow.switch %i, %go : (tensor<i32>, tensor<i1>) -> (tensor<i32>, tensor<i32>, !flow.token)
    wire.send %stay {edge = 1 : i64, to = 1 : i64} : (tensor<i32>) -> ()
    %next = nd.add %stay, %one : (tensor<i32>, tensor<i32>) -> tensor<i32>
    %again = flow.next_iteration %next : (tensor<i32>) -> tensor<i32>
  }
}
module @rank1 attributes {wire.rank = 1 : i64} {
  flow.graph @g attributes {wire.frames = ["loop"]} {
    %true = nd.constant {value = dense<true> : tensor<i1>} : () -> tensor<i1>
    %y = flow.feed {name = "y"} : () -> tensor<i1>
    // expected-note@below {{in the loop of this flow.enter}}
    %e = flow.enter %y {frame = "loop", constant = false, parallel_iterations = 10 : i64} : (tensor<i1>) -> tensor<i1>
    %m, %mi, %gate = flow.merge %e, %n : (tensor<i1>, tensor<i1>) -> (tensor<i1>, tensor<i32>, !flow.token)
    %end, %on, %st = flow.switch %m, %p : (tensor<i1>, tensor<i1>) -> (tensor<i1>, tensor<i1>, !flow.token)
    %n = flow.next_iteration %on : (tensor<i1>) -> tensor<i1>
    // expected-error@below {{edge 0: expected a gate from a control loop, whose enter takes a constant, in a loop that is not nested}}
    %p = wire.recv %gate {edge = 0 : i64, from = 0 : i64} : (!flow.token) -> tensor<i1>
    %x = wire.recv %gate {edge = 1 : i64, from = 0 : i64} : (!flow.token) -> tensor<i32>
  }
}

// -----
// The outer control loop is broken, the inner one is whole.
module @rank0 attributes {wire.rank = 0 : i64} {
  flow.graph @g attributes {wire.frames = ["outer", "outer>inner"]} {
    %zero = nd.constant {value = dense<0> : tensor<i32>} : () -> tensor<i32>
    %two = nd.constant {value = dense<2> : tensor<i32>} : () -> tensor<i32>
    %ofirst = flow.enter %zero {frame = "outer", constant = false, parallel_iterations = 10 : i64} : (tensor<i32>) -> tensor<i32>
    %o, %oindex, %omerged = flow.merge %ofirst, %oagain : (tensor<i32>, tensor<i32>) -> (tensor<i32>, tensor<i32>, !flow.token)
    %oless = nd.less %o, %two : (tensor<i32>, tensor<i32>) -> tensor<i1>
    %ogo = flow.loop_cond %oless : (tensor<i1>) -> tensor<i1>
    %oleave, %ostay, %oswitched = flow.switch %o, %ogo : (tensor<i32>, tensor<i1>) -> (tensor<i32>, tensor<i32>, !flow.token)
    %first = flow.enter %ostay {frame = "inner", constant = false, parallel_iterations = 10 : i64} : (tensor<i32>) -> tensor<i32>
    %i, %index, %merged = flow.merge %first, %again : (tensor<i32>, tensor<i32>) -> (tensor<i32>, tensor<i32>, !flow.token)
    %less = nd.less %i, %two : (tensor<i32>, tensor<i32>) -> tensor<i1>
    %go = flow.loop_cond %less : (tensor<i1>) -> tensor<i1>
    wire.send %go {edge = 0 : i64, to = 1 : i64} : (tensor<i1>) -> ()
    %leave, %stay, %switched = flow.switch %i, %go : (tensor<i32>, tensor<i1>) -> (tensor<i32>, tensor<i32>, !flow.token)
    %again = flow.next_iteration %stay : (tensor<i32>) -> tensor<i32>
    %left = flow.exit %leave : (tensor<i32>) -> tensor<i32>
    %oagain = flow.next_iteration %left : (tensor<i32>) -> tensor<i32>
  }
}
module @rank1 attributes {wire.rank = 1 : i64} {
  flow.graph @g attributes {wire.frames = ["outer", "outer>inner"]} {
    %true = nd.constant {value = dense<true> : tensor<i1>} : () -> tensor<i1>
    %oe = flow.enter %true {frame = "outer", constant = false, parallel_iterations = 10 : i64} : (tensor<i1>) -> tensor<i1>
    %om, %omi, %ogate = flow.merge %oe, %on : (tensor<i1>, tensor<i1>) -> (tensor<i1>, tensor<i32>, !flow.token)
    // expected-note@below {{in the loop of this flow.switch}}
    %oend, %os, %ost = flow.switch %om, %om : (tensor<i1>, tensor<i1>) -> (tensor<i1>, tensor<i1>, !flow.token)
    %on = flow.next_iteration %os : (tensor<i1>) -> tensor<i1>
    %e = flow.enter %om {frame = "inner", constant = false, parallel_iterations = 10 : i64} : (tensor<i1>) -> tensor<i1>
    %m, %mi, %gate = flow.merge %e, %n : (tensor<i1>, tensor<i1>) -> (tensor<i1>, tensor<i32>, !flow.token)
    %end, %s, %st = flow.switch %m, %p : (tensor<i1>, tensor<i1>) -> (tensor<i1>, tensor<i1>, !flow.token)
    %n = flow.next_iteration %s : (tensor<i1>) -> tensor<i1>
    // expected-error@below {{edge 0: expected a gate from a control loop, whose switch asks the pivot of its frame, here or over the wire}}
    %p = wire.recv %gate {edge = 0 : i64, from = 0 : i64} : (!flow.token) -> tensor<i1>
  }
}

// -----
// A rank that only sends does not know when to stop.
module @rank0 attributes {wire.rank = 0 : i64} {
  flow.graph @g attributes {wire.frames = ["loop"]} {
    %zero = nd.constant {value = dense<0> : tensor<i32>} : () -> tensor<i32>
    %one = nd.constant {value = dense<1> : tensor<i32>} : () -> tensor<i32>
    %two = nd.constant {value = dense<2> : tensor<i32>} : () -> tensor<i32>
    %first = flow.enter %zero {frame = "loop", constant = false, parallel_iterations = 10 : i64} : (tensor<i32>) -> tensor<i32>
    %i, %index, %merged = flow.merge %first, %again : (tensor<i32>, tensor<i32>) -> (tensor<i32>, tensor<i32>, !flow.token)
    %less = nd.less %i, %two : (tensor<i32>, tensor<i32>) -> tensor<i1>
    %go = flow.loop_cond %less : (tensor<i1>) -> tensor<i1>
    %z = wire.recv %zgate {edge = 0 : i64, from = 1 : i64} : (!flow.token) -> tensor<i1>
    %true = nd.constant {value = dense<true> : tensor<i1>} : () -> tensor<i1>
    %ze = flow.enter %true {frame = "loop", constant = false, parallel_iterations = 10 : i64} : (tensor<i1>) -> tensor<i1>
    %zm, %zi, %zgate = flow.merge %ze, %zn : (tensor<i1>, tensor<i1>) -> (tensor<i1>, tensor<i32>, !flow.token)
    %zend, %zs, %zst = flow.switch %zm, %go : (tensor<i1>, tensor<i1>) -> (tensor<i1>, tensor<i1>, !flow.token)
    %zn = flow.next_iteration %zs : (tensor<i1>) -> tensor<i1>
    %leave, %stay, %switched = flow.switch %i, %go : (tensor<i32>, tensor<i1>) -> (tensor<i32>, tensor<i32>, !flow.token)
    %next = nd.add %stay, %one : (tensor<i32>, tensor<i32>) -> tensor<i32>
    %again = flow.next_iteration %next : (tensor<i32>) -> tensor<i32>
  }
}
module @rank1 attributes {wire.rank = 1 : i64} {
  flow.graph @g attributes {wire.frames = ["loop"]} {
    %true = nd.constant {value = dense<true> : tensor<i1>} : () -> tensor<i1>
    // expected-error@below {{expected a control loop in frame 'loop' on rank 1, for the pivot is on another rank, but got none}}
    %e = flow.enter %true {frame = "loop", constant = false, parallel_iterations = 10 : i64} : (tensor<i1>) -> tensor<i1>
    %m, %mi, %gate = flow.merge %e, %n : (tensor<i1>, tensor<i1>) -> (tensor<i1>, tensor<i32>, !flow.token)
    %end, %on, %st = flow.switch %m, %m : (tensor<i1>, tensor<i1>) -> (tensor<i1>, tensor<i1>, !flow.token)
    %n = flow.next_iteration %on : (tensor<i1>) -> tensor<i1>
    wire.send %m {edge = 0 : i64, to = 0 : i64} : (tensor<i1>) -> ()
  }
}

// -----
// The pivot's rank has an invariant pivot, and nothing that goes round.
module @rank0 attributes {wire.rank = 0 : i64} {
  flow.graph @g attributes {wire.frames = ["loop"]} {
    %zero = nd.constant {value = dense<0> : tensor<i32>} : () -> tensor<i32>
    %one = nd.constant {value = dense<1> : tensor<i32>} : () -> tensor<i32>
    %two = nd.constant {value = dense<2> : tensor<i32>} : () -> tensor<i32>
    // expected-error@below {{expected a flow.next_iteration in frame 'loop' on rank 0 but got none}}
    %first = flow.enter %zero {frame = "loop", constant = true, parallel_iterations = 10 : i64} : (tensor<i32>) -> tensor<i32>
    %i, %index, %merged = flow.merge %first : (tensor<i32>) -> (tensor<i32>, tensor<i32>, !flow.token)
    %less = nd.less %i, %two : (tensor<i32>, tensor<i32>) -> tensor<i1>
    %go = flow.loop_cond %less : (tensor<i1>) -> tensor<i1>
    wire.send %go {edge = 0 : i64, to = 1 : i64} : (tensor<i1>) -> ()
    %leave, %stay, %switched = flow.switch %i, %go : (tensor<i32>, tensor<i1>) -> (tensor<i32>, tensor<i32>, !flow.token)
    wire.send %stay {edge = 1 : i64, to = 1 : i64} : (tensor<i32>) -> ()
    %next = nd.add %stay, %one : (tensor<i32>, tensor<i32>) -> tensor<i32>
  }
}
module @rank1 attributes {wire.rank = 1 : i64} {
  flow.graph @g attributes {wire.frames = ["loop"]} {
    %true = nd.constant {value = dense<true> : tensor<i1>} : () -> tensor<i1>
    %e = flow.enter %true {frame = "loop", constant = false, parallel_iterations = 10 : i64} : (tensor<i1>) -> tensor<i1>
    %m, %mi, %gate = flow.merge %e, %n : (tensor<i1>, tensor<i1>) -> (tensor<i1>, tensor<i32>, !flow.token)
    %end, %on, %st = flow.switch %m, %p : (tensor<i1>, tensor<i1>) -> (tensor<i1>, tensor<i1>, !flow.token)
    %n = flow.next_iteration %on : (tensor<i1>) -> tensor<i1>
    %p = wire.recv %gate {edge = 0 : i64, from = 0 : i64} : (!flow.token) -> tensor<i1>
    %x = wire.recv %gate {edge = 1 : i64, from = 0 : i64} : (!flow.token) -> tensor<i32>
  }
}
