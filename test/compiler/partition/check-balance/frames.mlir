// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Both ends in one frame, and ranks that agree about frames. Each case breaks a module that
// balances.
// RUN: sluice-opt %s --split-input-file --verify-diagnostics --partition-check-balance

// The module without a fault.
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
    %x = wire.recv %gate {edge = 1 : i64, from = 0 : i64} : (!flow.token) -> tensor<i32>
  }
}

// -----
// A recv without its gate is one of the root frame.
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
    // expected-error@below {{edge 1: expected to be in the frame of the send, frame 'loop', but got the root frame}}
    %x = wire.recv {edge = 1 : i64, from = 0 : i64} : () -> tensor<i32>
  }
}

// -----
// A recv in the frame around that of the send.
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
    wire.send %i {edge = 2 : i64, to = 1 : i64} : (tensor<i32>) -> ()
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
    // expected-error@below {{edge 2: expected to be in the frame of the send, frame 'outer>inner', but got frame 'outer'}}
    %q = wire.recv %ogate {edge = 2 : i64, from = 0 : i64} : (!flow.token) -> tensor<i32>
    %p = wire.recv %gate {edge = 1 : i64, from = 0 : i64} : (!flow.token) -> tensor<i1>
  }
}

// -----
// No control loop for the inner frame.
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
    // expected-error@below {{edge 1: expected to be in the frame of the send, frame 'outer>inner', but got frame 'outer'}}
    %p = wire.recv %ogate {edge = 1 : i64, from = 0 : i64} : (!flow.token) -> tensor<i1>
  }
}

// -----
// Different windows.
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
    // expected-error@below {{expected the same window of frame 'loop' on all ranks, 10, but got 11 on rank 1}}
    %e = flow.enter %true {frame = "loop", constant = false, parallel_iterations = 11 : i64} : (tensor<i1>) -> tensor<i1>
    %m, %mi, %gate = flow.merge %e, %n : (tensor<i1>, tensor<i1>) -> (tensor<i1>, tensor<i32>, !flow.token)
    %end, %on, %st = flow.switch %m, %p : (tensor<i1>, tensor<i1>) -> (tensor<i1>, tensor<i1>, !flow.token)
    %n = flow.next_iteration %on : (tensor<i1>) -> tensor<i1>
    %p = wire.recv %gate {edge = 0 : i64, from = 0 : i64} : (!flow.token) -> tensor<i1>
    %x = wire.recv %gate {edge = 1 : i64, from = 0 : i64} : (!flow.token) -> tensor<i32>
  }
}

// -----
// Two pivots.
module @rank0 attributes {wire.rank = 0 : i64} {
  flow.graph @g attributes {wire.frames = ["loop"]} {
    %zero = nd.constant {value = dense<0> : tensor<i32>} : () -> tensor<i32>
    %one = nd.constant {value = dense<1> : tensor<i32>} : () -> tensor<i32>
    %two = nd.constant {value = dense<2> : tensor<i32>} : () -> tensor<i32>
    %first = flow.enter %zero {frame = "loop", constant = false, parallel_iterations = 10 : i64} : (tensor<i32>) -> tensor<i32>
    %i, %index, %merged = flow.merge %first, %again : (tensor<i32>, tensor<i32>) -> (tensor<i32>, tensor<i32>, !flow.token)
    %less = nd.less %i, %two : (tensor<i32>, tensor<i32>) -> tensor<i1>
    // expected-note@below {{the other one}}
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
    %end, %on, %st = flow.switch %m, %mine : (tensor<i1>, tensor<i1>) -> (tensor<i1>, tensor<i1>, !flow.token)
    %n = flow.next_iteration %on : (tensor<i1>) -> tensor<i1>
    %p = wire.recv %gate {edge = 0 : i64, from = 0 : i64} : (!flow.token) -> tensor<i1>
    // expected-error@below {{expected one flow.loop_cond in frame 'loop' but got one on rank 0 and one on rank 1}}
    %mine = flow.loop_cond %p : (tensor<i1>) -> tensor<i1>
    %x = wire.recv %gate {edge = 1 : i64, from = 0 : i64} : (!flow.token) -> tensor<i32>
  }
}

