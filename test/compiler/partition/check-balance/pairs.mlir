// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// One send and one recv for each edge, which fit together. Each case breaks a module that balances.
// RUN: sluice-opt %s --split-input-file --verify-diagnostics --partition-check-balance

// The module without a fault.
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
    %x = wire.recv {edge = 0 : i64, from = 0 : i64} : () -> tensor<f32>
    %y = nd.neg %x : (tensor<f32>) -> tensor<f32>
    wire.send %y {edge = 1 : i64, to = 0 : i64} : (tensor<f32>) -> ()
  }
}

// -----
// The send is missing.
module @rank0 attributes {wire.rank = 0 : i64} {
  flow.graph @g attributes {wire.frames = []} {
    %x = flow.feed {name = "x"} : () -> tensor<f32>
    wire.send %x {edge = 0 : i64, to = 1 : i64} : (tensor<f32>) -> ()
    // expected-error@below {{edge 1: expected a send but got none}}
    %y = wire.recv {edge = 1 : i64, from = 1 : i64} : () -> tensor<f32>
    flow.fetch %y {name = "y"} : (tensor<f32>) -> ()
  }
}
module @rank1 attributes {wire.rank = 1 : i64} {
  flow.graph @g attributes {wire.frames = []} {
    %x = wire.recv {edge = 0 : i64, from = 0 : i64} : () -> tensor<f32>
    %y = nd.neg %x : (tensor<f32>) -> tensor<f32>
  }
}

// -----
// The recv is missing.
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
    // expected-error@below {{edge 1: expected a recv but got none}}
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
  }
}

// -----
// Two recvs.
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
    // expected-note@below {{the other one}}
    %x = wire.recv {edge = 0 : i64, from = 0 : i64} : () -> tensor<f32>
    // expected-error@below {{edge 0: expected one recv but got two}}
    %again = wire.recv {edge = 0 : i64, from = 0 : i64} : () -> tensor<f32>
    %y = nd.neg %x : (tensor<f32>) -> tensor<f32>
    wire.send %y {edge = 1 : i64, to = 0 : i64} : (tensor<f32>) -> ()
  }
}

// -----
// Two sends.
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
    %x = wire.recv {edge = 0 : i64, from = 0 : i64} : () -> tensor<f32>
    %y = nd.neg %x : (tensor<f32>) -> tensor<f32>
    // expected-note@below {{the other one}}
    wire.send %x {edge = 1 : i64, to = 0 : i64} : (tensor<f32>) -> ()
    // expected-error@below {{edge 1: expected one send but got two}}
    wire.send %y {edge = 1 : i64, to = 0 : i64} : (tensor<f32>) -> ()
  }
}

// -----
// A number that leaves a gap.
module @rank0 attributes {wire.rank = 0 : i64} {
  flow.graph @g attributes {wire.frames = []} {
    %x = flow.feed {name = "x"} : () -> tensor<f32>
    wire.send %x {edge = 0 : i64, to = 1 : i64} : (tensor<f32>) -> ()
    // expected-error@below {{edge 2: expected a number below 2, the number of edges}}
    %y = wire.recv {edge = 2 : i64, from = 1 : i64} : () -> tensor<f32>
    flow.fetch %y {name = "y"} : (tensor<f32>) -> ()
  }
}
module @rank1 attributes {wire.rank = 1 : i64} {
  flow.graph @g attributes {wire.frames = []} {
    %x = wire.recv {edge = 0 : i64, from = 0 : i64} : () -> tensor<f32>
    %y = nd.neg %x : (tensor<f32>) -> tensor<f32>
    wire.send %y {edge = 2 : i64, to = 0 : i64} : (tensor<f32>) -> ()
  }
}

// -----
// The type of another value.
module @rank0 attributes {wire.rank = 0 : i64} {
  flow.graph @g attributes {wire.frames = []} {
    %x = flow.feed {name = "x"} : () -> tensor<f32>
    wire.send %x {edge = 0 : i64, to = 1 : i64} : (tensor<f32>) -> ()
    // expected-error@below {{edge 1: expected the type that is sent, 'tensor<i1>', but got 'tensor<f32>'}}
    %y = wire.recv {edge = 1 : i64, from = 1 : i64} : () -> tensor<f32>
    flow.fetch %y {name = "y"} : (tensor<f32>) -> ()
  }
}
module @rank1 attributes {wire.rank = 1 : i64} {
  flow.graph @g attributes {wire.frames = []} {
    %x = wire.recv {edge = 0 : i64, from = 0 : i64} : () -> tensor<f32>
    %y = nd.less %x, %x : (tensor<f32>, tensor<f32>) -> tensor<i1>
    wire.send %y {edge = 1 : i64, to = 0 : i64} : (tensor<i1>) -> ()
  }
}

