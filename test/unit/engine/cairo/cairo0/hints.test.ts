import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import { COMPARISON_HINTS } from "#engine/cairo/cairo0/comparison-hints.ts";
import { LegacyHintContext } from "#engine/cairo/cairo0/hint-context.ts";
import { HintFailed } from "#engine/cairo/cairo0/hint-failure.ts";
import { HINT_TEXTS, type HintName } from "#engine/cairo/cairo0/hint-texts.ts";
import { INTEGER_HINTS } from "#engine/cairo/cairo0/integer-hints.ts";
import { HintScopes } from "#engine/cairo/cairo0/scopes.ts";
import { Signatures } from "#engine/cairo/cairo0/signatures.ts";
import { STRUCTURE_HINTS } from "#engine/cairo/cairo0/structure-hints.ts";
import type { LegacyReference } from "#protocol/chain/index.ts";
import { legacyReference } from "#protocol/chain/legacy-reference.ts";
import type { Address, CellValue, VmKernel } from "#kernels/vm/index.ts";
import { FIELD_PRIME } from "#base/primitives/index.ts";
import { assertProperty } from "#test/helpers/property.ts";

const HINTS = { ...INTEGER_HINTS, ...COMPARISON_HINTS, ...STRUCTURE_HINTS };
const TRACKING = { group: 0, offset: 0 };
const AP = 1000;
const BETA = 0x6f21413efbe40de150e596d72f7a8c5609ad26c15c915c1f4cdfcb99cee9e89n;

const CONSTANTS = new Map([
  [
    "starkware.cairo.common.math.assert_le_felt.PRIME_OVER_3_HIGH",
    0x2aaaaaaaaaaaab05555555555555556n,
  ],
  [
    "starkware.cairo.common.math.assert_le_felt.PRIME_OVER_2_HIGH",
    0x4000000000000088000000000000001n,
  ],
  ["starkware.cairo.common.math.split_felt.MAX_HIGH", (FIELD_PRIME - 1n) >> 128n],
  ["starkware.cairo.common.math.split_felt.MAX_LOW", (FIELD_PRIME - 1n) & ((1n << 128n) - 1n)],
]);

/** Memory with variables of eight cells each, and scopes that persist across hints. */
class Bench {
  readonly #memory = new Map<string, CellValue>();
  readonly #names = new Map<string, number>();
  readonly #references: LegacyReference[] = [];
  readonly scopes = new HintScopes();

  #index(name: string): number {
    let index = this.#names.get(name);
    if (index === undefined) {
      index = this.#names.size;
      const reference = legacyReference(`[cast(fp + ${index * 8}, felt*)]`, TRACKING);
      if (reference !== undefined) this.#references.push(reference);
      this.#names.set(name, index);
    }
    return index;
  }

  set(name: string, ...values: (bigint | Address)[]): this {
    const start = this.#index(name) * 8;
    for (const [i, value] of values.entries()) this.#memory.set(`1:${start + i}`, value);
    return this;
  }

  get(name: string, member = 0): CellValue {
    return this.#memory.get(`1:${this.#index(name) * 8 + member}`);
  }

  at(address: Address): CellValue {
    return this.#memory.get(`${address.segment}:${address.offset}`);
  }

  get ap(): CellValue {
    return this.at({ segment: 1, offset: AP });
  }

  /** Executes a hint that writes its results to `outputs`. */
  run(name: HintName, ...outputs: string[]): this {
    for (const output of outputs) this.#index(output);
    const kernel = {
      ap: AP,
      fp: 0,
      read: (address: Address) => this.at(address),
      write: (address: Address, value: CellValue) => {
        this.#memory.set(`${address.segment}:${address.offset}`, value);
        return true;
      },
    } as unknown as VmKernel;
    const program = {
      bytecode: [],
      builtins: ["range_check", "ecdsa"] as const,
      hints: new Map(),
      constants: CONSTANTS,
      references: this.#references,
      errorMessages: [],
      entryPoints: { CONSTRUCTOR: [], EXTERNAL: [], L1_HANDLER: [] },
    };
    const environment = { kernel, program, scopes: this.scopes, signatures: new Signatures(4) };
    const hint = { code: "", apTracking: TRACKING, variables: this.#names };
    HINTS[name]?.(new LegacyHintContext(environment, hint));
    return this;
  }
}

const felt = fc.bigInt({ min: 0n, max: FIELD_PRIME - 1n });
const word = fc.bigInt({ min: 0n, max: (1n << 128n) - 1n });

