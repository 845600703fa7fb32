// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// nn ops of the family "boxes": parts of images that something was found in.
#ifndef SLUICE_NN_BOXES
#define SLUICE_NN_BOXES

include "dialects/nn/NnBase.td"

def Nn_F32 : ND_Tensor<[F32], "f32">;
def Nn_NoCodeOfBoxes : ND_NoCode<"each box depends on those before it">;

def Nn_SuppressOp : Nn_Op<"suppress", Nn_NoCodeOfBoxes, ND_NoGradientOfSteps, [AllElementTypesMatch<["boxes", "scores", "overlap", "least", "sigma", "selected"]>]> {
  let summary = "the best boxes that do not overlap";
  let semantics = [{Boxes, best score first, of which those are left out whose score is not above `least`, and at most `count` are taken. A row of `boxes` has two corners of a box. A box whose overlap with one that was taken, their common area over that of both, is above `overlap` is not taken. If `sigma` is above 0, its score is multiplied by exp(-overlap² / (2 sigma)) instead, for each box that was taken. With `given`, `boxes` is a square matrix that has the overlap of each box with each other. `places` are those of the boxes that were taken, `selected` their scores and `taken` how many there are; with `padded` there are `count` of them, the rest zeros.}];
  let failures = "INVALID_ARGUMENT when `boxes` is no matrix of four numbers a row, or no square with `given`, when `scores` is no vector with a number for each, when one of the others is no scalar, `count` is negative, or `overlap` is not from 0 to 1 without `given`.";
  let constraints = [{C1. `boxes`, `scores`, `overlap`, `least`, `sigma` and `selected` have the same element type: floats. C2. `count`, `places` and `taken` hold i32.}];
  let example = "%p, %s, %n = nn.suppress %b, %x, %c, %o, %l, %g {given = false, padded = false} : (tensor<6x4xf32>, tensor<6xf32>, tensor<i32>, tensor<f32>, tensor<f32>, tensor<f32>) -> (tensor<?xi32>, tensor<?xf32>, tensor<i32>)";
  let arguments = (ins ND_Float:$boxes, ND_Float:$scores, ND_I32:$count, ND_Float:$overlap, ND_Float:$least, ND_Float:$sigma, BoolAttr:$given, BoolAttr:$padded);
  let results = (outs ND_I32:$places, ND_Float:$selected, ND_I32:$taken);
}

def Nn_SuppressClassesOp : Nn_Op<"suppress_classes", Nn_NoCodeOfBoxes, ND_NoGradientOfSteps> {
  let summary = "the best boxes of all classes that do not overlap";
  let semantics = [{For each image what `nn.suppress` takes of each class, best score first. `boxes` has for each image and box the corners of one box for all classes, or of one for each; `scores` a number for each class. At most `each` are taken of a class and `total` of an image; with `padded_by_class` there is only room for the lesser of `total` and `each` times the number of classes. Behind them all are zeros; `taken` says how many there are. With `clipped` the corners are brought into the unit square.}];
  let failures = "INVALID_ARGUMENT when ranks or sizes do not fit, one of `each` and `total` is not positive, or `overlap` is not from 0 to 1.";
  let constraints = [{C1. `boxes`, `scores`, `overlap`, `least`, `corners`, `selected` and `classes` hold f32. C2. `each`, `total` and `taken` hold i32.}];
  let example = "%b, %s, %c, %n = nn.suppress_classes %x, %y, %e, %t, %o, %l {clipped = true, padded_by_class = false} : (tensor<2x6x1x4xf32>, tensor<2x6x3xf32>, tensor<i32>, tensor<i32>, tensor<f32>, tensor<f32>) -> (tensor<2x?x4xf32>, tensor<2x?xf32>, tensor<2x?xf32>, tensor<2xi32>)";
  let arguments = (ins Nn_F32:$boxes, Nn_F32:$scores, ND_I32:$each, ND_I32:$total, Nn_F32:$overlap, Nn_F32:$least, BoolAttr:$padded_by_class, BoolAttr:$clipped);
  let results = (outs Nn_F32:$corners, Nn_F32:$selected, Nn_F32:$classes, ND_I32:$taken);
}

def Nn_DrawBoxesOp : Nn_Op<"draw_boxes", Nn_NoCodeOfBoxes, NoGradient<"TensorFlow has none">, [AllElementTypesMatch<["images", "result"]>]> {
  let summary = "images with boxes drawn on them";
  let semantics = [{The images, with the sides of each of their `boxes` drawn, one after the other, as far as they are within. A box has two corners, of which 0 is the first place and 1 the last one. Each gets the next of the rows of `colors`, which begin again when they end; without rows they are ten well-known ones, or 1 on images of one channel.}];
  let failures = "INVALID_ARGUMENT when `images` does not have 4 dims or has not 1, 3 or 4 channels, `boxes` is not of as many images with four numbers a box, or `colors` has less columns than there are channels.";
  let constraints = [{C1. `images` and `result` have the same element type: floats. C2. `boxes` and `colors` hold f32.}];
  let example = "%y = nn.draw_boxes %x, %b, %c : (tensor<2x8x8x3xf32>, tensor<2x3x4xf32>, tensor<0x4xf32>) -> tensor<2x8x8x3xf32>";
  let arguments = (ins ND_Float:$images, Nn_F32:$boxes, Nn_F32:$colors);
  let results = (outs ND_Float:$result);
}

#endif
