# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What ops that make images of other sizes, and of parts of images, ask of their operands.

The rules are those of `operand_rules.py`, which has the others.
"""

import operands

KERNELS = ["lanczos1", "lanczos3", "lanczos5", "gaussian", "box", "triangle", "keyscubic",
           "mitchellcubic"]


def sizes(d, count, most):
    return [d.rng.randint(1, most) for _ in range(count)]


def centers(d):
    if "half_pixel_centers" in d.attrs and d.attrs["align_corners"][1]:
        d.set("half_pixel_centers", "bool", False)


def batch_and_channels(d):
    return d.rng.randint(1, 2), d.rng.randint(1, 2)


def resize(d):
    centers(d)
    batch, channels = batch_and_channels(d)
    return [d.tensor("T", [batch, *sizes(d, 2, 5), channels]), d.ints("int32", sizes(d, 2, 7))]


def resize_grad(d):
    centers(d)
    batch, channels = batch_and_channels(d)
    return [d.tensor("float", [batch, *sizes(d, 2, 7), channels]),
            d.tensor("T", [batch, *sizes(d, 2, 5), channels])]


def translate(d):
    """Scales in quarters: places of elements are exact, also those at the edge of what counts."""
    d.set("kernel_type", "string", d.rng.choice(KERNELS))
    batch, channels = batch_and_channels(d)
    last = ([d.tensor("T", [batch, *sizes(d, 2, 5), channels])]
            if d.signature.name.endswith("Grad") else [d.ints("int32", sizes(d, 2, 6))])
    numbers = [[d.rng.randint(2 - 3 * d.chance(0.02), 8) / 4 for _ in range(2)],
               [d.rng.randint(-8, 8) / 4 for _ in range(2)]]
    return [d.tensor("T", [batch, *sizes(d, 2, 5), channels]), *last,
            *(operands.Operand("float", [2], operands.pack("float", each)) for each in numbers)]


def patches(d):
    spatial = sizes(d, 2 if d.signature.name == "ExtractImagePatches" else 3, 5)
    batch, channels = batch_and_channels(d)
    chosen = {name: [1, *(d.rng.randint(1, most) for _ in spatial), 1]
              for name, most in (("ksizes", 3), ("strides", 2), ("rates", 2))}
    for name, numbers in chosen.items():
        if name in d.signature.attrs:
            d.set(name, "ints", numbers)
        else:
            chosen[name] = [1] * len(numbers)
    if any((windows - 1) * rate >= size for size, windows, rate in
           zip(spatial, chosen["ksizes"][1:], chosen["rates"][1:])):
        d.set("padding", "string", "SAME")
    return [d.tensor(d.signature.inputs[0].dtype, [batch, *spatial, channels])]


def crop(d):
    """Images, or what flows back to crops of them, boxes that partly lie outside, and sizes."""
    kind, boxes = d.signature.name, d.rng.randint(1, 3)
    images, crops = [d.rng.randint(1, 2), *sizes(d, 2, 5)], sizes(d, 2, 5)
    channels = d.rng.randint(1, 2)
    corners = [d.rng.randint(-2, 10) / 8 for _ in range(4 * boxes)]
    places = [operands.Operand("float", [boxes, 4], operands.pack("float", corners)),
              d.ints("int32", [d.rng.randrange(images[0]) for _ in range(boxes)])]
    if kind == "CropAndResize":
        return [d.tensor("T", [*images, channels]), *places, d.ints("int32", crops)]
    grads = d.tensor("float", [boxes, *crops, channels])
    if kind == "CropAndResizeGradBoxes":
        return [grads, d.tensor("T", [*images, channels]), *places]
    return [grads, *places, d.ints("int32", [*images, channels])]


RULES = {
    **dict.fromkeys(["ResizeArea", "ResizeBicubic", "ResizeBilinear", "ResizeNearestNeighbor",
                     "ResizeNearestNeighborGrad"], resize),
    "ResizeBicubicGrad": resize_grad, "ResizeBilinearGrad": resize_grad,
    "ScaleAndTranslate": translate, "ScaleAndTranslateGrad": translate,
    "ExtractImagePatches": patches, "ExtractVolumePatches": patches,
    **dict.fromkeys(["CropAndResize", "CropAndResizeGradBoxes", "CropAndResizeGradImage"], crop),
}