// -----
// No pivot.
module @rank0 attributes {wire.rank = 0 : i64} {
  flow.graph @g attributes {wire.frames = ["loop"]} {
    %zero = nd.constant {value = dense<0> : tensor<i32>} : () -> tensor<i32>
    %one = nd.constant {value = dense<1> : tensor<i32>} : () -> tensor<i32>
    %two = nd.constant {value = dense<2> : tensor<i32>} : () -> tensor<i32>
    // expected-error@below {{expected a flow.loop_cond in frame 'loop', which is on several ranks, but got none}}
    %first = flow.enter %zero {frame = "loop", constant = false, parallel_iterations = 10 : i64} : (tensor<i32>) -> tensor<i32>
    %i, %index, %merged = flow.merge %first, %again : (tensor<i32>, tensor<i32>) -> (tensor<i32>, tensor<i32>, !flow.token)
    %less = nd.less %i, %two : (tensor<i32>, tensor<i32>) -> tensor<i1>
    %go = nd.logical_not %less : (tensor<i1>) -> tensor<i1>
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
    %x = wire.recv %gate {edge = 1 : i64, from = 0 : i64} : (!flow.token) -> tensor<i32>
  }
}

// -----
// Frames that the ranks number differently.
module @rank0 attributes {wire.rank = 0 : i64} {
  flow.graph @g attributes {wire.frames = []} {
    %x = flow.feed {name = "x"} : () -> tensor<f32>
    wire.send %x {edge = 0 : i64, to = 1 : i64} : (tensor<f32>) -> ()
    %y = wire.recv {edge = 1 : i64, from = 1 : i64} : () -> tensor<f32>
    flow.fetch %y {name = "y"} : (tensor<f32>) -> ()
  }
}
module @rank1 attributes {wire.rank = 1 : i64} {
  // expected-error@below {{expected the 'wire.frames' of rank 0 but got ["loop"]}}
  flow.graph @g attributes {wire.frames = ["loop"]} {
    %x = wire.recv {edge = 0 : i64, from = 0 : i64} : () -> tensor<f32>
    %y = nd.neg %x : (tensor<f32>) -> tensor<f32>
    wire.send %y {edge = 1 : i64, to = 0 : i64} : (tensor<f32>) -> ()
  }
}

// -----
// Frames without numbers.
module @rank0 attributes {wire.rank = 0 : i64} {
  // expected-error@below {{expected 'wire.frames' but got none}}
  flow.graph @g {
  }
}
module @rank1 attributes {wire.rank = 1 : i64} {
}

// -----
// The inner control loop starts from a constant, so that its frame is another one.
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
  // expected-error@below {{expected frame 'inner' in 'wire.frames' after the one around it}}
  flow.graph @g attributes {wire.frames = ["outer", "outer>inner"]} {
    %true = nd.constant {value = dense<true> : tensor<i1>} : () -> tensor<i1>
    %oe = flow.enter %true {frame = "outer", constant = false, parallel_iterations = 10 : i64} : (tensor<i1>) -> tensor<i1>
    %om, %omi, %ogate = flow.merge %oe, %on : (tensor<i1>, tensor<i1>) -> (tensor<i1>, tensor<i32>, !flow.token)
    %oend, %os, %ost = flow.switch %om, %op : (tensor<i1>, tensor<i1>) -> (tensor<i1>, tensor<i1>, !flow.token)
    %on = flow.next_iteration %os : (tensor<i1>) -> tensor<i1>
    %op = wire.recv %ogate {edge = 0 : i64, from = 0 : i64} : (!flow.token) -> tensor<i1>
    %e = flow.enter %true {frame = "inner", constant = false, parallel_iterations = 10 : i64} : (tensor<i1>) -> tensor<i1>
    %m, %mi, %gate = flow.merge %e, %n : (tensor<i1>, tensor<i1>) -> (tensor<i1>, tensor<i32>, !flow.token)
    %end, %s, %st = flow.switch %m, %p : (tensor<i1>, tensor<i1>) -> (tensor<i1>, tensor<i1>, !flow.token)
    %n = flow.next_iteration %s : (tensor<i1>) -> tensor<i1>
    %p = wire.recv %gate {edge = 1 : i64, from = 0 : i64} : (!flow.token) -> tensor<i1>
  }
}
