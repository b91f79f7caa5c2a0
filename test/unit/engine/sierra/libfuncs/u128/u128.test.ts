import { describe, expect, test } from "bun:test";
import { FIELD_PRIME } from "#base/primitives/index.ts";
import { BOUNDED_INT_LIBFUNCS } from "#engine/sierra/libfuncs/bounded-int/family.ts";
import { U128_LIBFUNCS } from "#engine/sierra/libfuncs/u128/family.ts";
import { felt, type HintWriter, POINTER } from "#test/helpers/sierra/casm-run.ts";
import { honestHints, lyingHints, root, words } from "#test/helpers/sierra/honest-hints.ts";
import { IntegerWorld, isAccepted, isProof } from "#test/helpers/sierra/integer-world.ts";

const LIMIT = 2n ** 128n;
const EDGES = [0n, 1n, 2n ** 64n - 1n, 2n ** 64n, LIMIT / 2n, LIMIT - 2n, LIMIT - 1n];
const PAIRS = EDGES.flatMap((a) => EDGES.map((b) => [a, b] as const));

const world = new IntegerWorld();
const make = (name: string) => world.make(U128_LIBFUNCS, name);

/** Hint writer that adds one to the first or the last honest answer. */
const off =
  (isFirst: boolean): HintWriter =>
  (name, inputs) =>
    honestHints(name, inputs).map((value, i, { length }) =>
      i === (isFirst ? 0 : length - 1) ? value + 1n : value,
    );

