import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import { assertProperty } from "#test/helpers/property.ts";
import { executeHostHint } from "#engine/cairo/host-hints.ts";
import type { HostHintName } from "#kernels/vm/index.ts";

const LOW = (1n << 128n) - 1n;
const u128 = fc.oneof(fc.bigInt(0n, 20n), fc.bigInt(0n, LOW), fc.constantFrom(0n, 1n, LOW));

/**
 * Executes a hint with these operands. @returns the written operands, or `undefined` if it fails
 */
function execute(
  name: HostHintName,
  inputs: Readonly<Record<string, bigint>>,
): Record<string, bigint> | undefined {
  const written: Record<string, bigint> = {};
  const isDone = executeHostHint(
    { name, operands: {} },
    {
      operand: (field) => inputs[field],
      writeOperand(field, value) {
        written[field] = value;
        return true;
      },
      read: () => undefined,
      write: () => false,
    },
  );
  return isDone ? written : undefined;
}

function number(written: Readonly<Record<string, bigint>>, ...names: readonly string[]): bigint {
  return names.reduce((sum, name, i) => sum + ((written[name] ?? 0n) << BigInt(128 * i)), 0n);
}

describe("executeHostHint", () => {
  test("Uint512DivModByUint256 writes quotient and remainder", () => {
    assertProperty(
      fc.property(fc.tuple(u128, u128, u128, u128), u128, u128, (dividend, low, high) => {
        const [dividend0, dividend1, dividend2, dividend3] = dividend;
        const inputs = {
          dividend0,
          dividend1,
          dividend2,
          dividend3,
          divisor0: low,
          divisor1: high,
        };
        const divisor = low + (high << 128n);
        const written = execute("Uint512DivModByUint256", inputs);
        if (divisor === 0n) {
          expect(written).toBeUndefined();
          return;
        }
        const quotient = number(written ?? {}, "quotient0", "quotient1", "quotient2", "quotient3");
        const remainder = number(written ?? {}, "remainder0", "remainder1");
        expect(quotient * divisor + remainder).toBe(
          number(inputs, "dividend0", "dividend1", "dividend2", "dividend3"),
        );
        expect(remainder < divisor).toBe(true);
        expect(Object.values(written ?? {}).every((limb) => limb <= LOW)).toBe(true);
      }),
    );
  });

  test("U256InvModN writes an inverse with its multiple, or a common divisor with both quotients", () => {
    assertProperty(
      fc.property(u128, u128, u128, u128, (b0, b1, n0, n1) => {
        const b = b0 + (b1 << 128n);
        const n = n0 + (n1 << 128n);
        const written = execute("U256InvModN", { b0, b1, n0, n1 });
        if (n === 0n) {
          expect(written).toBeUndefined();
          return;
        }
        const first = number(written ?? {}, "s_or_r0", "s_or_r1");
        const second = number(written ?? {}, "t_or_k0", "t_or_k1");
        const g = number(written ?? {}, "g0_or_no_inv", "g1_option");
        if (g === 0n) {
          expect(first < n).toBe(true);
          expect(first * b - 1n).toBe(second * n);
        } else {
          expect([first * g, second * g]).toEqual([b, n]);
          expect(g === 1n).toBe(n === 1n);
          // Compiled code interprets a zero low limb as an existing inverse.
          expect(g & LOW).not.toBe(0n);
        }
      }),
    );
  });

  test("fails if an operand is not an integer", () => {
    expect(execute("U256InvModN", { b0: 1n })).toBeUndefined();
  });
});
