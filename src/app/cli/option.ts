import { parseDurationMs } from "#protocol/config/index.ts";

/** One row of an option table: drives parsing, environment variable, help and documentation. */
export interface Option<T> {
  /** Name without dashes: `rpc-port`. */
  readonly flag: string;
  /** One letter that can be used after a single dash: `p` for `-p`. */
  readonly short?: string;
  /** Placeholder of the value in help (`PORT`); `undefined` for a switch. */
  readonly value: string | undefined;
  readonly summary: string;
  /** The default as shown in help; `undefined` without one. */
  readonly defaultText: string | undefined;
  readonly group: string;
  /** Expected form, for messages. */
  readonly expected: string;
  /** Whether the option may be repeated; `read` then receives all texts together. */
  readonly repeatable: boolean;
  /** Parses the texts (one, unless repeatable); returns `undefined` when they are invalid. */
  readonly read: (texts: readonly string[]) => T | undefined;
  /** The value when the option is not set. */
  readonly fallback: T;
}

/** A named table of options. */
export type OptionTable = Readonly<Record<string, Option<unknown>>>;

/** The parsed values of a table. */
export type OptionValues<T extends OptionTable> = {
  readonly [K in keyof T]: T[K] extends Option<infer V> ? V : never;
};

/** Environment variable of an option: `rpc-port` is `APPCHAIN_RPC_PORT`. */
export function environmentName(flag: string): string {
  return `APPCHAIN_${flag.replaceAll("-", "_").toUpperCase()}`;
}

type Texts = Pick<Option<unknown>, "flag" | "short" | "summary" | "group"> & {
  readonly value?: string;
  readonly defaultText?: string;
};

/** Creates an option with a value, parsed from text. */
export function valueOption<T, F extends string | number | bigint | null | undefined>(
  texts: Texts & { readonly value: string },
  expected: string,
  read: (text: string) => T | undefined,
  fallback: F,
): Option<T | F> {
  const defaultText =
    texts.defaultText ??
    (fallback === null || fallback === undefined ? undefined : String(fallback));
  return {
    ...texts,
    defaultText,
    expected,
    repeatable: false,
    read: ([text = ""]) => read(text),
    fallback,
  };
}

/** Creates a switch. `--flag=false`, or `false` in the environment, turns it off. */
export function switchOption(texts: Texts): Option<boolean> {
  return {
    ...texts,
    value: undefined,
    defaultText: undefined,
    expected: "true or false",
    repeatable: false,
    read: ([text = "true"]) => readSwitch(text),
    fallback: false,
  };
}

/** Creates an option that may be repeated; the values keep their order. */
export function listOption(texts: Texts & { readonly value: string }): Option<readonly string[]> {
  return {
    ...texts,
    defaultText: undefined,
    expected: texts.value,
    repeatable: true,
    read: (list) => (list.every((text) => text !== "") ? list : undefined),
    fallback: [],
  };
}

/** Parses `true`/`false` and their equivalents in shells and container tools. */
function readSwitch(text: string): boolean | undefined {
  if (["true", "1", "yes", "on"].includes(text.toLowerCase())) return true;
  return ["false", "0", "no", "off", ""].includes(text.toLowerCase()) ? false : undefined;
}

/** Finds the option of a word such as `--rpc-port`, `--rpc-port=1` or `-p`, regardless of its value. */
export function optionOf(
  word: string,
  options: Iterable<Option<unknown>>,
): Option<unknown> | undefined {
  const [name = ""] = word.split("=", 1);
  for (const option of options) {
    if (name === `--${option.flag}`) return option;
    if (option.short !== undefined && name === `-${option.short}`) return option;
  }
  return undefined;
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

/** Parses one of the given words, in any case. */
export function readChoice<const W extends string>(
  words: readonly W[],
): (text: string) => W | undefined {
  return (text) => words.find((word) => word === text.toLowerCase());
}

/** Parses an `http` or `https` address. */
export function readUrl(text: string): string | undefined {
  const protocol = URL.canParse(text) ? new URL(text).protocol : "";
  return protocol === "http:" || protocol === "https:" ? text : undefined;
}

/** Parses an `http` or `https` address; the default scheme is `http`. */
export function readAddress(text: string): string | undefined {
  if (text.includes("://")) return readUrl(text);
  // A URL takes plain digits for an IPv4 address, but users mean a port.
  return text.trim() !== text || /^\d*(\/|$)/.test(text) ? undefined : readUrl(`http://${text}`);
}

/** Maximum amount or price: both have 128 bits. */
export const U128_MAX: bigint = (1n << 128n) - 1n;

/** Parses a port, or `off`, which yields `null`. */
export function readPortOrOff(text: string): number | null | undefined {
  return text.toLowerCase() === "off" ? null : readInteger(0, 65_535)(text);
}
