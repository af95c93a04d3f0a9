"""Transformers: encoder and decoder layers, stacks of them, and both together."""

import copy
from typing import Any

from ... import ops
from ..._contracts.check import refuse
from ..._contracts.contracts import PositiveInt
from ..._contracts.enforcement import checked
from ...engine import dtypes
from ...initializer import initializer
from ..basic.activation import GELU, ReLU
from ..basic.dense import Dense
from ..basic.dropout import Dropout
from ..cell import Cell
from ..containers import CellList
from ..normalization.norm import LayerNorm
from .multihead_attention import MultiheadAttention

__all__ = [
    "Transformer", "TransformerDecoder", "TransformerDecoderLayer", "TransformerEncoder", "TransformerEncoderLayer",
]  # fmt: skip

_ACTIVATIONS = {"relu": ops.relu, "gelu": ops.gelu}


class _TransformerLayer(Cell):
    """The base of transformer layers: attention and two `Dense` layers with residuals, dropout and layer norm.

    Subclasses set ``has_memory`` if they also attend to an encoder's output.
    """

    activation: Any

    _has_memory_ = False

    @checked
    def __init__(
        self,
        d_model: PositiveInt,
        nhead: PositiveInt,
        dim_feedforward: PositiveInt = 2048,
        dropout=0.1,
        activation="relu",
        layer_norm_eps=1e-05,
        batch_first=False,
        norm_first=False,
        dtype=dtypes.float32,
    ):
        super().__init__()
        attention: dict[str, Any] = dict(dropout=dropout, batch_first=batch_first, dtype=dtype)
        self.self_attn = MultiheadAttention(d_model, nhead, **attention)
        if self._has_memory_:
            self.multihead_attn = MultiheadAttention(d_model, nhead, **attention)
        self.dense1 = Dense(d_model, dim_feedforward, dtype=dtype)
        self.dropout = Dropout(p=dropout)
        self.dense2 = Dense(dim_feedforward, d_model, dtype=dtype)
        self.norm1 = LayerNorm((d_model,), epsilon=layer_norm_eps, dtype=dtype)
        self.norm2 = LayerNorm((d_model,), epsilon=layer_norm_eps, dtype=dtype)
        if self._has_memory_:
            self.norm3 = LayerNorm((d_model,), epsilon=layer_norm_eps, dtype=dtype)
        self.dropout1 = Dropout(p=dropout)
        self.dropout2 = Dropout(p=dropout)
        if self._has_memory_:
            self.dropout3 = Dropout(p=dropout)
        self.activation = _activation(activation, self.cls_name)
        self.activation1 = activation
        self.d_model = d_model
        self.nhead = nhead
        self.dim_feedforward = dim_feedforward
        self.dropout_num = dropout
        self.layernorm_eps = layer_norm_eps
        self.batch_first = batch_first
        self.norm_first = norm_first
        self.dtype = dtype

    def _again_(self):
        """Another layer with the same arguments."""
        return type(self)(
            self.d_model,
            self.nhead,
            self.dim_feedforward,
            self.dropout_num,
            self.activation1,
            self.layernorm_eps,
            self.batch_first,
            self.norm_first,
            self.dtype,
        )

    def _residual(self, x, norm, dropout, block):
        if self.norm_first:
            return x + dropout(block(norm(x)))
        return norm(x + dropout(block(x)))

    def _to_itself(self, x, mask, padding):
        return self._residual(
            x, self.norm1, self.dropout1, lambda x: self.self_attn(x, x, x, padding, False, attn_mask=mask)[0]
        )

    def _feed_forward(self, x):
        return self.dense2(self.dropout(self.activation(self.dense1(x))))


def _activation(activation, owner):
    if isinstance(activation, str) and activation in _ACTIVATIONS:
        return _ACTIVATIONS[activation]
    if isinstance(activation, (ReLU, GELU)) or any(activation is each for each in _ACTIVATIONS.values()):
        return activation
    return refuse(ValueError, owner, "activation", "'relu', 'gelu', or one of them as a layer or function", activation)