describe("u128", () => {
  test("overflowing_add and overflowing_sub wrap at the limits", () => {
    const add = make("u128_overflowing_add");
    const sub = make("u128_overflowing_sub");
    for (const [a, b] of PAIRS) {
      const sum = world.checked(add, [[a], [b]]);
      expect([sum.target, sum.outputs[1]]).toEqual([
        a + b < LIMIT ? undefined : 101,
        [(a + b) % LIMIT],
      ]);
      const difference = world.checked(sub, [[a], [b]]);
      expect([difference.target, difference.outputs[1]]).toEqual([
        a >= b ? undefined : 101,
        [(a - b + LIMIT) % LIMIT],
      ]);
      expect(isProof(sum) && isProof(difference)).toBe(true);
      expect(isAccepted(() => world.checked(add, [[a], [b]], lyingHints))).toBe(false);
      expect(isAccepted(() => world.checked(sub, [[a], [b]], lyingHints))).toBe(false);
    }
  });

  test("safe_divmod accepts only the right quotient and remainder", () => {
    const divmod = make("u128_safe_divmod");
    for (const [a, b] of PAIRS) {
      if (b === 0n) continue;
      const run = world.checked(divmod, [[a], [b]]);
      expect(run.outputs.slice(1)).toEqual([[a / b], [a % b]]);
      expect(isProof(run)).toBe(true);
      for (const isFirst of [true, false]) {
        expect(isAccepted(() => world.checked(divmod, [[a], [b]], off(isFirst)))).toBe(false);
      }
    }
  });

  test("safe_divmod rejects a quotient that exceeds the prime", () => {
    const wrap: HintWriter = (name, inputs) =>
      name === "DivMod"
        ? [(FIELD_PRIME + 5n) / (LIMIT - 1n), (FIELD_PRIME + 5n) % (LIMIT - 1n)]
        : honestHints(name, inputs);
    const run = () => world.checked(make("u128_safe_divmod"), [[5n], [LIMIT - 1n]], wrap);
    expect(isAccepted(run)).toBe(false);
  });

  test("sqrt returns the root of 128 bits", () => {
    for (const value of EDGES) {
      const run = world.checked(make("u128_sqrt"), [[value]]);
      expect(run.outputs[1]).toEqual([root(value)]);
      expect(isProof(run)).toBe(true);
      expect(isAccepted(() => world.checked(make("u128_sqrt"), [[value]], off(true)))).toBe(false);
    }
  });

  test("u128s_from_felt252 splits felts of more than 128 bits", () => {
    const convert = make("u128s_from_felt252");
    const felts = [...EDGES, LIMIT, LIMIT + 1n, felt(-1n), felt(-2n), felt(-LIMIT)];
    for (const value of felts) {
      const run = world.checked(convert, [[value]]);
      expect(isProof(run)).toBe(true);
      if (value < LIMIT) expect([run.target, run.outputs[1]]).toEqual([undefined, [value]]);
      else {
        expect(run.target).toBe(101);
        expect(run.outputs.slice(1)).toEqual([[value / LIMIT], [value % LIMIT]]);
      }
      expect(isAccepted(() => world.checked(convert, [[value]], lyingHints))).toBe(false);
    }
  });

  test("u128s_from_felt252 rejects a second split of a felt", () => {
    const wrapped: HintWriter = (name, inputs) =>
      name === "DivMod"
        ? [(FIELD_PRIME + LIMIT) / LIMIT, (FIELD_PRIME + LIMIT) % LIMIT]
        : honestHints(name, inputs);
    const run = () => world.checked(make("u128s_from_felt252"), [[LIMIT]], wrapped);
    expect(isAccepted(run)).toBe(false);
  });

  test("guarantee_mul returns a guarantee that can be verified", () => {
    const multiply = make("u128_guarantee_mul");
    const verify = make("u128_mul_guarantee_verify");
    for (const [a, b] of PAIRS) {
      const [low = 0n, high = 0n] = words(a * b, 2);
      const guarantee = [a, b, high, low];
      expect(world.run(multiply, [[a], [b]]).outputs).toEqual([[high], [low], guarantee]);
      const run = world.checked(verify, [guarantee]);
      expect(isProof(run)).toBe(true);
      expect(run.rangeChecks).toHaveLength(9);
      for (const [x, y] of [
        [high + 1n, low],
        [high, low + 1n],
      ] as const) {
        expect(isAccepted(() => world.checked(verify, [[a, b, x, y]]))).toBe(false);
      }
    }
  });

  test("to_u32_guarantees splits into words of 32 bits, which can be verified separately", () => {
    const split = make("u128_to_u32_guarantees");
    const u32 = 2n ** 32n - 1n;
    const verify = world.make(
      BOUNDED_INT_LIBFUNCS,
      "bounded_int_guarantee_verify",
      { kind: "value", value: 0n },
      { kind: "value", value: u32 },
    );
    for (const value of EDGES) {
      const expected = [0n, 32n, 64n, 96n].map((shift) => [(value >> shift) & u32]);
      expect(world.run(split, [[value]]).outputs).toEqual(expected);
    }
    expect(isAccepted(() => world.checked(verify, [[u32]]))).toBe(true);
    expect(isAccepted(() => world.checked(verify, [[u32 + 1n]]))).toBe(false);
  });

  test("byte_reverse uses the bitwise builtin four times", () => {
    const reverse = make("u128_byte_reverse");
    const value = 0x000102030405060708090a0b0c0d0e0fn;
    const run = world.run(reverse, [[POINTER], [value]], honestHints, bitwiseCells(value));
    expect(run.outputs).toEqual([[POINTER + 20n], [0x0f0e0d0c0b0a09080706050403020100n]]);
  });

  test("bitwise reads the results of the builtin", () => {
    const [a, b] = [0b1100n, 0b1010n];
    const bitwise = make("bitwise");
    const cells = [a, b, a & b, a ^ b, a | b];
    const run = world.run(bitwise, [[POINTER], [a], [b]], honestHints, cells);
    expect(run.outputs).toEqual([[POINTER + 5n], [8n], [6n], [14n]]);
  });
});

/** Cells of the bitwise builtin while bytes are swapped in groups of one, two, four and eight. */
function bitwiseCells(input: bigint): bigint[] {
  let value = input;
  return [1n, 2n, 4n, 8n].flatMap((bytes) => {
    const bits = 8n * bytes;
    let mask = 0n;
    for (let at = bits - 8n; at < 128n; at += 2n * bits) mask |= (2n ** bits - 1n) << at;
    mask &= 2n ** 128n - 1n;
    const masked = value & mask;
    const cells = [value, mask, masked, value ^ mask, value | mask];
    value = value - masked + (masked << (2n * bits));
    return cells;
  });
}
