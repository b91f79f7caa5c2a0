import { expect, test } from "bun:test";
import fc from "fast-check";
import { assertProperty } from "#test/helpers/property.ts";
import { inverse, isSquare, mod, P, power } from "#test/helpers/reference/field.ts";
import { describeBuilds, felts } from "./builds.ts";

describeBuilds("field arithmetic", (kernel) => {
  test("multiplies like integers modulo P", () => {
    assertProperty(
      fc.property(felts, felts, (a, b) => {
        expect(kernel.mul(a, b)).toBe((a * b) % P);
      }),
      { numRuns: 1000 },
    );
  });

  test("adds like integers modulo P", () => {
    assertProperty(
      fc.property(felts, felts, (a, b) => {
        expect(kernel.add(a, b)).toBe((a + b) % P);
      }),
      { numRuns: 1000 },
    );
  });

  test("reduces sums at P and just below it", () => {
    assertProperty(
      fc.property(felts, (a) => {
        expect(kernel.add(a, mod(-a))).toBe(0n);
        expect(kernel.add(a, mod(-a - 1n))).toBe(P - 1n);
        expect(kernel.add(a, mod(1n - a))).toBe(1n);
      }),
    );
  });

  test("subtracts like integers modulo P", () => {
    assertProperty(
      fc.property(felts, felts, (a, b) => {
        expect(kernel.sub(a, b)).toBe(mod(a - b));
      }),
      { numRuns: 1000 },
    );
  });

  test("carries through all limbs when P is added to a negative difference", () => {
    // 0 - b has only one bits in its limbs for these b.
    for (const b of [1n, 1n << 64n, 1n << 128n, 1n << 192n, (1n << 128n) + 1n]) {
      expect(kernel.sub(0n, b)).toBe(P - b);
    }
  });

  test("reduces any 256-bit integer modulo P", () => {
    assertProperty(
      fc.property(fc.bigInt({ min: 0n, max: (1n << 256n) - 1n }), (value) => {
        expect(kernel.reduce(value)).toBe(value % P);
      }),
      { numRuns: 300 },
    );
    for (const k of [1n, 2n, 16n, 31n]) {
      expect(kernel.reduce(k * P)).toBe(0n);
      expect(kernel.reduce(k * P - 1n)).toBe(P - 1n);
    }
  });

  test("inverts like Fermat's theorem", () => {
    assertProperty(
      fc.property(felts, (a) => {
        expect(kernel.inverse(a)).toBe(inverse(a));
      }),
      { numRuns: 500 },
    );
    expect(kernel.inverse(0n)).toBe(0n);
  });

  test("inverts values around every power of two", () => {
    for (let bit = 0n; bit < 251n; bit++) {
      for (const a of [1n << bit, (1n << bit) + 1n, (2n << bit) - 1n, P - (1n << bit)]) {
        expect((kernel.inverse(a) * a) % P).toBe(1n);
        // The kernel inverts the Montgomery form, which is the power itself for this value.
        const plain = (a * inverse(1n << 256n)) % P;
        expect((kernel.inverse(plain) * plain) % P).toBe(1n);
      }
    }
  });

  test("squareRoot gives the smaller root of a square", () => {
    assertProperty(
      fc.property(felts, (a) => {
        expect(kernel.squareRoot((a * a) % P)).toBe(a < P - a ? a : P - a);
      }),
    );
  });

  test("squareRoot gives the same root when a square is repeated among others", () => {
    const roots = Array.from({ length: 1_500 }, (_, i) => BigInt(i) ** 3n + 2n);
    for (let round = 0; round < 3; round++) {
      for (const root of roots) expect(kernel.squareRoot((root * root) % P)).toBe(root);
    }
    const nonSquare = roots.find((root) => !isSquare(root)) ?? 0n;
    for (let i = 0; i < 3; i++) expect(kernel.squareRoot(nonSquare)).toBeUndefined();
  });

  test("squareRoot finds a root exactly for squares", () => {
    assertProperty(
      fc.property(felts, (a) => {
        expect(kernel.squareRoot(a) !== undefined).toBe(isSquare(a));
      }),
      { numRuns: 50 },
    );
  });

  test("squareRoot handles roots of unity of every order in the 2-part", () => {
    // 3 generates the multiplicative group; its powers by (P - 1) / 2^k have order 2^k.
    let root = power(3n, (P - 1n) >> 192n);
    for (let k = 0; k < 192; k++) {
      root = (root * root) % P;
      const found = kernel.squareRoot(root) ?? 0n;
      expect((found * found) % P).toBe(root);
    }
  });
});