class TransformerEncoderLayer(_TransformerLayer):
    """Transformer encoder layer: self-attention, and two `Dense` layers.

    Args:
        d_model (int): the number of features.
        nhead (int): the number of heads, a divisor of it.
        dim_feedforward (int): the number of features between the `Dense` layers. Default: ``2048``.
        dropout (float): the probability of all `Dropout` layers. Default: ``0.1``.
        activation (str | Cell | callable): 'relu' or 'gelu', or one of them as a layer or function.
            Default: ``'relu'``.
        layer_norm_eps (float): Default: ``1e-5``.
        batch_first (bool): whether sequences are ``(batch, length, features)``. Default: ``False``.
        norm_first (bool): whether normalisation is before attention and before the `Dense` layers, not after.
            Default: ``False``.
        dtype (mindspore.dtype): of the Parameters. Default: ``float32``.
    Inputs: src (Tensor): shape ``(length, batch, d_model)`` or ``(length, d_model)``; src_mask, src_key_padding_mask
        (Tensor): as for `MultiheadAttention`. Default: ``None``.
    Output: Tensor of the shape of ``src``.
    Raises:
        ValueError: if an argument has another value, or shapes do not match.
    Example:
        >>> nn.TransformerEncoderLayer(4, 2, 8)(ops.ones((5, 2, 4))).shape
        (5, 2, 4)
    Source: mindspore.nn.TransformerEncoderLayer
    """

    def construct(self, src, src_mask=None, src_key_padding_mask=None):
        """The output."""
        x = self._to_itself(src, src_mask, src_key_padding_mask)
        return self._residual(x, self.norm2, self.dropout2, self._feed_forward)


class TransformerDecoderLayer(_TransformerLayer):
    """Transformer decoder layer: self-attention, attention to the encoder's output, and two `Dense` layers.

    Arguments as for `TransformerEncoderLayer`.

    Inputs: tgt, memory (Tensor): shape ``(length, batch, d_model)`` or ``(length, d_model)``, ``memory`` being the
    encoder's output; tgt_mask, memory_mask, tgt_key_padding_mask, memory_key_padding_mask (Tensor): as for
        `MultiheadAttention`. Default: ``None``.
    Output: Tensor of the shape of ``tgt``.
    Raises:
        ValueError: if an argument has another value, or shapes do not match.
    Example:
        >>> nn.TransformerDecoderLayer(4, 2, 8)(ops.ones((5, 2, 4)), ops.ones((3, 2, 4))).shape
        (5, 2, 4)
    Source: mindspore.nn.TransformerDecoderLayer
    """

    _has_memory_ = True

    def construct(
        self,
        tgt,
        memory,
        tgt_mask=None,
        memory_mask=None,
        tgt_key_padding_mask=None,
        memory_key_padding_mask=None,
    ):
        """The output."""

        def to_memory(x):
            return self.multihead_attn(x, memory, memory, memory_key_padding_mask, False, attn_mask=memory_mask)[0]

        x = self._to_itself(tgt, tgt_mask, tgt_key_padding_mask)
        x = self._residual(x, self.norm2, self.dropout2, to_memory)
        return self._residual(x, self.norm3, self.dropout3, self._feed_forward)


class _Stack(Cell):
    """Layers in sequence with the arguments of one, all of the same initial values, and a norm behind them."""

    def __init__(self, layer, num_layers, norm):
        super().__init__()
        first = layer._again_()
        self.layers = CellList([copy.deepcopy(first) for _ in range(num_layers)])
        self.num_layers = num_layers
        self.norm = norm

    def _through(self, x, *masks):
        for layer in self.layers:
            x = layer(x, *masks)
        return x if self.norm is None else self.norm(x)


class TransformerEncoder(_Stack):
    """Encoder layers in sequence.

    Args:
        encoder_layer (TransformerEncoderLayer): gives the arguments of the layers; their Parameters are separate.
        num_layers (int): the number of layers.
        norm (Cell): applied to the output. Default: ``None``.
    Inputs: src, src_mask, src_key_padding_mask: as for `TransformerEncoderLayer`.
    Output: Tensor of the shape of ``src``.
    Example:
        >>> nn.TransformerEncoder(nn.TransformerEncoderLayer(4, 2, 8), 2)(ops.ones((5, 2, 4))).shape
        (5, 2, 4)
    Source: mindspore.nn.TransformerEncoder
    """

    def __init__(self, encoder_layer, num_layers, norm=None):
        super().__init__(encoder_layer, num_layers, norm)

    def construct(self, src, src_mask=None, src_key_padding_mask=None):
        """The output."""
        return self._through(src, src_mask, src_key_padding_mask)


