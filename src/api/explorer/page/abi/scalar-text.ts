import { FIELD_PRIME, hexOf } from "./felt.ts";
import type { Scalar } from "./primitives.ts";

/** Returns the text of a scalar: decimal for integers, hex for others; `undefined` outside its range. */
export function scalarText({ kind, min, max }: Scalar, felt: bigint): string | undefined {
  const value = min < 0n && felt > max ? felt - FIELD_PRIME : felt;
  if (value < min || value > max) return undefined;
  if (kind === "bool") return value === 1n ? "true" : "false";
  return kind === "int" ? value.toString() : hexOf(value);
}

/**
 * Returns the characters of a short string; `undefined` if the felt has others than printable ASCII.
 *
 * @param least - least number of characters: most felts with several printable ones were written as text
 */
export function shortString(felt: string, least = 2): string | undefined {
  const digits = felt.replace(/^0x0*/, "");
  if (digits.length < 2 * least || digits.length > 62 || digits.length % 2 === 1) return undefined;
  let text = "";
  for (let i = 0; i < digits.length; i += 2) {
    const code = Number.parseInt(digits.slice(i, i + 2), 16);
    if (!(code >= 0x20 && code <= 0x7e)) return undefined;
    text += String.fromCharCode(code);
  }
  return text;
}

/** Returns the felt of a short string; `undefined` beyond 31 characters or outside ASCII. */
export function shortStringFelt(text: string): bigint | undefined {
  if (!/^[\x20-\x7e]{0,31}$/.test(text)) return undefined;
  let felt = 0n;
  for (let i = 0; i < text.length; i++) felt = (felt << 8n) | BigInt(text.charCodeAt(i));
  return felt;
}
