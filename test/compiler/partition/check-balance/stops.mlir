// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Loops that stop on all ranks when their pivot says so. Each case breaks a module that balances.
// RUN: sluice-opt %s --split-input-file --verify-diagnostics --partition-check-balance

// A value goes round past the switch.
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
    %next = nd.add %i, %one : (tensor<i32>, tensor<i32>) -> tensor<i32>
    // expected-error@below {{expected a value that is dead once the pivot of frame 'loop' is false, for the frame is on several ranks}}
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
    %x = wire.recv %gate {edge = 1 : i64, from = 0 : i64} : (!flow.token) -> tensor<i32>
  }
}

// -----
// The wrong way of the switch.
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
    %next = nd.add %leave, %one : (tensor<i32>, tensor<i32>) -> tensor<i32>
    // expected-error@below {{expected a value that is dead once the pivot of frame 'loop' is false, for the frame is on several ranks}}
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
    %x = wire.recv %gate {edge = 1 : i64, from = 0 : i64} : (!flow.token) -> tensor<i32>
  }
}

// -----
// A merge of both ways.
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
    %next, %ni, %nt = flow.merge %stay, %leave : (tensor<i32>, tensor<i32>) -> (tensor<i32>, tensor<i32>, !flow.token)
    // expected-error@below {{expected a value that is dead once the pivot of frame 'loop' is false, for the frame is on several ranks}}
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
    %x = wire.recv %gate {edge = 1 : i64, from = 0 : i64} : (!flow.token) -> tensor<i32>
  }
}

// -----
// A trigger forgets that its operands are dead, a join does not.
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
    %t = flow.after %stay : (tensor<i32>) -> !flow.token
    %free = flow.trigger %t : (!flow.token) -> !flow.token
    %held = flow.gate %i, %free : (tensor<i32>, !flow.token) -> tensor<i32>
    %next = nd.add %held, %one : (tensor<i32>, tensor<i32>) -> tensor<i32>
    // expected-error@below {{expected a value that is dead once the pivot of frame 'loop' is false, for the frame is on several ranks}}
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
    %x = wire.recv %gate {edge = 1 : i64, from = 0 : i64} : (!flow.token) -> tensor<i32>
  }
}

// -----
// 
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
    %t = flow.after %stay : (tensor<i32>) -> !flow.token
    %joined = flow.join %t : (!flow.token) -> !flow.token
    %held = flow.gate %i, %joined : (tensor<i32>, !flow.token) -> tensor<i32>
    %next = nd.add %held, %one : (tensor<i32>, tensor<i32>) -> tensor<i32>
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
    %x = wire.recv %gate {edge = 1 : i64, from = 0 : i64} : (!flow.token) -> tensor<i32>
  }
}

// -----
// A gated predicate decides as well.
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
    %held = flow.gate %go, %merged : (tensor<i1>, !flow.token) -> tensor<i1>
    %leave, %stay, %switched = flow.switch %i, %held : (tensor<i32>, tensor<i1>) -> (tensor<i32>, tensor<i32>, !flow.token)
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
    %x = wire.recv %gate {edge = 1 : i64, from = 0 : i64} : (!flow.token) -> tensor<i32>
  }
}

// -----
// In a loop around another, what leaves the inner one is dead if what entered was; the inner loop's
// own pivot does not matter.
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
    %end, %s, %st = flow.switch %m, %p : (tensor<i1>, tensor<i1>) -> (tensor<i1>, tensor<i1>, !flow.token)
    %n = flow.next_iteration %s : (tensor<i1>) -> tensor<i1>
    %p = wire.recv %gate {edge = 1 : i64, from = 0 : i64} : (!flow.token) -> tensor<i1>
  }
}

// -----
// 
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
    %first = flow.enter %o {frame = "inner", constant = false, parallel_iterations = 10 : i64} : (tensor<i32>) -> tensor<i32>
    %i, %index, %merged = flow.merge %first, %again : (tensor<i32>, tensor<i32>) -> (tensor<i32>, tensor<i32>, !flow.token)
    %less = nd.less %i, %two : (tensor<i32>, tensor<i32>) -> tensor<i1>
    %go = flow.loop_cond %less : (tensor<i1>) -> tensor<i1>
    wire.send %go {edge = 1 : i64, to = 1 : i64} : (tensor<i1>) -> ()
    %leave, %stay, %switched = flow.switch %i, %go : (tensor<i32>, tensor<i1>) -> (tensor<i32>, tensor<i32>, !flow.token)
    %again = flow.next_iteration %stay : (tensor<i32>) -> tensor<i32>
    %left = flow.exit %leave : (tensor<i32>) -> tensor<i32>
    // expected-error@below {{expected a value that is dead once the pivot of frame 'outer' is false, for the frame is on several ranks}}
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
    %end, %s, %st = flow.switch %m, %p : (tensor<i1>, tensor<i1>) -> (tensor<i1>, tensor<i1>, !flow.token)
    %n = flow.next_iteration %s : (tensor<i1>) -> tensor<i1>
    %p = wire.recv %gate {edge = 1 : i64, from = 0 : i64} : (!flow.token) -> tensor<i1>
  }
}

// -----
// What comes from a rank further behind is not dead there, and so not here.
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
    %true = nd.constant {value = dense<true> : tensor<i1>} : () -> tensor<i1>
    %e = flow.enter %true {frame = "loop", constant = false, parallel_iterations = 10 : i64} : (tensor<i1>) -> tensor<i1>
    %m, %mi, %gate = flow.merge %e, %n : (tensor<i1>, tensor<i1>) -> (tensor<i1>, tensor<i32>, !flow.token)
    %end, %on, %st = flow.switch %m, %go : (tensor<i1>, tensor<i1>) -> (tensor<i1>, tensor<i1>, !flow.token)
    %n = flow.next_iteration %on : (tensor<i1>) -> tensor<i1>
    %far = wire.recv %gate {edge = 1 : i64, from = 1 : i64} : (!flow.token) -> tensor<i32>
    %next = nd.add %far, %one : (tensor<i32>, tensor<i32>) -> tensor<i32>
    // expected-error@below {{expected a value that is dead once the pivot of frame 'loop' is false, for the frame is on several ranks}}
    %again = flow.next_iteration %next : (tensor<i32>) -> tensor<i32>
  }
}
module @rank1 attributes {wire.rank = 1 : i64} {
  flow.graph @g attributes {wire.frames = ["loop"]} {
    %true = nd.constant {value = dense<true> : tensor<i1>} : () -> tensor<i1>
    %e = flow.enter %true {frame = "loop", constant = false, parallel_iterations = 10 : i64} : (tensor<i1>) -> tensor<i1>
    %m, %mi, %gate = flow.merge %e, %n : (tensor<i1>, tensor<i1>) -> (tensor<i1>, tensor<i32>, !flow.token)
    wire.send %mi {edge = 1 : i64, to = 0 : i64} : (tensor<i32>) -> ()
    %end, %on, %st = flow.switch %m, %p : (tensor<i1>, tensor<i1>) -> (tensor<i1>, tensor<i1>, !flow.token)
    %n = flow.next_iteration %on : (tensor<i1>) -> tensor<i1>
    %p = wire.recv %gate {edge = 0 : i64, from = 0 : i64} : (!flow.token) -> tensor<i1>
  }
}
