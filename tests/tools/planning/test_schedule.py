"""Bytes, buffers and collectives of compiled programs, read from their texts."""

import jax
import jax.numpy as jnp
import pytest

from msgrad.tools.planning.estimating import Estimate
from msgrad.tools.planning.hlo import Module, bytes_of
from msgrad.tools.planning.schedule import Schedule

TEXT = """
HloModule jit_f, is_scheduled=true, input_output_alias={ {0}: (0, {}, may-alias) }, entry_computation_layout={}

%fused (p0: f32[1000,8], p1: s32[4]) -> f32[4,8] {
  %p0 = f32[1000,8]{1,0} parameter(0)
  %p1 = s32[4]{0} parameter(1)
  ROOT %g = f32[4,8]{1,0} gather(%p0, %p1), offset_dims={1}
}

ENTRY %main (a: f32[1000,8], i: s32[4]) -> (f32[4,8], f32[4,8]) {
  %a = f32[1000,8]{1,0} parameter(0)
  %i = s32[4]{0} parameter(1)
  %rows = f32[4,8]{1,0} fusion(%a, %i), kind=kLoop, calls=%fused, metadata={op_name="jit(f)/jvp(gather[net|t.py:1])"}
  %view = f32[32]{0} bitcast(%rows)
  %start = f32[32]{0} all-reduce-start(%view), replica_groups={{0,1,2,3}}, to_apply=%fused
  %done = f32[32]{0} all-reduce-done(%start)
  %half = bf16[32]{0:T(1024)S(1)} convert(%done), metadata={op_name="jit(f)/transpose(jvp(mul[net|t.py:2]))"}
  %back = f32[4,8]{1,0} add(%half, %rows), metadata={op_name="jit(f)/transpose(jvp(mul[net|t.py:2]))"}
  ROOT %out = (f32[4,8]{1,0}, f32[4,8]{1,0}) tuple(%rows, %back)
}
"""


@pytest.fixture(scope="module")
def schedule():
    return Schedule(Module(TEXT), 4)


@pytest.mark.parametrize(
    ("shape", "size"),
    [
        ("f32[4,8]{1,0}", 128),
        ("(bf16[2]{0}, s64[3]{0})", 28),
        ("pred[]", 1),
        ("f32[8]{0:T(128)S(1)}", 0),
        ("bf16[8,128]{1,0:T(8,128)(2,1)}", 2048),
    ],
)
def test_bytes_of_a_shape_are_those_in_the_memory_of_the_device(shape, size):
    assert bytes_of(shape) == size


def test_a_gather_moves_the_rows_that_it_takes(schedule):
    moved = {origin[:3]: size for origin, size in schedule.moved.items()}
    assert moved["gather", "net", "t.py:1"] == 128 + 16 + 128


def test_a_collective_has_its_bytes_and_members(schedule):
    (exchange,) = schedule.exchanges
    assert (exchange.kind, exchange.bytes, exchange.chips, exchange.times) == ("all-reduce", 128, 4, 1)