class TransformerDecoder(_Stack):
    """Decoder layers in sequence.

    Args:
        decoder_layer (TransformerDecoderLayer): gives the arguments of the layers; their Parameters are separate.
        num_layers (int): the number of layers.
        norm (Cell): applied to the output. Default: ``None``.
    Inputs: as for `TransformerDecoderLayer`.
    Output: Tensor of the shape of ``tgt``.
    Example:
        >>> layer = nn.TransformerDecoderLayer(4, 2, 8)
        >>> nn.TransformerDecoder(layer, 2)(ops.ones((5, 2, 4)), ops.ones((3, 2, 4))).shape
        (5, 2, 4)
    Source: mindspore.nn.TransformerDecoder
    """

    def __init__(self, decoder_layer, num_layers, norm=None):
        super().__init__(decoder_layer, num_layers, norm)

    def construct(
        self,
        tgt,
        memory,
        tgt_mask=None,
        memory_mask=None,
        tgt_key_padding_mask=None,
        memory_key_padding_mask=None,
    ):
        """The output."""
        return self._through(tgt, memory, tgt_mask, memory_mask, tgt_key_padding_mask, memory_key_padding_mask)


class Transformer(Cell):
    """Transformer: an encoder, and a decoder that attends to its output.

    Args:
        d_model (int): the number of features. Default: ``512``.
        nhead (int): the number of heads, a divisor of it. Default: ``8``.
        num_encoder_layers, num_decoder_layers (int): Default: ``6``.
        dim_feedforward, dropout, activation, layer_norm_eps, batch_first, norm_first, dtype: as for
            `TransformerEncoderLayer`.
        custom_encoder, custom_decoder (Cell): instead of those of the other arguments. Default: ``None``.
    Inputs: src, tgt (Tensor): shape ``(length, batch, d_model)`` or ``(length, d_model)``; src_mask, tgt_mask,
        memory_mask, src_key_padding_mask, tgt_key_padding_mask, memory_key_padding_mask (Tensor): as for
        `MultiheadAttention`. Default: ``None``.
    Output: Tensor of the shape of ``tgt``.
    Raises:
        ValueError: if an argument has another value, or shapes do not match.
    Example:
        >>> nn.Transformer(4, 2, 1, 1, 8)(ops.ones((3, 2, 4)), ops.ones((5, 2, 4))).shape
        (5, 2, 4)
    Source: mindspore.nn.Transformer
    """

    def __init__(
        self,
        d_model=512,
        nhead=8,
        num_encoder_layers=6,
        num_decoder_layers=6,
        dim_feedforward=2048,
        dropout=0.1,
        activation="relu",
        custom_encoder=None,
        custom_decoder=None,
        layer_norm_eps=1e-05,
        batch_first=False,
        norm_first=False,
        dtype=dtypes.float32,
    ):
        super().__init__()
        layer = (d_model, nhead, dim_feedforward, dropout, activation, layer_norm_eps, batch_first, norm_first, dtype)

        def norm():
            return LayerNorm((d_model,), epsilon=layer_norm_eps, dtype=dtype)

        if custom_encoder is None:
            custom_encoder = TransformerEncoder(TransformerEncoderLayer(*layer), num_encoder_layers, norm())
        self.encoder = custom_encoder
        if custom_decoder is None:
            custom_decoder = TransformerDecoder(TransformerDecoderLayer(*layer), num_decoder_layers, norm())
        self.decoder = custom_decoder
        for parameter in self.get_parameters():
            if parameter.ndim > 1:
                parameter.set_data(initializer("xavier_uniform", parameter.shape, parameter.dtype))
        self.d_model = d_model
        self.nhead = nhead
        self.batch_first = batch_first

    def construct(
        self,
        src,
        tgt,
        src_mask=None,
        tgt_mask=None,
        memory_mask=None,
        src_key_padding_mask=None,
        tgt_key_padding_mask=None,
        memory_key_padding_mask=None,
    ):
        """The decoder's output."""
        axis = 0 if self.batch_first else 1
        if src.ndim == 3 and src.shape[axis] != tgt.shape[axis]:
            refuse(ValueError, "Transformer", "tgt", f"of the batch of 'src', {src.shape[axis]}", tgt)
        for name, sequence in (("src", src), ("tgt", tgt)):
            if sequence.shape[-1] != self.d_model:
                refuse(ValueError, "Transformer", name, f"of {self.d_model} features along its last axis", sequence)
        memory = self.encoder(src, src_mask, src_key_padding_mask)
        return self.decoder(tgt, memory, tgt_mask, memory_mask, tgt_key_padding_mask, memory_key_padding_mask)