describe("Cairo 0 library hints", () => {
  test("split_felt writes the high and low half", () => {
    assertProperty(
      fc.property(felt, (value) => {
        const bench = new Bench().set("value", value).run("SPLIT_FELT", "high", "low");
        expect([bench.get("high"), bench.get("low")]).toEqual([
          value >> 128n,
          value & ((1n << 128n) - 1n),
        ]);
      }),
    );
  });

  test("assert_le_felt writes the two shorter arcs and excludes the longest", () => {
    assertProperty(
      fc.property(felt, felt, (x, y) => {
        const [a, b] = x < y ? [x, y] : [y, x];
        const target = { segment: 7, offset: 0 };
        const bench = new Bench().set("a", a).set("b", b).set("range_check_ptr", target);
        bench.run("ASSERT_LE_FELT");
        const limbs = [0, 1, 2, 3].map((offset) => bench.at({ segment: 7, offset }) as bigint);
        const [low0 = 0n, high0 = 0n, low1 = 0n, high1 = 0n] = limbs;
        expect(limbs.every((limb) => limb < 1n << 128n)).toBe(true);
        const arcs = [a, b - a, FIELD_PRIME - 1n - b];
        const longest = arcs[Number(bench.scopes.get("excluded"))] ?? 0n;
        const shorter =
          low0 +
          high0 * 0x2aaaaaaaaaaaab05555555555555556n +
          low1 +
          high1 * 0x4000000000000088000000000000001n;
        expect(shorter + longest).toBe(FIELD_PRIME - 1n);
        expect(arcs.every((arc) => arc <= longest)).toBe(true);
      }),
    );
  });

  test("assert_le_felt fails if the left side is larger", () => {
    const bench = new Bench()
      .set("a", 2n)
      .set("b", 1n)
      .set("range_check_ptr", { segment: 7, offset: 0 });
    expect(() => bench.run("ASSERT_LE_FELT")).toThrow(HintFailed);
  });

  test("uint256_add writes both carries", () => {
    assertProperty(
      fc.property(word, word, word, word, (aLow, aHigh, bLow, bHigh) => {
        const bench = new Bench().set("a", aLow, aHigh).set("b", bLow, bHigh);
        bench.run("UINT256_ADD", "carry_low", "carry_high");
        const sum = aLow + bLow + ((aHigh + bHigh) << 128n);
        expect(bench.get("carry_low")).toBe((aLow + bLow) >> 128n);
        expect(bench.get("carry_high")).toBe(sum >> 256n);
      }),
    );
  });

  test("uint256_unsigned_div_rem divides", () => {
    assertProperty(
      fc.property(word, word, word, word, (aLow, aHigh, low, high) => {
        const divisor = low + 1n + (high << 128n);
        const bench = new Bench().set("a", aLow, aHigh).set("div", low + 1n, high);
        bench.run("UINT256_UNSIGNED_DIV_REM", "quotient", "remainder");
        const join = (name: string) =>
          (bench.get(name) as bigint) + ((bench.get(name, 1) as bigint) << 128n);
        expect(join("quotient") * divisor + join("remainder")).toBe(aLow + (aHigh << 128n));
        expect(join("remainder") < divisor).toBe(true);
      }),
    );
  });

  test("signed_div_rem rounds down", () => {
    const bench = new Bench()
      .set("value", FIELD_PRIME - 7n)
      .set("div", 2n)
      .set("bound", 10n);
    bench.run("SIGNED_DIV_REM", "r", "biased_q");
    expect([bench.get("r"), bench.get("biased_q")]).toEqual([1n, 6n]);
  });

  test.each([
    [0n, 0n],
    [(1n << 128n) - 1n, 0n],
    [1n << 128n, 1n],
  ])("is_nn of %p writes %p", (a, expected) => {
    expect(new Bench().set("a", a).run("IS_NN").ap).toBe(expected);
  });

  test("memcpy counts down to zero", () => {
    const bench = new Bench().set("len", 2n).run("MEMCPY_ENTER_SCOPE");
    expect(bench.run("MEMCPY_CONTINUE_COPYING", "continue_copying").get("continue_copying")).toBe(
      1n,
    );
    expect(bench.run("MEMCPY_CONTINUE_COPYING").get("continue_copying")).toBe(0n);
    expect(bench.run("VM_EXIT_SCOPE").scopes.isMain).toBe(true);
  });

  test("random_ec_point writes a point on the curve", () => {
    const bench = new Bench().set("p", 1n, 2n).set("q", 3n, 4n).set("m", 5n);
    bench.run("RANDOM_EC_POINT", "s");
    const [x, y] = [bench.get("s") as bigint, bench.get("s", 1) as bigint];
    expect((y * y - x * x * x - x - BETA) % FIELD_PRIME).toBe(0n);
  });

  test("verify_ecdsa_signature requires a pointer into the signature builtin segment", () => {
    const bench = new Bench().set("signature_r", 1n).set("signature_s", 2n);
    bench.set("ecdsa_ptr", { segment: 5, offset: 0 });
    expect(() => bench.run("VERIFY_ECDSA_SIGNATURE")).toThrow(
      "Signature hint must point to the signature builtin segment, not 5:0.",
    );
  });

  test("a hint fails if one of its variables is unknown", () => {
    expect(() => new Bench().run("ASSERT_NOT_ZERO")).toThrow("Unknown identifier value");
  });
});

test("every hint of the common library has an implementation", () => {
  expect(Object.keys(HINT_TEXTS).filter((name) => !(name in HINTS))).toEqual([]);
  expect(Object.keys(HINTS).filter((name) => !(name in HINT_TEXTS))).toEqual([]);
});
