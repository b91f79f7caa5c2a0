import { describe, expect, test } from "bun:test";
import { U256_LIBFUNCS, U512_LIBFUNCS } from "#engine/sierra/libfuncs/u256/family.ts";
import type { CasmRun, HintWriter } from "#test/helpers/sierra/casm-run.ts";
import { honestHints, root, words } from "#test/helpers/sierra/honest-hints.ts";
import { IntegerWorld, isAccepted, isProof } from "#test/helpers/sierra/integer-world.ts";

const WORD = 2n ** 128n;
const EDGES = [
  1n,
  2n,
  2n ** 64n,
  WORD - 1n,
  WORD,
  WORD + 1n,
  3n * WORD,
  2n ** 192n + 5n,
  WORD * WORD - 2n,
  WORD * WORD - 1n,
];
const PAIRS = EDGES.flatMap((a) => EDGES.map((b) => [a, b] as const));

const world = new IntegerWorld();
const make = (name: string) => world.make({ ...U256_LIBFUNCS, ...U512_LIBFUNCS }, name);

/** Hint writer that adds one to the honest answer at `index`. */
const off =
  (index: number): HintWriter =>
  (name, inputs) =>
    honestHints(name, inputs).map((value, i) =>
      i === index && name.startsWith("U") ? value + 1n : value,
    );

/** Whether the guarantees of a run are true. */
function areTrue(guarantees: CasmRun["outputs"]): boolean {
  return guarantees.every(([a = 0n, b = 0n, high = 0n, low = 0n]) => a * b === high * WORD + low);
}

/** Whether a run is accepted and its guarantees are true. */
function proves(run: () => CasmRun, guaranteesFrom: number): boolean {
  return isAccepted(() => {
    const found = run();
    if (!areTrue(found.outputs.slice(guaranteesFrom))) throw new RangeError("a false guarantee");
    return found;
  });
}

describe("u256", () => {
  test("is_zero compares both halves", () => {
    const isZero = make("u256_is_zero");
    expect(world.run(isZero, [[0n, 0n]]).target).toBeUndefined();
    for (const halves of [
      [1n, 0n],
      [0n, 1n],
    ]) {
      const run = world.run(isZero, [halves]);
      expect([run.target, run.outputs]).toEqual([101, [halves]]);
    }
  });

  test("safe_divmod accepts only the right quotient and remainder", () => {
    const divmod = make("u256_safe_divmod");
    for (const [a, b] of [...PAIRS, [0n, 1n], [0n, WORD]] as const) {
      const args = [words(a, 2), words(b, 2)];
      const run = world.checked(divmod, args);
      expect(run.outputs.slice(1, 3)).toEqual([words(a / b, 2), words(a % b, 2)]);
      expect(isProof(run) && areTrue(run.outputs.slice(3))).toBe(true);
      for (const index of [0, 1, 2, 3]) {
        expect(proves(() => world.checked(divmod, args, off(index)), 3)).toBe(false);
      }
    }
  });

  test("sqrt accepts only the right root", () => {
    const sqrt = make("u256_sqrt");
    for (const value of [0n, 3n, 4n, (2n ** 64n + 1n) ** 2n, ...EDGES]) {
      const run = world.checked(sqrt, [words(value, 2)]);
      expect(run.outputs[1]).toEqual([root(value)]);
      expect(isProof(run)).toBe(true);
      for (const index of [0, 1, 2, 3]) {
        expect(isAccepted(() => world.checked(sqrt, [words(value, 2)], off(index)))).toBe(false);
      }
    }
  });

  test("guarantee_inv_mod_n returns an inverse or proves a common divisor", () => {
    const libfunc = make("u256_guarantee_inv_mod_n");
    for (const [value, modulus] of PAIRS) {
      const args = [words(value, 2), words(modulus, 2)];
      const run = world.checked(libfunc, args);
      expect(isProof(run)).toBe(true);
      const guaranteesFrom = run.target === undefined ? 2 : 1;
      expect(areTrue(run.outputs.slice(guaranteesFrom))).toBe(true);
      if (run.target === undefined) {
        const [low = 0n, high = 0n] = run.outputs[1] ?? [];
        const inverse = low + high * WORD;
        expect(inverse < modulus).toBe(true);
        expect((inverse * value) % modulus).toBe(1n);
        expect(run.outputs).toHaveLength(10);
      } else {
        expect([run.target, run.outputs.length]).toEqual([101, 3]);
        expect(modulus === 1n || hasCommonDivisor(value, modulus)).toBe(true);
      }
      for (const index of [2, 3, 4, 5]) {
        expect(proves(() => world.checked(libfunc, args, off(index)), guaranteesFrom)).toBe(false);
      }
    }
  });

  test("guarantee_inv_mod_n rejects a common divisor of one", () => {
    const claim: HintWriter = (name, inputs) =>
      name === "U256InvModN" ? [1n, 0n, 7n, 0n, 9n, 0n] : honestHints(name, inputs);
    const run = () =>
      world.checked(
        make("u256_guarantee_inv_mod_n"),
        [
          [7n, 0n],
          [9n, 0n],
        ],
        claim,
      );
    expect(isAccepted(run)).toBe(false);
  });
});

describe("u512", () => {
  const dividends = [...EDGES, WORD ** 3n + 7n, WORD ** 4n - 1n];
  test.each(EDGES)(
    "safe_divmod_by_u256 accepts only the right quotient and remainder by %s",
    (divisor) => {
      const divmod = make("u512_safe_divmod_by_u256");
      for (const dividend of dividends) {
        const args = [words(dividend, 4), words(divisor, 2)];
        const run = world.checked(divmod, args);
        const results = [words(dividend / divisor, 4), words(dividend % divisor, 2)];
        expect(run.outputs.slice(1, 3)).toEqual(results);
        expect(isProof(run) && areTrue(run.outputs.slice(3))).toBe(true);
        expect(run.outputs).toHaveLength(8);
        for (const index of [0, 1, 2, 3, 4, 5]) {
          expect(proves(() => world.checked(divmod, args, off(index)), 3)).toBe(false);
        }
      }
    },
  );
});

function hasCommonDivisor(a: bigint, b: bigint): boolean {
  let [x, y] = [a, b];
  while (y !== 0n) [x, y] = [y, x % y];
  return x > 1n;
}
