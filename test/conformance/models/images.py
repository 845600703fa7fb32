# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Networks of convolutions and pools, on images, sound and text."""

import tensorflow as tf

from program import counts, drawn, of_model

CLASSES, WORDS = 10, 50
layers = tf.keras.layers


def image(size, channels, name="image"):
    return tf.keras.Input((size, size, channels), name=name)


def settled(model):
    """Statistics of batch norms as training leaves them, which begin as zeros and ones."""
    for layer in model.layers:
        if isinstance(layer, layers.BatchNormalization):
            gamma, beta, mean, variance = layer.weights
            for weight, low in ((gamma, 0.5), (variance, 0.2)):
                weight.assign(abs(drawn(*weight.shape)) + low)
            for weight in (beta, mean):
                weight.assign(drawn(*weight.shape, scale=0.3))
    return model


def on_images(model, *sizes):
    """Called with as many images as `sizes` says."""
    return of_model(settled(model), *((drawn(n, *model.inputs[0].shape[1:]),) for n in sizes or (1, 4)))


def digits():
    given = image(28, 1)
    x = layers.MaxPooling2D()(layers.Conv2D(8, 3, activation="relu")(given))
    x = layers.BatchNormalization()(layers.Conv2D(16, 3, activation="relu")(x))
    x = layers.Dropout(0.5)(layers.Flatten()(layers.AveragePooling2D(2)(x)))
    x = layers.Dense(32, activation="relu")(x)
    return tf.keras.Model(given, layers.Dense(CLASSES, activation="softmax")(x))


def normed(x, activation="relu"):
    x = layers.BatchNormalization()(x)
    return layers.Activation(activation)(x) if activation else x


def residual_block(x, filters, strides):
    y = normed(layers.Conv2D(filters, 3, strides, "same", use_bias=False)(x))
    y = normed(layers.Conv2D(filters, 3, 1, "same", use_bias=False)(y), None)
    if strides > 1:
        x = normed(layers.Conv2D(filters, 1, strides, use_bias=False)(x), None)
    return layers.ReLU()(layers.Add()([x, y]))


def residual(size=32, filters=8):
    given = image(size, 3)
    x = layers.ZeroPadding2D(3)(given)
    x = layers.MaxPooling2D(3, 2, "same")(normed(layers.Conv2D(filters, 7, 2, use_bias=False)(x)))
    x = residual_block(residual_block(x, filters, 1), 2 * filters, 2)
    x = layers.GlobalAveragePooling2D()(residual_block(x, 4 * filters, 2))
    return tf.keras.Model(given, layers.Dense(CLASSES)(x))


def inverted_block(x, filters, strides):
    """Wide within, narrow without, as in the second MobileNet."""
    narrow = x.shape[-1]
    y = normed(layers.Conv2D(4 * narrow, 1, use_bias=False)(x), "relu6")
    y = normed(layers.DepthwiseConv2D(3, strides, "same", use_bias=False)(y), "relu6")
    y = normed(layers.Conv2D(filters, 1, use_bias=False)(y), None)
    return layers.Add()([x, y]) if strides == 1 and filters == narrow else y


def mobile():
    given = image(32, 3)
    x = normed(layers.Conv2D(8, 3, 2, "same", use_bias=False)(given), "relu6")
    x = inverted_block(inverted_block(x, 8, 1), 16, 2)
    x = normed(layers.SeparableConv2D(24, 3, padding="same", depth_multiplier=2)(x))
    gate = layers.GlobalAveragePooling2D(keepdims=True)(x)
    gate = layers.Conv2D(24, 1, activation="hard_sigmoid")(
        layers.Conv2D(6, 1, activation="silu")(gate))
    x = layers.GlobalMaxPooling2D()(layers.Multiply()([x, gate]))
    return tf.keras.Model(given, layers.Dense(CLASSES, activation="softmax")(x))


def text():
    given = tf.keras.Input((None,), dtype="int32", name="words")
    x = layers.SpatialDropout1D(0.2)(layers.Embedding(WORDS, 12)(given))
    found = [layers.GlobalMaxPooling1D()(layers.Conv1D(8, width, activation="relu", padding="same")(x))
             for width in (2, 3, 5)]
    x = layers.Dense(8, activation="relu")(layers.Concatenate()(found))
    return of_model(tf.keras.Model(given, layers.Dense(1, activation="sigmoid")(x)),
                    (counts(WORDS, 1, 9),), (counts(WORDS, 3, 20),))


