import fc from "fast-check";

/** Code points below the surrogates, and the number of surrogates. */
const BELOW_SURROGATES = 0xd800;
const SURROGATES = 0x800;

/**
 * Unit of `fc.string` for texts of any code points. fast-check's own `unit: "binary"` generates the same texts, but
 * its table of 1.1 million entries costs a second and 150 MiB in each process.
 */
export const codePoints: fc.Arbitrary<string> = fc
  .nat({ max: 0x10ffff - SURROGATES })
  .map(
    (index) => String.fromCodePoint(index < BELOW_SURROGATES ? index : index + SURROGATES),
    indexOf,
  );

/** Texts of up to 20 code points. */
export const shortTexts: fc.Arbitrary<string> = fc.string({ unit: codePoints, maxLength: 20 });

/** Number of a code point among those that are no surrogates. fast-check expects an error for other values. */
function indexOf(value: unknown): number {
  const text = typeof value === "string" ? value : "";
  const code = text.codePointAt(0);
  if (code === undefined || String.fromCodePoint(code) !== text || !text.isWellFormed()) {
    throw new TypeError("expected one code point");
  }
  return code < BELOW_SURROGATES ? code : code - SURROGATES;
}
