// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Values that are there in every iteration. Each case breaks a module that balances.
// RUN: sluice-opt %s --split-input-file --verify-diagnostics --partition-check-balance

// What an enter brings once.
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
    // expected-error@below {{edge 1: expected a value that is there in every iteration of frame 'loop' but got one that is there in the first one only}}
    wire.send %first {edge = 1 : i64, to = 1 : i64} : (tensor<i32>) -> ()
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
// What waits for it.
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
    %once = nd.add %first, %stay : (tensor<i32>, tensor<i32>) -> tensor<i32>
    // expected-error@below {{edge 1: expected a value that is there in every iteration of frame 'loop' but got one that is there in the first one only}}
    wire.send %once {edge = 1 : i64, to = 1 : i64} : (tensor<i32>) -> ()
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
// What comes from the iteration before.
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
    %later, %li, %lt = flow.merge %again : (tensor<i32>) -> (tensor<i32>, tensor<i32>, !flow.token)
    // expected-error@below {{edge 1: expected a value that is there in every iteration of frame 'loop' but got one that is there in all but the first one}}
    wire.send %later {edge = 1 : i64, to = 1 : i64} : (tensor<i32>) -> ()
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
// What comes from the iteration before, of a value that comes once: when, is not asked.
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
    %once = nd.neg %first : (tensor<i32>) -> tensor<i32>
    %second = flow.next_iteration %once : (tensor<i32>) -> tensor<i32>
    %later, %li, %lt = flow.merge %second : (tensor<i32>) -> (tensor<i32>, tensor<i32>, !flow.token)
    // expected-error@below {{edge 1: expected a value that is there in every iteration of frame 'loop' but got one that is there in some that are not known}}
    wire.send %later {edge = 1 : i64, to = 1 : i64} : (tensor<i32>) -> ()
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
// A merge that waits for a token of the first iteration.
module @rank0 attributes {wire.rank = 0 : i64} {
  flow.graph @g attributes {wire.frames = ["loop"]} {
    %zero = nd.constant {value = dense<0> : tensor<i32>} : () -> tensor<i32>
    %one = nd.constant {value = dense<1> : tensor<i32>} : () -> tensor<i32>
    %two = nd.constant {value = dense<2> : tensor<i32>} : () -> tensor<i32>
    %first = flow.enter %zero {frame = "loop", constant = false, parallel_iterations = 10 : i64} : (tensor<i32>) -> tensor<i32>
    %i, %index, %merged = flow.merge %first, %again, %t : (tensor<i32>, tensor<i32>, !flow.token) -> (tensor<i32>, tensor<i32>, !flow.token)
    %t = flow.after %first : (tensor<i32>) -> !flow.token
    %less = nd.less %i, %two : (tensor<i32>, tensor<i32>) -> tensor<i1>
    %go = flow.loop_cond %less : (tensor<i1>) -> tensor<i1>
    // expected-error@below {{edge 0: expected a value that is there in every iteration of frame 'loop' but got one that is there in the first one only}}
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
// A merge of a value of every iteration and one of the first: where the former is dead, it waits
// for ever.
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
    // expected-error@below {{expected values that are all there in every iteration of frame 'loop', which is on several ranks, or each in the first one or all later ones only, but got both kinds}}
    %both, %bi, %bt = flow.merge %leave, %first : (tensor<i32>, tensor<i32>) -> (tensor<i32>, tensor<i32>, !flow.token)
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
// A loop inside that is entered in the first iteration only: what goes round outside waits for it.
module @rank0 attributes {wire.rank = 0 : i64} {
  flow.graph @g attributes {wire.frames = ["outer", "outer>inner"]} {
    %zero = nd.constant {value = dense<0> : tensor<i32>} : () -> tensor<i32>
    %two = nd.constant {value = dense<2> : tensor<i32>} : () -> tensor<i32>
    %ofirst = flow.enter %zero {frame = "outer", constant = false, parallel_iterations = 10 : i64} : (tensor<i32>) -> tensor<i32>
    %o, %oindex, %omerged = flow.merge %ofirst, %oagain : (tensor<i32>, tensor<i32>) -> (tensor<i32>, tensor<i32>, !flow.token)
    %oless = nd.less %o, %two : (tensor<i32>, tensor<i32>) -> tensor<i1>
    %ogo = flow.loop_cond %oless : (tensor<i1>) -> tensor<i1>
    // expected-error@below {{edge 0: expected a value that is there in every iteration of frame 'outer' but got one that is there in the first one only}}
    wire.send %ogo {edge = 0 : i64, to = 1 : i64} : (tensor<i1>) -> ()
    %oleave, %ostay, %oswitched = flow.switch %o, %ogo : (tensor<i32>, tensor<i1>) -> (tensor<i32>, tensor<i32>, !flow.token)
    %first = flow.enter %ofirst {frame = "inner", constant = false, parallel_iterations = 10 : i64} : (tensor<i32>) -> tensor<i32>
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
// The same where nothing that is sent depends on it: the inner loop never ends in later iterations.
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
    // expected-error@below {{expected frame 'outer>inner', which is on several ranks, to be entered in every iteration around it but got the first one only}}
    %extra = flow.enter %ofirst {frame = "inner", constant = true, parallel_iterations = 10 : i64} : (tensor<i32>) -> tensor<i32>
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