// -----
// The wrong receiver.
module @rank0 attributes {wire.rank = 0 : i64} {
  flow.graph @g attributes {wire.frames = []} {
    %x = flow.feed {name = "x"} : () -> tensor<f32>
    // expected-error@below {{edge 0: expected to go to rank 1, where the recv is, but got 0}}
    wire.send %x {edge = 0 : i64, to = 0 : i64} : (tensor<f32>) -> ()
    %y = wire.recv {edge = 1 : i64, from = 1 : i64} : () -> tensor<f32>
    flow.fetch %y {name = "y"} : (tensor<f32>) -> ()
  }
}
module @rank1 attributes {wire.rank = 1 : i64} {
  flow.graph @g attributes {wire.frames = []} {
    %x = wire.recv {edge = 0 : i64, from = 0 : i64} : () -> tensor<f32>
    %y = nd.neg %x : (tensor<f32>) -> tensor<f32>
    wire.send %y {edge = 1 : i64, to = 0 : i64} : (tensor<f32>) -> ()
  }
}

// -----
// The wrong sender.
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
    // expected-error@below {{edge 0: expected to come from rank 0, where the send is, but got 1}}
    %x = wire.recv {edge = 0 : i64, from = 1 : i64} : () -> tensor<f32>
    %y = nd.neg %x : (tensor<f32>) -> tensor<f32>
    wire.send %y {edge = 1 : i64, to = 0 : i64} : (tensor<f32>) -> ()
  }
}

// -----
// Both ends on one rank.
module @rank0 attributes {wire.rank = 0 : i64} {
  flow.graph @g attributes {wire.frames = []} {
    %x = flow.feed {name = "x"} : () -> tensor<f32>
    wire.send %x {edge = 0 : i64, to = 1 : i64} : (tensor<f32>) -> ()
    %y = wire.recv {edge = 1 : i64, from = 1 : i64} : () -> tensor<f32>
    // expected-error@below {{edge 2: expected two ranks but got 0 for both ends}}
    wire.send %x {edge = 2 : i64, to = 0 : i64} : (tensor<f32>) -> ()
    %z = wire.recv {edge = 2 : i64, from = 0 : i64} : () -> tensor<f32>
    flow.fetch %y {name = "y"} : (tensor<f32>) -> ()
  }
}
module @rank1 attributes {wire.rank = 1 : i64} {
  flow.graph @g attributes {wire.frames = []} {
    %x = wire.recv {edge = 0 : i64, from = 0 : i64} : () -> tensor<f32>
    %y = nd.neg %x : (tensor<f32>) -> tensor<f32>
    wire.send %y {edge = 1 : i64, to = 0 : i64} : (tensor<f32>) -> ()
  }
}

// -----
// What means nothing elsewhere is refused by the ops themselves.
module @rank0 attributes {wire.rank = 0 : i64} {
  flow.graph @g attributes {wire.frames = []} {
    %x = flow.feed {name = "x"} : () -> tensor<f32>
    wire.send %x {edge = 0 : i64, to = 1 : i64} : (tensor<f32>) -> ()
    %y = wire.recv {edge = 1 : i64, from = 1 : i64} : () -> tensor<f32>
    flow.fetch %y {name = "y"} : (tensor<f32>) -> ()
  }
}
module @rank1 attributes {wire.rank = 1 : i64} {
  state.variable @w {key = "w", type = tensor<f32>}
  flow.graph @g attributes {wire.frames = []} {
    %x = wire.recv {edge = 0 : i64, from = 0 : i64} : () -> tensor<f32>
    %y, %t = state.reference {variable = @w} : () -> (!state.ref<tensor<f32>>, !flow.token)
    // expected-error@below {{operand #0 must be tensor or control token, but got '!state.ref<tensor<f32>>'}}
    wire.send %y {edge = 1 : i64, to = 0 : i64} : (!state.ref<tensor<f32>>) -> ()
  }
}

// -----
// Ranks out of order.
module @rank0 attributes {wire.rank = 0 : i64} {
  flow.graph @g attributes {wire.frames = []} {
    %x = flow.feed {name = "x"} : () -> tensor<f32>
    wire.send %x {edge = 0 : i64, to = 1 : i64} : (tensor<f32>) -> ()
    %y = wire.recv {edge = 1 : i64, from = 1 : i64} : () -> tensor<f32>
    flow.fetch %y {name = "y"} : (tensor<f32>) -> ()
  }
}
// expected-error@below {{expected rank 1 in 'wire.rank'}}
module @rank1 attributes {wire.rank = 2 : i64} {
  flow.graph @g attributes {wire.frames = []} {
    %x = wire.recv {edge = 0 : i64, from = 0 : i64} : () -> tensor<f32>
    %y = nd.neg %x : (tensor<f32>) -> tensor<f32>
    wire.send %y {edge = 1 : i64, to = 0 : i64} : (tensor<f32>) -> ()
  }
}

// -----
// A signature that a rank lacks.
module @rank0 attributes {wire.rank = 0 : i64} {
  // expected-error@below {{expected the signature on all 2 ranks but got it on the first 1}}
  flow.graph @g attributes {wire.frames = []} {
  }
}
module @rank1 attributes {wire.rank = 1 : i64} {
}

// -----
// A signature that an earlier rank lacks.
module @rank0 attributes {wire.rank = 0 : i64} {
}
module @rank1 attributes {wire.rank = 1 : i64} {
  // expected-error@below {{expected the signature on ranks 0 to 1 as well}}
  flow.graph @g attributes {wire.frames = []} {
  }
}
