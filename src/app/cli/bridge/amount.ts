import { wrongCommandLine } from "../option-errors.ts";

/** At most 78 digits before the point, enough for any 256-bit amount. */
const FORM = /^(\d{1,78})(?:\.(\d{1,77}))?$/;

const U256_BOUND = 1n << 256n;

/**
 * Parses an amount; returns it in the token's smallest unit.
 *
 * @throws {ConfigError} when it is malformed, zero, above 2^256 - 1, or has more decimals than the token
 */
export function readAmount(text: string, decimals: number): bigint {
  const [, whole, fraction = ""] = FORM.exec(text) ?? [];
  if (whole === undefined) {
    throw wrongCommandLine("AMOUNT", `${text} is not an amount: expected a number such as 1.5`);
  }
  if (fraction.length > decimals) {
    throw wrongCommandLine("AMOUNT", `${text} has more decimals than the token, ${decimals}`);
  }
  const amount = BigInt(whole + fraction.padEnd(decimals, "0"));
  if (amount > 0n && amount < U256_BOUND) return amount;
  throw wrongCommandLine("AMOUNT", `${text} is not above zero and below 2^256 smallest units`);
}
