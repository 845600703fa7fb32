// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Branches with lists that do not become code, each for one reason.
// RUN: sluice-opt --codegen-choose-loops %s | FileCheck %s

// CHECK-NOT: codegen.collapse

// Elements of unknown rank.
flow.graph @unknown_rank {
  %p = flow.feed {name = "p"} : () -> tensor<i1>
  %i = flow.feed {name = "i"} : () -> tensor<i32>
  %x = flow.feed {name = "x"} : () -> tensor<4xf32>
  %l = list.make %i {element_shape = tensor<*xf32>, identical = false} : (tensor<i32>) -> !list.of<tensor<*xf32>>
  %r = flow.cond %p (%l, %i, %x) : (tensor<i1>, !list.of<tensor<*xf32>>, tensor<i32>, tensor<4xf32>) -> tensor<4xf32> on_true {
  ^bb0(%l0: !list.of<tensor<*xf32>>, %i0: tensor<i32>, %x0: tensor<4xf32>):
    %m = list.push %l0, %x0 {limit = -1 : i64} : (!list.of<tensor<*xf32>>, tensor<4xf32>) -> !list.of<tensor<*xf32>>
    %v, %m1 = list.pop %m : (!list.of<tensor<*xf32>>) -> (tensor<4xf32>, !list.of<tensor<*xf32>>)
    flow.yield %v : (tensor<4xf32>) -> ()
  } on_false {
  ^bb0(%l0: !list.of<tensor<*xf32>>, %i0: tensor<i32>, %x0: tensor<4xf32>):
    flow.yield %x0 : (tensor<4xf32>) -> ()
  }
  flow.fetch %r {name = "r"} : (tensor<4xf32>) -> ()
}

// Nobody has seen to it that rows are alike.
flow.graph @may_differ {
  %p = flow.feed {name = "p"} : () -> tensor<i1>
  %i = flow.feed {name = "i"} : () -> tensor<i32>
  %x = flow.feed {name = "x"} : () -> tensor<4xf32>
  %made = list.make %i {element_shape = tensor<?xf32>, identical = false} : (tensor<i32>) -> !list.of<tensor<?xf32>>
  %l = list.push %made, %x {limit = -1 : i64} : (!list.of<tensor<?xf32>>, tensor<4xf32>) -> !list.of<tensor<?xf32>>
  %r = flow.cond %p (%l, %i, %x) : (tensor<i1>, !list.of<tensor<?xf32>>, tensor<i32>, tensor<4xf32>) -> tensor<i32> on_true {
  ^bb0(%l0: !list.of<tensor<?xf32>>, %i0: tensor<i32>, %x0: tensor<4xf32>):
    %n = list.length %l0 : (!list.of<tensor<?xf32>>) -> tensor<i32>
    flow.yield %n : (tensor<i32>) -> ()
  } on_false {
  ^bb0(%l0: !list.of<tensor<?xf32>>, %i0: tensor<i32>, %x0: tensor<4xf32>):
    flow.yield %i0 : (tensor<i32>) -> ()
  }
  flow.fetch %r {name = "r"} : (tensor<i32>) -> ()
}

// A list of lists.
flow.graph @of_lists {
  %p = flow.feed {name = "p"} : () -> tensor<i1>
  %i = flow.feed {name = "i"} : () -> tensor<i32>
  %x = flow.feed {name = "x"} : () -> tensor<4xf32>
  %l = list.make %i {element_shape = !list.of<tensor<4xf32>>, identical = false} : (tensor<i32>) -> !list.of<!list.of<tensor<4xf32>>>
  %r = flow.cond %p (%l, %i, %x) : (tensor<i1>, !list.of<!list.of<tensor<4xf32>>>, tensor<i32>, tensor<4xf32>) -> tensor<i32> on_true {
  ^bb0(%l0: !list.of<!list.of<tensor<4xf32>>>, %i0: tensor<i32>, %x0: tensor<4xf32>):
    %n = list.length %l0 : (!list.of<!list.of<tensor<4xf32>>>) -> tensor<i32>
    flow.yield %n : (tensor<i32>) -> ()
  } on_false {
  ^bb0(%l0: !list.of<!list.of<tensor<4xf32>>>, %i0: tensor<i32>, %x0: tensor<4xf32>):
    flow.yield %i0 : (tensor<i32>) -> ()
  }
  flow.fetch %r {name = "r"} : (tensor<i32>) -> ()
}

// An op on a whole list.
flow.graph @whole_list {
  %p = flow.feed {name = "p"} : () -> tensor<i1>
  %i = flow.feed {name = "i"} : () -> tensor<i32>
  %x = flow.feed {name = "x"} : () -> tensor<4xf32>
  %l = list.make %i {element_shape = tensor<4xf32>, identical = false} : (tensor<i32>) -> !list.of<tensor<4xf32>>
  %r = flow.cond %p (%l, %i, %x) : (tensor<i1>, !list.of<tensor<4xf32>>, tensor<i32>, tensor<4xf32>) -> tensor<i32> on_true {
  ^bb0(%l0: !list.of<tensor<4xf32>>, %i0: tensor<i32>, %x0: tensor<4xf32>):
    %m = list.resize %l0, %i0 : (!list.of<tensor<4xf32>>, tensor<i32>) -> !list.of<tensor<4xf32>>
    %n = list.length %m : (!list.of<tensor<4xf32>>) -> tensor<i32>
    flow.yield %n : (tensor<i32>) -> ()
  } on_false {
  ^bb0(%l0: !list.of<tensor<4xf32>>, %i0: tensor<i32>, %x0: tensor<4xf32>):
    flow.yield %i0 : (tensor<i32>) -> ()
  }
  flow.fetch %r {name = "r"} : (tensor<i32>) -> ()
}

