import { parseDurationMs } from "#protocol/config/index.ts";

/** Parses `true`/`false` and their equivalents in shells and container tools. */
export function readSwitch(text: string): boolean | undefined {
  if (["true", "1", "yes", "on"].includes(text.toLowerCase())) return true;
  return ["false", "0", "no", "off", ""].includes(text.toLowerCase()) ? false : undefined;
}

/** Parses non-empty text. */
export function readText(text: string): string | undefined {
  return text === "" ? undefined : text;
}

/** Parses text of at most 100 printable characters, safe for terminals. */
export function readName(text: string): string | undefined {
  const isPrintable = !/[\p{Cc}\p{Cs}\p{Zl}\p{Zp}\u202a-\u202e\u2066-\u2069]/u.test(text);
  return text !== "" && text.length <= 100 && isPrintable ? text : undefined;
}

/** Parses plain digits in `[min, max]`. */
export function readInteger(min: number, max: number): (text: string) => number | undefined {
  return (text) => {
    const value = /^\d{1,16}$/.test(text) ? Number(text) : -1;
    return value >= min && value <= max ? value : undefined;
  };
}

/** Parses a duration in `[minMs, maxMs]` to milliseconds; its form is `DURATION_FORM`. */
export function readDuration(minMs: number, maxMs: number): (text: string) => number | undefined {
  return (text) => {
    const ms = parseDurationMs(text);
    return ms !== undefined && ms >= minMs && ms <= maxMs ? ms : undefined;
  };
}

/** Parses plain digits of any length up to `max`. */
export function readBigint(max: bigint): (text: string) => bigint | undefined {
  return (text) => {
    const value = /^\d{1,80}$/.test(text) ? BigInt(text) : -1n;
    return value >= 0n && value <= max ? value : undefined;
  };
}

/** Variant of {@link readBigint} that refuses 0. */
export function readPositive(max: bigint): (text: string) => bigint | undefined {
  const read = readBigint(max);
  return (text) => read(text) || undefined;
}

/** Parses an `http` or `https` address. */
export function readUrl(text: string): string | undefined {
  const protocol = URL.canParse(text) ? new URL(text).protocol : "";
  return protocol === "http:" || protocol === "https:" ? text : undefined;
}

/** Parses addresses without duplicates; one text may hold several, separated by commas. */
export function readUrls(texts: readonly string[]): readonly string[] | undefined {
  const urls = texts.flatMap((text) => text.split(",")).map((text) => text.trim());
  if (urls.some((url) => readUrl(url) === undefined)) return undefined;
  return new Set(urls.map((url) => new URL(url).href)).size === urls.length ? urls : undefined;
}

/** Parses an `http` or `https` address; the default scheme is `http`. */
export function readAddress(text: string): string | undefined {
  if (text.includes("://")) return readUrl(text);
  // A URL takes plain digits for an IPv4 address, but users mean a port.
  return text.trim() !== text || /^\d*(\/|$)/.test(text) ? undefined : readUrl(`http://${text}`);
}

/** Maximum of options for amounts and prices, which have 128 bits. */
export const U128_MAX: bigint = (1n << 128n) - 1n;
