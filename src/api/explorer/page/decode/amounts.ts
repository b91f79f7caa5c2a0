/** Most decimals that a token's contract is believed; more are taken for an error. */
export const MAX_DECIMALS = 77;

/**
 * Returns `value / 10^decimals` exactly, with grouped digits: `1,234.5`. Digits after the point beyond `most` are cut, and
 * an ellipsis says so.
 *
 * @param decimals - from 0 to 77; 0 is used for others
 */
export function decimalText(value: bigint, decimals: number, most: number = MAX_DECIMALS): string {
  const places =
    Number.isInteger(decimals) && decimals >= 0 && decimals <= MAX_DECIMALS ? decimals : 0;
  const sign = value < 0n ? "-" : "";
  const digits = (value < 0n ? -value : value).toString().padStart(places + 1, "0");
  const whole = grouped(digits.slice(0, digits.length - places));
  const fraction = digits.slice(digits.length - places).replace(/0+$/, "");
  const shown = fraction.slice(0, most);
  const isCut = shown.length < fraction.length;
  if (shown === "" && !isCut) return `${sign}${whole}`;
  return `${sign}${whole}.${shown}${isCut ? "…" : ""}`;
}

/** Returns an amount of a token with its symbol. The symbol is the contract's own text: show it with `visibleText`. */
export function tokenText(value: bigint, decimals: number, symbol: string): string {
  return `${decimalText(value, decimals)} ${symbol}`.trimEnd();
}

/** Returns a number with grouped digits: `12,345`. */
export function countText(count: number | bigint): string {
  return grouped(count.toString());
}

/** Returns an amount of gas with its unit. */
export function gasText(gas: number | bigint): string {
  return `${countText(gas)} gas`;
}

/** Units of fri and wei from the largest, with the number of their decimals. */
const UNITS = [18, 9, 0] as const;

/**
 * Returns an amount of fri or wei in the largest readable unit: `1.5 STRK`, `3 Gfri`, `12 wei`.
 *
 * @param amount - decimal or hex
 * @param unit - `FRI` or `WEI`, as receipts name it
 */
export function feeText(amount: string | bigint | number, unit: string): string {
  const value = integerOf(amount);
  if (value === undefined) return "unknown";
  const [whole, smallest] = unit === "WEI" ? ["ETH", "wei"] : ["STRK", "fri"];
  const size = value < 0n ? -value : value;
  // Below a millionth of a token, the smaller unit is easier to read.
  const fits = (decimals: number): boolean =>
    size >= 10n ** BigInt(decimals === 18 ? 12 : decimals);
  const decimals = UNITS.find((one) => fits(one)) ?? 0;
  const name = decimals === 18 ? whole : decimals === 9 ? `G${smallest}` : smallest;
  return `${decimalText(value, decimals)} ${name}`;
}

/** Reads an integer in decimal or hex; `undefined` for others and for those of more than 100 characters. */
export function integerOf(amount: unknown): bigint | undefined {
  if (typeof amount === "bigint") return amount;
  if (typeof amount === "number") return Number.isSafeInteger(amount) ? BigInt(amount) : undefined;
  if (typeof amount !== "string" || amount.length > 100) return undefined;
  return /^(0x[0-9a-f]+|-?[0-9]+)$/i.test(amount) ? BigInt(amount) : undefined;
}

function grouped(digits: string): string {
  return digits.replace(/\B(?=(\d{3})+$)/g, ",");
}