// A list that learns the shape of its elements.
flow.graph @learns {
  %p = flow.feed {name = "p"} : () -> tensor<i1>
  %i = flow.feed {name = "i"} : () -> tensor<i32>
  %x = flow.feed {name = "x"} : () -> tensor<4xf32>
  %l = list.make %i {element_shape = tensor<4xf32>, identical = false} : (tensor<i32>) -> !list.of<tensor<4xf32>>
  %r = flow.cond %p (%l, %i, %x) : (tensor<i1>, !list.of<tensor<4xf32>>, tensor<i32>, tensor<4xf32>) -> tensor<i32> on_true {
  ^bb0(%l0: !list.of<tensor<4xf32>>, %i0: tensor<i32>, %x0: tensor<4xf32>):
    %m = list.make %i0 {element_shape = tensor<*xf32>, identical = true} : (tensor<i32>) -> !list.of<tensor<4xf32>>
    %n = list.length %m : (!list.of<tensor<4xf32>>) -> tensor<i32>
    flow.yield %n : (tensor<i32>) -> ()
  } on_false {
  ^bb0(%l0: !list.of<tensor<4xf32>>, %i0: tensor<i32>, %x0: tensor<4xf32>):
    flow.yield %i0 : (tensor<i32>) -> ()
  }
  flow.fetch %r {name = "r"} : (tensor<i32>) -> ()
}

// An element of another shape is written.
flow.graph @writes_another {
  %p = flow.feed {name = "p"} : () -> tensor<i1>
  %i = flow.feed {name = "i"} : () -> tensor<i32>
  %x = flow.feed {name = "x"} : () -> tensor<4xf32>
  %l = list.make %i {element_shape = tensor<5xf32>, identical = false} : (tensor<i32>) -> !list.of<tensor<5xf32>>
  %r = flow.cond %p (%l, %i, %x) : (tensor<i1>, !list.of<tensor<5xf32>>, tensor<i32>, tensor<4xf32>) -> tensor<i32> on_true {
  ^bb0(%l0: !list.of<tensor<5xf32>>, %i0: tensor<i32>, %x0: tensor<4xf32>):
    %m = list.push %l0, %x0 {limit = -1 : i64} : (!list.of<tensor<5xf32>>, tensor<4xf32>) -> !list.of<tensor<5xf32>>
    %n = list.length %m : (!list.of<tensor<5xf32>>) -> tensor<i32>
    flow.yield %n : (tensor<i32>) -> ()
  } on_false {
  ^bb0(%l0: !list.of<tensor<5xf32>>, %i0: tensor<i32>, %x0: tensor<4xf32>):
    flow.yield %i0 : (tensor<i32>) -> ()
  }
  flow.fetch %r {name = "r"} : (tensor<i32>) -> ()
}

// An element of another shape is expected.
flow.graph @reads_another {
  %p = flow.feed {name = "p"} : () -> tensor<i1>
  %i = flow.feed {name = "i"} : () -> tensor<i32>
  %x = flow.feed {name = "x"} : () -> tensor<4xf32>
  %l = list.make %i {element_shape = tensor<5xf32>, identical = false} : (tensor<i32>) -> !list.of<tensor<5xf32>>
  %r = flow.cond %p (%l, %i, %x) : (tensor<i1>, !list.of<tensor<5xf32>>, tensor<i32>, tensor<4xf32>) -> tensor<4xf32> on_true {
  ^bb0(%l0: !list.of<tensor<5xf32>>, %i0: tensor<i32>, %x0: tensor<4xf32>):
    %v, %m = list.get %l0, %i0 {beyond = false, clear = false} : (!list.of<tensor<5xf32>>, tensor<i32>) -> (tensor<4xf32>, !list.of<tensor<5xf32>>)
    flow.yield %v : (tensor<4xf32>) -> ()
  } on_false {
  ^bb0(%l0: !list.of<tensor<5xf32>>, %i0: tensor<i32>, %x0: tensor<4xf32>):
    flow.yield %x0 : (tensor<4xf32>) -> ()
  }
  flow.fetch %r {name = "r"} : (tensor<4xf32>) -> ()
}

// Two lists at a time.
flow.graph @changed_before {
  %p = flow.feed {name = "p"} : () -> tensor<i1>
  %i = flow.feed {name = "i"} : () -> tensor<i32>
  %x = flow.feed {name = "x"} : () -> tensor<4xf32>
  %l = list.make %i {element_shape = tensor<4xf32>, identical = false} : (tensor<i32>) -> !list.of<tensor<4xf32>>
  %r = flow.cond %p (%l, %i, %x) : (tensor<i1>, !list.of<tensor<4xf32>>, tensor<i32>, tensor<4xf32>) -> tensor<i32> on_true {
  ^bb0(%l0: !list.of<tensor<4xf32>>, %i0: tensor<i32>, %x0: tensor<4xf32>):
    %m = list.push %l0, %x0 {limit = -1 : i64} : (!list.of<tensor<4xf32>>, tensor<4xf32>) -> !list.of<tensor<4xf32>>
    %n = list.length %l0 : (!list.of<tensor<4xf32>>) -> tensor<i32>
    %o = list.length %m : (!list.of<tensor<4xf32>>) -> tensor<i32>
    %s = nd.add %n, %o : (tensor<i32>, tensor<i32>) -> tensor<i32>
    flow.yield %s : (tensor<i32>) -> ()
  } on_false {
  ^bb0(%l0: !list.of<tensor<4xf32>>, %i0: tensor<i32>, %x0: tensor<4xf32>):
    flow.yield %i0 : (tensor<i32>) -> ()
  }
  flow.fetch %r {name = "r"} : (tensor<i32>) -> ()
}