def autoencoder():
    given = image(28, 1)
    x = layers.Conv2D(8, 3, 2, "same", activation="relu")(given)
    x = layers.Conv2D(4, 3, 2, "same", activation="relu")(x)
    x = layers.Reshape((7, 7, 4))(layers.Dense(196, activation="relu")(
        layers.Dense(16)(layers.Flatten()(x))))
    x = layers.Conv2DTranspose(8, 3, 2, "same", activation="relu")(x)
    x = layers.Conv2D(8, 3, padding="same", activation="elu")(
        layers.UpSampling2D(interpolation="bilinear")(x))
    return tf.keras.Model(given, layers.Conv2D(1, 3, padding="same", activation="sigmoid")(x))


def segmenter():
    """What goes down is seen again on the way up, by the side."""
    given = tf.keras.Input((None, None, 3), name="image")
    first = normed(layers.Conv2D(6, 3, padding="same")(given))
    second = normed(layers.Conv2D(12, 3, padding="same")(layers.MaxPooling2D()(first)))
    x = layers.Conv2D(16, 3, padding="same", dilation_rate=2)(layers.MaxPooling2D()(second))
    x = layers.LeakyReLU()(layers.GroupNormalization(4)(x))
    x = layers.Concatenate()([layers.Conv2DTranspose(12, 2, 2)(x), second])
    x = normed(layers.Conv2D(6, 3, padding="same")(x))
    x = layers.Concatenate()([layers.UpSampling2D()(x), first])
    model = settled(tf.keras.Model(given, layers.Conv2D(4, 1, activation="softmax")(x)))
    return of_model(model, (drawn(1, 16, 24, 3),), (drawn(2, 8, 8, 3),))


def waves():
    """Each sample of a sound from those before it."""
    given = tf.keras.Input((None, 1), name="sound")
    x = layers.Conv1D(8, 1)(given)
    for dilation in (1, 2, 4):
        y = layers.Multiply()([
            layers.Conv1D(8, 2, padding="causal", dilation_rate=dilation, activation=activation)(x)
            for activation in ("tanh", "sigmoid")])
        x = layers.Add()([x, layers.Conv1D(8, 1)(y)])
    return of_model(tf.keras.Model(given, layers.Conv1D(4, 1)(layers.ReLU()(x))),
                    (drawn(1, 12, 1),), (drawn(2, 33, 1),))


def prepared():
    """Bytes of a picture of any size become what a network wants."""
    given = tf.keras.Input((None, None, 3), dtype="uint8", name="image")
    x = layers.Resizing(24, 24)(layers.Rescaling(1 / 127.5, -1)(given))
    x = layers.CenterCrop(16, 20)(x)
    x = layers.Normalization(mean=[0.1, 0.0, -0.1], variance=[0.5, 0.4, 0.3])(x)
    x = layers.Flatten()(layers.Conv2D(4, 5, 4)(x))
    return of_model(tf.keras.Model(given, layers.Dense(CLASSES)(x)),
                    *((counts(256, *size, 3, dtype="uint8"),) for size in ((1, 31, 50), (2, 24, 20))))


def volumes():
    given = tf.keras.Input((8, 8, 6, 1), name="image")
    x = layers.MaxPooling3D()(layers.Conv3D(4, 3, padding="same", activation="selu")(given))
    x = layers.Conv3DTranspose(3, 2, 2)(layers.AveragePooling3D((2, 2, 1))(x))
    return tf.keras.Model(given, layers.GlobalAveragePooling3D()(x))


def frames():
    """Pictures one after the other, by a cell whose products are convolutions."""
    given = tf.keras.Input((None, 8, 8, 2), name="frames")
    x = layers.ConvLSTM2D(3, 3, padding="same", return_sequences=True)(given)
    x = layers.TimeDistributed(layers.Conv2D(1, 3, padding="same"))(x)
    return of_model(tf.keras.Model(given, x), (drawn(1, 4, 8, 8, 2),), (drawn(2, 2, 8, 8, 2),))


MODELS = {
    "CNN of digits": lambda: on_images(digits()),
    "residual network": lambda: on_images(residual()),
    "MobileNet": lambda: on_images(mobile()),
    "text CNN": text,
    "autoencoder": lambda: on_images(autoencoder()),
    "segmenter, images of any size": segmenter,
}

VARIANTS = {
    "dilated causal Conv1D": waves,
    "preparation of images": prepared,
    "convolutions of volumes": lambda: on_images(volumes()),
    "ConvLSTM2D": frames,
}
