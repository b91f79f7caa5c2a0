/**
 * Hint texts of Cairo 0's common library (cairo-lang 0.8 to 0.13), by the reference machine's names. Hints of
 * a program are recognised only by their exact text.
 */
export const HINT_TEXTS = {
  VM_ENTER_SCOPE: "vm_enter_scope()",
  VM_EXIT_SCOPE: "vm_exit_scope()",
  MEMCPY_ENTER_SCOPE: "vm_enter_scope({'n': ids.len})",
  MEMCPY_CONTINUE_COPYING: String.raw`n -= 1
ids.continue_copying = 1 if n > 0 else 0`,
  MEMSET_ENTER_SCOPE: "vm_enter_scope({'n': ids.n})",
  MEMSET_CONTINUE_LOOP: String.raw`n -= 1
ids.continue_loop = 1 if n > 0 else 0`,
  ASSERT_250_BITS: String.raw`from starkware.cairo.common.math_utils import as_int

# Correctness check.
value = as_int(ids.value, PRIME) % PRIME
assert value < ids.UPPER_BOUND, f'{value} is outside of the range [0, 2**250).'

# Calculation for the assertion.
ids.high, ids.low = divmod(ids.value, ids.SHIFT)`,
  ASSERT_NOT_ZERO: String.raw`from starkware.cairo.common.math_utils import assert_integer
assert_integer(ids.value)
assert ids.value % PRIME != 0, f'assert_not_zero failed: {ids.value} = 0.'`,
  ASSERT_NN: String.raw`from starkware.cairo.common.math_utils import assert_integer
assert_integer(ids.a)
assert 0 <= ids.a % PRIME < range_check_builtin.bound, f'a = {ids.a} is out of range.'`,
  ASSERT_NOT_EQUAL: String.raw`from starkware.cairo.lang.vm.relocatable import RelocatableValue
both_ints = isinstance(ids.a, int) and isinstance(ids.b, int)
both_relocatable = (
    isinstance(ids.a, RelocatableValue) and isinstance(ids.b, RelocatableValue) and
    ids.a.segment_index == ids.b.segment_index)
assert both_ints or both_relocatable, \
    f'assert_not_equal failed: non-comparable values: {ids.a}, {ids.b}.'
assert (ids.a - ids.b) % PRIME != 0, f'assert_not_equal failed: {ids.a} = {ids.b}.'`,
  ASSERT_LE_FELT: String.raw`import itertools

from starkware.cairo.common.math_utils import assert_integer
assert_integer(ids.a)
assert_integer(ids.b)
a = ids.a % PRIME
b = ids.b % PRIME
assert a <= b, f'a = {a} is not less than or equal to b = {b}.'

# Find an arc less than PRIME / 3, and another less than PRIME / 2.
lengths_and_indices = [(a, 0), (b - a, 1), (PRIME - 1 - b, 2)]
lengths_and_indices.sort()
assert lengths_and_indices[0][0] <= PRIME // 3 and lengths_and_indices[1][0] <= PRIME // 2
excluded = lengths_and_indices[2][1]

memory[ids.range_check_ptr + 1], memory[ids.range_check_ptr + 0] = (
    divmod(lengths_and_indices[0][0], ids.PRIME_OVER_3_HIGH))
memory[ids.range_check_ptr + 3], memory[ids.range_check_ptr + 2] = (
    divmod(lengths_and_indices[1][0], ids.PRIME_OVER_2_HIGH))`,
  ASSERT_LE_FELT_V_0_6: String.raw`from starkware.cairo.common.math_utils import assert_integer
assert_integer(ids.a)
assert_integer(ids.b)
assert (ids.a % PRIME) <= (ids.b % PRIME), \
    f'a = {ids.a % PRIME} is not less than or equal to b = {ids.b % PRIME}.'`,
  ASSERT_LE_FELT_V_0_8: String.raw`from starkware.cairo.common.math_utils import assert_integer
assert_integer(ids.a)
assert_integer(ids.b)
a = ids.a % PRIME
b = ids.b % PRIME
assert a <= b, f'a = {a} is not less than or equal to b = {b}.'

ids.small_inputs = int(
    a < range_check_builtin.bound and (b - a) < range_check_builtin.bound)`,
  ASSERT_LE_FELT_EXCLUDED_0: "memory[ap] = 1 if excluded != 0 else 0",
  ASSERT_LE_FELT_EXCLUDED_1: "memory[ap] = 1 if excluded != 1 else 0",
  ASSERT_LE_FELT_EXCLUDED_2: "assert excluded == 2",
  ASSERT_LT_FELT: String.raw`from starkware.cairo.common.math_utils import assert_integer
assert_integer(ids.a)
assert_integer(ids.b)
assert (ids.a % PRIME) < (ids.b % PRIME), \
    f'a = {ids.a % PRIME} is not less than b = {ids.b % PRIME}.'`,
  IS_NN: "memory[ap] = 0 if 0 <= (ids.a % PRIME) < range_check_builtin.bound else 1",
  IS_NN_OUT_OF_RANGE:
    "memory[ap] = 0 if 0 <= ((-ids.a - 1) % PRIME) < range_check_builtin.bound else 1",
  IS_LE_FELT: "memory[ap] = 0 if (ids.a % PRIME) <= (ids.b % PRIME) else 1",
  IS_POSITIVE: String.raw`from starkware.cairo.common.math_utils import is_positive
ids.is_positive = 1 if is_positive(
    value=ids.value, prime=PRIME, rc_bound=range_check_builtin.bound) else 0`,
  IS_250_BITS: "ids.is_250 = 1 if ids.addr < 2**250 else 0",
  IS_ADDR_BOUNDED: String.raw`# Verify the assumptions on the relationship between 2**250, ADDR_BOUND and PRIME.
ADDR_BOUND = ids.ADDR_BOUND % PRIME
assert (2**250 < ADDR_BOUND <= 2**251) and (2 * 2**250 < PRIME) and (
        ADDR_BOUND * 2 > PRIME), \
    'normalize_address() cannot be used with the current constants.'
ids.is_small = 1 if ids.addr < ADDR_BOUND else 0`,
  SPLIT_FELT: String.raw`from starkware.cairo.common.math_utils import assert_integer
assert ids.MAX_HIGH < 2**128 and ids.MAX_LOW < 2**128
assert PRIME - 1 == ids.MAX_HIGH * 2**128 + ids.MAX_LOW
assert_integer(ids.value)
ids.low = ids.value & ((1 << 128) - 1)
ids.high = ids.value >> 128`,
  SPLIT_INT: String.raw`memory[ids.output] = res = (int(ids.value) % PRIME) % ids.base
assert res < ids.bound, f'split_int(): Limb {res} is out of range.'`,
  SPLIT_INT_ASSERT_RANGE: "assert ids.value == 0, 'split_int(): value is out of range.'",
  SPLIT_64: String.raw`ids.low = ids.a & ((1<<64) - 1)
ids.high = ids.a >> 64`,
  SQRT: String.raw`from starkware.python.math_utils import isqrt
value = ids.value % PRIME
assert value < 2 ** 250, f"value={value} is outside of the range [0, 2**250)."
assert 2 ** 250 < PRIME
ids.root = isqrt(value)`,
  UNSIGNED_DIV_REM: String.raw`from starkware.cairo.common.math_utils import assert_integer
assert_integer(ids.div)
assert 0 < ids.div <= PRIME // range_check_builtin.bound, \
    f'div={hex(ids.div)} is out of the valid range.'
ids.q, ids.r = divmod(ids.value, ids.div)`,
  SIGNED_DIV_REM: String.raw`from starkware.cairo.common.math_utils import as_int, assert_integer

assert_integer(ids.div)
assert 0 < ids.div <= PRIME // range_check_builtin.bound, \
    f'div={hex(ids.div)} is out of the valid range.'

assert_integer(ids.bound)
assert ids.bound <= range_check_builtin.bound // 2, \
    f'bound={hex(ids.bound)} is out of the valid range.'

int_value = as_int(ids.value, PRIME)
q, ids.r = divmod(int_value, ids.div)

assert -ids.bound <= q < ids.bound, \
    f'{int_value} / {ids.div} = {q} is out of the range [{-ids.bound}, {ids.bound}).'

ids.biased_q = q + ids.bound`,
  POW: "ids.locs.bit = (ids.prev_locs.exp % PRIME) & 1",
  UINT256_ADD: String.raw`sum_low = ids.a.low + ids.b.low
ids.carry_low = 1 if sum_low >= ids.SHIFT else 0
sum_high = ids.a.high + ids.b.high + ids.carry_low
ids.carry_high = 1 if sum_high >= ids.SHIFT else 0`,
  UINT256_ADD_LOW: String.raw`sum_low = ids.a.low + ids.b.low
ids.carry_low = 1 if sum_low >= ids.SHIFT else 0`,
  UINT256_UNSIGNED_DIV_REM: String.raw`a = (ids.a.high << 128) + ids.a.low
div = (ids.div.high << 128) + ids.div.low
quotient, remainder = divmod(a, div)

ids.quotient.low = quotient & ((1 << 128) - 1)
ids.quotient.high = quotient >> 128
ids.remainder.low = remainder & ((1 << 128) - 1)
ids.remainder.high = remainder >> 128`,
  UINT256_SIGNED_NN: "memory[ap] = 1 if 0 <= (ids.a.high % PRIME) < 2 ** 127 else 0",
  UINT256_SQRT: String.raw`from starkware.python.math_utils import isqrt
n = (ids.n.high << 128) + ids.n.low
root = isqrt(n)
assert 0 <= root < 2 ** 128
ids.root.low = root
ids.root.high = 0`,
  RANDOM_EC_POINT: String.raw`from starkware.crypto.signature.signature import ALPHA, BETA, FIELD_PRIME
from starkware.python.math_utils import random_ec_point
from starkware.python.utils import to_bytes

# Define a seed for random_ec_point that's dependent on all the input, so that:
#   (1) The added point s is deterministic.
#   (2) It's hard to choose inputs for which the builtin will fail.
seed = b"".join(map(to_bytes, [ids.p.x, ids.p.y, ids.m, ids.q.x, ids.q.y]))
ids.s.x, ids.s.y = random_ec_point(FIELD_PRIME, ALPHA, BETA, seed)`,
  VERIFY_ECDSA_SIGNATURE:
    "ecdsa_builtin.add_signature(ids.ecdsa_ptr.address_, (ids.signature_r, ids.signature_s))",
} as const;

/** Name of a library hint. */
export type HintName = keyof typeof HINT_TEXTS;

/** Text of the hint that the kernel itself executes: adds a segment, writes its address to `memory[ap]`. */
export const ADD_SEGMENT = "memory[ap] = segments.add()";

const SYSCALL =
  /^syscall_handler\.([a-z_0-9]+)\(segments=segments, syscall_ptr=ids\.syscall_ptr\)$/u;

const SYSCALLS: ReadonlySet<string> = new Set([
  "call_contract",
  "delegate_call",
  "delegate_l1_handler",
  "deploy",
  "emit_event",
  "get_block_number",
  "get_block_timestamp",
  "get_caller_address",
  "get_contract_address",
  "get_sequencer_address",
  "get_tx_info",
  "get_tx_signature",
  "library_call",
  "library_call_l1_handler",
  "replace_class",
  "send_message_to_l1",
  "storage_read",
  "storage_write",
]);

/** Whether a hint executes the syscall whose request is at `ids.syscall_ptr`. */
export function isSyscallHint(code: string): boolean {
  const name = SYSCALL.exec(code)?.[1];
  return name !== undefined && SYSCALLS.has(name);
}