# As a TPU's compiler writes them: in on-chip memory, fused with others from start to end, and as a part of a sum.
ON_TPU = """
HloModule jit_f, is_scheduled=true

%started (p: u32[8]) -> (u32[8], u32[32], u32[]) {
  %p = u32[8]{0:T(128)S(1)} parameter(0)
  %gathered = u32[32]{0:T(128)} all-gather(%p), channel_id=2, replica_groups=mesh['a'=2,'b'=4] {'b'}, dimensions={0}
  ROOT %c = (u32[8]{0}, u32[32]{0:S(1)}, u32[]{:S(2)}) custom-call(%gathered), custom_call_target="AsyncCollectiveStart"
}

%carried (p: u32[8], q: f32[64]) -> (f32[64], u32[32]) {
  %p.1 = u32[8]{0:T(128)S(1)} parameter(0)
  %q = f32[64]{0:T(128)} parameter(1)
  %gathered.1 = u32[32]{0:T(128)S(1)} all-gather(%p.1), channel_id=2, replica_groups=mesh['a'=2,'b'=4] {'b'}
  %n = f32[64]{0:T(128)} negate(%q)
  ROOT %t = (f32[64]{0:T(128)}, u32[32]{0:T(128)S(1)}) tuple(%n, %gathered.1)
}

%all-reduce-scatter (input: f32[64]) -> f32[8] {
  %input = f32[64]{0:T(128)} parameter(0)
  %sum = f32[64]{0:T(128)} all-reduce(%input), channel_id=3, replica_groups=[1,8]<=[8], to_apply=%add
  ROOT %part = f32[8]{0:T(128)S(1)} dynamic-slice(%sum), dynamic_slice_sizes={8}
}

ENTRY %main (a: u32[8], b: f32[64]) -> f32[64] {
  %a = u32[8]{0:T(128)} parameter(0)
  %b = f32[64]{0:T(128)} parameter(1)
  %start = (u32[8]{0}, u32[32]{0:S(1)}, u32[]{:S(2)}) fusion(%a), kind=kCustom, calls=%started
  %first = u32[8]{0} get-tuple-element(%start), index=0
  %fusion = (f32[64]{0:T(128)}, u32[32]{0:T(128)S(1)}) fusion(%first, %b), kind=kCustom, calls=%carried
  %negated = f32[64]{0:T(128)} get-tuple-element(%fusion), index=0
  %total = f32[64]{0:T(128)S(1)} all-reduce(%negated), channel_id=1, replica_groups={{0,1,2,3,4,5,6,7}}, to_apply=%add
  %scattered = f32[8]{0:T(128)S(1)} fusion(%total), kind=kCustom, calls=%all-reduce-scatter
  %begun = ((f32[8]{0:S(1)}), f32[64]{0:T(128)}, u32[]) all-gather-start(%scattered), replica_groups=[1,8]<=[8]
  ROOT %ended = f32[64]{0:T(128)} all-gather-done(%begun)
}
"""


def test_collectives_of_a_tpu_are_counted_once_with_all_their_bytes():
    found = [(each.kind, each.bytes, each.chips) for each in Schedule(Module(ON_TPU), 8).exchanges]
    expected = [("all-gather", 128, 4), ("all-reduce", 256, 8), ("reduce-scatter", 32, 8), ("all-gather", 256, 8)]
    assert found == expected


@pytest.mark.parametrize(
    ("line", "size"),
    [
        ("copy-start(%a)", 128),
        ("all-reduce-start(%a, %b)", 128 + 256 + 4),
        ("all-gather-start(%a)", 256),
    ],
)
def test_what_starts_a_transfer_makes_its_result_alone(line, size):
    text = "ENTRY %main (a: f32[8]) -> f32[8] {\n  %s = (f32[32]{0:T(8,128)}, f32[64]{0}, u32[]) " + line + "\n}"
    (instruction,) = Module(text).entry
    assert instruction.bytes == size


def test_a_buffer_is_held_from_its_instruction_to_its_last_use(schedule):
    held = {(each.shape.strip(), each.first, each.last, each.is_kept) for each in schedule.buffers.at_most()}
    assert ("f32[4,8]{1,0}", 2, 9, True) in held  # a result, which the backward pass reads
    assert schedule.buffers.most == 128 + 128  # the rows, and the exchange or the sum after it


def test_a_program_of_this_machine_can_be_read():
    def fn(x):
        with jax.named_scope("tanh[net.up|t.py:1]"):
            return jnp.tanh(x @ x).sum()

    text = jax.jit(jax.grad(fn)).lower(jax.ShapeDtypeStruct((64, 64), "float32")).compile().as_text()
    schedule = Schedule(Module(text), 1)
    assert {origin.path for origin in schedule.moved} >= {"net.up"}
    assert schedule.buffers.most >= 64 * 64 * 4


def test_a_loop_holds_the_values_of_one_turn():
    def fn(x):
        return jax.lax.scan(lambda c, _: (jnp.tanh(c @ c) @ c, None), x, None, length=3)[0]

    spec = jax.ShapeDtypeStruct((64, 64), "float32")
    text = jax.jit(fn).lower(spec).compile().as_text()
    compiled, estimated = Schedule(Module(text), 1).buffers, Estimate(jax.make_jaxpr(fn)(spec).jaxpr, ()).buffers
    assert compiled.most >= 2 * 64 * 64 * 4 and estimated.most >= 2 * 64 * 64 * 4
